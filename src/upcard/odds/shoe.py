"""A shoe as copies of each of the 52 cards; plain numbers, so that a full shoe needs no arrays."""

from collections import Counter
from collections.abc import Sequence

from upcard.cards import DECK, card_text
from upcard.problems import BadRequest


def shoe_without(decks: int, removed: Sequence[int]) -> tuple[int, ...]:
    """How many of each of the 52 cards remain."""
    removed_copies = Counter(removed)
    for card, copies in removed_copies.items():
        if copies > decks:
            subject = "1 deck holds" if decks == 1 else f"{decks} decks hold"
            raise BadRequest(f"{subject} {decks} {card_text(card)}, not {copies}")
    return tuple(decks - removed_copies[card] for card in DECK)
