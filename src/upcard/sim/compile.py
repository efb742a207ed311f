"""A game, a chart and a player compiled into what the kernel plays, and the words to read its tallies by."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from upcard.cards import DECK
from upcard.cards.shoe import CARDS_A_DECK
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.engine.terms import Terms
from upcard.pit import open_table
from upcard.pit import orders as o
from upcard.pit.table import Table, order
from upcard.pit.terms import derive, margins
from upcard.problems import BadRequest
from upcard.sim.automata import house
from upcard.sim.classes import Worked, work_out
from upcard.sim.kernel import Bets, Bytes, Classes, House, Ints, Nets, Small, Worths
from upcard.sim.money import Prices, nets, price, worths
from upcard.sim.plans import Plans, bets, plans
from upcard.strategy.chart import Chart
from upcard.strategy.player import Player


@dataclass(frozen=True, kw_only=True)
class Program:
    """All that the kernel needs, and nothing else: what travels to another machine."""

    cards: Bytes
    tags: Small
    house: House
    bets: Bets
    classes: Classes
    nets: Nets

    @property
    def cells(self) -> tuple[int, ...]:
        """The shape of the histogram: slot (bin and plan), dealer's class, deal's class, insured, result."""
        classes = self.classes
        return int(self.bets.slot[-1]) + 1, classes.dealers, classes.deals, classes.insured, classes.results

    @property
    def occurring(self) -> Ints:
        """The places in [bin, plan] that have a slot."""
        return np.unique(self.bets.slot, return_index=True)[1]

    def spread(self, by_slot: Ints) -> Ints:
        """[bin, plan, ...] of what is counted by slots; nothing where bin and plan do not occur together."""
        spread = np.zeros((len(self.bets.slot), *by_slot.shape[1:]), by_slot.dtype)
        spread[self.occurring] = by_slot
        return spread.reshape(self.bets.bins, self.bets.plans, *by_slot.shape[1:])

    @cached_property
    def worths(self) -> Worths:
        """What each cell is worth to its spot."""
        return worths(self.nets, self.bets.plans, self.cells)


@dataclass(frozen=True, kw_only=True)
class Compiled:
    """A question ready to be played."""

    table: Table
    terms: Terms
    chart: Chart
    player: Player
    plans: Plans
    worked: Worked
    prices: tuple[Prices, ...]  # by plan
    program: Program

    @property
    def spots(self) -> int:
        """How many spots are played."""
        return len(self.program.house.seats)

    @property
    def fresh(self) -> bool:
        """Whether every round has a new shoe."""
        return self.program.house.cut == 0

    @cached_property
    def low(self) -> int:
        """The lowest true count that is counted for itself."""
        return self.program.bets.low


def compile_game(
    catalog: Catalog, layout: Layout, chart: Chart, player: Player, *, spots: int = 1, fresh: bool = False
) -> Compiled:
    """Compiles a layout as it would be dealt: one player on the first spots, every rule asked of the engine."""
    if not 1 <= spots <= min(layout.spots, 7):
        raise BadRequest(f"{layout.title} has 1 to {min(layout.spots, 7)} spots, not {spots}")
    if layout.aggregate_limit:
        raise BadRequest("an aggregate limit shares pays among spots, which the simulator does not do")
    game = catalog.game(layout.game)
    table = open_table(catalog, layout)
    for spot in range(1, spots + 1):
        table, _ = order(table, o.Seat("P", spot))
    terms = derive(table)
    chosen = plans(terms, player)
    insures = player.always_insures or player.insures_from is not None
    worked = work_out(terms, [name for name in chosen.made if not terms.wagers[name].is_main], insures=insures)
    prices = tuple(price(terms, plan, worked) for plan in chosen.plans)
    cards = CARDS_A_DECK * layout.decks
    tags = player.count.tags if player.count else (0,) * len(DECK)
    program = Program(
        cards=np.array([one for one in DECK for _ in range(layout.decks)], dtype=np.uint8),
        tags=np.array(tags, dtype=np.int32),
        house=house(
            terms,
            chart,
            spots=spots,
            cut=margins(game, layout.decks).cut_card,
            fresh=fresh,
            forfeit=worked.forfeit,
        ),
        bets=bets(terms, player, chosen, cards=cards),
        classes=worked.classes,
        nets=nets(prices, worked, hands=terms.rules.hands),
    )
    return Compiled(
        table=table,
        terms=terms,
        chart=chart,
        player=player,
        plans=chosen,
        worked=worked,
        prices=prices,
        program=program,
    )
