"""The first four cards of a spot (its two, the up card and the hole card) and what wagers are worth on each of them.

Everything is an array over the player's second card, the up card and the hole card, for one first card at a time: 52
slices of 140,608 deals. A wager on the deal has its exact result there; a wager on the dealer's hand and the main game
have their mean.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import perm
from typing import Protocol

import numpy as np

from upcard.cards import DECK, EIGHT, rank_of, suit_of, value_of_rank
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable
from upcard.odds.composition import class_numbers
from upcard.odds.dealer import ACE_VALUE, BUST, TEN_VALUE, VALUES, endings_by_hole, falling
from upcard.odds.dealer_hands import DealerTerms, bust_return
from upcard.odds.main import kernel
from upcard.odds.main.chart_play import ChartPlay
from upcard.odds.main.hand_tables import Floats, Ints, tree_of
from upcard.odds.main.known_hole import values_by_hole
from upcard.odds.main.play import Optimum
from upcard.odds.main.position import FIRST, SECOND
from upcard.units import Cents, Odds
from upcard.wagers import DealKind
from upcard.wagers.pattern_sets import Role

CARDS = len(DECK)
RANKS = np.array([rank_of(card) for card in DECK])
SUITS = np.array([suit_of(card) for card in DECK])
VALUE = np.array([value_of_rank(rank_of(card)) - 1 for card in DECK])


class OnFourCards(Protocol):
    """A wager's result, or its mean, on every deal."""

    def with_first(self, first: int) -> Floats:
        """[second card, up card, hole card], or axes of length one for cards that do not matter."""


def deal_chances(decks: int, first: int) -> Floats:
    """[second card, up card, hole card] how often these are dealt with this first card."""
    equal = np.eye(CARDS)
    of_first = equal[first]
    second = decks - of_first
    up = decks - of_first[None, :] - equal
    hole = decks - of_first[None, None, :] - equal[:, None, :] - equal[None, :, :]
    ways = decks * second[:, None, None] * up[:, :, None] * np.maximum(hole, 0)
    return np.asarray(np.maximum(ways, 0) / perm(CARDS * decks, 4))


@dataclass(frozen=True)
class DealResults:
    """A wager on the deal: what a unit wins or loses."""

    table: Paytable
    kind: DealKind
    suit: int
    stake: Cents
    meters: Mapping[str, Fraction]  # dollars

    def with_first(self, first: int) -> Floats:
        """Takes the slice of a first card; a wager that does not read it is the same for all."""
        results = self.results
        return np.asarray(results[first if results.shape[0] > 1 else 0])

    def with_up(self, up: int) -> Floats:
        """[first card, second card, hole card] the same for an up card."""
        results = self.results
        return np.asarray(results[:, :, up if results.shape[2] > 1 else 0])

    @property
    def reads_hole(self) -> bool:
        return bool(self.results.shape[3] > 1)

    @cached_property
    def results(self) -> Floats:
        """[first, second, up, hole], with axes of length one for cards that do not matter."""
        sheet = self.kind.sheet(self.suit)
        roles = len(sheet.reads)
        nets = np.full((len(sheet.rank_classes), len(sheet.suit_classes)), -1.0)
        for (rank_class, suit_class), event in sheet.rank(tuple(self.table.lines)).items():
            nets[rank_class, suit_class] = self._net(event)
        ranks = class_numbers(sheet.ranks, sheet.rank_classes).reshape((13,) * roles)
        suits = class_numbers(sheet.suits, sheet.suit_classes).reshape((4,) * roles)
        # card by card: [rank, suit] of each role in turn, so that a card is 4 * rank + suit
        shape = [size for _ in range(roles) for size in (13, 4)]
        by_rank = ranks.reshape([size for _ in range(roles) for size in (13, 1)])
        by_suit = suits.reshape([size for _ in range(roles) for size in (1, 4)])
        by_card = np.broadcast_to(nets[by_rank, by_suit], shape).reshape((CARDS,) * roles)
        order = np.argsort([int(role) for role in sheet.reads])
        axes = [CARDS if role in sheet.reads else 1 for role in Role]
        return np.ascontiguousarray(by_card.transpose(order)).reshape(axes)

    def _net(self, event: str) -> float:
        pay = self.table.lines[event]
        if isinstance(pay, Fixed):
            units = pay.units
        else:
            units = pay.at(self.stake) * self.meters.get(pay.jackpot, Fraction(0)) / Fraction(self.stake, 100)
        return float(Odds(units, self.table.basis).net)


@dataclass(frozen=True)
class MainMeans:
    """The main game: the mean result of a round, in initial wagers."""

    way: Optimum | ChartPlay

    def with_first(self, first: int) -> Floats:
        by_total, by_pair = self.by_hole
        pairs = RANKS[first] == RANKS if self.way.play.position.rules.split == "rank" else VALUE[first] == VALUE
        places = PLACE[VALUE[first], VALUE]
        rows = np.where(pairs[:, None, None], by_pair[places], by_total[places])
        return np.asarray(rows[:, VALUE][:, :, VALUE])

    @cached_property
    def by_hole(self) -> tuple[Floats, Floats]:
        """[55, up card, hole card] see `values_by_hole`."""
        return values_by_hole(self.way)


@dataclass(frozen=True)
class BonusMeans:
    """A wager on the dealer's hand that survives the player's: the mean of what a unit wins or loses, if it is made."""

    table: Paytable
    decks: int
    terms: DealerTerms

    def with_first(self, first: int) -> Floats:
        by_values = self._mixed[PLACE[VALUE[first], VALUE]][:, VALUE][:, :, VALUE]
        # suited hands pay more: their chance depends on which of the player's cards have the dealer's suit
        own = np.where(SUITS[first] == SUITS, VALUE[first] + 1, 0)  # [up]
        seconds = np.where(SUITS[:, None] == SUITS[None, :], VALUE[:, None] + 1, 0)  # [second, up]
        suited = self._suited[own[None, :, None], seconds[:, :, None], VALUE[None, :, None], VALUE[None, None, :]]
        suited = np.where((SUITS[:, None] == SUITS[None, :])[None], suited, 0.0)
        aces, tens = VALUE == ACE_VALUE, VALUE == TEN_VALUE
        blackjack = (aces[:, None] & tens[None, :]) | (tens[:, None] & aces[None, :])
        made = np.where(blackjack[None], 0.0, 1.0) if self.terms.after_peek else np.ones((1, CARDS, CARDS))
        return np.asarray((by_values + suited - 1) * made)

    @cached_property
    def _shoe(self) -> Ints:
        return np.array([4 * self.decks] * 9 + [16 * self.decks], dtype=np.int64)

    @cached_property
    def _mixed(self) -> Floats:
        """[two cards, up card, hole card] the mean return by values, as if no hand were of one suit."""
        pairs = np.zeros((len(FIRST), VALUES), dtype=np.int64)
        np.add.at(pairs, (np.arange(len(FIRST)), FIRST), 1)
        np.add.at(pairs, (np.arange(len(FIRST)), SECOND), 1)
        means = np.zeros((len(FIRST), VALUES, VALUES))
        for hole in range(VALUES):
            tree = tree_of(
                (
                    ending.counts,
                    0,
                    [orders * self._pays(ending.counts, up)[0] for up, orders in enumerate(ending.orders)],
                )
                for ending in endings_by_hole(self.terms.soft17, hole)
                if ending.total == BUST
            )
            joint = kernel.dealer_chances(self._shoe, pairs, tree)[:, :, 0]
            left = self._shoe[hole] - pairs[:, hole][:, None] - (np.arange(VALUES) == hole)[None, :]
            means[:, :, hole] = joint / np.maximum(left, 1) * (self._shoe.sum() - 3)
        return means

    @cached_property
    def _suited(self) -> Floats:
        """[player's cards of the dealer's suit, twice: 0 for none or a value, up card, hole card] what suits add."""
        suit_shoe = [self.decks] * 9 + [4 * self.decks]
        added = np.zeros((VALUES + 1, VALUES + 1, VALUES, VALUES))
        cards_left = CARDS * self.decks - 2
        for hole in range(VALUES):
            busts = [ending for ending in endings_by_hole(self.terms.soft17, hole) if ending.total == BUST]
            busts = [ending for ending in busts if all(map(int.__le__, ending.counts, suit_shoe))]
            counts = np.array([ending.counts for ending in busts], dtype=np.int64)
            weights = np.array(
                [
                    [
                        orders * (pays[1] - pays[0]) / perm(cards_left - 2, ending.cards - 2)
                        for up, orders in enumerate(ending.orders)
                        for pays in (self._pays(ending.counts, up),)
                    ]
                    for ending in busts
                ]
            )
            for first in range(VALUES + 1):
                for second in range(first + 1):
                    left = np.array(suit_shoe)
                    for card in (first, second):
                        if card:
                            left[card - 1] -= 1
                    ways = np.ones(len(busts))
                    for value in range(VALUES):
                        table = np.array([falling(int(left[value]), drawn) for drawn in range(counts.max() + 1)])
                        ways *= table[counts[:, value]].astype(np.float64)
                    first_two = np.maximum(left * (left[hole] - (np.arange(VALUES) == hole)), 1)
                    added[first, second, :, hole] = (ways @ weights) / first_two
                    added[second, first, :, hole] = added[first, second, :, hole]
        return added

    def _pays(self, counts: tuple[int, ...], up: int) -> tuple[float, float]:
        """What a unit returns on a bust of these values, mixed and suited."""
        key = up, sum(counts), counts[EIGHT]  # all that the wagers read
        if key not in self._memo:
            mixed, suited = (bust_return(self.table, counts, up, suited=is_suited) for is_suited in (False, True))
            self._memo[key] = mixed, suited
        return self._memo[key]

    @cached_property
    def _memo(self) -> dict[tuple[int, int, int], tuple[float, float]]:
        return {}


PLACE = np.zeros((VALUES, VALUES), dtype=np.int64)
PLACE[FIRST, SECOND] = np.arange(len(FIRST))
PLACE[SECOND, FIRST] = np.arange(len(FIRST))
