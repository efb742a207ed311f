"""Cards as small integers, and their text form.

A card is 0..51: four times its rank (ace 0, two 1 ... king 12) plus its suit (clubs, diamonds, hearts,
spades). Printed rank matters to splits and side wagers, so ten, jack, queen and king stay four ranks here.
"""

from typing import NewType

Card = NewType("Card", int)

RANKS = "A23456789TJQK"
SUITS = "cdhs"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
DECK = tuple(Card(number) for number in range(52))

ACE, NINE, TEN, JACK, QUEEN, KING = 0, 8, 9, 10, 11, 12
EIGHT = 7
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


def card(rank: int, suit: int) -> Card:
    return Card(4 * rank + suit)


def rank_of(number: int) -> int:
    """The printed rank, 0 (ace) to 12 (king)."""
    return number >> 2


def suit_of(number: int) -> int:
    """The suit, 0 (clubs) to 3 (spades)."""
    return number & 3


def value_of_rank(rank: int) -> int:
    """Blackjack points of a rank; an ace counts one here, and eleven in `hand.total` where it can."""
    return rank + 1 if rank < TEN else 10


def read_card(text: str) -> Card:
    """Reads "Qh", "Ts" or "10s"."""
    name = text.strip()
    if name[:2] == "10":
        name = "T" + name[2:]
    if len(name) != 2 or name[0].upper() not in RANKS or name[1].lower() not in SUITS:
        raise ValueError(f"{text!r} is not a card like Qh, Ts or Ac")
    return card(RANKS.index(name[0].upper()), SUITS.index(name[1].lower()))


def card_text(number: int) -> str:
    """Writes a card as "Qh"."""
    return RANKS[rank_of(number)] + SUITS[suit_of(number)]


def read_cards(text: str) -> tuple[Card, ...]:
    """Reads cards separated by spaces or commas."""
    return tuple(read_card(name) for name in text.replace(",", " ").split())
