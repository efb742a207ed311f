"""Any sequence of commands whatever: only refusals are raised, and a refused command changes nothing."""

import random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from support.random_play import command_of

from upcard.cards import DECK, Card
from upcard.catalog import shipped
from upcard.engine import CommandRefused, legal, view
from upcard.engine import commands as c
from upcard.pit import PitRefused, Table, open_table
from upcard.pit import orders as o
from upcard.pit.table import order, play
from upcard.settlement import settle
from upcard.units import Cents

LAYOUTS = sorted(shipped().layouts)
WAGERS = sorted({offered.name for layout in shipped().layouts.values() for offered in layout.wager})

spots = st.integers(-1, 9)
names = st.sampled_from(["Ann", "Bob", "", "Cy"])
amounts = st.one_of(st.integers(-100, 100_000), st.sampled_from([200, 500, 1000, 250])).map(Cents)
wagers = st.sampled_from([*WAGERS, "", "Nothing"])
by_wager = st.lists(st.tuples(wagers, amounts), max_size=4).map(tuple)
cards = st.one_of(st.none(), st.sampled_from(DECK), st.integers(-5, 60).map(Card))

commands: st.SearchStrategy[Any] = st.one_of(
    st.builds(c.PlaceWager, spots, wagers, amounts),
    st.builds(c.ClearWagers, spots, wagers),
    st.builds(c.CloseBetting),
    st.builds(c.DealCard, cards),
    st.builds(c.Insure, spots, by_wager),
    st.builds(c.DeclineInsurance, spots),
    st.builds(c.TakeEvenMoney, spots),
    st.builds(c.CloseInsurance),
    st.builds(c.Peek, st.booleans()),
    st.builds(c.CloseLateWagers),
    st.builds(c.Hit, spots),
    st.builds(c.Stay, spots),
    st.builds(c.Double, spots, by_wager),
    st.builds(c.Split, spots),
    st.builds(c.Surrender, spots),
)
orders: st.SearchStrategy[Any] = st.one_of(
    st.builds(o.Seat, names, spots),
    st.builds(o.FreeSpot, spots),
    st.builds(o.AskToRelinquish, names),
    st.builds(o.PostMinimum, amounts),
    st.builds(o.NotifyFlatBet, names),
    st.builds(o.SetShuffler, st.sampled_from(["hand", "automatic", "by magic"])),
    st.builds(o.NewShoe, st.integers(-5, 500)),
    st.builds(o.BeginRound),
    st.builds(o.VoidRound, st.text(max_size=5)),
    st.builds(o.ReturnDiscards),
    st.builds(o.AnnounceClosing),
)


class AnyTable(RuleBasedStateMachine):
    """A table that hears all sorts of things."""

    table: Table

    @initialize(layout=st.sampled_from(LAYOUTS))
    def open(self, layout: str) -> None:
        self.table = open_table(shipped(), shipped().layouts[layout])
        self.table, _ = order(self.table, o.Seat("Ann", 1))
        self.table, _ = order(self.table, o.NewShoe(30))
        self.table, _ = order(self.table, o.BeginRound())

    @rule(command=st.one_of(commands, orders))
    def say_anything(self, command: Any) -> None:
        before = self.table
        carry_out = order if isinstance(command, o.Order) else play
        outcome = "carried out"
        try:
            self.table, *_ = carry_out(self.table, command)
        except (CommandRefused, PitRefused) as refused:
            outcome = str(refused)
        assert outcome
        assert "{" not in outcome
        assert self.table == before or outcome == "carried out"

    @rule(seed=st.integers(0, 10**6))
    def go_on(self, seed: int) -> None:
        """Something legal, so that rounds get somewhere."""
        chance = random.Random(seed)
        if self.table.round is None or self.table.terms is None:
            return
        choices = legal(self.table.round, self.table.terms)
        choice = chance.choice(choices)
        if choice.order is c.DealCard:
            self.say_anything(c.DealCard(chance.choice(DECK)))
        elif choice.order is c.Peek:
            self.say_anything(c.Peek(chance.random() < 0.5))
        else:
            before = self.table
            self.table, _, _ = play(self.table, command_of(choice, chance))
            assert self.table != before or choice.order is c.PlaceWager  # the same stake again

    @invariant()
    def slips_and_views_can_be_had_at_any_time(self) -> None:
        if getattr(self, "table", None) is None or self.table.round is None or self.table.terms is None:
            return
        for slip in settle(self.table.round, self.table.terms):
            assert slip.taken + slip.returned == slip.stake
        public_view = view(self.table.round, self.table.terms, 1)
        assert not self.table.round.hole_down or public_view.dealer[1:] == (None,)


TestAnyTable = AnyTable.TestCase
