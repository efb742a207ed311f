"""Bots that keep a guest company in a demo: they come, bet when the guest does, play on after a restart, and go."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from api.house import ApiUser, House, running_house

from upcard.people import Role
from upcard.service.live_table import LiveTable
from upcard.service.seat_filler import is_bot

TABLE = "bet-bigger"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running_house(tmp_path_factory.mktemp("demo"), demo=True, demo_pace=0.01) as opened:
        yield opened


def _live(house: House) -> LiveTable:
    return house.server.service.desk.live(TABLE)


def _bots(house: House) -> list[str]:
    return [player for player in _live(house).players if is_bot(player)]


def _until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < until, "it did not come to that"
        time.sleep(0.02)


def _play(ann: ApiUser, spot: int) -> None:
    """A round: bet, deal, stay."""
    before = ann.get(f"/api/tables/{TABLE}").json()["state"]
    assert before["round"] is None
    ann.say(TABLE, "bet", spot=spot, stakes={"Ante": 500})
    ann.say(TABLE, "ready", player=ann.name)
    until = time.monotonic() + 20
    while ann.get(f"/api/tables/{TABLE}").json()["state"]["round"] is not None:
        assert time.monotonic() < until, "the round did not end"
        for do in ("decline-insurance", "stay"):
            ann.say(TABLE, do, spot=spot)
        time.sleep(0.01)


def test_bots_fill_the_seats_play_along_and_go(demo: House) -> None:
    ann = demo.player()
    assert ann.post(f"/api/tables/{TABLE}/company", {"bots": 9}).json()["reason"] == "NOT_SEATED"
    ann.say(TABLE, "seat", player=ann.name, spot=3)
    bots = ann.post(f"/api/tables/{TABLE}/company", {"bots": 9}).json()["bots"]
    assert len(bots) == 4  # one seat is kept for another guest
    _until(lambda: sorted(_bots(demo)) == sorted(bots))
    time.sleep(0.3)
    assert _live(demo).table.round is None  # nobody bets before the guest does
    _play(ann, 3)
    played = ann.get("/api/me/rounds").json()[0]
    slips = ann.get(f"/api/tables/{TABLE}/rounds/{played['round']}").json()["slips"]
    assert {slip["player"] for slip in slips} == {ann.name, *bots}
    assert ann.post(f"/api/tables/{TABLE}/company", {"bots": 0}).json() == {"bots": []}
    _until(lambda: not _bots(demo))
    ann.say(TABLE, "leave", player=ann.name)


def test_bots_go_when_the_last_guest_has_gone(demo: House) -> None:
    ann = demo.player()
    ann.say(TABLE, "seat", player=ann.name, spot=2)
    ann.post(f"/api/tables/{TABLE}/company", {"bots": 2})
    _until(lambda: len(_bots(demo)) == 2)
    ann.say(TABLE, "leave", player=ann.name)
    _until(lambda: not _live(demo).players)


def test_after_a_restart_the_bots_play_on(tmp_path: Path) -> None:
    with running_house(tmp_path, demo=True, demo_pace=0.01) as house:
        ann = house.player()
        ann.say(TABLE, "seat", player=ann.name, spot=2)
        ann.post(f"/api/tables/{TABLE}/company", {"bots": 3})
        _until(lambda: len(_bots(house)) == 3)
    with running_house(tmp_path, demo=True, demo_pace=0.01) as house:
        assert len(_bots(house)) == 3
        _play(house.sign_in(ann.name), 2)


def test_bots_fill_seats_only_in_a_demo(house: House) -> None:
    ann = house.somebody(Role.PLAYER)
    assert ann.post(f"/api/tables/{TABLE}/company", {"bots": 1}).json()["reason"] == "NO_BOTS"
    assert ann.post(f"/api/tables/{TABLE}/company", {"bots": 10}).status_code == 422


def test_bots_play_at_the_speed_that_a_guest_chooses(demo: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert demo.server.seat_filler is not None
    monkeypatch.setattr(demo.server.seat_filler, "pace", 10.0)
    cy = demo.player()
    cy.say(TABLE, "seat", player=cy.name, spot=3)
    began = time.monotonic()
    bots = cy.post(f"/api/tables/{TABLE}/company", {"bots": 3, "speed": 50}).json()["bots"]
    _until(lambda: len(_bots(demo)) == len(bots))
    assert time.monotonic() - began < 15, "at the usual speed they need twenty seconds"
    assert cy.post(f"/api/tables/{TABLE}/company", {"bots": 3, "speed": 0}).status_code == 422
    cy.post(f"/api/tables/{TABLE}/company", {"bots": 0, "speed": 50})
    _until(lambda: not _bots(demo))
    cy.say(TABLE, "leave", player=cy.name)
