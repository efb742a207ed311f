"""A live table: one frozen state that follows from its records alone, so that any process can resume it."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

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

Key = tuple[int, str]  # a spot and a wager
Keys = Callable[[str, int], bytes]  # a table's shoe -> its key
Rulesets = Callable[[str], Ruleset]  # a hash -> the stored rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """A player who is away, or sits out, since a moment."""

    since: str
    away: bool  # else he sits out


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something said to a round after the deal began, and what the table then waited for."""

    command: c.Command
    awaited: Coded


@dataclass(frozen=True, kw_only=True)
class LiveTable:
    """A table of the service as it stands after its last record."""

    name: str
    rules: Ruleset = field(repr=False)  # of the shoe on the table, or of the next one
    pace: Pace
    table: Table
    rules_since: str = ""  # when the table took them
    opened: bool = True
    version: int = 0
    at: str = ""
    round: int = 0  # the one on the felt, or the last
    first: int = 0  # the record with which that round began
    stakes: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)  # their ids in the book
    slips: tuple[EventSent, ...] = ()  # of this round, as far as it is settled
    ready: frozenset[str] = frozenset()
    absent: Mapping[str, Presence] = field(default_factory=dict)
    timers: Mapping[str, str] = field(default_factory=dict)  # key -> when it runs out
    calls: Mapping[str, str] = field(default_factory=dict)  # who called the floor, and when
    # the shoe: prepared (its key committed to), then shuffled and cut with the first wager
    shoe: int = 0
    words: Mapping[str, str] = field(default_factory=dict)  # what players add to the shuffle
    cut: int | None = None
    shuffle: Shuffle | None = field(default=None, repr=False)
    pile: tuple[Card, ...] = field(default=(), repr=False)
    drawn: int = 0
    refills: int = 0
    # dealt by hand: the table as the deal began, and what was entered since, so that an entry can be put right
    dealt_from: Table | None = field(default=None, repr=False)
    entries: tuple[Entry, ...] = ()

    @property
    def layout(self) -> str:
        """The name of its layout."""
        return self.rules.layout.slug

    @property
    def due(self) -> str | None:
        """When its next timer runs out."""
        return min(self.timers.values(), default=None)

    @property
    def players(self) -> tuple[str, ...]:
        """Who sits here, in the order of their spots."""
        return tuple(dict.fromkeys(owner for _, owner in sorted(self.table.seats.items())))

    @property
    def notices(self) -> tuple[Coded, ...]:
        """What the floor should look at."""
        return tuple({"code": "notice/floor-called", "player": name, "at": at} for name, at in self.calls.items())

    @property
    def present(self) -> tuple[str, ...]:
        """Who sits here and plays."""
        return tuple(player for player in self.players if player not in self.absent)


def opened(
    rules: Ruleset, command: OpenTable | Reset, *, version: int = 0, rounds: int = 0, shoe: int = 0
) -> LiveTable:
    """A table that opens or begins anew, with the numbers it keeps of the time before."""
    table = table_under(rules, by_hand=command.by_hand)
    return LiveTable(
        name=command.table, rules=rules, pace=command.pace, table=table, version=version, round=rounds, shoe=shoe
    )


def opened_again(rules: Ruleset, command: OpenTable | Reset, before: LiveTable | None) -> LiveTable:
    """A table that opens or begins anew after it stood like this."""
    if before is None:
        return opened(rules, command)
    return opened(rules, command, version=before.version, rounds=before.round, shoe=before.shoe)


def table_under(rules: Ruleset, *, by_hand: bool) -> Table:
    """A table as its rules set it up."""
    return open_table(rules.catalog, rules.layout, behaviour=rules.behaviour, dealt_by_hand=by_hand)


def timers_of(before: LiveTable, now: LiveTable) -> Mapping[str, str]:
    """What runs at a table: a timer that ran before goes on, another is due some seconds after it began."""
    timers: dict[str, str] = {}
    for key, since, seconds in _running(now):
        timers[key] = before.timers.get(key) or max(  # a new one is never due before the last record
            now.at, instant_text(instant_of(since) + timedelta(seconds=seconds))
        )
    return timers


def _running(live: LiveTable) -> list[tuple[str, str, int]]:
    """Each timer, the moment at which it began, and the seconds it runs."""
    if not live.opened or live.table.closed:  # nobody sits out, and nobody leaves, where the game has ended
        return []
    state, terms, pace, at = live.table.round, live.table.terms, live.pace, live.at
    if state is None or terms is None:
        return [
            (
                f"{'away' if one.away else 'out'}/{player}/{one.since}",
                one.since,
                pace.away if one.away else pace.sitting_out,
            )
            for player, one in sorted(live.absent.items())
            if player in live.players
        ]
    if live.table.dealt_by_hand:
        return []  # the dealer waits as long as it takes, and closes what he wants to close
    match awaiting(state, terms):
        case Wagers(late=True):
            return [(f"{live.round}/late", at, pace.late)]
        case Wagers():
            return [(f"{live.round}/betting", at, pace.betting)] if state.spots else []
        case InsuranceAnswers():
            return [(f"{live.round}/insurance", at, pace.insurance)]
        case PlayerDecision(spot, hand):
            seat = state.spot(spot)
            cards = len(seat.hands[hand].cards) if seat else 0
            hands = len(seat.hands) if seat else 0
            return [(f"{live.round}/{spot}.{hand}.{hands}.{cards}", at, pace.decision)]
        case _:
            return []


def ends_betting(key: str) -> bool:
    """Whether this timer is the one of the wagers before the deal."""
    return key.endswith("/betting") and key.count("/") == 1


# --- snapshots ----------------------------------------------------------------------------------------------------


def can_rest(live: LiveTable) -> bool:
    """Between two shoes a table is little enough to be written down whole."""
    return live.table.round is None and live.table.shoe_over


def is_written_down(live: LiveTable, since: int) -> bool:
    """Whether a snapshot is taken after this record: between shoes always, between rounds now and then.

    Within a shoe what came out follows from its key, or is written down where a person deals; discards dealt on (R33)
    and promotions of a day are not.
    """
    if live.table.round is not None:
        return False
    if live.table.shoe_over:
        return True
    plain = not live.refills and not live.rules.layout.promotion
    return plain and live.version - since >= live.rules.behaviour.records_between_snapshots


def at_rest(live: LiveTable) -> LiveTable:
    """A table between two shoes without what was left of the last one: what a snapshot tells is all there is."""
    table = replace(
        live.table,
        layout=live.rules.layout,
        first_wagers={},
        shoe_cards=0,
        cut_card=0,
        came_out=Counter(),
    )
    return replace(live, table=table, first=0)


def snapshot(live: LiveTable) -> str:
    """A table between two shoes, or between two rounds of one."""
    table = live.table
    told: dict[str, Any] = {
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
        "absent": {player: {"since": one.since, "away": one.away} for player, one in live.absent.items()},
        "timers": dict(live.timers),
        "minimum": table.floor_minimum,
        "shuffler": {"now": table.shuffler, "next": table.next_shuffler},
        "seats": list(table.seats.items()),
        "flat": sorted(table.flat_bettors),
        "closing": {"announced": table.closing, "done": table.closed},
    }
    if table.dealt_by_hand:
        told["by_hand"] = True
    if live.calls:
        told["calls"] = list(live.calls.items())
    if live.shuffle is not None or (table.dealt_by_hand and not table.shoe_over):
        told["dealt"] = {
            **_came_out(live),
            "cut_card": table.cut_card,
            "first": live.first,
            "first_wagers": {
                player: [[spot, list(stakes.items())] for spot, stakes in spots.items()]
                for player, spots in table.first_wagers.items()
            },
        }
    return json.dumps(told, sort_keys=True, separators=(",", ":"))


def _came_out(live: LiveTable) -> dict[str, Any]:
    """What tells which cards are left in the shoe."""
    if live.shuffle is None:
        cards = sorted(live.table.came_out.items())
        return {"shoe_cards": live.table.shoe_cards, "came_out": [list(one) for one in cards]}
    return {"nonce": live.shuffle.nonce.hex(), "cut": live.shuffle.cut, "drawn": live.drawn}


def restored(rulesets: Rulesets, keys: Keys, name: str, text: str, version: int) -> LiveTable:
    """The table a snapshot tells of."""
    told = json.loads(text)
    told = formats.upcast("snapshot", told, told["format"])
    live = _at_rest(rulesets(told["rules"]), name, told, version)
    if "dealt" not in told:
        return live
    live = _shoe_by_hand(live, told["dealt"]) if "came_out" in told["dealt"] else _shoe(live, keys, told["dealt"])
    return _within_a_shoe(live, told["dealt"])


def _shoe_by_hand(live: LiveTable, dealt: Mapping[str, Any]) -> LiveTable:
    """A physical shoe: only what came out of it is known."""
    table = replace(live.table, shoe_cards=dealt["shoe_cards"], came_out=dict(dealt["came_out"]))
    return replace(live, table=table)


def _shoe(live: LiveTable, keys: Keys, dealt: Mapping[str, Any]) -> LiveTable:
    """A shoe of the service: its cards follow from the key."""
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
    return replace(live, table=table, first=dealt["first"])


def _at_rest(rules: Ruleset, name: str, told: Mapping[str, Any], version: int) -> LiveTable:
    table = replace(
        table_under(rules, by_hand=told.get("by_hand", False)),
        floor_minimum=None if told["minimum"] is None else Cents(told["minimum"]),
        shuffler=told["shuffler"]["now"],
        next_shuffler=told["shuffler"]["next"],
        seats={int(spot): str(player) for spot, player in told["seats"]},
        flat_bettors=frozenset(told["flat"]),
        closing=told["closing"]["announced"],
        closed=told["closing"]["done"],
    )
    return LiveTable(
        name=name,
        rules=rules,
        rules_since=told["rules_since"],
        pace=Pace.model_validate(told["pace"]),
        table=table,
        opened=told["opened"],
        version=version,
        at=told["at"],
        round=told["round"],
        shoe=told["shoe"],
        words=told["words"],
        cut=told["cut"],
        absent={player: Presence(**one) for player, one in told["absent"].items()},
        timers=told["timers"],
        calls=dict(told.get("calls", ())),
    )
