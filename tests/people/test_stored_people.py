"""What the database holds about people: no secrets, and an append-only log; on both databases."""

import pytest
import sqlalchemy as sa
from people.house_of_people import NOON, PASSWORD, HouseOfPeople, refused
from sqlalchemy.exc import DBAPIError

from upcard.people import PeopleRefusal, Role


def test_no_secret_is_in_the_database(house: HouseOfPeople) -> None:
    """Neither tokens, tickets, passwords nor secrets, as text or as bytes: only their hashes, or encrypted."""
    setup = house.people.setup_token()
    assert setup is not None
    flo = house.people.set_up(setup, "Flo", PASSWORD)
    invitation = house.people.invite(flo, "Ann", [Role.PLAYER])
    session = house.people.sign_in("Flo", PASSWORD)
    guest = house.people.sign_in_guest(house.people.add_guest())
    ticket = house.people.ticket(session, "table:T1")
    secret, _ = house.people.enrol_totp(session)
    house.people.confirm_totp(session, house.code(secret))
    refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in(PASSWORD, "Flo"))  # in the wrong field
    stored = house.everything()
    for hidden in (setup, invitation, session.token, guest.token, ticket, secret, session.csrf, PASSWORD):
        assert hidden not in stored
    tokens = [raw.hex() for raw in house.entropy_used if len(raw) >= 20]
    assert len(tokens) >= 6
    assert not [token for token in tokens if token in stored]
    assert session.token not in repr(session)


def test_the_log_lists_every_action_and_is_append_only(house: HouseOfPeople) -> None:
    flo = house.founder()
    dan = house.session("Dan", Role.DEALER)
    house.people.sign_out(dan.token)
    house.people.disable(flo, "Dan")
    assert house.logged() == [
        ("", "setup-link-created", ""),
        ("Flo", "house-set-up", "Flo"),
        ("Flo", "person-invited", "Dan"),
        ("Dan", "invitation-accepted", "Dan"),
        ("Dan", "signed-in", "Dan"),
        ("Dan", "signed-out", "Dan"),
        ("Flo", "account-disabled", "Dan"),
    ]
    assert [entry.at for entry in house.people.log(since=house.people.log()[-2].number)] == [NOON]
    for change in ("UPDATE people_log SET actor = 'Eve'", "DELETE FROM people_log"):
        with pytest.raises(DBAPIError, match="only-grows"), house.store.transaction() as unit:
            unit.connection.execute(sa.text(change))
