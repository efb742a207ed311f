"""Hands that are an event, and hands that nearly are: one card is different."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from upcard.cards import DECK, TEN, Card, card, card_text, rank_of, suit_of
from upcard.cards.hand import total
from upcard.wagers.kind import DealerHandKind, DealKind
from upcard.wagers.pattern_sets import Space


def example_of(kind: DealKind, event: str) -> tuple[Card, ...] | None:
    """Cards whose highest event is this one; None if a higher event always holds too."""
    sheet = kind.sheet()
    pairs = sorted(pair for pair, highest in sheet.rank(kind.events).items() if highest == event)
    if not pairs:
        return None
    ranks = _last(sheet.ranks, sheet.rank_classes[pairs[0][0]])
    suits = _last(sheet.suits, sheet.suit_classes[pairs[0][1]])
    return tuple(card(rank, suit) for rank, suit in zip(ranks, suits, strict=True))


def near_misses(kind: DealKind, event: str, hand: Sequence[Card]) -> Iterator[tuple[tuple[Card, ...], str | None]]:
    """Hands that differ in the suit or rank of one card and are not this event, each with the event that they are."""
    for place in reversed(range(len(hand))):
        rank, suit = rank_of(hand[place]), suit_of(hand[place])
        others = [card(rank, (suit + step) % 4) for step in (1, 2)] + [
            card((rank + step) % 13, suit) for step in (1, 12)
        ]
        for other in others:
            changed = (*hand[:place], other, *hand[place + 1 :])
            found = kind.classify(dict(zip(kind.reads, changed, strict=True)), kind.events)
            if found != event:
                yield changed, found


def dealer_example(kind: DealerHandKind, event: str) -> tuple[tuple[Card, ...], bool] | None:
    """A final hand of the dealer whose highest event is this one, and whether the player has a blackjack beside it."""
    for natural in (False, True):
        for hand in _dealer_hands():
            if kind.classify(hand, (), kind.events, player_blackjack=natural) == event:
                return hand, natural
    return None


def dealer_near_misses(
    kind: DealerHandKind, event: str, example: tuple[Sequence[Card], bool]
) -> Iterator[tuple[tuple[Card, ...], bool, str | None]]:
    """Final hands that end with another last card, or beside no blackjack, and are not this event."""
    hand, natural = example
    changes = [((*hand[:-1], other), natural) for other in DECK[::-1] if _is_final((*hand[:-1], other))]
    for changed, beside in [*([(tuple(hand), False)] if natural else []), *changes]:
        found = kind.classify(changed, (), kind.events, player_blackjack=beside)
        if found != event:
            yield changed, beside, found


@cache
def _dealer_hands() -> tuple[tuple[Card, ...], ...]:
    """Final hands with every up card, of every total and length, in one suit and in several; the shortest first."""
    hands: dict[tuple[Card, ...], None] = {}
    for up, second, last in product(range(13), repeat=3):
        for suits in ((0, 1, 2), (2, 2, 2)):
            first = (card(up, suits[0]), card(second, suits[1]))
            if _is_final(first):
                hands[first] = None
            two, ten = card(1, suits[1]), card(TEN, suits[1])
            for between in (*[(two,) * count for count in range(8)], (ten,)):
                longer = (*first, *between, card(last, suits[2]))
                if _is_final(longer):
                    hands[longer] = None
    return tuple(sorted(hands, key=len))


def _is_final(hand: Sequence[Card]) -> bool:
    """Whether a dealer who hits soft 17 ends with this hand and did not end before."""
    return len(hand) >= 2 and not _draws(hand) and all(_draws(hand[:length]) for length in range(2, len(hand)))


def _draws(hand: Sequence[Card]) -> bool:
    points, soft = total(hand)
    return points < 17 or (soft and points == 17)


def hand_text(hand: Sequence[int]) -> str:
    return " ".join(map(card_text, hand))


def _last(space: Space, patterns: int) -> list[int]:
    """The values of the pattern with the highest number."""
    number = patterns.bit_length() - 1
    values = []
    for _ in space.roles:
        number, value = divmod(number, space.values)
        values.append(value)
    return values[::-1]
