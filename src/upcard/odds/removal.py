"""Effects of removal: what removing one card from a full shoe does to a side wager's expectation."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from upcard.cards import DECK, HEARTS, RANKS, card_text, rank_of
from upcard.catalog.paytable import Paytable
from upcard.odds.count import TagCount, best_count, correlations
from upcard.odds.price import price
from upcard.serialize import csv_text, json_text
from upcard.units import Cents

if TYPE_CHECKING:
    from upcard.odds.dealer_hands import DealerTerms

LEVELS = (1, 2, 3)


class CountData(TypedDict):
    """A count: the tag of each rank, value or card, and how well they follow the effects."""

    level: int
    tags: dict[str, int]
    correlation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """The effect of each of the 52 cards on the player's expectation, and the counts that follow them."""

    table: Paytable
    decks: int
    edge: Fraction  # of the full shoe
    effects: tuple[Fraction, ...]  # by card

    @property
    def by_rank(self) -> tuple[Fraction, ...]:
        """The mean effect of a rank's four suits."""
        return tuple(sum(self.effects[4 * rank : 4 * rank + 4], Fraction(0)) / 4 for rank in range(13))

    @property
    def reads_suits(self) -> bool:
        """Whether cards of one rank differ."""
        return any(len(set(self.effects[4 * rank : 4 * rank + 4])) > 1 for rank in range(13))

    def counts(self) -> list[TagCount]:
        """The best tags by rank, at each level."""
        return counts_of([float(effect) for effect in self.by_rank], [4] * 13)

    def card_counts(self) -> list[TagCount]:
        """The best tags card by card, at each level."""
        return counts_of([float(effect) for effect in self.effects], [1] * 52)

    def rank_correlation(self, count: TagCount) -> float:
        """How well tags by rank follow the effects card by card."""
        tags = np.array([[count.tags[rank_of(card)] for card in DECK]], dtype=np.float64)
        return float(correlations(tags, np.array([float(effect) for effect in self.effects]), np.ones(52))[0])

    def as_json(self) -> str:
        data = {
            "paytable": self.table.name,
            "decks": self.decks,
            "edge_percent": float(100 * self.edge),
            "effects": {card_text(card): self.effects[card] for card in DECK},
            "effects_percent": {card_text(card): float(100 * self.effects[card]) for card in DECK},
            "counts": [count_dict(count, RANKS, self.rank_correlation(count)) for count in self.counts()],
            "card_counts": [
                count_dict(count, [card_text(card) for card in DECK], count.correlation) for count in self.card_counts()
            ],
        }
        return json_text(data)

    def as_csv(self) -> str:
        return csv_text([{"card": card_text(card), "effect_percent": float(100 * self.effects[card])} for card in DECK])


def removal(
    table: Paytable,
    decks: int,
    *,
    suit: int = HEARTS,
    stake: Cents | None = None,
    terms: "DealerTerms | None" = None,
) -> Removal:
    """Prices a table 53 times: for the full shoe, and without each card; `terms` replace those of the game."""
    edge_without = partial(price, table, decks, suit=suit, stake=stake, terms=terms, each_upcard=False)
    full, without = edge_without().edge, [edge_without(removed=[card]).edge for card in DECK]
    return Removal(table=table, decks=decks, edge=full, effects=tuple(full - edge for edge in without))


def counts_of(effects: Sequence[float], copies: Sequence[int]) -> list[TagCount]:
    """The best tags at each level; a higher level only where it follows better."""
    counts: list[TagCount] = []
    for level in LEVELS:
        count = best_count(effects, level, copies)
        if count is not None and (not counts or count.correlation > counts[-1].correlation + 1e-9):
            counts.append(count)
    return counts


def count_dict(count: TagCount, names: Sequence[str], correlation: float) -> CountData:
    """A count with the names of what it tags."""
    return {
        "level": count.level,
        "tags": dict(zip(names, count.tags, strict=True)),
        "correlation": correlation,
    }
