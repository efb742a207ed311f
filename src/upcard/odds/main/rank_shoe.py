"""The shoe the main game is played from: how many cards of each printed rank are in it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from upcard.cards import RANKS
from upcard.odds.dealer import VALUES
from upcard.odds.main.hand_tables import Ints
from upcard.problems import BadRequest

MOST_CARDS = 52 * 100


@dataclass(frozen=True)
class RankShoe:
    """Counts of the thirteen printed ranks, ace first."""

    ranks: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.ranks) != 13 or min(self.ranks) < 0 or sum(self.ranks) > MOST_CARDS:
            raise BadRequest(f"a shoe is 13 counts of ranks, none negative, {MOST_CARDS} cards at most")

    @cached_property
    def values(self) -> Ints:
        """Counts by value: ace, two ... nine, and all tens together."""
        return np.array([*self.ranks[:9], sum(self.ranks[9:])], dtype=np.int64)

    @property
    def cards(self) -> int:
        return sum(self.ranks)

    def without(self, removed: Sequence[int]) -> "RankShoe":
        """The shoe without these ranks, 0 (ace) to 12 (king)."""
        removed_copies = Counter(removed)
        for rank, copies in removed_copies.items():
            if copies > self.ranks[rank]:
                raise BadRequest(f"cannot remove {copies} of rank {RANKS[rank]}: the shoe holds {self.ranks[rank]}")
        return RankShoe(tuple(count - removed_copies[rank] for rank, count in enumerate(self.ranks)))

    def must_suffice(self, hands: int) -> None:
        """Refuses a shoe that could run out within one round of so many hands.

        No hand draws a card to 21 hard points, and the dealer none to 17: so all cards but each hand's last count
        at most 20 or 16 points, and the smallest cards of the shoe give the largest number of cards.
        """
        room, drawn = 20 * hands + 16, hands + 1
        for value in range(VALUES):
            fit = min(int(self.values[value]), room // (value + 1))
            drawn += fit
            room -= fit * (value + 1)
            if fit < self.values[value]:
                break
        if drawn > self.cards or self.cards < 4:
            raise BadRequest(
                f"a shoe of {self.cards} cards is too small: one round with splits to {hands} hands may need {drawn}"
            )


def full_shoe(decks: int) -> RankShoe:
    return RankShoe((4 * decks,) * 13)
