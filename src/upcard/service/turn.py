"""One command carried out at a table: what the table becomes, what happened, and what the book is asked for it."""

from collections.abc import Collection
from typing import assert_never

from upcard.cards import card_text, read_card
from upcard.catalog.layout_checks import posted_minimum_problem
from upcard.catalog.ruleset import Ruleset
from upcard.engine import commands as c
from upcard.engine import legal
from upcard.engine.awaiting import InsuranceAnswers, Wagers, awaiting
from upcard.engine.refusal import holds_unmet
from upcard.engine.round import Phase
from upcard.frozen import replace
from upcard.ledger import requests as r
from upcard.ledger.journal import instant_of, instant_text
from upcard.ledger.openings import jackpot_opening, rules_change, table_opening
from upcard.ledger.record import Record
from upcard.pit import orders as o
from upcard.pit.table import PitRefusal, PitRefused, spots_of
from upcard.pit.terms import promotions_on
from upcard.service import commands as s
from upcard.service import manual_dealing
from upcard.service.at_table import AtTable, void_coded
from upcard.service.live_table import (
    LiveTable,
    Presence,
    at_rest,
    can_rest,
    ends_betting,
    leaving_order,
    opened,
    timers_of,
)
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.settlement import settle
from upcard.units import Cents


class Turn(AtTable):
    """A command being carried out."""

    # --- the table's own words ------------------------------------------------------------------------------------

    def carry_out(self, command: s.TableCommand) -> None:
        """Does it; raises what engine, pit or service have against it."""
        before = self.live
        self._may(command)
        self._do(command)
        self._prepare_shoe(before)
        self._seal_record(before)

    def _seal_record(self, before: LiveTable) -> None:
        """The record is complete: its number, its moment, and the timers that now run."""
        at = max(self.moment.at, instant_of(before.at)) if before.at else self.moment.at
        now = replace(self.live, version=before.version + 1, at=instant_text(at))
        if can_rest(now):
            now = at_rest(now)
        self.live = replace(now, timers=timers_of(before, now))

    def open(self, command: s.OpenTable, before: LiveTable | None, jackpots: Collection[str]) -> None:
        """A table comes into the book with its jackpots and its tray, or opens again with its tray counted."""
        name, rules = command.table, self.live.rules
        if before is None:
            self.requests.append(table_opening(rules, name))
            for wager, jackpot in command.jackpots.items():
                if jackpot not in jackpots:
                    self.requests.append(jackpot_opening(rules, jackpot, wager))
                self.requests.append(r.LinkTable(table=name, wager=wager, jackpot=jackpot))
            if command.tray:
                self.requests.append(r.Fill(table=name, amount=command.tray))
        elif before.opened:
            raise ServiceRefused(ServiceRefusal.TABLE_OPEN, table=name)
        elif before.layout != rules.layout.slug:
            other = rules.layout.slug
            raise ServiceRefused(ServiceRefusal.OTHER_LAYOUT, table=name, layout=before.layout, other=other)
        else:
            if before.rules.hash != rules.hash:
                self.requests.append(rules_change(rules, name))
            self.requests.append(r.CountTray(table=name, counted=command.tray, expected=self.tray, why=command.why))
        past = {} if before is None else {"version": before.version, "rounds": before.round, "shoe": before.shoe}
        self.live = opened(rules, name, command.pace, by_hand=command.by_hand, **past)
        self.live = replace(self.live, rules_since=instant_text(self.moment.at))
        self._tell("table-opened", layout=rules.layout.slug, rules=rules.hash)
        self._first_shoe()
        self._seal_record(self.live)

    def reset(self, command: s.Reset, round_open: int, *, changed: bool) -> None:
        """A stopped table begins anew: stakes go back, seats are free, and the next shoe is another."""
        self._tell("table-reset", why=command.why, rules=self.live.rules.hash)
        if round_open:
            self.live = replace(self.live, round=round_open, first=self.live.version + 1)
            reason = r.VoidReason(code="reset", note=command.why)
            self.requests.append(r.VoidRound(table=command.table, round=round_open, reason=reason))
            self._end(void_coded(reason))
        if changed:  # the rules before cannot be read
            self.requests.append(rules_change(self.live.rules, command.table))
        self._first_shoe()
        self._seal_record(self.live)

    def _first_shoe(self) -> None:
        """Promised at once; where a person deals he says when it lies on the table."""
        if self.live.table.dealt_by_hand:
            self._tell("dealt-by-hand")
        else:
            self._new_shoe_promised()

    def change_rules(self, rules: Ruleset) -> None:
        """Between two shoes the table takes other rules; what the floor posted stays where they allow it."""
        before = self.live
        if not can_rest(before) or not before.opened:
            raise ServiceRefused(ServiceRefusal.SHOE_ON_TABLE, table=before.name)
        self.requests.append(rules_change(rules, before.name))
        self._tell("rules-changed", rules=rules.hash, before=before.rules.hash)
        old, layout = before.table, rules.layout
        minimum = old.floor_minimum
        if minimum is not None and posted_minimum_problem(rules.catalog, layout, minimum) is not None:
            self._tell("minimum-withdrawn", amount=minimum)
            minimum = None
        shuffler = layout.shuffler if layout.shuffler != old.layout.shuffler else old.next_shuffler
        table = replace(
            old,
            catalog=rules.catalog,
            layout=layout,
            behaviour=rules.behaviour,
            floor_minimum=minimum,
            shuffler=shuffler,
            next_shuffler=shuffler,
        )
        self.live = replace(before, rules=rules, rules_since=instant_text(self.moment.at), table=table)
        allowed = self._margins()
        if before.cut is not None and not allowed.least <= before.cut <= allowed.most:
            self.live = replace(self.live, cut=None)
        for spot in sorted((spot for spot in old.seats if spot > layout.spots), reverse=True):  # they stay adjacent
            self._leave(old.seats[spot], [spot])
        self._seal_record(before)

    def _may(self, command: s.TableCommand) -> None:
        if not self.live.opened:
            raise ServiceRefused(ServiceRefusal.TABLE_NOT_OPEN, table=self.live.name)
        if self.moment.role != "player":
            return
        actor = self.moment.actor
        if isinstance(command, s.OfPlayer) and command.player != actor:
            raise ServiceRefused(ServiceRefusal.NOT_YOU, player=command.player)
        if isinstance(command, s.OfSpot) and self.live.table.seats.get(command.spot) != actor:
            raise ServiceRefused(ServiceRefusal.NOT_YOURS, player=actor, spot=command.spot)

    def _do(self, command: s.TableCommand) -> None:
        match command:
            case s.OpenTable() | s.Reset() | s.ChangeRules():
                raise TypeError("these have methods of their own")
            case s.Bet():
                self._bet(command)
            case s.Clear(spot=spot, wager=wager):
                self._say(c.ClearWagers(spot, wager))
                self._end_of_empty_betting()
            case s.Hit(spot=spot):
                self._say(c.Hit(spot))
            case s.Stay(spot=spot):
                self._say(c.Stay(spot))
            case s.Double():
                self._say(c.Double(command.spot, self._double(command)))
            case s.Split(spot=spot):
                self._say(c.Split(spot))
            case s.Surrender(spot=spot):
                self._say(c.Surrender(spot))
            case s.Insure():
                self._say(c.Insure(command.spot, self._insurance(command)))
            case s.DeclineInsurance(spot=spot):
                self._say(c.DeclineInsurance(spot))
            case s.EvenMoney(spot=spot):
                self._say(c.TakeEvenMoney(spot))
            case s.Ready(player=player):
                self._ready(player)
            case s.Deal():
                self._close()
            case s.Timeout():
                self._timeout(command)
            case s.Seat() | s.Leave() | s.Away() | s.SitOut() | s.Back() | s.Cut():
                self._guest(command)
            case s.Fill() | s.Credit() | s.PayTips() | s.BuyIn() | s.CashOut() | s.Tip() | s.Correct():
                self._chips(command)
            case s.NewShoe() | s.DealCard() | s.Peek() | s.CutCard() | s.CorrectCard() | s.TakeBack() | s.Settle():
                self._by_hand(command)
            case _:
                self._floor(command)

    def _floor(
        self,
        command: s.PostMinimum
        | s.FlatBet
        | s.Relinquish
        | s.AnnounceClosing
        | s.SetShuffler
        | s.Shuffle
        | s.Void
        | s.CloseTable,
    ) -> None:
        match command:
            case s.PostMinimum(amount=amount):
                self._say(o.PostMinimum(Cents(amount)))
            case s.FlatBet(player=player):
                self._say(o.NotifyFlatBet(player))
            case s.Relinquish(player=player):
                self._say(o.AskToRelinquish(player))
            case s.AnnounceClosing():
                self._say(o.AnnounceClosing())
            case s.SetShuffler(shuffler=shuffler):
                self._say(o.SetShuffler(shuffler))
            case s.Shuffle():
                self._say(o.EndShoe())
            case s.Void(why=why):
                self._void(r.VoidReason(code="floor", note=why))
            case s.CloseTable():
                self._close_table(command)
            case _:
                assert_never(command)

    def _by_hand(self, command: s.ByTheDealer) -> None:
        """What a dealer enters where he deals himself."""
        if not self.live.table.dealt_by_hand:
            raise ServiceRefused(ServiceRefusal.NOT_BY_HAND, table=self.live.name)
        match command:
            case s.NewShoe():
                self._say(o.NewShoe(manual_dealing.last_place(self.live)))
                self.live = replace(self.live, shoe=self.live.shoe + 1)
                self.laid.append(self.live.shoe)
                cards = self.live.table.shoe_cards
                self._tell("shoe-placed", shoe=self.live.shoe, cards=cards, rules=self.live.rules.hash)
            case s.DealCard(card=card):
                self._say(c.DealCard(read_card(card)))
            case s.Peek(blackjack=blackjack):
                self._say(c.Peek(blackjack))
            case s.CutCard():
                self._say(o.EndShoe())
            case s.CorrectCard(number=number, card=card):
                self.live, was, place = manual_dealing.corrected(self.live, number, read_card(card))
                self._tell("card-corrected", number=number, place=place, was=card_text(was), now=card)
            case s.TakeBack():
                self._take_entry_back()
            case s.Settle():
                state, terms = self.live.table.round, self.live.table.terms
                self._say(o.EndRound())
                if state is not None and terms is not None:
                    self._settle(settle(state, terms))
            case _:
                assert_never(command)

    def _take_entry_back(self) -> None:
        """Stakes that came with the entry go back: the last one of each."""
        self.live, entry, keys = manual_dealing.taken_back(self.live)
        stakes = dict(self.live.stakes)
        for key in keys:
            *kept, gone = stakes[key]
            self.requests.append(r.ClearStake(table=self.live.name, stake=gone))
            stakes[key] = tuple(kept)
        self.live = replace(self.live, stakes={key: ids for key, ids in stakes.items() if ids})
        self._tell("entry-taken-back", entry=manual_dealing.entry_json(entry.command), place=entry.awaited)

    def _guest(self, command: s.Seat | s.Leave | s.Away | s.SitOut | s.Back | s.Cut) -> None:
        player = command.player
        if not isinstance(command, s.Seat) and player not in self.live.table.seats.values():
            raise PitRefused(PitRefusal.NOT_SEATED, player=player)
        match command:
            case s.Seat(spot=spot):
                self._say(o.Seat(player, spot))
                self._present(player)
            case s.Leave(spot=spot):
                self._leave(player, None if spot is None else [spot])
            case s.Away() | s.SitOut():
                away = isinstance(command, s.Away)
                one = Presence(since=instant_text(self.moment.at), away=away)
                self.live = replace(self.live, absent={**self.live.absent, player: one})
                self._tell("player-away" if away else "player-sits-out", player=player)
                self._go_on_without()
            case s.Back():
                self._back(player)
            case s.Cut():
                self._cut(command)
            case _:
                assert_never(command)

    def _leave(self, player: str, spots: list[int] | None) -> None:
        for spot in leaving_order(self.live.table, player) if spots is None else spots:
            if self.live.table.seats.get(spot) != player:
                raise ServiceRefused(ServiceRefusal.NOT_YOURS, player=player, spot=spot)
            self._say(o.Leave(spot))
        if not spots_of(self.live.table, player):
            self._present(player)
            words = {name: said for name, said in self.live.words.items() if name != player}
            self.live = replace(self.live, words=words, ready=self.live.ready - {player})
        self._go_on_without()

    def _back(self, player: str) -> None:
        self._present(player)
        self._tell("player-back", player=player)

    def _present(self, player: str) -> None:
        absent = {name: one for name, one in self.live.absent.items() if name != player}
        self.live = replace(self.live, absent=absent)

    def _cut(self, command: s.Cut) -> None:
        if self.live.shuffle is not None:
            raise ServiceRefused(ServiceRefusal.CUT_DECIDED)
        if self.live.table.dealt_by_hand:
            raise ServiceRefused(ServiceRefusal.CUT_AT_THE_TABLE)
        allowed = self._margins()
        if command.place is not None and not allowed.least <= command.place <= allowed.most:
            bounds = {"least": allowed.least, "most": allowed.most, "place": command.place}
            raise ServiceRefused(ServiceRefusal.BAD_CUT, **bounds)
        words = {**self.live.words, command.player: command.words} if command.words else self.live.words
        self.live = replace(self.live, words=words, cut=command.place or self.live.cut)
        self._tell("cut-chosen", player=command.player, words=command.words, place=command.place)

    def _chips(self, command: s.Fill | s.Credit | s.PayTips | s.BuyIn | s.CashOut | s.Tip | s.Correct) -> None:
        """What the book alone decides."""
        told = command.model_dump(exclude={"do"})
        kinds: dict[type, type[Record]] = {
            s.Fill: r.Fill,
            s.Credit: r.Credit,
            s.PayTips: r.PayTips,
            s.BuyIn: r.BuyIn,
            s.CashOut: r.CashOut,
            s.Tip: r.Tip,
            s.Correct: r.Correct,
        }
        self.requests.append(kinds[type(command)](**told))

    # --- wagers ---------------------------------------------------------------------------------------------------

    def _bet(self, command: s.Bet) -> None:
        if self.live.table.round is None:
            self._begin_round()
        for wager, amount in command.stakes.items():
            self._say(c.PlaceWager(command.spot, wager, Cents(amount)))
        owner = self.live.table.seats[command.spot]
        self.live = replace(self.live, ready=self.live.ready - {owner})
        if owner in self.live.absent:  # who wagers is there
            self._back(owner)

    def _begin_round(self) -> None:
        live = self.live
        if live.table.shoe_over and not live.table.closed and not live.table.dealt_by_hand:
            self._begin_shoe()
        layout = live.rules.layout
        if layout.promotion:
            table = replace(self.live.table, layout=promotions_on(layout, self.moment.day))
            self.live = replace(self.live, table=table)
        self._say(o.BeginRound())
        self.live = replace(
            self.live,
            round=live.round + 1,
            first=live.version + 1,
            stakes={},
            ready=frozenset(),
        )
        self._tell("round-begun", round=self.live.round)

    def _double(self, command: s.Double) -> c.Amounts:
        if command.amounts:
            return tuple((name, Cents(amount)) for name, amount in command.amounts.items())
        return self._most(c.Double, command.spot)

    def _insurance(self, command: s.Insure) -> c.Amounts:
        if command.amount is None:
            return self._most(c.Insure, command.spot)
        state = self.live.table.round
        spot = state.spot(command.spot) if state else None
        names = tuple(spot.hands[0].stakes) if spot is not None and spot.hands else ()
        return tuple((name, Cents(command.amount)) for name in names)

    def _most(self, order: type, spot: int) -> c.Amounts:
        """The largest amounts allowed; none where it is not allowed at all: the engine says why."""
        state, terms = self.live.table.round, self.live.table.terms
        if state is None or terms is None:
            return ()
        for choice in legal(state, terms):
            if choice.order is order and choice.spot == spot:
                return tuple((name, allowed.most) for name, allowed in choice.amounts)
        return ()

    # --- going on -------------------------------------------------------------------------------------------------

    def _ready(self, player: str) -> None:
        state, terms = self.live.table.round, self.live.table.terms
        if player not in self.live.table.seats.values():
            raise PitRefused(PitRefusal.NOT_SEATED, player=player)
        if state is None or terms is None or not isinstance(awaiting(state, terms), Wagers):
            raise ServiceRefused(ServiceRefusal.NOTHING_TO_CLOSE)
        self.live = replace(self.live, ready=self.live.ready | {player})
        self._present(player)
        self._tell("player-ready", player=player)
        self._all_ready()

    def _go_on_without(self) -> None:
        """Who goes is not held up by what others have left unfinished: that waits for the clock."""
        if not self._unfinished():
            self._all_ready()

    def _all_ready(self) -> None:
        """The dealer goes on when everybody who is present has said that he is ready."""
        state, terms, present = self.live.table.round, self.live.table.terms, self.live.present
        if state is None or terms is None or not state.spots or not self.live.ready:
            return
        if isinstance(awaiting(state, terms), Wagers) and self.live.ready.issuperset(present):
            self._close()

    def _close(self) -> None:
        state, terms = self.live.table.round, self.live.table.terms
        if state is None or terms is None:
            raise ServiceRefused(ServiceRefusal.NOTHING_TO_CLOSE)
        match awaiting(state, terms):
            case Wagers(late):
                self._say(c.CloseLateWagers() if late else c.CloseBetting())
                self.live = replace(self.live, ready=frozenset())
            case InsuranceAnswers():
                self._say(c.CloseInsurance())
            case _:
                raise ServiceRefused(ServiceRefusal.NOTHING_TO_CLOSE)

    def _timeout(self, command: s.Timeout) -> None:
        key = command.key
        due = self.live.timers.get(key)
        if due is None:
            raise ServiceRefused(ServiceRefusal.TIMER_STALE, key=key)
        if self.moment.at < instant_of(due):
            raise ServiceRefused(ServiceRefusal.TIMER_EARLY, key=key, due=due)
        kind, _, rest = key.partition("/")
        self._tell("timer-expired", timer=key)
        if command.void is not None:
            self._void(r.VoidReason(code="timer", refusal=command.void))
        elif kind in ("away", "out"):
            self._leave(rest.rpartition("/")[0], None)
        elif ends_betting(key):
            self._close_late_bettors()
        elif rest in ("insurance", "late"):
            self._close_at_timeout()
        else:
            self._decide_at_timeout(int(rest.partition(".")[0]))

    def _close_at_timeout(self) -> None:
        match self.live.rules.behaviour.undecided_insurance_at_timeout:
            case "declined":
                self._close()
            case _:
                assert_never(self.live.rules.behaviour.undecided_insurance_at_timeout)

    def _decide_at_timeout(self, spot: int) -> None:
        match self.live.rules.behaviour.undecided_hand_at_timeout:
            case "stays":
                self._say(c.Stay(spot))
            case _:
                assert_never(self.live.rules.behaviour.undecided_hand_at_timeout)

    def _close_late_bettors(self) -> None:
        """The deal, whatever was left unfinished: the stakes that stand in its way go back."""
        match self.live.rules.behaviour.unfinished_wagers_at_the_deal:
            case "returned":
                for spot in self._unfinished():
                    self._say(c.ClearWagers(spot))
            case _:
                assert_never(self.live.rules.behaviour.unfinished_wagers_at_the_deal)
        self._end_of_empty_betting()
        if self.live.table.round is not None:
            self._close()

    def _unfinished(self) -> list[int]:
        """Spots that cannot be dealt to: those that lie apart, and all of a flat-bet player who lacks a wager."""
        state, terms = self.live.table.round, self.live.table.terms
        if state is None or terms is None or state.phase is not Phase.BETTING:
            return []
        short = {terms.owners[spot] for spot in holds_unmet(state, terms)}
        found = []
        for player in self.live.players:
            own = [spot.number for spot in state.spots if spot.player == player]
            if player in short:
                found += own
            elif terms.adjacent_spots:
                found += [spot for spot in own if spot - own[0] != own.index(spot)]
        return found

    def _end_of_empty_betting(self) -> None:
        """All stakes were taken back before the deal: there is no round."""
        state = self.live.table.round
        if state is not None and not state.spots:
            self._void(r.VoidReason(code="wagers-cleared"))

    # --- rounds and shoes -----------------------------------------------------------------------------------------

    def _close_table(self, command: s.CloseTable) -> None:
        live = self.live
        if live.table.round is not None:
            raise ServiceRefused(ServiceRefusal.END_ROUND_FIRST)
        self.requests.append(r.CountTray(table=live.name, counted=command.tray, expected=self.tray, why=command.why))
        if not live.table.closed:  # else its key was told when the game ended
            self._put_shoe_away()
        table = replace(self.live.table, closed=True, shoe_over=True, seats={})
        self.live = replace(self.live, opened=False, table=table, absent={}, words={}, cut=None)
        self._tell("table-closed")
