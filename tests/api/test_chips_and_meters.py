"""What is shown at a table beside its records: chips not handed in yet, and the meters of its jackpots."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from api.house import ApiUser, House, receive, send
from websockets.sync.client import ClientConnection

from upcard.api.messages import FROM_SERVER
from upcard.catalog import shipped
from upcard.people import Role
from upcard.service import commands as s

TABLE = "lucky-ladies"
PROGRESSIVE = "a progressive"


@pytest.fixture
def two(house: House) -> Iterator[tuple[ApiUser, ApiUser, ClientConnection, ClientConnection]]:
    """Two players at a table, each with a socket that has heard how it stands."""
    with ExitStack() as stack:
        people = [house.player() for _ in range(2)]
        sockets = []
        for spot, person in enumerate(people, start=3):
            person.say(TABLE, "seat", player=person.name, spot=spot)
            sockets.append(stack.enter_context(person.socket()))
            send(sockets[-1], {"type": "watch", "table": TABLE, "shown": True})
            receive(sockets[-1], "snapshot")
        yield (*people, *sockets)  # type: ignore[misc]  # two of each
        for person in people:
            person.say(TABLE, "leave", player=person.name)


def chips(spot: int, **stakes: int) -> dict[str, Any]:
    return {"type": "chips", "table": TABLE, "spot": spot, "stakes": stakes}


def test_others_see_chips_before_they_are_handed_in(
    house: House, two: tuple[ApiUser, ApiUser, ClientConnection, ClientConnection]
) -> None:
    ann, bob, ann_socket, bob_socket = two
    number, money = house.server.service.desk.live(TABLE).version, house.server.service.queries.bankroll(ann.name)
    send(ann_socket, chips(3, Blackjack=500))
    message = receive(bob_socket, "chips")
    FROM_SERVER.validate_python(message)
    assert message["spots"] == {"3": {"player": ann.name, "stakes": {"Blackjack": 500}}}
    with bob.socket() as late:  # whoever comes sees them too
        send(late, {"type": "watch", "table": TABLE, "shown": True})
        assert receive(late, "chips")["spots"] == message["spots"]
    assert house.server.service.desk.live(TABLE).version == number  # nothing was written
    assert house.server.service.queries.bankroll(ann.name) == money
    send(ann_socket, chips(3))
    assert receive(bob_socket, "chips")["spots"] == {}


def test_chips_shown_are_those_of_the_player_within_the_limits(
    two: tuple[ApiUser, ApiUser, ClientConnection, ClientConnection],
) -> None:
    ann, _, ann_socket, bob_socket = two
    for invalid in (
        chips(4, Blackjack=500),
        chips(3, Blackjack=10**9),
        chips(3, Nonsense=500),
        chips(5, Blackjack=500),
    ):
        send(ann_socket, invalid)
    send(ann_socket, chips(3, Blackjack=1500))
    assert receive(bob_socket, "chips")["spots"] == {"3": {"player": ann.name, "stakes": {"Blackjack": 1500}}}
    send(ann_socket, {**chips(3), "stakes": {"Blackjack": -1}})
    assert receive(ann_socket, "problem")["reason"] == "UNREADABLE"


def test_chip_updates_are_sent_a_few_times_per_second_at_most(
    two: tuple[ApiUser, ApiUser, ClientConnection, ClientConnection],
) -> None:
    _, _, ann_socket, bob_socket = two
    for amount in range(50, 5050, 50):
        send(ann_socket, chips(3, Blackjack=amount))
    count, started = 0, time.monotonic()
    while receive(bob_socket, "chips")["spots"]["3"]["stakes"]["Blackjack"] != 5000:
        count += 1
    assert count <= 2 + (time.monotonic() - started) / 0.15


def test_shown_chips_disappear_when_bet_or_abandoned(
    house: House, two: tuple[ApiUser, ApiUser, ClientConnection, ClientConnection]
) -> None:
    ann, bob, ann_socket, bob_socket = two
    send(ann_socket, chips(3, Blackjack=500))
    receive(bob_socket, "chips")
    ann.say(TABLE, "bet", spot=3, stakes={"Blackjack": 500})
    assert house.server.hub.chips.message(TABLE) is None
    send(bob_socket, chips(4, Blackjack=700))
    while (spots := receive(ann_socket, "chips")["spots"]).keys() != {"4"}:
        assert spots.keys() == {"3"}  # her own, before they were handed in
    bob_socket.close()
    assert receive(ann_socket, "chips")["spots"] == {}
    ann.say(TABLE, "clear", spot=3)
    bob.say(TABLE, "back", player=bob.name)


def test_chips_are_gone_too_when_another_process_wrote_the_bet(
    house: House,
    two: tuple[ApiUser, ApiUser, ClientConnection, ClientConnection],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann, _, ann_socket, bob_socket = two
    send(ann_socket, chips(3, Blackjack=500))
    receive(bob_socket, "chips")
    loop, hub = house.server.loop, house.server.hub
    assert loop is not None
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(house.server.service.desk, "watchers", [])  # nobody here hears of it at once
        ann.say(TABLE, "bet", spot=3, stakes={"Blackjack": 500})
    loop.call_soon_threadsafe(hub.moved_elsewhere, [TABLE])
    receive(bob_socket, "events")
    assert hub.chips.message(TABLE) is None
    ann.say(TABLE, "clear", spot=3)


def test_chips_shown_while_nobody_watches_are_not_kept(
    house: House, two: tuple[ApiUser, ApiUser, ClientConnection, ClientConnection]
) -> None:
    _, _, ann_socket, bob_socket = two
    send(ann_socket, chips(3, Blackjack=500))
    receive(bob_socket, "chips")
    for socket in (ann_socket, bob_socket):
        send(socket, {"type": "leave", "table": TABLE})
        send(socket, {"type": "ping"})
        receive(socket, "pong")
    assert house.server.hub.chips.message(TABLE) is None


def test_the_floor_sees_chips_and_shows_none(house: House) -> None:
    flo = house.somebody(Role.FLOOR)
    with flo.socket() as socket:
        send(socket, {"type": "watch", "table": TABLE, "shown": True})
        receive(socket, "snapshot")
        send(socket, chips(3, Blackjack=500))
        assert receive(socket, "problem")["reason"] == "NOT_ALLOWED"


def test_the_jackpot_display_shows_meters_that_move_with_the_wagers(house: House) -> None:
    """A progressive takes a part of each wager (002): the sign follows, to the cent of the book."""
    layout = shipped().layout("lucky-ladies-progressive")
    wager = layout.jackpot[0].wager
    house.do(s.OpenTable(table=PROGRESSIVE, layout=layout.slug, tray=10**9, jackpots={wager: "a jackpot"}))
    ann = house.player()
    ann.say(PROGRESSIVE, "seat", player=ann.name, spot=3)
    card = ann.get(f"/api/layouts/{layout.slug}").json()
    main = next(circle for circle in card["wagers"] if circle["role"] == "main")
    jackpot = next(circle for circle in card["wagers"] if circle["name"] == wager)
    with ann.socket() as socket:
        send(socket, {"type": "watch", "table": PROGRESSIVE, "shown": True})
        first = receive(socket, "meters")["meters"][wager]
        assert sum(first.values()) == sum(
            jackpot["posted"] for jackpot in card["jackpots"] if jackpot["wager"] == wager
        )
        stakes = {main["name"]: main["least"], wager: (jackpot["amounts"] or [jackpot["least"]])[0]}
        while not ann.get(f"/api/tables/{PROGRESSIVE}").json()["mine"]["choices"]:
            assert ann.say(PROGRESSIVE, "bet", spot=3, stakes=stakes).status_code == 200
            ann.say(PROGRESSIVE, "ready", player=ann.name)
        after = receive(socket, "meters")["meters"][wager]
        book = {line["jackpot"]: line["meters"] for line in ann.get("/api/jackpots").json()}["a jackpot"]
    assert after == book
    assert sum(after.values()) > sum(first.values())
