"""A game, a chart and a player compiled into the kernel's arrays, with what is needed to read its counts."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from upcard.cards import DECK
from upcard.cards.shoe import CARDS_PER_DECK
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.engine.terms import Terms
from upcard.pit import open_table
from upcard.pit import orders as o
from upcard.pit.table import Table, order
from upcard.pit.terms import derive, margins
from upcard.problems import BadRequest
from upcard.sim.automata import game_arrays
from upcard.sim.event_classes import EventClasses, build_event_classes
from upcard.sim.kernel import Bytes, Classes, GameArrays, Ints, Nets, Small, SpreadArrays, Worths
from upcard.sim.lane_tables import LanesCannotPlay, LaneTables, lane_tables
from upcard.sim.money import Payouts, nets, payouts, worths
from upcard.sim.spread import BetSpread, bet_spread, spread_arrays
from upcard.strategy.chart import Chart
from upcard.strategy.player import Player


@dataclass(frozen=True, kw_only=True)
class Program:
    """Everything the kernel needs, and nothing else: this is what is sent to other machines."""

    cards: Bytes
    tags: Small
    game: GameArrays
    spread: SpreadArrays
    classes: Classes
    nets: Nets

    @property
    def cells(self) -> tuple[int, ...]:
        """The shape of the histogram: slot (bin and bet), dealer's class, deal's class, insured, result."""
        classes = self.classes
        return int(self.spread.slot[-1]) + 1, classes.dealers, classes.deals, classes.insured, classes.results

    @property
    def occurring(self) -> Ints:
        """The places in [bin, bet] that have a slot."""
        return np.unique(self.spread.slot, return_index=True)[1]

    def by_bin_and_bet(self, by_slot: Ints) -> Ints:
        """[bin, bet, ...] from counts by slot; zero where bin and bet do not occur together."""
        counts = np.zeros((len(self.spread.slot), *by_slot.shape[1:]), by_slot.dtype)
        counts[self.occurring] = by_slot
        return counts.reshape(self.spread.bins, self.spread.bets, *by_slot.shape[1:])

    @cached_property
    def lane_tables(self) -> LaneTables | None:
        """What the lockstep kernel reads; None if these rules cannot be written so."""
        try:
            return lane_tables(self.game.tables, self.spread, self.classes, self.tags)
        except LanesCannotPlay:
            return None

    @cached_property
    def worths(self) -> Worths:
        """What each cell is worth to its spot, in cents."""
        return worths(self.nets, self.spread.bets, self.cells)


@dataclass(frozen=True, kw_only=True)
class Compiled:
    """A simulation ready to be played."""

    table: Table
    terms: Terms
    chart: Chart
    player: Player
    spread: BetSpread
    classes: EventClasses
    payouts: tuple[Payouts, ...]  # by bet
    program: Program

    @property
    def spots(self) -> int:
        return len(self.program.game.seats)

    @property
    def fresh(self) -> bool:
        """Whether every round has a new shoe."""
        return self.program.game.cut == 0

    @cached_property
    def low(self) -> int:
        """The lowest true count that has a bin of its own."""
        return self.program.spread.low


def compile_game(
    catalog: Catalog, layout: Layout, chart: Chart, player: Player, *, spots: int = 1, fresh: bool = False
) -> Compiled:
    """Compiles a layout as it would be dealt: one player on the first spots, with every rule taken from the engine."""
    if not 1 <= spots <= min(layout.spots, 7):
        raise BadRequest(f"{layout.title} has 1 to {min(layout.spots, 7)} spots, not {spots}")
    if layout.aggregate_limit:
        raise BadRequest(
            "this layout has an aggregate limit, which shares pays among spots: the simulator does not support it"
        )
    game = catalog.game(layout.game)
    table = open_table(catalog, layout)
    for spot in range(1, spots + 1):
        table, _ = order(table, o.Seat("P", spot))
    terms = derive(table)
    spread = bet_spread(terms, player)
    insures = player.always_insures or player.insures_from is not None
    sides = [name for name in spread.wagers if not terms.wagers[name].is_main]
    classes = build_event_classes(terms, sides, insures=insures)
    paid = tuple(payouts(terms, bet, classes) for bet in spread.bets)
    cards = CARDS_PER_DECK * layout.decks
    tags = player.count.centred.tags if player.count else (0,) * len(DECK)
    program = Program(
        cards=np.array([card for card in DECK for _ in range(layout.decks)], dtype=np.uint8),
        tags=np.array(tags, dtype=np.int32),
        game=game_arrays(
            terms,
            chart,
            spots=spots,
            cut=margins(game, layout.decks).cut_card,
            fresh=fresh,
            forfeit=classes.forfeit,
        ),
        spread=spread_arrays(terms, player, spread, cards=cards),
        classes=classes.classes,
        nets=nets(paid, classes, hands=terms.rules.hands),
    )
    return Compiled(
        table=table,
        terms=terms,
        chart=chart,
        player=player,
        spread=spread,
        classes=classes,
        payouts=paid,
        program=program,
    )
