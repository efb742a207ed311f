"""What is shown at a table beside its records: chips not handed in yet, and the meters of its jackpots."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from api.serving import House, Somebody, heard, said
from websockets.sync.client import ClientConnection

from upcard.api.messages import FROM_SERVER
from upcard.catalog import shipped
from upcard.people import Role
from upcard.service import commands as s

TABLE = "lucky-ladies"
PROGRESSIVE = "a progressive"


@pytest.fixture
def two(house: House) -> Iterator[tuple[Somebody, Somebody, ClientConnection, ClientConnection]]:
    """Two players at a table, each with a socket that has heard how it stands."""
    with ExitStack() as stack:
        people = [house.player() for _ in range(2)]
        sockets = []
        for spot, one in enumerate(people, start=3):
            one.say(TABLE, "seat", player=one.name, spot=spot)
            sockets.append(stack.enter_context(one.socket()))
            said(sockets[-1], {"type": "watch", "table": TABLE, "shown": True})
            heard(sockets[-1], "snapshot")
        yield (*people, *sockets)  # type: ignore[misc]  # two of each
        for one in people:
            one.say(TABLE, "leave", player=one.name)


def chips(spot: int, **stakes: int) -> dict[str, Any]:
    return {"type": "chips", "table": TABLE, "spot": spot, "stakes": stakes}


def test_others_see_chips_before_they_are_handed_in(
    house: House, two: tuple[Somebody, Somebody, ClientConnection, ClientConnection]
) -> None:
    ann, bob, hers, his = two
    number, money = house.server.service.desk.live(TABLE).version, house.server.service.queries.bankroll(ann.name)
    said(hers, chips(3, Blackjack=500))
    shown = heard(his, "chips")
    FROM_SERVER.validate_python(shown)
    assert shown["spots"] == {"3": {"player": ann.name, "stakes": {"Blackjack": 500}}}
    with bob.socket() as late:  # whoever comes sees them too
        said(late, {"type": "watch", "table": TABLE, "shown": True})
        assert heard(late, "chips")["spots"] == shown["spots"]
    assert house.server.service.desk.live(TABLE).version == number  # nothing was written
    assert house.server.service.queries.bankroll(ann.name) == money
    said(hers, chips(3))
    assert heard(his, "chips")["spots"] == {}


def test_chips_shown_are_those_of_the_player_within_the_limits(
    two: tuple[Somebody, Somebody, ClientConnection, ClientConnection],
) -> None:
    ann, _, hers, his = two
    for wrong in (chips(4, Blackjack=500), chips(3, Blackjack=10**9), chips(3, Nonsense=500), chips(5, Blackjack=500)):
        said(hers, wrong)
    said(hers, chips(3, Blackjack=1500))
    assert heard(his, "chips")["spots"] == {"3": {"player": ann.name, "stakes": {"Blackjack": 1500}}}
    said(hers, {**chips(3), "stakes": {"Blackjack": -1}})
    assert heard(hers, "problem")["reason"] == "UNREADABLE"


def test_a_table_is_told_a_few_times_a_second_however_fast_chips_move(
    two: tuple[Somebody, Somebody, ClientConnection, ClientConnection],
) -> None:
    _, _, hers, his = two
    for amount in range(50, 5050, 50):
        said(hers, chips(3, Blackjack=amount))
    count, started = 0, time.monotonic()
    while heard(his, "chips")["spots"]["3"]["stakes"]["Blackjack"] != 5000:
        count += 1
    assert count <= 2 + (time.monotonic() - started) / 0.15


def test_chips_handed_in_or_left_behind_lie_there_no_longer(
    house: House, two: tuple[Somebody, Somebody, ClientConnection, ClientConnection]
) -> None:
    ann, bob, hers, his = two
    said(hers, chips(3, Blackjack=500))
    heard(his, "chips")
    ann.say(TABLE, "bet", spot=3, stakes={"Blackjack": 500})
    assert house.server.hub.chips.message(TABLE) is None
    said(his, chips(4, Blackjack=700))
    while (shown := heard(hers, "chips")["spots"]).keys() != {"4"}:
        assert shown.keys() == {"3"}  # her own, before they were handed in
    his.close()
    assert heard(hers, "chips")["spots"] == {}
    ann.say(TABLE, "clear", spot=3)
    bob.say(TABLE, "back", player=bob.name)


def test_chips_are_gone_too_when_another_process_wrote_the_bet(
    house: House,
    two: tuple[Somebody, Somebody, ClientConnection, ClientConnection],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann, _, hers, his = two
    said(hers, chips(3, Blackjack=500))
    heard(his, "chips")
    loop, hub = house.server.loop, house.server.hub
    assert loop is not None
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(house.server.service.desk, "watchers", [])  # nobody here hears of it at once
        ann.say(TABLE, "bet", spot=3, stakes={"Blackjack": 500})
    loop.call_soon_threadsafe(hub.moved_elsewhere, [TABLE])
    heard(his, "events")
    assert hub.chips.message(TABLE) is None
    ann.say(TABLE, "clear", spot=3)


def test_nobody_looks_and_chips_do_not_wait_for_whoever_comes_next(
    house: House, two: tuple[Somebody, Somebody, ClientConnection, ClientConnection]
) -> None:
    _, _, hers, his = two
    said(hers, chips(3, Blackjack=500))
    heard(his, "chips")
    for socket in (hers, his):
        said(socket, {"type": "leave", "table": TABLE})
        said(socket, {"type": "ping"})
        heard(socket, "pong")
    assert house.server.hub.chips.message(TABLE) is None


def test_the_floor_sees_chips_and_shows_none(house: House) -> None:
    flo = house.somebody(Role.FLOOR)
    with flo.socket() as socket:
        said(socket, {"type": "watch", "table": TABLE, "shown": True})
        heard(socket, "snapshot")
        said(socket, chips(3, Blackjack=500))
        assert heard(socket, "problem")["reason"] == "NOT_ALLOWED"


def test_meters_stand_on_the_sign_and_move_with_the_wagers(house: House) -> None:
    """A progressive takes a part of each wager (002): the sign follows, to the cent of the book."""
    layout = shipped().layout("lucky-ladies-progressive")
    wager = layout.jackpot[0].wager
    house.do(s.OpenTable(table=PROGRESSIVE, layout=layout.slug, tray=10**9, jackpots={wager: "a jackpot"}))
    ann = house.player()
    ann.say(PROGRESSIVE, "seat", player=ann.name, spot=3)
    card = ann.get(f"/api/layouts/{layout.slug}").json()
    main = next(one for one in card["wagers"] if one["role"] == "main")
    jackpot = next(one for one in card["wagers"] if one["name"] == wager)
    with ann.socket() as socket:
        said(socket, {"type": "watch", "table": PROGRESSIVE, "shown": True})
        first = heard(socket, "meters")["meters"][wager]
        assert sum(first.values()) == sum(one["posted"] for one in card["jackpots"] if one["wager"] == wager)
        stakes = {main["name"]: main["least"], wager: (jackpot["amounts"] or [jackpot["least"]])[0]}
        while not ann.get(f"/api/tables/{PROGRESSIVE}").json()["mine"]["choices"]:
            assert ann.say(PROGRESSIVE, "bet", spot=3, stakes=stakes).status_code == 200
            ann.say(PROGRESSIVE, "ready", player=ann.name)
        after = heard(socket, "meters")["meters"][wager]
        book = {one["jackpot"]: one["meters"] for one in ann.get("/api/jackpots").json()}["a jackpot"]
    assert after == book
    assert sum(after.values()) > sum(first.values())
