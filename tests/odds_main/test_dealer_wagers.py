"""Break Bonus (002) and Bust Bonus (003) against an enumeration that deals the dealer's cards one by one."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from support.shipped_prices import price, terms_of

from upcard.cards import DECK, read_cards
from upcard.catalog import shipped
from upcard.odds.dealer_hands import DealerTerms, tally_dealer, together
from upcard.odds.price import price_all
from upcard.odds.shoe import shoe_without
from upcard.problems import BadRequest
from upcard.wagers import DealerHandKind

Hand = tuple[int, ...]


def draws(hand: Hand) -> bool:
    """H17, from blackjack values ace 1 to ten 10."""
    hard = sum(hand)
    soft = 1 in hand and hard <= 11
    total = hard + 10 if soft else hard
    return len(hand) < 2 or total < 17 or (soft and total == 17)


def endings(shoe: Counter[int], hand: Hand, chance: Fraction) -> Iterator[tuple[Hand, Fraction]]:
    """Every order of cards a dealer can draw, with its chance."""
    if not draws(hand):
        yield hand, chance
        return
    left = sum(shoe.values())
    for value, count in shoe.items():
        if count:
            fewer = shoe.copy()
            fewer[value] -= 1
            yield from endings(fewer, (*hand, value), chance * Fraction(count, left))


def one_suit(decks: int) -> Counter[int]:
    return Counter({value: decks * (4 if value == 10 else 1) for value in range(1, 11)})


def suited_busts(decks: int, up: int) -> Fraction:
    """The chance to bust in one suit, the up card being known: every further card from that suit's part of the shoe."""

    def go(shoe: Counter[int], hand: Hand, chance: Fraction, left: int) -> Fraction:
        if not draws(hand):
            return chance if sum(hand) > 21 else Fraction(0)
        sums = Fraction(0)
        for value, count in shoe.items():
            if count:
                fewer = shoe.copy()
                fewer[value] -= 1
                sums += go(fewer, (*hand, value), chance * Fraction(count, left), left - 1)
        return sums

    shoe = one_suit(decks)
    shoe[up] -= 1
    return go(shoe, (up,), Fraction(1), 52 * decks - 1)


@pytest.mark.parametrize("up", [1, 2, 5, 7, 8, 10])
@pytest.mark.parametrize("decks", [1, 3])
def test_suited_busts_are_those_of_a_card_by_card_enumeration(decks: int, up: int) -> None:
    """R9: given no blackjack; R10: every card of one suit. Three eights count among them."""
    up_name = "A" if up == 1 else str(up)
    up_price = price(shipped().paytable("PT-FLT-BB-01"), decks).by_upcard[up_name]
    ours = sum((line.probability for line in up_price.lines if line.event.endswith("-suited")), Fraction(0))
    barred = {1: 16 * decks, 10: 4 * decks}.get(up, 0)
    no_blackjack = 1 - Fraction(barred, 52 * decks - 1)
    assert ours * no_blackjack == suited_busts(decks, up)


def test_break_bonus_counts_are_those_of_an_order_by_order_enumeration() -> None:
    """Two decks, every order of up to a dozen cards, against an up card of 6, 9 and ten."""
    prices = price(shipped().paytable("002 Break Bonus"), 2).by_upcard
    for up in (6, 9, 10):
        shoe = Counter({value: 8 * (4 if value == 10 else 1) for value in range(1, 11)})
        shoe[up] -= 1
        busts: Counter[int] = Counter()
        chances: dict[int, Fraction] = {}
        for hand, chance in endings(shoe, (up,), Fraction(1)):
            if sum(hand) > 21:
                length = min(len(hand), 8)
                busts[length] += 1
                chances[length] = chances.get(length, Fraction(0)) + chance
        ours = {line.event: line.probability for line in prices[str(up)].lines}
        for length in range(3, 9):
            event = "8-or-more-cards" if length == 8 else f"{length}-cards"
            assert ours[event] == chances.get(length, 0), f"{length} cards against {up}"


@pytest.mark.parametrize("name", ["002 Break Bonus", "PT-FLT-BB-01"])
def test_probabilities_sum_to_one_exactly_for_every_number_of_decks(name: str) -> None:
    table = shipped().paytable(name)
    for decks in table.decks:
        whole_price = price(table, decks)
        for up_price in (whole_price, *whole_price.by_upcard.values()):
            assert sum((line.probability for line in up_price.lines), up_price.loss) == 1
            assert 0 < up_price.loss < 1
        weighed = sum(
            (up_price.edge * up_price.combinations for up_price in whole_price.by_upcard.values()), Fraction(0)
        )
        assert weighed / whole_price.combinations == whole_price.edge


def test_every_paytable_is_priced_at_every_permitted_number_of_decks() -> None:
    tables = shipped().paytables.values()
    assert len(list(price_all(shipped()))) == sum(len(table.decks) for table in tables)


def test_bust_bonus_is_made_after_the_peek_and_break_bonus_before_the_deal() -> None:
    """R9 for 003; 002 places Break Bonus with the other wagers."""
    assert terms_of(shipped().paytable("PT-FLT-BB-01")) == DealerTerms(soft17="hit", after_peek=True)
    assert terms_of(shipped().paytable("002 Break Bonus")) == DealerTerms(soft17="hit", after_peek=False)


def test_before_the_peek_the_same_busts_are_a_smaller_part_of_more_rounds() -> None:
    table = shipped().paytable("PT-FLT-BB-01")
    after = price(table, 6)
    before = price(table, 6, terms=replace(terms_of(table), after_peek=False))
    blackjack = Fraction(2 * 24 * 96, 312 * 311)
    assert before.hit_rate == after.hit_rate * (1 - blackjack)


def test_a_dealer_who_stands_on_soft_17_breaks_less() -> None:
    table = shipped().paytable("002 Break Bonus")
    stands = price(table, 6, terms=DealerTerms(soft17="stand", after_peek=False))
    assert stands.hit_rate < price(table, 6).hit_rate


def test_suits_of_the_cards_left_matter_to_bust_bonus() -> None:
    """All spades gone but few: a suited bust in spades is rarer than in hearts."""
    table = shipped().paytable("PT-FLT-BB-01")
    fewer = price(table, 6, removed=read_cards("6h 8h Th"))
    other = price(table, 6, removed=read_cards("6h 8c Ts"))
    assert fewer.hit_rate == other.hit_rate
    assert fewer.edge != other.edge


def test_a_shoe_the_dealer_could_empty_is_refused() -> None:
    kind = shipped().kind("break-bonus")
    assert isinstance(kind, DealerHandKind)
    shoe = tuple(int(card < 8) for card in DECK)  # aces and twos only: twelve points
    with pytest.raises(BadRequest, match="only 8 cards are left"):
        tally_dealer(kind, ("3-cards",), shoe, DealerTerms(soft17="hit", after_peek=False))


def test_a_full_shoe_and_one_with_nothing_removed_are_the_same() -> None:
    table = shipped().paytable("PT-FLT-BB-01")
    assert isinstance(table.kind, DealerHandKind)
    counted = tally_dealer(table.kind, tuple(table.lines), shoe_without(6, ()), terms_of(table))
    assert together(counted).deals == price(table, 6).combinations
