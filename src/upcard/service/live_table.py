"""A live table: an immutable state derived from its records alone, so that any process can resume it."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import Any, Protocol

from upcard import formats
from upcard.cards import Card
from upcard.cards.shoe import Shuffle, new_shoe
from upcard.catalog.ruleset import Ruleset
from upcard.codes import Coded, phrases
from upcard.engine import commands as c
from upcard.engine.awaiting import InsuranceAnswers, PlayerDecision, Wagers, awaiting
from upcard.frozen import replace
from upcard.ledger.journal import instant_of, instant_text
from upcard.pit import Table, open_table
from upcard.pit.terms import margins
from upcard.service.commands import OpenTable, Pace, Reset
from upcard.service.wire_models import EventSent
from upcard.units import Cents

phrases({"notice/floor-called": "{player} called the floor at {at:moment}"})

RECONNECT = 5  # seconds in which a player who lost the connection is still waited for, once
StakeKey = tuple[int, str, int]  # a spot, a wager and a hand: each hand of a split has its own main wagers


class Keys(Protocol):
    """The keys of shoes, by table and number. A commitment can be read where the key itself cannot be decrypted."""

    def __call__(self, table: str, number: int, /) -> bytes: ...

    def commitment(self, table: str, number: int, /) -> str: ...


Rulesets = Callable[[str], Ruleset]  # a hash -> the stored rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """A player who is away or sits out."""

    since: str
    away: bool  # False: sitting out


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualEntry:
    """An entry of a dealer after the deal began, and what the table then waited for."""

    command: c.Command
    awaited: Coded


@dataclass(frozen=True, kw_only=True)
class LiveTable:
    """The state of a table after its last record."""

    name: str
    rules: Ruleset = field(repr=False)  # of the shoe on the table, or of the next one
    pace: Pace
    table: Table
    rules_since: str = ""  # when the table took these rules
    revision: int = 0  # of the house's catalog, from which they are
    opened: bool = True
    version: int = 0
    at: str = ""
    round: int = 0  # the round in progress, or the last one
    first: int = 0  # the record that began that round
    stakes: Mapping[StakeKey, tuple[str, ...]] = field(default_factory=dict)  # on the felt: their ids in the ledger
    settled: Mapping[StakeKey, tuple[str, ...]] = field(default_factory=dict)  # the same, of settled stakes
    slips: tuple[EventSent, ...] = ()  # of this round, as far as it is settled
    decisions: int = 0  # of this round, that are settled
    ready: frozenset[str] = frozenset()
    absent: Mapping[str, Presence] = field(default_factory=dict)
    timers: Mapping[str, str] = field(default_factory=dict)  # by key: when it is due
    calls: Mapping[str, str] = field(default_factory=dict)  # who called the floor, and when
    # the shoe: committed to, then shuffled and cut with the first wager
    shoe: int = 0
    promised: int = 0  # the next shoe, if the commitment to it is published already
    shoe_day: str = ""  # the gaming day on which the shoe in play began, if a new day needs a new shoe
    words: Mapping[str, str] = field(default_factory=dict)  # words that players add to the shuffle
    cut: int | None = None
    shuffle: Shuffle | None = field(default=None, repr=False)
    pile: tuple[Card, ...] = field(default=(), repr=False)
    drawn: int = 0
    refills: int = 0
    # dealt by hand: the table when the deal began, and the entries since, so that they can be corrected
    dealt_from: Table | None = field(default=None, repr=False)
    entries: tuple[ManualEntry, ...] = ()
    dealer: str = ""  # who is logged on

    @property
    def layout(self) -> str:
        return self.rules.layout.slug

    @property
    def due(self) -> str | None:
        """When its next timer is due."""
        return min(self.timers.values(), default=None)

    @property
    def players(self) -> tuple[str, ...]:
        """The seated players, in the order of their spots."""
        return tuple(dict.fromkeys(owner for _, owner in sorted(self.table.seats.items())))

    @property
    def players_in_round(self) -> tuple[str, ...]:
        """The players with wagers in the round in progress."""
        state = self.table.round
        return () if state is None else tuple(dict.fromkeys(spot.player for spot in state.spots))

    @property
    def notices(self) -> tuple[Coded, ...]:
        """Notices to the floor."""
        return tuple({"code": "notice/floor-called", "player": name, "at": at} for name, at in self.calls.items())

    @property
    def present(self) -> tuple[str, ...]:
        """The seated players who are not absent."""
        return tuple(player for player in self.players if player not in self.absent)


def opened(
    rules: Ruleset, command: OpenTable | Reset, *, version: int = 0, rounds: int = 0, shoe: int = 0, promised: int = 0
) -> LiveTable:
    """A table that opens or is reset; it continues the numbers of its records, rounds and shoes."""
    table = table_under(rules, by_hand=command.by_hand)
    return LiveTable(
        name=command.table,
        rules=rules,
        pace=command.pace,
        table=table,
        version=version,
        round=rounds,
        shoe=shoe,
        promised=promised,
    )


def opened_again(rules: Ruleset, command: OpenTable | Reset, before: LiveTable | None) -> LiveTable:
    """A table that opens or is reset, continuing the numbers of its earlier state."""
    if before is None:
        return opened(rules, command)
    numbers = {"rounds": before.round, "shoe": before.shoe, "promised": before.promised}
    return opened(rules, command, version=before.version, **numbers)


def table_under(rules: Ruleset, *, by_hand: bool) -> Table:
    """A new table under these rules."""
    return open_table(rules.catalog, rules.layout, behaviour=rules.behaviour, dealt_by_hand=by_hand)


def timers_of(before: LiveTable, now: LiveTable) -> Mapping[str, str]:
    """The running timers: those that ran before keep their time, new ones get theirs."""
    timers: dict[str, str] = {}
    for key, since, seconds in _running(now):
        timers[key] = before.timers.get(key) or max(now.at, _later(since, seconds))  # never before the last record
    return timers


@lru_cache(maxsize=256)
def _later(since: str, seconds: int) -> str:
    """A stored time some seconds later; the commands of a transaction have the same time, and few different timers."""
    return instant_text(instant_of(since) + timedelta(seconds=seconds))


def _running(live: LiveTable) -> list[tuple[str, str, int]]:
    """Each timer's key, start and seconds."""
    if not live.opened or live.table.closed:  # the game has ended
        return []
    state, terms, pace, at = live.table.round, live.table.terms, live.pace, live.at
    if state is None or terms is None:
        return [
            (
                f"{'away' if absence.away else 'out'}/{player}/{absence.since}",
                absence.since,
                pace.away if absence.away else pace.sitting_out,
            )
            for player, absence in sorted(live.absent.items())
            if player in live.players
        ]
    if live.table.dealt_by_hand:
        return []  # the dealer decides when to close
    match awaiting(state, terms):
        case Wagers(late=True):
            return _in_time(live, "late", pace.late, live.players_in_round)
        case Wagers():
            return [(f"{live.round}/betting", at, pace.betting)] if state.spots else []
        case InsuranceAnswers(spots):
            return _in_time(live, "insurance", pace.insurance, [live.table.seats.get(spot, "") for spot in spots])
        case PlayerDecision(spot, hand):
            seat = state.spot(spot)
            cards = len(seat.hands[hand].cards) if seat else 0
            hands = len(seat.hands) if seat else 0
            owner = live.table.seats.get(spot, "")
            return _in_time(live, f"{spot}.{hand}.{hands}.{cards}", pace.decision, [owner])
        case _:
            return []


def _in_time(live: LiveTable, name: str, seconds: int, awaited: Sequence[str]) -> list[tuple[str, str, int]]:
    """The timer of a decision. If everybody it waits for has lost the connection, it need not run out."""
    running = [(f"{live.round}/{name}", live.at, seconds)]
    absences = [live.absent.get(player) for player in awaited]
    if live.rules.behaviour.absent_player == "played-at-once" and absences and all(a and a.away for a in absences):
        since = max(absence.since for absence in absences if absence)
        running.append((f"{live.round}/{name}/away", since, min(RECONNECT, seconds)))
    return running


def ends_betting(key: str) -> bool:
    """Whether this is the timer that ends betting."""
    return key.endswith("/betting") and key.count("/") == 1


# --- snapshots ----------------------------------------------------------------------------------------------------


def is_between_shoes(live: LiveTable) -> bool:
    """Whether the table is between two shoes, when its state is small."""
    return live.table.round is None and live.table.shoe_over


def needs_snapshot(live: LiveTable, since: int) -> bool:
    """Whether to take a snapshot after this record: always between shoes, now and then between rounds.

    Within a shoe, the cards dealt follow from its key, or are stored if it is dealt by hand. There is no snapshot after
    discards were dealt again (R33), or with a promotion of the day.
    """
    if live.table.round is not None:
        return False
    if live.table.shoe_over:
        return True
    plain = not live.refills and not live.rules.layout.promotion
    return plain and live.version - since >= live.rules.behaviour.records_between_snapshots


def without_shoe(live: LiveTable) -> LiveTable:
    """A table between two shoes without the remains of the last one, as a snapshot has it."""
    table = replace(
        live.table,
        layout=live.rules.layout,
        first_wagers={},
        shoe_cards=0,
        cut_card=0,
        came_out=Counter(),
    )
    return replace(live, table=table, first=0, shoe_day="")


def snapshot(live: LiveTable) -> str:
    """The JSON of a table between two shoes, or between two rounds of one."""
    table = live.table
    content: dict[str, Any] = {
        "format": formats.FORMAT,
        "rules": live.rules.hash,
        "rules_since": live.rules_since,
        "pace": live.pace.model_dump(),
        "opened": live.opened,
        "at": live.at,
        "round": live.round,
        "shoe": live.shoe,
        "words": dict(live.words),
        "cut": live.cut,
        "absent": {player: {"since": absence.since, "away": absence.away} for player, absence in live.absent.items()},
        "timers": dict(live.timers),
        "minimum": table.floor_minimum,
        "shuffler": {"now": table.shuffler, "next": table.next_shuffler},
        "seats": list(table.seats.items()),
        "flat": sorted(table.flat_bettors),
        "closing": {"announced": table.closing, "done": table.closed},
    }
    if table.dealt_by_hand:
        content["by_hand"] = True
    if live.dealer:
        content["dealer"] = live.dealer
    if live.revision:
        content["revision"] = live.revision
    if live.promised:
        content["promised"] = live.promised
    if live.calls:
        content["calls"] = list(live.calls.items())
    if live.shuffle is not None or (table.dealt_by_hand and not table.shoe_over):
        content["dealt"] = {
            **_came_out(live),
            "cut_card": table.cut_card,
            "first": live.first,
            "first_wagers": {
                player: [[spot, list(stakes.items())] for spot, stakes in spots.items()]
                for player, spots in table.first_wagers.items()
            },
        }
        if live.shoe_day:
            content["dealt"]["day"] = live.shoe_day
    return json.dumps(content, sort_keys=True, separators=(",", ":"))


def _came_out(live: LiveTable) -> dict[str, Any]:
    """The data from which the cards left in the shoe follow."""
    if live.shuffle is None:
        cards = sorted(live.table.came_out.items())
        return {"shoe_cards": live.table.shoe_cards, "came_out": [list(pair) for pair in cards]}
    return {"nonce": live.shuffle.nonce.hex(), "cut": live.shuffle.cut, "drawn": live.drawn}


def table_from_snapshot(
    rulesets: Rulesets, keys: Callable[[str, int], bytes], name: str, text: str, version: int
) -> LiveTable:
    content = json.loads(text)
    content = formats.upcast("snapshot", content, content["format"])
    live = _at_rest(rulesets(content["rules"]), name, content, version)
    if "dealt" not in content:
        return live
    live = (
        _shoe_by_hand(live, content["dealt"]) if "came_out" in content["dealt"] else _shoe(live, keys, content["dealt"])
    )
    return _within_a_shoe(live, content["dealt"])


def _shoe_by_hand(live: LiveTable, dealt: Mapping[str, Any]) -> LiveTable:
    """Restores a physical shoe: only the cards dealt from it are known."""
    table = replace(live.table, shoe_cards=dealt["shoe_cards"], came_out=dict(dealt["came_out"]))
    return replace(live, table=table)


def _shoe(live: LiveTable, keys: Callable[[str, int], bytes], dealt: Mapping[str, Any]) -> LiveTable:
    """Restores a shoe of the service: its cards follow from the key."""
    shuffle = Shuffle(key=keys(live.name, live.shoe), nonce=bytes.fromhex(dealt["nonce"]), cut=dealt["cut"])
    layout = live.table.layout
    pile = new_shoe(layout.decks, shuffle, margins(live.table.catalog.game(layout.game), layout.decks)).order
    came_out: Counter[int] = Counter(pile[: dealt["drawn"]])
    table = replace(live.table, shoe_cards=len(pile) - dealt["drawn"], came_out=dict(came_out))
    return replace(live, table=table, shuffle=shuffle, pile=pile, drawn=dealt["drawn"])


def _within_a_shoe(live: LiveTable, dealt: Mapping[str, Any]) -> LiveTable:
    table = replace(
        live.table,
        shoe_over=False,
        cut_card=dealt["cut_card"],
        first_wagers={
            player: {spot: {name: Cents(amount) for name, amount in stakes} for spot, stakes in spots}
            for player, spots in dealt["first_wagers"].items()
        },
    )
    return replace(live, table=table, first=dealt["first"], shoe_day=dealt.get("day", ""))


def _at_rest(rules: Ruleset, name: str, content: Mapping[str, Any], version: int) -> LiveTable:
    table = replace(
        table_under(rules, by_hand=content.get("by_hand", False)),
        floor_minimum=None if content["minimum"] is None else Cents(content["minimum"]),
        shuffler=content["shuffler"]["now"],
        next_shuffler=content["shuffler"]["next"],
        seats={int(spot): str(player) for spot, player in content["seats"]},
        flat_bettors=frozenset(content["flat"]),
        closing=content["closing"]["announced"],
        closed=content["closing"]["done"],
    )
    return LiveTable(
        name=name,
        rules=rules,
        rules_since=content["rules_since"],
        revision=content.get("revision", 0),
        pace=Pace.model_validate(content["pace"]),
        table=table,
        opened=content["opened"],
        version=version,
        at=content["at"],
        round=content["round"],
        shoe=content["shoe"],
        promised=content.get("promised", 0),
        words=content["words"],
        cut=content["cut"],
        absent={player: Presence(**absence) for player, absence in content["absent"].items()},
        timers=content["timers"],
        calls=dict(content.get("calls", ())),
        dealer=content.get("dealer", ""),
    )
