"""Players act at one table in every order, at two desks, with stale eyes: the laws hold after each step."""

import itertools
import os
import random
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from service.table_driver import TableDriver
from support.random_play import command_of

from upcard.engine import commands as c
from upcard.engine import legal
from upcard.engine.awaiting import Wagers, awaiting
from upcard.engine.command_rules import refusal
from upcard.engine.offered_choices import Choice
from upcard.engine.round import Phase, Round
from upcard.engine.view import view
from upcard.ledger import schema as book
from upcard.ledger.accounts import Account
from upcard.ledger.transfers import Balance, below_floor
from upcard.service import commands as s
from upcard.service.live_table import LiveTable
from upcard.service.pending import Answer, PendingCommand
from upcard.service.refusals import Refused
from upcard.units import Cents

STEPS = 27  # two of three of them an interleaving of what several players say
EVENINGS = 3000 if os.environ.get("UPCARD_SOAK") else 24
PLAYERS = ("Ann", "Ben", "Cal")
POOR = "Cal"  # runs out of chips; the others do not
PACE = s.Pace(betting=20, decision=30, insurance=10, late=10, away=40, sitting_out=90)
LAYOUTS: dict[str, dict[str, str]] = {
    "lucky-ladies": {"Lucky Ladies Jackpot": "LL", "21+3 Jackpot": "T3"},
    "the-brook": {"Galaxy Bonus Jackpot": "G"},
    "bet-bigger": {},
}

seeds = st.integers(0, 2**32).map(random.Random)
Plain = s.Hit | s.Stay | s.Split | s.Surrender | s.DeclineInsurance | s.TakeEvenMoney
_PLAIN: Mapping[type, type[Plain]] = {
    c.Hit: s.Hit,
    c.Stay: s.Stay,
    c.Split: s.Split,
    c.Surrender: s.Surrender,
    c.DeclineInsurance: s.DeclineInsurance,
    c.TakeEvenMoney: s.TakeEvenMoney,
}


def test_every_order_of_what_players_do_keeps_the_laws(empty_file: Path, tmp_path: Path) -> None:
    begun = {layout: _begun(empty_file, tmp_path / f"{layout}.db", layout) for layout in LAYOUTS}
    numbers = itertools.count(1)

    class Evenings(Crowded):
        def address(self, layout: str) -> str:
            return str(shutil.copy(begun[layout], tmp_path / f"{next(numbers)}.db"))

    run_state_machine_as_test(Evenings, settings=settings(max_examples=EVENINGS, stateful_step_count=STEPS))


def _begun(empty: Path, path: Path, layout: str) -> Path:
    """A book with a table whose players sit and have chips."""
    driver = TableDriver(str(shutil.copy(empty, path)), layout, pace=PACE, jackpots=LAYOUTS[layout])
    for player in PLAYERS:
        driver.floor(s.BuyIn, player=player, amount=200_00 if player == POOR else 50_000_00)
    for spot, player in enumerate((*PLAYERS, POOR), 1):
        driver.say(player, s.Seat, spot=spot)
    driver.end()
    return path


class Crowded(RuleBasedStateMachine):
    """One table, two desks."""

    def address(self, layout: str) -> str:
        raise NotImplementedError

    @initialize(layout=st.sampled_from(sorted(LAYOUTS)), words=st.text("abc", min_size=1, max_size=4))
    def opens(self, layout: str, words: str) -> None:
        self.driver = TableDriver(self.address(layout), layout, hours=False)
        self.driver.count = 1000
        self.other = self.driver.another_service()
        self.driver.say("Ann", s.Cut, words=words)

    # --- what happens

    @rule(chance=seeds)
    def all_speak_at_once(self, chance: random.Random) -> None:
        """Everybody saw the same table; what each then says is carried out in some order, in one transaction."""
        live = self.driver.live
        submissions = [_wish(live, chance) for _ in range(chance.randint(2, 6))]
        pending = [PendingCommand(command, self._id(), actor, "player") for command, actor in submissions]
        chance.choice([self.driver.service, self.other]).desk.carry_out(pending)
        for command in pending:
            error = command.future.exception()
            assert error is None or isinstance(error, Refused), error

    @rule(chance=seeds)
    def play_goes_on(self, chance: random.Random) -> None:
        """Legal is: not refused. What else is tried on the way is refused for the engine's own reason."""
        for _ in range(chance.randint(2, 5)):
            if chance.random() < 0.2:
                self._tries_something(chance)
            else:
                self._does_what_is_legal(chance)

    def _does_what_is_legal(self, chance: random.Random) -> None:
        live = self.driver.live
        state, terms = live.table.round, live.table.terms
        if state is None or terms is None:
            self._bets(live, chance)
            return
        order = command_of(_wanted(legal(state, terms), chance, live), chance)
        if isinstance(order, c.CloseBetting | c.CloseLateWagers | c.CloseInsurance):
            self._must(s.Deal(table="T1"), "Dana", "floor")
        else:
            self._must(said(order), live.table.seats[spot_of(order)], "player")

    def _tries_something(self, chance: random.Random) -> None:
        live = self.driver.live
        state, terms = live.table.round, live.table.terms
        if state is None or terms is None:
            return
        order = _wild(live, chance)
        problem = refusal(state, terms, order)
        outcome = self._outcome(said(order), live.table.seats[spot_of(order)], "player")
        if problem is None:
            assert not isinstance(outcome, Refused) or outcome.reason == "PLAYER_NOT_ENOUGH", (order, outcome)
        else:
            assert isinstance(outcome, Refused), order
            assert outcome.reason == problem.reason.name

    @rule(chance=seeds)
    def the_house_and_the_clock_go_on(self, chance: random.Random) -> None:
        if chance.random() < 0.15 and self.driver.live.table.round is not None:
            self._must(s.Void(table="T1", why="a card was seen"), "Dana", "floor")
        else:
            self.driver.later(chance.choice([1, 10, 20, 30, 60]))
        if chance.random() < 0.3:
            self._a_new_process_finds_the_same_table()

    def _a_new_process_finds_the_same_table(self) -> None:
        table_before = self.driver.live
        fresh = self.driver.another_service()
        assert fresh.desk.live("T1") == table_before
        fresh.desk.store.close()
        self.driver.services.remove(fresh)

    # --- the laws

    @invariant()
    def not_a_cent_is_made_or_lost(self) -> None:
        if not hasattr(self, "e"):
            return
        with self.driver.service.desk.store.view() as unit:
            balances = [(Account.parse(row[0]), Balance(*row[1:])) for row in unit.connection.execute(_BALANCES)]
            pending = {row[0].partition("#")[0] for row in unit.connection.execute(_PENDING)}
        assert sum(balance.debits for _, balance in balances) == sum(balance.credits for _, balance in balances)
        assert not [account for account, balance in balances if below_floor(account, balance)]
        live = self.driver.live
        assert pending == {name for names in live.stakes.values() for name in names}
        waiting = sum(balance.pending_credits for account, balance in balances if str(account) == "stakes:T1")
        assert waiting == (felt(live.table.round) if live.table.round is not None else 0)

    @invariant()
    def nobody_sees_the_hole_card_or_anothers_choices(self) -> None:
        live = self.driver.live if hasattr(self, "e") else None
        if live is None or live.table.round is None or live.table.terms is None:
            return
        for seat in (None, *live.table.seats):
            player_view = view(live.table.round, live.table.terms, seat)
            assert all(choice.spot == seat for choice in player_view.choices)
            if live.table.round.hole_down:
                assert player_view.dealer[1:] == (None,)

    def teardown(self) -> None:
        if hasattr(self, "e"):
            assert self.other.desk.live("T1") == self.driver.live
            self.driver.end()

    # --- asking

    def _id(self) -> str:
        self.driver.count += 1
        return f"i{self.driver.count}"

    def _bets(self, live: LiveTable, chance: random.Random) -> None:
        """The least main wager on a spot; between rounds it may always be made, if chips cover it."""
        if live.table.seats and not live.table.closed and not live.table.flat_bettors:
            spot, player = chance.choice(sorted(live.table.seats.items()))
            main = live.table.layout.wager[0].name
            self._must(s.Bet(table="T1", spot=spot, stakes={main: live.table.posted_minimum}), player, "player")

    def _must(self, command: s.Command, actor: str, role: str) -> None:
        outcome = self._outcome(command, actor, role)
        if isinstance(outcome, Refused):
            allowed = {"PLAYER_NOT_ENOUGH"} if actor == POOR else set()
            assert outcome.reason in allowed, (command, outcome)

    def _outcome(self, command: s.Command, actor: str, role: str) -> Answer | Refused:
        try:
            return self.driver.do(command, id=self._id(), actor=actor, role=role)
        except Refused as refused:
            return refused


def felt(state: Round) -> int:
    """The chips on the felt, as the engine counts them."""
    total = 0
    for spot in state.spots:
        if state.phase is Phase.BETTING:
            total += sum(spot.wagers.values())
            continue
        total += sum(amount for name, amount in spot.wagers.items() if name not in state.main_wagers)
        total += sum(spot.insurance.values())
        for hand in spot.hands:
            total += sum(hand.stakes.values()) + sum(hand.doubled.values())
    return total


def said(order: c.Command) -> s.Command:
    """What a player says for a command of the engine."""
    match order:
        case c.PlaceWager(spot, wager, amount):
            return s.Bet(table="T1", spot=spot, stakes={wager: amount})
        case c.ClearWagers(spot, wager):
            return s.ClearWagers(table="T1", spot=spot, wager=wager)
        case c.Insure(spot, amounts):
            return s.Insure(table="T1", spot=spot, amount=amounts[0][1])
        case c.Double(spot, amounts):
            return s.Double(table="T1", spot=spot, amounts=amounts)
        case _:
            return _PLAIN[type(order)](table="T1", spot=spot_of(order))


def spot_of(order: c.Command) -> int:
    spot: int = getattr(order, "spot", 0)
    return spot


def _wanted(choices: Sequence[Choice], chance: random.Random, live: LiveTable) -> Choice:
    """Rarely something is taken back, and betting closes once most have wagered; a pair is split."""
    close = [choice for choice in choices if choice.order in (c.CloseBetting, c.CloseLateWagers)]
    state = live.table.round
    if close and state is not None and chance.random() < 0.3 * len(state.spots):
        return close[0]
    splits = [choice for choice in choices if choice.order is c.Split]
    if splits and chance.random() < 0.7:
        return splits[0]
    preferred = [choice for choice in choices if choice.order is not c.ClearWagers or chance.random() < 0.1]
    return chance.choice(preferred or list(choices))


def _wild(live: LiveTable, chance: random.Random) -> c.Command:
    spot = chance.choice(sorted(live.table.seats))
    wager = chance.choice(live.table.layout.wager).name
    bet = c.PlaceWager(spot, wager, Cents(chance.choice([1_00, 5_00, 7_50, 10_00, 10_01, 500_00])))
    clear = c.ClearWagers(spot, chance.choice(["", wager]))
    plain: list[c.Command] = [kind(spot) for kind in _PLAIN]
    return chance.choice([*plain, bet, bet, bet, clear])


def _wish(live: LiveTable, chance: random.Random) -> tuple[s.Command, str]:
    """What somebody says who sees the table like this."""
    player = chance.choice(PLAYERS)
    state, terms = live.table.round, live.table.terms
    own_spots = [spot for spot, owner in live.table.seats.items() if owner == player]
    if not own_spots:
        return s.Seat(table="T1", player=player, spot=chance.randint(1, 6)), player
    if chance.random() < 0.15:
        affairs: list[s.Command] = [kind(table="T1", player=player) for kind in (s.Away, s.Back, s.SitOut, s.Leave)]
        seat = s.Seat(table="T1", player=player, spot=chance.randint(1, 6))
        return chance.choice([*affairs, seat, s.Cut(table="T1", player=player, words="mine")]), player
    if state is None or terms is None:
        main = live.table.layout.wager[0].name
        return s.Bet(table="T1", spot=chance.choice(own_spots), stakes={main: live.table.posted_minimum}), player
    choices = [choice for choice in legal(state, terms) if choice.spot in own_spots]
    if not choices or (isinstance(awaiting(state, terms), Wagers) and chance.random() < 0.5):
        return s.Ready(table="T1", player=player), player
    return said(command_of(_wanted(choices, chance, live), chance)), player


_BALANCES = sa.select(book.balances)
_RESOLVED = sa.select(book.transfers.c.resolves).where(book.transfers.c.resolves.is_not(None))
_PENDING = sa.select(book.transfers.c.id).where(
    book.transfers.c.phase == "pending", book.transfers.c.id.not_in(_RESOLVED)
)
