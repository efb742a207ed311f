"""The words for what a card may be: ranks, suits, colors, values and cards."""

import re

from upcard.cards import CLUBS, DIAMONDS, HEARTS, RANKS, SPADES, SUIT_NAMES, TEN, rank_of, read_card, suit_of
from upcard.problems import nearest
from upcard.wagers.language.syntax import Item
from upcard.wagers.language.tokens import Token

_RANK_WORDS = [
    "ace",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
]  # in the order of RANKS
_EVERY_RANK, EVERY_SUIT = frozenset(range(13)), frozenset(range(4))
ITEMS = {
    "face": Item(frozenset(range(TEN + 1, 13)), EVERY_SUIT),
    "ten-value": Item(frozenset(range(TEN, 13)), EVERY_SUIT),
    "red": Item(_EVERY_RANK, frozenset({DIAMONDS, HEARTS})),
    "black": Item(_EVERY_RANK, frozenset({CLUBS, SPADES})),
    "chosen-suit": Item(_EVERY_RANK, frozenset(), chosen=True),
    **{name: Item(_EVERY_RANK, frozenset({number})) for number, name in enumerate(SUIT_NAMES)},
}
_ITEM_HINTS = {
    **dict.fromkeys(("suited", "same"), "write share suit, as in player share suit"),
    **dict.fromkeys(("paired", "equal"), "write share rank, as in player share rank"),
    **dict.fromkeys(("a", "the", "an"), "leave the article out"),
    "blackjack": "write have blackjack, as in player have blackjack",
    "1": "an ace is A",
    "11": "an ace is A",
}


def no_item(token: Token) -> str:
    sentence = f"{token.shown} is no rank (A, 2-6, face, ten-value), suit (hearts, chosen-suit), color or card (Qh)"
    if token.text in _ITEM_HINTS:
        return f"{sentence}; {_ITEM_HINTS[token.text]}"
    likely = nearest(token.text.lower(), [*ITEMS, *_RANK_WORDS]) or [r for r in RANKS if r == token.text.upper()]
    return f"{sentence}; did you mean {' or '.join(likely)}?" if likely else sentence


def read_item(text: str) -> Item | None:
    if text in ITEMS:
        return ITEMS[text]
    rank = _rank(text)
    if rank is not None:
        return Item(frozenset({rank}), EVERY_SUIT)
    span = re.fullmatch(r"(\w+)-(\w+)", text)
    if span is not None:
        low, high = _rank(span[1]), _rank(span[2])
        return None if low is None or high is None or low >= high else Item(frozenset(range(low, high + 1)), EVERY_SUIT)
    try:
        card = read_card(text)
    except ValueError:
        return None
    return Item(frozenset({rank_of(card)}), frozenset({suit_of(card)}))


def _rank(text: str) -> int | None:
    if text == "10":
        return TEN
    if len(text) == 1:
        return RANKS.index(text) if text in RANKS else None
    singular = {"sixes": "six"}.get(text, text.removesuffix("s"))
    return _RANK_WORDS.index(singular) if singular in _RANK_WORDS else None
