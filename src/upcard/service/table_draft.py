"""A table while a command is carried out: its state, the events so far, and the requests to the ledger.

Money follows from events, not from commands: a placed stake, a split hand and a finished round each make exactly one
request to the ledger. Nothing is written here.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, assert_never, cast

from upcard import formats
from upcard.cards.shoe import ShoeCards, Shuffle
from upcard.catalog.ruleset import Ruleset
from upcard.codes import Coded
from upcard.engine import commands as c
from upcard.engine import events as e
from upcard.engine.round import Round
from upcard.frozen import replace
from upcard.ledger import requests as r
from upcard.ledger.record import Record
from upcard.pit import Dealer
from upcard.pit import orders as o
from upcard.pit.dealer import Happened, Script
from upcard.service.live_table import Keys, LiveTable
from upcard.service.manual_dealing import with_entry
from upcard.service.stored_events import event_json, slip_json, table_event
from upcard.service.wire_models import EventSent
from upcard.settlement import settle
from upcard.settlement.slips import Slip, insurance_of

ROUND_OVER = table_event("round-over", round="int", void="coded?")
_NO_SHUFFLE = Shuffle(key=b"", cut=0)
_MOVES_MONEY = frozenset({e.WagerPlaced, e.WagersCleared, e.BettingClosed, e.Insured, e.HandDoubled, e.HandSplit})


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandMoment:
    """A command's id, time and actor."""

    id: str
    at: datetime
    text: str  # of `at`
    day: date
    actor: str
    role: str
    format: int = field(
        default_factory=lambda: formats.FORMAT
    )  # a record of an earlier format is replayed by that format's rules


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedRound:
    round: int
    shoe: int
    first: int
    rules: str
    void: Coded | None
    slips: tuple[EventSent, ...]


@dataclass
class TableDraft:
    keys: Keys
    moment: CommandMoment
    live: LiveTable
    before: LiveTable | None = None  # the earlier state of a table that opens again
    rules: Ruleset | None = None  # new rules, of a table that opens, is reset or changes them
    old_rules: str = ""  # their hash before a reset
    jackpots: Collection[str] = ()  # open ones, when a table opens
    round_open: int = 0  # the round in progress, when a table is reset
    tray: int = 0  # the ledger's balance of the tray, when it is counted
    stopped_wagers: Callable[[], Mapping[str, Coded]] = dict  # at the deal: why the jackpot of a wager is stopped
    events: list[EventSent] = field(default_factory=list)
    requests: list[Record] = field(default_factory=list)
    ended: list[EndedRound] = field(default_factory=list)
    begun: list[int] = field(default_factory=list)  # numbers of shoes that began
    revealed: list[tuple[int, bytes]] = field(default_factory=list)  # finished shoes and their keys
    placed: list[int] = field(default_factory=list)  # numbers of physical shoes that began

    def say(self, command: c.Command | o.Order) -> None:
        """Gives a command to the dealer, who deals every card that is due; adds the events and ledger requests."""
        live = self.live
        if live.table.dealt_by_hand:  # only the entered card is dealt, and the unseen hole card
            dealer = Dealer(live.table, Script())
            happened = dealer.say(command)
            self.live = with_entry(live, command, dealer.table)
        else:
            cards = ShoeCards(live.shuffle or _NO_SHUFFLE, live.pile, live.drawn, live.refills)
            dealer = Dealer(live.table, cards)
            happened = dealer.say(command)
            self.live = replace(live, table=dealer.table, pile=cards.cards, drawn=cards.drawn, refills=cards.refills)
        for event in happened:
            written = event_json(event)
            if written is not None:
                self.events.append(written)
            if type(event) in _MOVES_MONEY:
                self._book(event, dealer)
        if dealer.last is not None:
            self.settle(settle(*dealer.last))

    def add_event(self, event: str, **fields: object) -> None:
        """Adds an event of the service."""
        self.events.append(cast(EventSent, {"event": event, **fields}))  # registered with these fields

    def request_id(self, number: int) -> str:
        """The id of the n-th request to the ledger."""
        return f"{self.moment.id}//{number}" if number else self.moment.id

    # --- money ----------------------------------------------------------------------------------------------------

    def _book(self, event: Happened, dealer: Dealer) -> None:
        match event:
            case e.WagerPlaced(spot, player, wager, amount):
                if (spot, wager) in self.live.stakes:
                    self._take_back(spot, wager)
                self._stake(spot, {wager: amount}, player)
            case e.WagersCleared(spot, wagers):
                for wager in wagers:
                    self._take_back(spot, wager)
            case e.BettingClosed():
                self.requests.append(r.LockRound(table=self.live.name, round=self.live.round))
            case e.Insured(spot, amounts):
                self._stake(spot, {insurance_of(name): amount for name, amount in amounts})
            case e.HandDoubled(spot, _, amounts):
                self._stake(spot, {name: amount for name, amount in amounts if amount})
            case e.HandSplit(spot, _):
                state = dealer.table.round or (dealer.last[0] if dealer.last else Round())
                seat = state.spot(spot)
                self._stake(spot, seat.hands[0].stakes if seat else {})
            case _:
                return

    def _stake(self, spot: int, amounts: Mapping[str, int], player: str = "") -> None:
        live, stakes = self.live, dict(self.live.stakes)
        player = player or live.table.seats[spot]
        for wager, amount in amounts.items():
            key = (spot, wager)
            stakes[key] = (*stakes.get(key, ()), self.request_id(len(self.requests)))
            self.requests.append(
                r.PlaceStake(table=live.name, round=live.round, spot=spot, player=player, wager=wager, amount=amount)
            )
        self.live = replace(live, stakes=stakes)

    def _take_back(self, spot: int, wager: str) -> None:
        key = (spot, wager)
        if key in self.live.stakes:
            for name in self.live.stakes[key]:
                self.requests.append(r.ClearStake(table=self.live.name, stake=name))
            self.live = replace(
                self.live, stakes={other_key: ids for other_key, ids in self.live.stakes.items() if other_key != key}
            )

    # --- the end of a round ---------------------------------------------------------------------------------------

    def void(self, reason: r.VoidReason) -> None:
        """Voids the round: every stake is returned."""
        number = self.live.round
        self.say(o.VoidRound(void_coded(reason)))
        self.requests.append(r.ReturnStakes(table=self.live.name, round=number, reason=reason))
        self.end_round(void_coded(reason))

    def settle(self, slips: tuple[Slip, ...]) -> None:
        """Settles the round by its slips."""
        match self.live.rules.behaviour.side_wagers_are_booked:
            case "with-the-round":
                written = tuple(slip_json(slip) for slip in slips)
                self.events += written
                self.live = replace(self.live, slips=(*self.live.slips, *written))
                lines = tuple(r.slip_line(slip) for slip in slips)
                self.requests.append(r.SettleRound(table=self.live.name, round=self.live.round, slips=lines))
                self.end_round(None)
            case _:
                assert_never(self.live.rules.behaviour.side_wagers_are_booked)

    def end_round(self, void: Coded | None) -> None:
        """Ends the round, settled or void."""
        live = self.live
        self.ended.append(
            EndedRound(
                round=live.round,
                shoe=live.shoe,
                first=live.first,
                rules=live.rules.hash,
                void=void,
                slips=live.slips,
            )
        )
        self.add_event(ROUND_OVER, round=live.round, void=void)
        self.live = replace(self.live, stakes={}, slips=(), ready=frozenset(), dealt_from=None, entries=())


Handler = Callable[[TableDraft, Any], None]
HANDLERS: dict[type, Handler] = {}  # by kind of command


def handles(*kinds: type) -> Callable[[Handler], Handler]:
    """Registers the function that carries out these kinds of commands."""

    def register(handler: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def void_coded(reason: r.VoidReason) -> Coded:
    """The reason of a void round as a code, for events and rounds."""
    written: Coded = {"code": f"void/{reason.code}"}
    if reason.note:
        written["note"] = reason.note
    if reason.refusal is not None:
        written["refusal"] = reason.refusal
    return written
