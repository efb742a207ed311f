"""Checks at the cage are made in the command's own transaction; on both databases."""

from collections.abc import Iterator

import pytest
from service.recorded_house import HOURS
from support.empty_books import KEYRING, NewAddress

from upcard.ledger.requests import SetHours
from upcard.ledger.store import Store
from upcard.people import PasswordCost
from upcard.service import commands as s
from upcard.service.cage import MOST_AT_ONCE
from upcard.service.refusals import Refused
from upcard.service.running import Service, bootstrap


@pytest.fixture
def service(new_address: NewAddress) -> Iterator[Service]:
    store = Store.open(new_address(), KEYRING)
    service = bootstrap(store, known_players_only=True)
    service.desk.do(s.House(request=SetHours(hours=HOURS)), id="hours", actor="Dana")
    service.desk.do(s.OpenTable(table="T1", layout="bet-bigger", tray=1000), id="open", actor="Dana")
    service.people(clock=None, cost=PasswordCost(passes=1, memory_kib=64)).add_players(["Ann"], actor="Dana")
    yield service
    store.close()


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (s.BuyIn(table="T1", player="Bob", amount=100), "PLAYER_UNKNOWN"),
        (s.BuyIn(table="T1", player="ann", amount=100), "PLAYER_SPELLED_OTHERWISE"),
        (s.BuyIn(table="T1", player="An\u200bn", amount=100), "PLAYER_SPELLED_OTHERWISE"),
        (s.Seat(table="T1", player="Bob", spot=1), "PLAYER_UNKNOWN"),
        (s.Correct(table="T1", transfer="t", amount=1, to_player="Bob", why="paid short"), "PLAYER_UNKNOWN"),
        (s.BuyIn(table="T1", player="Ann", amount=MOST_AT_ONCE + 1), "TOO_MUCH_AT_ONCE"),
        (s.Fill(table="T1", amount=MOST_AT_ONCE + 1), "TOO_MUCH_AT_ONCE"),
        (s.CloseTable(table="T1", tray=0, why="x" * 401), "TEXT_TOO_LONG"),
    ],
)
def test_what_the_cage_refuses_changes_nothing(service: Service, command: s.Command, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        service.desk.do(command, id="no", actor="Dana")
    assert refused.value.reason == reason
    assert service.desk.live("T1").version == 1


def test_a_known_player_buys_chips(service: Service) -> None:
    service.desk.do(s.BuyIn(table="T1", player="Ann", amount=MOST_AT_ONCE), id="yes", actor="Dana")
    assert service.queries.bankroll("Ann") == MOST_AT_ONCE
