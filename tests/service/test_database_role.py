"""The service runs as a PostgreSQL role that does not own the tables, with only the rights it needs."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from service.forger import small_house
from service.recorded_house import open_house, play
from service.test_restored_books import StoredBook
from support.accounts import CHEAP
from support.cli_runner import upcard
from support.empty_books import blank_database, write_key
from support.guards import APPEND_ONLY
from support.postgres_server import USER
from upgrades.small_house import KEY, House

from upcard.ledger.keyring import Keyring
from upcard.ledger.store import Store
from upcard.service.accruals import DailyAccruals
from upcard.service.new_day_shoes import NewDayShoes
from upcard.service.running import serving
from upcard.service.timers import fire_due

ROLE = "house service"


@pytest.fixture
def owners_address(server: str) -> Iterator[str]:
    with blank_database(server) as address:
        assert upcard("ledger", "migrate", address).code == 0
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f'CREATE ROLE "{ROLE}" LOGIN')
            connection.execute(upcard("ledger", "grants", ROLE).out)
        yield address
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP ROLE "{ROLE}"')


@pytest.fixture
def address(owners_address: str) -> str:
    return owners_address.replace(f"{USER}@", f"{ROLE.replace(' ', '%20')}@")


def test_a_role_with_only_the_needed_rights_runs_the_service(address: str, owners_address: str, tmp_path: Path) -> None:
    key = tmp_path / "house.key"
    with serving(address, key=key) as service:
        open_house(service, "T1")
        play(service, "T1", 2, into_a_hand=True)
        people = service.people(clock=None, cost=CHEAP)
        session = people.sign_in_guest(people.add_guest())
        people.ticket(session, "socket")
        people.sign_out(session.token)
        assert people.setup_token() is not None
        fire_due(service.desk, service.queries)
        DailyAccruals(service.desk).run()
        NewDayShoes(service.desk).run()
    with serving(address, key=key) as service:  # a second start, and a restore
        play(service, "T1", 1)
    restore = StoredBook(owners_address, key).save()
    with serving(address, key=key) as service:
        play(service, "T1", 1)
    restore()
    with psycopg.connect(owners_address, autocommit=True) as connection:  # as pg_restore leaves it to the operator
        connection.execute(upcard("ledger", "grants", ROLE).out)
    with serving(address, key=key) as service:
        play(service, "T1", 1)
        assert any(entry.action == "book-restored" for entry in service.people(clock=None, cost=CHEAP).log())
    assert upcard("ledger", "check", address, "--key", str(key)).code == 0
    said = upcard("doctor", address, "--key", str(key), "--json").json["said"]
    assert not [line for line in said if line["mark"] == "BAD"]
    (guards,) = [line["sentence"] for line in said if line["what"] == "guards"]
    assert guards == "the database refuses changes to written records"
    (guards,) = [
        line["sentence"]
        for line in upcard("doctor", owners_address, "--key", str(key), "--json").json["said"]
        if line["what"] == "guards"
    ]
    assert "this role owns the tables and could remove the guards" in guards


def test_people_and_approvals_work_as_that_role(address: str) -> None:
    house = House(Store.open(address, Keyring([KEY])))
    small_house(house)
    assert house.check().sound
    house.store.close()


def test_that_role_cannot_touch_what_was_written(address: str, owners_address: str, tmp_path: Path) -> None:
    write_key(tmp_path / "house.key", KEY)
    with psycopg.connect(address, autocommit=True) as connection:
        for table in APPEND_ONLY:
            column = table.columns[0].name
            for statement in (
                f"DROP TRIGGER {table.name}_no_update ON {table.name}",
                f"ALTER TABLE {table.name} DISABLE TRIGGER USER",
                f"TRUNCATE {table.name}",
                f"DELETE FROM {table.name}",
                f"UPDATE {table.name} SET {column} = {column}",
                f"DROP TABLE {table.name}",
                f"CREATE TRIGGER t BEFORE INSERT ON {table.name} FOR EACH ROW EXECUTE FUNCTION only_grows()",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SET session_replication_role = replica")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(
                "CREATE OR REPLACE FUNCTION only_grows() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'"
            )
    rotated = upcard("ledger", "rotate-key", address, "--by", "Flo", "--key", str(tmp_path / "house.key"))
    assert (rotated.code, rotated.err.count("\n")) == (2, 1)
    assert owners_address != address
