"""Wagers on the dealer's total and on the player's blackjack, against every deal of a small shoe, card by card."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from upcard.cards import DECK, rank_of, suit_of
from upcard.catalog.kind_file import KindEntry
from upcard.odds.dealer_hands import DealerTerms, tally_dealer, together
from upcard.wagers import DealerHandKind

KIND = {
    "name": "dealer-total",
    "reads": "dealer hand",
    "events": {
        "blackjack-against-blackjack": "blackjack and player has blackjack",
        "bust-of-a-blackjack": "bust and player has blackjack",
        "suited-21": "total is 21 and suited",
        "two-card-21": "blackjack",
        "twenty-one": "total is 21 and cards > 3",
        "twenty": "total >= 20 and not total is 21",
        "low": "total <= 18 and up is 5-9",
        "long": "cards >= 4",
    },
}


def dealer_kind(events: dict[str, str]) -> DealerHandKind:
    kind = KindEntry.model_validate({**KIND, "events": events}).written().kind()
    assert isinstance(kind, DealerHandKind)
    return kind


def points(hand: tuple[int, ...]) -> tuple[int, bool]:
    low = sum(min(rank_of(card) + 1, 10) for card in hand)
    soft = low <= 11 and any(rank_of(card) == 0 for card in hand)
    return (low + 10, True) if soft else (low, False)


def hands(
    shoe: Counter[int], hand: tuple[int, ...], chance: Fraction, soft17: str
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    total, soft = points(hand)
    if len(hand) >= 2 and (total > 17 or (total == 17 and not (soft and soft17 == "hit"))):
        yield hand, chance
        return
    left = sum(shoe.values())
    for card, count in shoe.items():
        if count:
            yield from hands(shoe - Counter([card]), (*hand, card), chance * Fraction(count, left), soft17)


def event_of(hand: tuple[int, ...], *, natural: bool) -> str | None:
    """The events of `KIND`, written once more."""
    total = points(hand)[0]
    blackjack = total == 21 and len(hand) == 2
    suited = len({suit_of(card) for card in hand}) == 1
    return next(
        (
            name
            for name, holds in (
                ("blackjack-against-blackjack", blackjack and natural),
                ("bust-of-a-blackjack", total > 21 and natural),
                ("suited-21", total == 21 and suited),
                ("two-card-21", blackjack),
                ("twenty-one", total == 21 and len(hand) > 3),
                ("twenty", total == 20),
                ("low", total <= 18 and 4 <= rank_of(hand[0]) <= 8),
                ("long", len(hand) >= 4),
            )
            if holds
        ),
        None,
    )


SMALL: Counter[int] = Counter(
    {
        card: 2
        for card in DECK
        if (rank_of(card), suit_of(card)) in {(0, 0), (4, 0), (9, 0), (9, 1), (11, 1), (5, 2), (3, 1)}
    }
)


@pytest.mark.parametrize("after_peek", [False, True])
@pytest.mark.parametrize("soft17", ["hit", "stand"])
def test_totals_and_the_players_blackjack_are_counted_as_card_by_card(soft17: str, after_peek: bool) -> None:
    chances: dict[str | None, Fraction] = Counter()  # type: ignore[assignment]
    total = sum(SMALL.values())
    for first in SMALL:
        for second, copies in (SMALL - Counter([first])).items():
            chance = Fraction(SMALL[first] * copies, total * (total - 1))
            left = SMALL - Counter([first, second])
            natural = points((first, second))[0] == 21
            for hand, of_hand in hands(left, (), chance, soft17):
                if not (after_peek and len(hand) == 2 and points(hand)[0] == 21):
                    chances[event_of(hand, natural=natural)] += of_hand
    offered = sum(chances.values())
    kind = dealer_kind(KIND["events"])  # type: ignore[arg-type]
    shoe = [SMALL[card] for card in DECK]
    tally = together(tally_dealer(kind, kind.events, shoe, DealerTerms(soft17=soft17, after_peek=after_peek)))  # type: ignore[arg-type]
    counted = {event: Fraction(count, tally.deals) for event, count in tally.by_event.items()}
    assert counted == {event: chances.get(event, 0) / offered for event in kind.events}
    assert tally.loss > 0


def test_a_wager_that_can_win_without_a_bust_is_not_priced_by_busts_alone() -> None:
    """Of four cards or more, many hands do not bust."""
    shoe = [6] * 52
    terms = DealerTerms(soft17="hit", after_peek=False)
    four, four_and_bust, four_and_total = (
        together(tally_dealer(dealer_kind({"it": condition}), ("it",), shoe, terms)).by_event["it"]
        for condition in ("cards >= 4", "bust and cards >= 4", "not bust and cards >= 4 and total >= 17")
    )
    assert four == four_and_bust + four_and_total
    assert four_and_total > 0
