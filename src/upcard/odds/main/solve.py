"""The main game solved for a shoe and its rules: best play, charts, insurance, the dealer's chances."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from upcard.odds.dealer import VALUES
from upcard.odds.main import kernel
from upcard.odds.main.chart_play import ChartPlay, best_chart, play_chart
from upcard.odds.main.hand_tables import Floats, dealer_tree
from upcard.odds.main.play import Optimum, optimum
from upcard.odds.main.position import ACE, FIRST, NATURAL, SECOND, TEN, Position
from upcard.odds.main.rank_shoe import RankShoe
from upcard.odds.main.rules import MainRules
from upcard.strategy.chart import Chart

VALUE_NAMES = ("A", *(str(value) for value in range(2, 11)))
OUTCOME_NAMES = ("17", "18", "19", "20", "21", "bust", "blackjack")
ACTIONS = ("stand", "hit", "double", "split", "surrender")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandValue:
    """One two-card hand against one up card: what each first decision is worth, None where it is not allowed."""

    hand: str
    up: str
    chance: float  # of this deal, where a decision is faced
    worth: dict[str, float | None]
    best: str


@dataclass(frozen=True)
class Solution:
    """Each result is computed on first use."""

    position: Position

    @cached_property
    def optimum(self) -> Optimum:
        """The composition-dependent optimum (CDZ-)."""
        return optimum(self.position)

    @cached_property
    def best_chart(self) -> ChartPlay:
        """The best total-dependent chart, played."""
        return best_chart(self.position, self.optimum)

    def with_chart(self, chart: Chart) -> ChartPlay:
        return play_chart(self.position, chart)

    @property
    def element_of_risk(self) -> float:
        """The value as a part of everything wagered in the round, doubles and splits included."""
        return self.optimum.value / self.optimum.stake

    @cached_property
    def dealer(self) -> Floats:
        """[up card, outcome] the dealer's chances when nothing but the up card is seen."""
        position, no_cards = self.position, np.zeros((1, VALUES), dtype=np.int64)
        return np.asarray(kernel.dealer_chances(position.shoe.values, no_cards, dealer_tree(position.rules.soft17))[0])

    @property
    def insurance(self) -> float | None:
        """What a unit of insurance is worth when only the ace is seen; None where the shoe has none."""
        if self.position.shoe.values[ACE] == 0:
            return None
        return self._insurance(float(self.dealer[ACE, kernel.OUTCOMES - 1]))

    def insurance_by_hand(self) -> dict[str, float]:
        """What a unit of insurance is worth to a player who counts their own two cards."""
        position = self.position
        return {
            hand_name(place): self._insurance(float(position.dealer_blackjack[place, ACE]))
            for place in range(len(FIRST))
            if position.dealt[place, ACE] > 0
        }

    @property
    def even_money_declined(self) -> float | None:
        """What a blackjack against an ace is worth without even money; None where it cannot be dealt."""
        position = self.position
        if position.dealt[NATURAL, ACE] == 0:
            return None
        return float(position.rules.blackjack) * (1 - float(position.dealer_blackjack[NATURAL, ACE]))

    def _insurance(self, ten_below: float) -> float:
        pays = float(self.position.rules.insurance)
        return ten_below * (pays + 1) - 1

    def hand_values(self) -> Iterator[HandValue]:
        """Every two-card hand against every up card; blackjacks face no decision and are left out."""
        position, options = self.position, self.optimum.options
        for place in range(len(FIRST)):
            if (FIRST[place], SECOND[place]) == (ACE, TEN):
                continue
            for up in range(VALUES):
                if position.dealt[place, up] > 0:
                    values = {name: float(getattr(options, name)[place, up]) for name in ACTIONS}
                    yield HandValue(
                        hand=hand_name(place),
                        up=VALUE_NAMES[up],
                        chance=float(position.weight[place, up]),
                        worth={name: worth if np.isfinite(worth) else None for name, worth in values.items()},
                        best=max(values, key=values.__getitem__),
                    )


def hand_name(place: int) -> str:
    """One of the 55 hands of two cards, like "A,7"."""
    return f"{VALUE_NAMES[FIRST[place]]},{VALUE_NAMES[SECOND[place]]}"


def solve(shoe: RankShoe, rules: MainRules) -> Solution:
    """Refuses a shoe that might not suffice for a round."""
    shoe.must_suffice(rules.hands)
    return Solution(Position(shoe, rules))
