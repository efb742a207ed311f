"""A position: one shoe under one set of rules, with everything that does not depend on how the player plays."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from upcard.odds.dealer import VALUES
from upcard.odds.main import kernel
from upcard.odds.main.hand_tables import Floats, Hands, Ints, Removals, dealer_tree, hands, removals
from upcard.odds.main.rank_shoe import RankShoe
from upcard.odds.main.rules import MainRules

Bools = npt.NDArray[np.bool_]

ACE, TEN = 0, VALUES - 1
FIRST, SECOND = np.triu_indices(VALUES)  # the 55 hands of two cards, lower card first
NATURAL = int(np.flatnonzero((FIRST == ACE) & (SECOND == TEN))[0])
PAIRS = np.flatnonzero(FIRST == SECOND)

# Where a dealer's blackjack takes the first wager only, nothing done before it is seen can lose more: as with a peek.
_HOLES = {"peek": kernel.PEEK, "none": kernel.ALL_LOST, "none_originals": kernel.PEEK}


@dataclass(frozen=True)
class Position:
    """What a round from this shoe offers, before any decision. Arrays are [..., up card] unless noted."""

    shoe: RankShoe
    rules: MainRules

    @property
    def hands(self) -> Hands:
        return hands()

    @cached_property
    def hole(self) -> int:
        """The hole card rule, as the kernel's number."""
        return _HOLES[self.rules.hole]

    @property
    def peeks(self) -> bool:
        """Whether the worth of a play is given that the dealer has no blackjack."""
        return self.hole == kernel.PEEK

    @cached_property
    def removals(self) -> Removals:
        """Every set of cards that may be gone when the dealer plays."""
        return removals(self.rules.hands, aces_drawn_to=self.rules.hit_split_aces, aces_resplit=self.rules.resplit_aces)

    @cached_property
    def dealer(self) -> Floats:
        """[removal, up card, outcome] the dealer's chances."""
        removed = self.removals.counts
        possible = (removed <= self.shoe.values).all(axis=1)
        if possible.all():
            return kernel.dealer_chances(self.shoe.values, removed, dealer_tree(self.rules.soft17))
        chances = np.zeros((len(removed), VALUES, kernel.OUTCOMES))
        chances[possible] = kernel.dealer_chances(self.shoe.values, removed[possible], dealer_tree(self.rules.soft17))
        return chances

    @cached_property
    def felt(self) -> kernel.Felt:
        """What the kernel needs to play hands."""
        return kernel.Felt(self.shoe.values, self.hole, self.hands, self.removals, self.dealer)

    @cached_property
    def two(self) -> Ints:
        """[55] the numbers of the hands of two cards."""
        return self.hands.pair[FIRST, SECOND]

    @cached_property
    def dealt(self) -> Floats:
        """[55, up card] how often these two cards are dealt against this up card."""
        counts = self.shoe.values.astype(np.float64)
        total = counts.sum()
        chance = np.zeros((len(FIRST), VALUES))
        for place, (first, second) in enumerate(zip(FIRST, SECOND, strict=True)):
            left = counts.copy()
            ways = left[first]
            left[first] -= 1
            ways *= left[second] * (1 if first == second else 2)
            left[second] -= 1
            chance[place] = ways * np.maximum(left, 0) / (total * (total - 1) * (total - 2))
        return chance

    @cached_property
    def dealer_blackjack(self) -> Floats:
        """[55, up card] the chance that the dealer has blackjack."""
        return np.asarray(self.dealer[self.removals.of_hand[self.two], :, 6])

    @cached_property
    def weight(self) -> Floats:
        """[55, up card] how often this decision counts: with a peek, when the dealer has no blackjack."""
        return self.dealt * (1 - self.dealer_blackjack) if self.peeks else self.dealt

    @cached_property
    def lost_to_blackjack(self) -> float:
        """What dealer blackjacks take, which no decision can change."""
        if not self.peeks:
            return 0.0  # there it is counted with every hand
        losses = self.dealt * self.dealer_blackjack
        losses[NATURAL] = 0.0
        return float(losses.sum())

    @cached_property
    def natural_pays(self) -> Floats:
        """[up card] what the player's blackjack is worth where a decision would be faced."""
        pays = np.full(VALUES, float(self.rules.blackjack))
        return pays if self.peeks else pays * (1 - self.dealer_blackjack[NATURAL])

    @cached_property
    def surrender(self) -> Floats:
        """[55, up card] what surrendering is worth; minus infinity where it is not allowed."""
        natural = self.dealer_blackjack
        early = self.rules.surrender == "early"
        if self.rules.surrender == "none":
            return np.full(natural.shape, -np.inf)
        if not self.peeks:
            return np.full(natural.shape, -0.5) if early else -0.5 - 0.5 * natural
        return (natural - 0.5) / np.maximum(1 - natural, 1e-300) if early else np.full(natural.shape, -0.5)

    @cached_property
    def may_double(self) -> Bools:
        """[hand] two cards that may be doubled."""
        table = self.hands
        allowed = np.zeros(len(table.keys), dtype=np.bool_)
        for hand in self.two:
            allowed[hand] = self.rules.doubles(int(table.total[hand]), soft=bool(table.soft[hand]))
        return allowed

    @cached_property
    def may_double_split(self) -> Bools:
        """[hand] two cards of a split hand that may be doubled."""
        return self.may_double if self.rules.das else np.zeros_like(self.may_double)

    @cached_property
    def splittable(self) -> Floats:
        """[value, up card] the share of pairs by value that may be split: some rules pair tens by rank."""
        part = np.ones((VALUES, VALUES))
        if self.rules.split == "rank":
            for up in range(VALUES):
                part[TEN, up] = sum(share for share, _, _ in self._ten_pairs(up))
        return part

    @cached_property
    def split_weights(self) -> tuple[Floats, Floats]:
        """[up, value, others, second card] the weights of a split's hands; [up, value, n] how often it ends with n."""
        deep = 2 * self.rules.hands - 2
        weights = np.zeros((VALUES, VALUES, deep, 2))
        ends = np.zeros((VALUES, VALUES, self.rules.hands + 1))
        for up in range(VALUES):
            for value in range(VALUES):
                for share, of_rank, unseen in self.pair_ranks(value, up):
                    split_weights, chance = self.pair_weights(value, up, of_rank, unseen)
                    weights[up, value, : len(split_weights)] += share * split_weights
                    ends[up, value, : len(chance)] += share * chance
        return weights, ends

    def pair_weights(self, value: int, up: int, of_rank: int, unseen: int) -> tuple[Floats, Floats]:
        """The weights of one pair's split: `of_rank` cards of its rank, and `unseen` in all, besides the up card."""
        barred, holds_value = self._barred(value, up)
        return kernel.split_weights(of_rank, unseen, barred, holds_value, self.most_hands(value))

    def pair_chance(self, value: int, up: int, of_rank: int, gone: int, *, known: bool = True) -> float:
        """The chance that a card is of the pair's rank once so many are gone; `of_rank` as for `pair_weights`.

        With `known`, given what a peek tells about the hole card."""
        barred, holds_value = self._barred(value, up) if known else (-1, False)
        return float(kernel.left_pair_chance(of_rank, self.shoe.cards - 1, barred, holds_value, gone, 0))

    def most_hands(self, value: int) -> int:
        """How many hands a pair of this value can become."""
        return self.rules.hands if value != ACE or self.rules.resplit_aces else 2

    def _barred(self, value: int, up: int) -> tuple[int, bool]:
        """How many cards the hole card cannot be, -1 where it can be any; whether they are of this value."""
        barred_value = {ACE: TEN, TEN: ACE}.get(up) if self.peeks else None
        return -1 if barred_value is None else int(self.shoe.values[barred_value]), barred_value == value

    def pair_ranks(self, value: int, up: int) -> list[tuple[float, int, int]]:
        """The kinds of pair of a value: how often each comes, the cards left of its rank, and all cards left."""
        if value == TEN and self.rules.split == "rank":
            sorts = self._ten_pairs(up)
            total = sum(share for share, _, _ in sorts)
            return [(share / total, of_rank, unseen) for share, of_rank, unseen in sorts] if total else []
        of_rank = int(self.shoe.values[value]) - (value == up)
        return [(1.0, of_rank, self.shoe.cards - 1)] if of_rank >= 2 else []

    def _ten_pairs(self, up: int) -> list[tuple[float, int, int]]:
        """Tens, jacks, queens and kings, separated by whether the up card is of that rank too."""
        tens = self.shoe.ranks[9:]
        ups = range(len(tens)) if up == TEN else [None]
        sorts = []
        for up_rank in ups:
            left = [count - (rank == up_rank) for rank, count in enumerate(tens)]
            up_share = 1.0 if up_rank is None else tens[up_rank] / max(sum(tens), 1)
            ordered_pairs = sum(left) * (sum(left) - 1)
            for count in left:
                if count >= 2 and up_share > 0:
                    sorts.append((up_share * count * (count - 1) / ordered_pairs, count, self.shoe.cards - 1))
        return sorts
