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
from upcard.engine.round import Phase, Round
from upcard.engine.terms import Terms
from upcard.frozen import replace
from upcard.ledger import requests as r
from upcard.ledger.outcome import transfer_id
from upcard.ledger.record import Record
from upcard.pit import Dealer
from upcard.pit import orders as o
from upcard.pit.dealer import Happened, Script
from upcard.service import settlement_parts as parts
from upcard.service.live_table import Keys, LiveTable
from upcard.service.manual_dealing import with_entry, with_hands_moved
from upcard.service.stored_events import event_json, table_event
from upcard.service.wire_models import EventSent
from upcard.settlement import settle
from upcard.settlement.slips import insurance_of

ROUND_OVER = table_event("round-over", round="int", void="coded?")
SLIP_REVERSED = table_event(
    "slip-reversed",
    player="text",
    spot="int",
    wager="text",
    hand="int?",
    stake="int",
    paid="int",
    returned="int",
)
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
    revision: int = 0  # of the house's catalog, from which they are
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
            self.finish(*dealer.last)
        elif (state := dealer.table.round) is not None and len(state.decisions) > self.live.decisions:
            self.settle_decided()

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
                if (spot, wager, 0) in self.live.stakes:
                    self._take_back(spot, wager)
                self._stake(spot, {wager: amount}, player=player)
            case e.WagersCleared(spot, wagers):
                for wager in wagers:
                    self._take_back(spot, wager)
            case e.BettingClosed():
                self._tell_jackpots()
            case e.Insured(spot, amounts):
                self._stake(spot, {insurance_of(name): amount for name, amount in amounts})
            case e.HandDoubled(spot, hand, amounts):
                self._stake(spot, {name: amount for name, amount in amounts if amount}, hand)
            case e.HandSplit(spot, hand):
                state = dealer.table.round or (dealer.last[0] if dealer.last else Round())
                seat = state.spot(spot)
                self.live = replace(self.live, stakes=with_hands_moved(self.live.stakes, spot, hand, 1))
                self._stake(spot, seat.hands[0].stakes if seat else {}, hand + 1)
            case _:
                return

    def _stake(self, spot: int, amounts: Mapping[str, int], hand: int = 0, *, player: str = "") -> None:
        """Requests stakes on a spot: all of a command together, except in format 1."""
        live, stakes = self.live, dict(self.live.stakes)
        where = {"table": live.name, "round": live.round, "spot": spot, "player": player or live.table.seats[spot]}
        for wager, amount in amounts.items():
            last = self.requests[-1] if self.requests else None
            if self.moment.format < 2:
                self.requests.append(r.PlaceStake(**where, wager=wager, amount=amount))
                position = 0
            elif isinstance(last, r.PlaceStakes) and last.spot == spot:
                position = len(last.stakes)
                self.requests[-1] = r.PlaceStakes(**where, stakes=(*last.stakes, (wager, amount)))
            else:
                self.requests.append(r.PlaceStakes(**where, stakes=((wager, amount),)))
                position = 0
            key = (spot, wager, hand)
            stake = transfer_id(self.request_id(len(self.requests) - 1), 0, position)
            stakes[key] = (*stakes.get(key, ()), stake)
        self.live = replace(live, stakes=stakes)

    def _tell_jackpots(self) -> None:
        """At the deal, stakes on jackpot wagers count."""
        live = self.live
        jackpot_wagers = {jackpot.wager for jackpot in live.rules.layout.jackpot}
        if self.moment.format < 2 or any(wager in jackpot_wagers for _, wager, _ in live.stakes):
            self.requests.append(r.LockRound(table=live.name, round=live.round))

    def _take_back(self, spot: int, wager: str) -> None:
        key = (spot, wager, 0)
        if key in self.live.stakes:
            for name in self.live.stakes[key]:
                self.requests.append(r.ClearStake(table=self.live.name, stake=name))
            self.live = replace(
                self.live, stakes={other_key: ids for other_key, ids in self.live.stakes.items() if other_key != key}
            )

    # --- the end of a round ---------------------------------------------------------------------------------------

    def void(self, reason: r.VoidReason) -> None:
        """Voids the round: every stake is returned, and what was settled is reversed."""
        number = self.live.round
        self.say(o.VoidRound(void_coded(reason)))
        self.requests.append(r.ReturnStakes(table=self.live.name, round=number, reason=reason))
        self.end_round(void_coded(reason))

    def settle_decided(self) -> None:
        """Settles what was decided while the round goes on. At a table dealt by hand the last card may still be
        corrected: what it decided is settled when the dealer has paid."""
        live, state, terms = self.live, self.live.table.round, self.live.table.terms
        if state is None or terms is None or state.phase is Phase.OVER:
            return
        match live.rules.behaviour.side_wagers_are_booked:
            case "with-the-round":
                return
            case "when-decided":
                slips = settle(state, terms, live.decisions)
                self._settle(*parts.part(replace(live, decisions=len(state.decisions)), slips))
            case _:
                assert_never(live.rules.behaviour.side_wagers_are_booked)

    def correct_settlement(self) -> None:
        """After a wrong entry was corrected: reverses what was settled wrong, and settles what is decided now."""
        before, state, terms = self.live, self.live.table.round, self.live.table.terms
        if state is None or terms is None:
            return
        slips = settle(state, terms)
        live, request = parts.reversal(before, slips, self.request_id(len(self.requests)))
        if request is not None:
            self.requests.append(request)
            wrong = (slip for slip in before.slips if slip not in live.slips)
            self.events += (parts.reversed_json(slip, SLIP_REVERSED) for slip in wrong)
        self.live = replace(live, decisions=len(state.decisions))
        unsettled = [slip for slip in slips if parts.stake_key(slip) not in live.settled]
        booked = live.rules.behaviour.side_wagers_are_booked
        if unsettled and state.phase is not Phase.OVER and booked == "when-decided":
            self._settle(*parts.part(self.live, unsettled))

    def finish(self, state: Round, terms: Terms) -> None:
        """Settles what is left of a finished round."""
        corrected = self.live.table.dealt_by_hand  # then the settled decisions may not be the first ones
        slips = settle(state, terms, 0 if corrected else self.live.decisions)
        self._settle(*parts.rest(self.live, slips))
        self.end_round(None)

    def _settle(self, live: LiveTable, request: r.SettleRound) -> None:
        self.events += live.slips[len(self.live.slips) :]
        self.live = live
        self.requests.append(request)

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
                slips=live.slips if void is None else (),
            )
        )
        self.add_event(ROUND_OVER, round=live.round, void=void)
        self.live = replace(
            live, stakes={}, settled={}, slips=(), decisions=0, ready=frozenset(), dealt_from=None, entries=()
        )


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
