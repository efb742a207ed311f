"""The database guards what was written: it cannot be replaced or truncated, and guards that are gone are noticed."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from service.forger import small_house
from support.cli_runner import upcard
from support.empty_books import blank_database, write_key
from support.guards import APPEND_ONLY
from upgrades.small_house import KEY, open_house

from upcard.ledger import schema as book
from upcard.ledger.store import Store, is_server
from upcard.service.check_results import Status
from upcard.service.storage_health import guards


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A book with a little of everything; what a test does to it is rolled back."""
    if request.param == "sqlite":
        path = str(tmp_path_factory.mktemp("guards") / "book.db")
        _fill(path)
        yield path
        return
    with blank_database(request.getfixturevalue("server")) as address:
        _fill(address)
        yield address


def _fill(address: str) -> None:
    Store.create(address).close()
    with open_house(address) as house:
        small_house(house)


@pytest.fixture
def key(tmp_path: Path) -> str:
    return str(write_key(tmp_path / "house.key", KEY))


def _execute(address: str, *statements: str) -> None:
    store = Store(address)
    try:
        with store.engine.begin() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)
    finally:
        store.close()


@pytest.mark.parametrize("table", APPEND_ONLY, ids=lambda table: table.name)
def test_a_written_row_cannot_be_replaced_or_truncated(address: str, table: sa.Table) -> None:
    if is_server(address):
        with pytest.raises(sa.exc.DBAPIError, match="only-grows"):
            _execute(address, f"TRUNCATE {table.name} CASCADE")
        return
    if table.name == "transfers":
        return  # the next test
    names = table.columns.keys()
    unique = [constraint for constraint in table.constraints if isinstance(constraint, sa.UniqueConstraint)]
    for key in [table.primary_key, *unique]:
        kept = {"rowid", *key.columns.keys()} if key is table.primary_key else set(key.columns.keys())
        others = ", ".join(name if name in kept else _other(table.c[name]) for name in names)
        where = " AND ".join(f"{column.name} IS NOT NULL" for column in key.columns)
        replacement = f"INSERT OR REPLACE INTO {table.name} SELECT {others} FROM {table.name} WHERE {where} LIMIT 1"
        with pytest.raises(sa.exc.IntegrityError, match="only-grows"):
            _execute(address, replacement)
    if table.name == "keys":
        return  # its number is its rowid
    everything_new = ", ".join(_other(column) for column in table.columns)
    by_rowid = f"INSERT OR REPLACE INTO {table.name} (rowid, {', '.join(names)}) SELECT rowid, {everything_new}"
    with pytest.raises(sa.exc.IntegrityError, match="only-grows"):
        _execute(address, f"{by_rowid} FROM {table.name} LIMIT 1")


def test_a_replaced_transfer_is_found(tmp_path: Path, key: str) -> None:
    """The database lets it pass, because looking up every key of every transfer would slow all commands down."""
    path = str(tmp_path / "book.db")
    _fill(path)
    names = [column.name for column in book.transfers.columns]
    doubled = ", ".join("amount * 2" if name == "amount" else name for name in names)
    _execute(path, f"INSERT OR REPLACE INTO transfers SELECT {doubled} FROM transfers WHERE reason = 'buy-in' LIMIT 1")
    check = upcard("ledger", "check", path, "--key", key)
    assert (check.code, "its hash does not match its contents" in check.out) == (1, True), check


def _other(column: sa.Column[object]) -> str:
    """Another value than the row has, as SQL."""
    return f"{column.name} + 100000" if column.type.python_type is int else f"coalesce({column.name}, '') || 'x'"


def test_every_guard_that_was_removed_is_noticed(address: str, key: str) -> None:
    for table in APPEND_ONLY:
        for change in ("update", "delete", "truncate" if is_server(address) else "replace"):
            trigger = f"{table.name}_no_{change}"
            if trigger == "transfers_no_replace":
                continue
            statement = _definition(address, trigger)
            _execute(address, f"DROP TRIGGER {trigger}" + (f" ON {table.name}" if is_server(address) else ""))
            try:
                sentence = f"no longer refuses {change.upper()} on {table.name}"
                (bad,) = _guards(address)
                assert sentence in bad
                if trigger == "people_log_no_delete":  # the commands, for one of them
                    check = upcard("ledger", "check", address, "--key", key)
                    assert (check.code, sentence in check.out) == (1, True)
                    doctor = upcard("doctor", address, "--key", key, "--json")
                    assert (doctor.code, sentence in doctor.out) == (1, True)
            finally:
                _execute(address, statement)
    assert _guards(address) == []


_DROP = "DROP TRIGGER history_no_update"
_CREATE = "CREATE TRIGGER history_no_update BEFORE UPDATE"
_ROW = "FOR EACH ROW EXECUTE FUNCTION only_grows()"
WEAKENED = {
    "disabled, on PostgreSQL": ["ALTER TABLE history DISABLE TRIGGER history_no_update"],
    "with a condition, on PostgreSQL": [
        f"{_DROP} ON history",
        f"{_CREATE} ON history FOR EACH ROW WHEN (OLD.number < 0) EXECUTE FUNCTION only_grows()",
    ],
    "for one column, on PostgreSQL": [f"{_DROP} ON history", f"{_CREATE} OF at ON history {_ROW}"],
    "with a condition, on SQLite": [
        _DROP,
        f"{_CREATE} ON history WHEN OLD.number < 0 BEGIN SELECT RAISE(ABORT, 'upcard/only-grows'); END",
    ],
}


@pytest.mark.parametrize("how", WEAKENED)
def test_a_guard_that_was_weakened_is_noticed(address: str, how: str) -> None:
    """It is still there, and refuses nothing."""
    if is_server(address) != how.endswith("PostgreSQL"):
        return
    definition = _definition(address, "history_no_update")
    _execute(address, *WEAKENED[how])
    try:
        (bad,) = _guards(address)
        assert "no longer refuses UPDATE on history" in bad
    finally:
        _execute(address, f"{_DROP} ON history" if is_server(address) else _DROP, definition)
    assert _guards(address) == []


def _guards(address: str) -> list[str]:
    """What the doctor says about guards that are missing."""
    store = Store(address)
    try:
        with store.view() as unit:
            return [result.sentence for result in guards(unit) if result.mark is Status.BAD]
    finally:
        store.close()


def _definition(address: str, trigger: str) -> str:
    store = Store(address)
    query = "SELECT sql FROM sqlite_master WHERE name = ?"
    if is_server(address):
        query = "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname = %s"
    try:
        with store.engine.connect() as connection:
            return str(connection.exec_driver_sql(query, (trigger,)).scalar_one())
    finally:
        store.close()


FOREIGN = {
    "a trigger on SQLite": (
        "CREATE TRIGGER promote AFTER UPDATE ON sessions BEGIN UPDATE people SET roles = 'floor'; END",
        "DROP TRIGGER promote",
        "a trigger promote on sessions",
    ),
    "a trigger on PostgreSQL": (
        "CREATE TRIGGER promote BEFORE UPDATE ON people "
        "FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        "DROP TRIGGER promote ON people",
        "a trigger promote on people",
    ),
    "a rule on PostgreSQL": (
        "CREATE RULE forget AS ON INSERT TO refusals DO INSTEAD NOTHING",
        "DROP RULE forget ON refusals",
        "a rule forget on refusals",
    ),
}


def test_a_foreign_trigger_or_rule_is_noticed(address: str, key: str) -> None:
    for name, (create, drop, sentence) in FOREIGN.items():
        if name.endswith("PostgreSQL") is not is_server(address):
            continue
        _execute(address, create)
        try:
            check = upcard("ledger", "check", address, "--key", key)
            assert (check.code, f"there is {sentence}" in check.out) == (1, True), check
            doctor = upcard("doctor", address, "--key", key, "--json").json
            bad = [line["sentence"] for line in doctor["said"] if (line["what"], line["mark"]) == ("guards", "BAD")]
            assert [f"the database has {sentence}" in line for line in bad] == [True], bad
        finally:
            _execute(address, drop)
    assert upcard("ledger", "check", address, "--key", key).code == 0


def test_a_setting_that_disables_the_guards_is_noticed(server: str, key: str) -> None:
    with blank_database(server) as address:
        Store.create(address).close()
        _check_replication_role(address, key)


def _check_replication_role(address: str, key: str) -> None:
    name = sa.make_url(address).database
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET session_replication_role = replica")
        try:
            doctor = upcard("doctor", address, "--key", key, "--json").json
        finally:
            connection.execute(f"ALTER DATABASE {name} RESET session_replication_role")
    (bad,) = [line for line in doctor["said"] if (line["what"], line["mark"]) == ("guards", "BAD")]
    assert "session_replication_role=replica, which disables triggers" in bad["sentence"]
