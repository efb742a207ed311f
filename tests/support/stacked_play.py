"""Rounds with stacked shoes: one player bets on everything, gets a deal that was prepared, and stays."""

from collections.abc import Iterator

from support.random_play import Player, RoundRecord
from support.stacked_deals import STACKED_DEALS, StackedDeal

from upcard.engine import Round, Terms
from upcard.engine import commands as c
from upcard.engine.offered_choices import Choice
from upcard.engine.stake_ranges import Range
from upcard.pit import orders as o
from upcard.pit.table import order
from upcard.units import Cents


class StackedPlayer(Player):
    """Bets the most on odd turns and the least on even ones; each turn begins with another wager."""

    def __init__(self, layout: str) -> None:
        super().__init__(layout, seed=0)
        self.deal: StackedDeal = STACKED_DEALS[0]
        self.turn = 0

    def rounds(self, turns: int) -> Iterator[RoundRecord]:
        """A round for every stacked deal, in every turn, each from a full shoe."""
        for self.turn in range(turns):
            for self.deal in STACKED_DEALS:
                yield self.play_round()
                if not self.table.shoe_over:
                    self.table, _ = order(self.table, o.EndShoe())

    def _change_the_house(self) -> None:
        """The house stays as the layout posts it."""

    def _before_the_deal(self, spots: int) -> None:
        self.stack(self.deal, spots, 0)

    def _plan_bets(self, _state: Round, terms: Terms, *, late: bool) -> list[tuple[int, str]]:
        wagers = [name for name, wager in terms.wagers.items() if wager.role != "main" and wager.late == late]
        place = self.turn % max(len(wagers), 1)
        in_order = [] if late else [terms.main.name]
        for name in wagers[place:] + wagers[:place]:
            needed = [other for other in terms.wagers[name].requires_any if other in wagers]
            in_order += [*needed, name]
        (spot,) = terms.owners
        return [(spot, name) for name in reversed(in_order)]

    def _amount(self, allowed: Range) -> Cents:
        if allowed.only:
            return allowed.only[-1 if self.turn % 2 else 0]
        return allowed.most if self.turn % 2 else allowed.least

    def _choose(self, choices: tuple[Choice, ...], _state: Round) -> c.Command:
        stays = [c.Stay(choice.spot) for choice in choices if choice.order is c.Stay]
        return stays[0] if stays else c.CloseInsurance()
