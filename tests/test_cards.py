import pytest
from hypothesis import given
from support.hypothesis_strategies import hands

from upcard.cards import DECK, SUITS, Card, card_text, rank_of, read_card, read_cards, suit_of
from upcard.cards.hand import is_bust, total


def test_a_deck_has_52_different_cards_that_read_back() -> None:
    assert len({card_text(card) for card in DECK}) == 52
    assert [read_card(card_text(card)) for card in DECK] == list(DECK)


def test_ten_is_read_in_both_spellings() -> None:
    assert read_card("10s") == read_card("Ts") == read_card("tS")
    assert (rank_of(read_card("Ts")), SUITS[suit_of(read_card("Ts"))]) == (9, "s")


@pytest.mark.parametrize("text", ["", "Q", "1h", "Qx", "11h", "QhQh", "hQ"])
def test_what_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        read_card(text)


@pytest.mark.parametrize(
    ("cards", "points", "soft"),
    [("Ah Kd", 21, True), ("Ah Ad", 12, True), ("Ah 6c", 17, True), ("Ah 6c Td", 17, False), ("9c 9d 5h", 23, False)],
)
def test_an_ace_counts_eleven_while_it_can(cards: str, points: int, soft: bool) -> None:
    assert total(read_cards(cards)) == (points, soft)


@given(hands(1, 12))
def test_a_total_is_a_sum_with_each_ace_one_or_eleven_and_never_a_needless_bust(hand: list[Card]) -> None:
    low = sum(min(rank_of(card) + 1, 10) for card in hand)
    aces = sum(rank_of(card) == 0 for card in hand)
    choices = [low + 10 * elevens for elevens in range(aces + 1)]
    best = max((points for points in choices if points <= 21), default=low)
    assert total(hand)[0] == best
    assert is_bust(hand) == (low > 21)
