"""A table in the middle of a command: the dealer deals, money follows, rounds end, shoes come and go.

Money follows from events, not from commands: a stake that stands, a hand that was split, a round that is over each ask
the book for exactly one thing. Nothing is written here.
"""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, assert_never

from upcard import formats
from upcard.cards.shoe import Margins, ShoeCards, Shuffle, commitment, new_shoe
from upcard.codes import Coded
from upcard.engine import commands as c
from upcard.engine import events as e
from upcard.engine.round import Round
from upcard.frozen import replace
from upcard.ledger import requests as r
from upcard.ledger.record import Record
from upcard.pit import Dealer
from upcard.pit import orders as o
from upcard.pit.dealer import Happened
from upcard.pit.terms import margins
from upcard.service import manual_dealing
from upcard.service.live_table import (
    Keys,
    LiveTable,
)
from upcard.service.stored_events import Json, event_json, slip_json
from upcard.settlement import settle
from upcard.settlement.slips import Slip, insurance_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When, under which id, and who."""

    id: str
    at: datetime
    day: date
    actor: str
    role: str
    format: int = field(
        default_factory=lambda: formats.FORMAT
    )  # of the record: carried out again, a record tells what its own format tells


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A round that is over."""

    round: int
    shoe: int
    first: int
    rules: str
    void: Coded | None
    slips: tuple[Json, ...]


_MOVES_MONEY = frozenset({e.WagerPlaced, e.WagersCleared, e.BettingClosed, e.Insured, e.HandDoubled, e.HandSplit})


@dataclass
class AtTable:
    """A table under a command: how it stands, what happened at it, and what the book is asked for that."""

    keys: Keys
    moment: Moment
    live: LiveTable
    tray: int = 0  # what the book says is in it; looked up when it is counted
    events: list[Json] = field(default_factory=list)
    requests: list[Record] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)
    begun: list[int] = field(default_factory=list)  # shoes that were begun, under the table's rules
    revealed: list[tuple[int, bytes]] = field(default_factory=list)  # shoes that are over
    laid: list[int] = field(default_factory=list)  # physical shoes that were begun

    # --- the dealer ---------------------------------------------------------------------------------------------------

    def _say(self, command: c.Command | o.Order) -> None:
        """Tells the dealer, who deals every card that is then due; what happened asks the book for money."""
        live = self.live
        dealer, happened = manual_dealing.say(live, command) if live.table.dealt_by_hand else self._deal(command)
        if live.table.dealt_by_hand:
            self.live = manual_dealing.noted(live, command, dealer.table)
        for one in happened:
            written = event_json(one)
            if written is not None:
                self.events.append(written)
            self._money(one, dealer)
        if dealer.last is not None:
            self._settle(settle(*dealer.last))

    def _deal(self, command: c.Command | o.Order) -> tuple[Dealer, tuple[Happened, ...]]:
        """Cards come from the shoe of the service."""
        live = self.live
        shuffle = live.shuffle or Shuffle(key=b"", cut=0)
        pile = ShoeCards(shuffle, live.pile, live.drawn, live.refills)
        dealer = Dealer(live.table, pile)
        happened = dealer.say(command)
        self.live = replace(live, table=dealer.table, pile=pile.cards, drawn=pile.drawn, refills=pile.refills)
        return dealer, happened

    def _tell(self, event: str, **told: Any) -> None:
        self.events.append({"event": event, **told})

    # --- money --------------------------------------------------------------------------------------------------------

    def request_id(self, number: int) -> str:
        """The id of the n-th thing asked of the book."""
        return f"{self.moment.id}//{number}" if number else self.moment.id

    def _money(self, event: Happened, dealer: Dealer) -> None:
        if type(event) not in _MOVES_MONEY:
            return
        match event:
            case e.WagerPlaced(spot, player, wager, amount):
                self._take_back(spot, wager)
                self._stake(spot, player, wager, amount)
            case e.WagersCleared(spot, wagers):
                for wager in wagers:
                    self._take_back(spot, wager)
            case e.BettingClosed():
                self.requests.append(r.LockRound(table=self.live.name, round=self.live.round))
            case e.Insured(spot, amounts):
                for name, amount in amounts:
                    self._stake(spot, self._owner(spot), insurance_of(name), amount)
            case e.HandDoubled(spot, _, amounts):
                for name, amount in amounts:
                    if amount:
                        self._stake(spot, self._owner(spot), name, amount)
            case e.HandSplit(spot, _):
                state = dealer.table.round or (dealer.last[0] if dealer.last else Round())
                seat = state.spot(spot)
                for name, amount in seat.hands[0].stakes.items() if seat else ():
                    self._stake(spot, self._owner(spot), name, amount)
            case _:
                return

    def _owner(self, spot: int) -> str:
        return self.live.table.seats[spot]

    def _stake(self, spot: int, player: str, wager: str, amount: int) -> None:
        name = self.request_id(len(self.requests))
        self.requests.append(
            r.PlaceStake(
                table=self.live.name, round=self.live.round, spot=spot, player=player, wager=wager, amount=amount
            )
        )
        key = (spot, wager)
        self.live = replace(self.live, stakes={**self.live.stakes, key: (*self.live.stakes.get(key, ()), name)})

    def _take_back(self, spot: int, wager: str) -> None:
        key = (spot, wager)
        for name in self.live.stakes.get(key, ()):
            self.requests.append(r.ClearStake(table=self.live.name, stake=name))
        self.live = replace(self.live, stakes={one: ids for one, ids in self.live.stakes.items() if one != key})

    # --- rounds -------------------------------------------------------------------------------------------------------

    def _void(self, reason: r.VoidReason) -> None:
        live = self.live
        self._say(o.VoidRound(void_coded(reason)))
        self.requests.append(r.VoidRound(table=live.name, round=live.round, reason=reason))
        self._end(void_coded(reason))

    def _settle(self, slips: tuple[Slip, ...]) -> None:
        match self.live.rules.behaviour.side_wagers_are_booked:
            case "with-the-round":
                told = tuple(slip_json(slip) for slip in slips)
                self.events += told
                self.live = replace(self.live, slips=(*self.live.slips, *told))
                lines = tuple(r.slip_line(slip) for slip in slips)
                self.requests.append(r.SettleRound(table=self.live.name, round=self.live.round, slips=lines))
                self._end(None)
            case _:
                assert_never(self.live.rules.behaviour.side_wagers_are_booked)

    def _end(self, void: Coded | None) -> None:
        live = self.live
        self.ended.append(
            Ended(
                round=live.round,
                shoe=live.shoe,
                first=live.first,
                rules=live.rules.hash,
                void=void,
                slips=live.slips,
            )
        )
        self._tell("round-over", round=live.round, void=void)
        self.live = replace(self.live, stakes={}, slips=(), ready=frozenset(), dealt_from=None, entries=())

    # --- shoes --------------------------------------------------------------------------------------------------------

    def _margins(self) -> Margins:
        return margins(self.live.rules.game, self.live.rules.layout.decks)

    def _prepare_shoe(self, before: LiveTable) -> None:
        """When a shoe is over its key is told; the next one's is promised before anybody wagers on it."""
        live = self.live
        if not live.opened or not live.table.shoe_over or live.table.dealt_by_hand:
            return
        ends = live.table.closed and not before.table.closed  # a shoe that was only promised is told too
        if live.shuffle is not None or ends:
            self._put_shoe_away()
        if live.shuffle is not None and not live.table.closed:
            self._new_shoe_promised()

    def _new_shoe_promised(self) -> None:
        number = self.live.shoe + 1
        key = self.keys(self.live.name, number)
        self.live = replace(self.live, shoe=number, words={}, cut=None)
        self._tell("shoe-committed", shoe=number, commitment=commitment(key))

    def _put_shoe_away(self) -> None:
        """The key of the shoe on the table is told, however far it was dealt."""
        live = self.live
        if live.table.dealt_by_hand:
            return
        key = live.shuffle.key if live.shuffle else self.keys(live.name, live.shoe) if live.shoe else None
        if key is None:
            return
        self.revealed.append((live.shoe, key))
        nonce, cut = (live.shuffle.nonce.hex(), live.shuffle.cut) if live.shuffle else ("", None)
        self._tell("shoe-revealed", shoe=live.shoe, key=key.hex(), nonce=nonce, cut=cut)
        self.live = replace(self.live, shuffle=None, pile=(), drawn=0, refills=0)

    def _begin_shoe(self) -> None:
        """Shuffled with what players added, cut where one of them said, or in the middle."""
        live = self.live
        allowed = self._margins()
        cut = self._middle(allowed) if live.cut is None else live.cut
        nonce = "\n".join(f"{player} {said}" for player, said in sorted(live.words.items())).encode()
        shuffle = Shuffle(key=self.keys(live.name, live.shoe), nonce=nonce, cut=cut)
        shoe = new_shoe(live.table.layout.decks, shuffle, allowed)
        self.live = replace(live, shuffle=shuffle, pile=shoe.order, drawn=0, refills=0)
        self._say(o.NewShoe(shoe.cut_card))
        cards = len(shoe.order)
        self._tell("shoe-begun", shoe=live.shoe, cards=cards, nonce=nonce.hex(), cut=cut, rules=live.rules.hash)
        self.begun.append(live.shoe)

    def _middle(self, allowed: Margins) -> int:
        match self.live.rules.behaviour.shoe_cut_without_a_player:
            case "in-the-middle":
                return allowed.middle
            case _:
                assert_never(self.live.rules.behaviour.shoe_cut_without_a_player)


def void_coded(reason: r.VoidReason) -> Coded:
    """Why a round is void, as events and rounds tell it."""
    written: Coded = {"code": f"void/{reason.code}"}
    if reason.note:
        written["note"] = reason.note
    if reason.refusal is not None:
        written["refusal"] = reason.refusal
    return written
