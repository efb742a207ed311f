"""Counting systems: a tag for each card, by name or as typed, and what a player needs to use an unbalanced one.

The running count is the sum of the tags of the cards seen. The true count is the running count, less what so many cards
would add on average, divided by the decks left: for a balanced count, whose tags sum to zero, nothing is subtracted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from upcard.cards import DECK, RANKS, card_text, rank_of
from upcard.problems import BadRequest, UnknownName

CARDS = len(DECK)

# Tags from the ace to the king. A high count is good for the player: low cards are gone.
COUNTS: dict[str, tuple[int | str, ...]] = {
    "hilo": (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1),
    "ko": (-1, 1, 1, 1, 1, 1, 1, 0, 0, -1, -1, -1, -1),
    "hi-opt-i": (0, 0, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1),
    "omega-ii": (0, 1, 1, 2, 2, 2, 1, 0, -1, -2, -2, -2, -2),
    "halves": ("-1", "0.5", "1", "1", "1.5", "1", "0.5", "0", "-0.5", "-1", "-1", "-1", "-1"),
    "tens": (0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1),
}
BEST = "best"  # the best tags for a wager, found from the effects of removal
_MOST_SCALE = 1000
_MOST_TAG = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingSystem:
    """Integer tags of the 52 cards, multiplied by `scale` where tags have decimals."""

    name: str
    tags: tuple[int, ...]
    scale: int = 1

    @property
    def balance(self) -> Fraction:
        """What the tags of one deck sum to: zero for a balanced count."""
        return Fraction(sum(self.tags), self.scale)

    @property
    def centred(self) -> "CountingSystem":
        """The same count with its mean subtracted from every tag, so that it is balanced."""
        total = sum(self.tags)
        if total == 0:
            return self
        return replace(self, tags=tuple(CARDS * tag - total for tag in self.tags), scale=CARDS * self.scale)

    def initial_count(self, decks: int) -> Fraction:
        """Where a player starts an unbalanced count, so that it ends each shoe at its pivot."""
        return self.balance * (1 - decks)

    @property
    def pivot(self) -> Fraction:
        """The running count, from the initial count on, that means the same number as true count at any depth."""
        return self.balance

    def true_count(self, running: Fraction, gone: int, decks: int) -> Fraction:
        """The true count of a running count, begun at zero, after so many cards."""
        return (running - self.balance * Fraction(gone, CARDS)) * CARDS / (CARDS * decks - gone)

    def by_name(self) -> dict[str, Fraction]:
        """The tags by rank, or by card where a rank's cards differ."""
        tags = [Fraction(tag, self.scale) for tag in self.tags]
        if all(tags[card] == tags[4 * rank_of(card)] for card in DECK):
            return {name: tags[4 * rank] for rank, name in enumerate(RANKS)}
        return {card_text(card): tags[card] for card in DECK}


def parse_count(text: str) -> CountingSystem:
    """A count by name, or its tags: ten from ace to ten, 13 from ace to king, or 52 card by card."""
    name = text.strip().lower()
    words = name.replace(",", " ").split()
    if len(words) == 1 and not words[0].lstrip("+-").replace(".", "").isdecimal():
        if name == BEST:
            raise BadRequest(
                "the best count depends on the wager: upcard odds PAYTABLE --removal shows its tags, to be given here"
            )
        if name not in COUNTS:
            raise UnknownName(what="count", name=text, known=(*COUNTS, BEST), hint=f"the counts are {_names()}")
        words = [str(tag) for tag in COUNTS[name]]
    try:
        tags = [Fraction(word) for word in words]
    except (ValueError, ZeroDivisionError):
        raise BadRequest(
            f"--count must be a name or tags from ace to ten like -1,1,1,1,1,1,0,0,0,-1, not {text!r}"
        ) from None
    return counting_system(name if name in COUNTS else "given", tags)


def counting_system(name: str, tags: Sequence[Fraction | int]) -> CountingSystem:
    """A count of ten, 13 or 52 tags."""
    if len(tags) == 10:
        tags = [*tags, *[tags[-1]] * 3]
    if len(tags) == len(RANKS):
        tags = [tags[rank_of(card)] for card in DECK]
    if len(tags) != CARDS:
        raise BadRequest(f"a count must have 10, 13 or 52 tags, not {len(tags)}")
    fractions = [Fraction(tag) for tag in tags]
    scale = lcm(*(tag.denominator for tag in fractions))
    if scale > _MOST_SCALE or any(abs(tag) > _MOST_TAG for tag in fractions):
        raise BadRequest(f"tags may be at most {_MOST_TAG}, with at most three decimals")
    return CountingSystem(name=name, tags=tuple(int(tag * scale) for tag in fractions), scale=scale)


def _names() -> str:
    return f"{', '.join(COUNTS)}, or give tags: 10 from ace to ten, 13, or 52"
