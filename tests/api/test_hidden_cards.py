"""Nothing is shown before its time: everything that is sent over hundreds of rounds, against the truth of the shoes.

A player, the floor and an auditor watch every table over real sockets, and ask over HTTP between the records. Only the
server's own memory knows what lies face down: the test looks there, and nobody else can.
"""

import json
import os
import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest
from api.house import ApiUser, House, running_house
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from upcard.api.messages import FROM_SERVER
from upcard.cards import Card
from upcard.catalog import shipped
from upcard.frozen import replace
from upcard.people import Role
from upcard.service import commands as s
from upcard.service.bots import Bot
from upcard.service.live_table import LiveTable
from upcard.service.pending import TableUpdate
from upcard.service.refusals import Refused
from upcard.service.views import player_view, table_view
from upcard.service.wire_models import Choice
from upcard.strategy import usual

LAYOUTS = ("the-brook", "double-action", "bet-bigger", "lucky-ladies-jackpot-two-decks", "lucky-ladies-progressive")
TABLES = {f"{layout} {number}": layout for layout in LAYOUTS for number in (1, 2)}
ROUNDS = 10_000 if os.environ.get("UPCARD_SOAK") else 500
_LONG_HEX = re.compile(r"[0-9a-f]{64}")

Json = dict[str, Any]


class Truth:
    """Every table after every record, and where each key became known."""

    def __init__(self) -> None:
        self.lives: dict[tuple[str, int], LiveTable] = {}
        self.now: dict[str, LiveTable] = {}
        self.keys: dict[str, tuple[str, int]] = {}  # of every shoe there was -> its table and number
        self.told: dict[tuple[str, int], int] = {}  # with which record a shoe's key was told
        self.seen: dict[tuple[str, int], Counter[str]] = {}  # the cards of the round that lay open by a record
        self.rounds = 0

    def watch(self, happened: Sequence[TableUpdate]) -> None:
        for update in happened:
            live, table = update.live, update.live.name
            self.lives[table, live.version] = self.now[table] = live
            if live.shuffle is not None:
                self.keys[live.shuffle.key.hex()] = (table, live.shoe)
            names = [event["event"] for event in update.events]
            self.rounds += names.count("round-over")
            begins = "round-begun" in names
            open_cards = Counter() if begins else self.seen.get((table, live.version - 1), Counter())
            self.seen[table, live.version] = open_cards + Counter(
                event["card"] for event in update.events if "card" in event
            )
            for event in update.events:
                if event["event"] == "shoe-revealed":
                    self.told[table, event["shoe"]] = live.version

    def check_keys(self, text: str, table: str, number: int) -> None:
        """No key of a shoe that was not over by then."""
        for key in _LONG_HEX.findall(text):
            place = self.keys.get(key)
            if place is not None:
                assert place[0] == table
                assert self.told.get(place, number + 1) <= number, f"the key of {place} was told before it was over"

    def check_state(self, state: Json) -> bool:
        """Only open cards are shown, and nothing that depends on another; says whether one lay face down."""
        place = (state["table"], state["number"])
        round_state = state["round"]
        if round_state is None:
            return False
        shown_cards = Counter(round_state["dealer"]["cards"])
        for spot in round_state["spots"]:
            for hand in spot["hands"]:
                shown_cards.update(hand["cards"])
        hidden = shown_cards.pop("?", 0)
        assert not shown_cards - self.seen[place], f"{place} shows a card that was not told"
        live = self.lives[place]
        assert live.table.round is not None
        assert hidden == live.table.round.hole_down
        return bool(hidden)

    def check_as_if(self, live: LiveTable, state: Json, choices: list[Choice] | None) -> None:
        """A table with another hole card and another shoe would have been told in the same words."""
        round_ = live.table.round
        assert round_ is not None
        up, hole = round_.dealer[:2]
        for other in ((hole + 1) % 52, (hole + 7) % 52):
            table = replace(live.table, round=replace(round_, dealer=(up, Card(other))))
            elsewhere = replace(live, table=table, pile=live.pile[::-1])
            assert table_view(elsewhere) == state
            for player in live.players:
                assert player_view(elsewhere, player, None) == player_view(live, player, None)
        if choices is not None:
            assert choices in [player_view(live, player, None)["choices"] for player in (*live.players, "nobody")]


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running_house(tmp_path_factory.mktemp("crowded"), outbox_limit=10**6) as house:
        for table, layout in TABLES.items():
            links = {jackpot.wager: f"{table} {jackpot.wager}" for jackpot in shipped().layout(layout).jackpot}
            house.do(s.OpenTable(table=table, layout=layout, tray=10_000_000_00, jackpots=links, pace=_SLOW))
        yield house


_SLOW = s.Pace(betting=3600, decision=3600, insurance=3600, late=3600)


def test_no_card_or_key_is_sent_before_it_is_public(crowded: House) -> None:
    house, truth = crowded, Truth()
    house.server.service.desk.watchers.append(truth.watch)
    player, floor, auditor = house.player(name="Ann"), house.somebody(Role.FLOOR), house.somebody(Role.AUDITOR)
    bodies: list[tuple[str, int, str]] = []
    with capture_logs() as lines, ExitStack() as stack:
        names = list(TABLES)
        watched = [(player, names), (floor, names[::2]), (auditor, names[1::2])]
        ears = [_listen(stack, user, tables) for user, tables in watched]
        play(house, truth, lambda count: _ask((player, floor, auditor)[count % 3], truth, bodies))
        _ask_for_all(house, truth, bodies)
        texts = [
            ear.all({table: truth.now[table].version for table in tables})
            for ear, (_, tables) in zip(ears, watched, strict=True)
        ]
    hidden = 0
    for place, user_texts in enumerate(texts):
        for text in user_texts:
            message = json.loads(text)
            FROM_SERVER.validate_python(message)
            if (
                message["type"] not in ("events", "snapshot")
                or (message["table"], message["number"]) not in truth.lives
            ):
                continue
            truth.check_keys(text, message["table"], message["number"])
            lay_down = truth.check_state(message["state"])
            assert not (lay_down and any(event["event"] == "hole-revealed" for event in message["events"]))
            if lay_down:
                hidden += 1
                choices = message["mine"]["choices"] if place == 0 else None
                if hidden % 4 == 0:
                    truth.check_as_if(truth.lives[message["table"], message["number"]], message["state"], choices)
    for table, number, body in bodies:
        truth.check_keys(body, table, number)
        reply = json.loads(body)
        if isinstance(reply, dict) and "state" in reply:
            truth.check_state(reply["state"])
    assert truth.rounds >= ROUNDS
    assert hidden > ROUNDS, "hardly ever did a card lie face down"
    assert len(truth.told) > 10, "hardly any shoe came to its end"
    assert len(bodies) > 100
    logged = json.dumps(lines, default=str)
    assert lines, "nothing was logged"
    assert not [key for key in _LONG_HEX.findall(logged) if key in truth.keys]


def play(house: House, truth: Truth, between: Any) -> None:
    """Bots play all tables side by side: what they say at the same time is kept with one commit."""
    desk = house.server.service.desk
    bots = {table: Bot("Ann" if number % 2 else f"G{number}", usual()) for number, table in enumerate(TABLES)}
    for table, bot in bots.items():
        house.chips(bot.player, 1_000_000_00, table=table)
    submitted = 0
    while truth.rounds < ROUNDS:
        waiting = []
        for table, bot in bots.items():
            command = bot.next(truth.now[table], lambda: 1_000_000_00)
            if command is not None:
                submitted += 1
                future = desk.submit(command, id=f"bot-{submitted}", actor=bot.player, role="player")
                waiting.append((bot, command, truth.now[table], future))
        assert waiting, "nobody had anything to say"
        for bot, command, live, future in waiting:
            try:
                future.result()
            except Refused:
                bot.was_refused(command, live)
        between(submitted)


def _ask(somebody: ApiUser, truth: Truth, bodies: list[tuple[str, int, str]]) -> None:
    """One question over HTTP, while no command is under way."""
    number = len(bodies)
    table = list(TABLES)[number % len(TABLES)]
    paths = [f"/api/tables/{table}", f"/api/tables/{table}/records", f"/api/tables/{table}/shoes"]
    if Role.AUDITOR in somebody.told["roles"]:
        paths.append(f"/api/audit?table={table}")
    version = truth.now[table].version
    answer = somebody.get(paths[number // 7 % len(paths)])
    assert answer.status_code == 200, answer.text
    bodies.append((table, version, answer.text))


def _ask_for_all(house: House, truth: Truth, bodies: list[tuple[str, int, str]]) -> None:
    """The floor asks for everything there is."""
    somebody = house.somebody(Role.FLOOR)
    for table in TABLES:
        live = truth.now[table]
        for path in ("records?most=500", "shoes", f"rounds/{max(1, live.round - 1)}"):
            answer = somebody.get(f"/api/tables/{table}/{path}")
            assert answer.status_code == 200, answer.text
            bodies.append((table, live.version, answer.text))


class _Heard:
    def __init__(self, socket: ClientConnection) -> None:
        self.texts: list[str] = []
        self.numbers: dict[str, int] = {}
        self._moved = threading.Condition()
        self._thread = threading.Thread(target=self._read, args=(socket,), daemon=True)
        self._thread.start()

    def _read(self, socket: ClientConnection) -> None:
        try:
            for text in socket:
                head = str(text)[:120]
                self.texts.append(str(text))
                if (match := _NUMBERED.search(head)) is not None:
                    with self._moved:
                        self.numbers[match[1]] = int(match[2])
                        self._moved.notify_all()
        except ConnectionClosed:
            return

    def all(self, last: dict[str, int]) -> list[str]:
        """Everything, up to these records."""
        with self._moved:
            arrived = self._moved.wait_for(lambda: all(self.numbers.get(table, 0) >= last[table] for table in last), 20)
        assert arrived, "not every record was told"
        return self.texts


_NUMBERED = re.compile(r'"table":"([^"]+)","number":(\d+)')


def _listen(stack: ExitStack, somebody: ApiUser, tables: Sequence[str]) -> _Heard:
    socket = stack.enter_context(somebody.socket())
    receive = _Heard(socket)
    for table in tables:
        socket.send(json.dumps({"type": "watch", "table": table}))
    receive.all(dict.fromkeys(tables, 1))
    return receive
