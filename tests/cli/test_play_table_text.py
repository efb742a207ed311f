"""The text of hands, cards and stakes on the felt, without colour and without a table."""

import pytest

from upcard.cards import read_card, read_cards
from upcard.cli.play.table_text import dealer_total, face, hand_total, points, signed, stakes_on
from upcard.engine.round import Hand, Result
from upcard.pit.posted_text import as_sentence
from upcard.units import Cents


@pytest.mark.parametrize(("card", "text"), [("Qh", "Qh♥"), ("Ts", "10s♠"), ("Ac", "Ac♣"), ("7d", "7d♦")])
def test_a_card_has_its_suit_as_a_letter_and_as_a_symbol(card: str, text: str) -> None:
    assert face(read_card(card)) == text
    assert face(None) == "??"


@pytest.mark.parametrize(
    ("cards", "text"), [("Ah 6d", "7 or 17"), ("Ah 6d Kd", "17"), ("Ah Ad", "2 or 12"), ("Ah 9d Ad", "21"), ("", "0")]
)
def test_soft_totals_are_written_both_ways(cards: str, text: str) -> None:
    assert points(read_cards(cards)) == text


@pytest.mark.parametrize(
    ("cards", "text"),
    [("Ah", "shows an ace"), ("Kd", "shows 10"), ("6d", "shows 6")],
)
def test_the_dealer_shows_one_card(cards: str, text: str) -> None:
    assert dealer_total((*read_cards(cards), None)) == text


@pytest.mark.parametrize(("cards", "text"), [("Ah Kd", "blackjack"), ("Th 6d Td", "26, bust"), ("Ah 8d", "9 or 19")])
def test_the_dealers_revealed_hand_shows_its_total(cards: str, text: str) -> None:
    assert dealer_total(read_cards(cards)) == text


@pytest.mark.parametrize(
    ("cards", "result", "text"),
    [
        ("Ah Kd", None, "blackjack"),
        ("Ah Kd", Result.BLACKJACK, "blackjack"),
        ("Ah Kd", Result.PUSH, "blackjack, push"),
        ("Th 9d", Result.WIN, "19, wins"),
        ("Th 9d 4d", Result.BUST, "23, bust"),
        ("Th 9d", Result.DEALER_BLACKJACK, "19, loses"),
    ],
)
def test_a_finished_hand_shows_its_result(cards: str, result: Result | None, text: str) -> None:
    assert hand_total(Hand(cards=read_cards(cards), stakes={}, result=result)) == text


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("beside the wagers stacked in the Ante circle", "$10 stacked + $2.50 beside"),
        ("left of each wager", "$2.50 + $5 | $5"),
        ("beside the wager", "$10 + $2.50 beside"),
    ],
)
def test_added_wagers_lie_where_the_filing_puts_them(place: str, text: str) -> None:
    """000, note iii; 001 and 002: to the left of each wager."""
    stakes = {"Ante": Cents(500), "Bet Bigger 2": Cents(500)}
    hand = Hand(cards=read_cards("5h 6d Td"), stakes=stakes, doubled={"Ante": Cents(250)})
    assert stakes_on(hand, place) == text
    assert stakes_on(Hand(cards=hand.cards, stakes=stakes), place) == "$10 on it"


def test_money_has_a_sign_and_a_sentence_a_full_stop() -> None:
    assert [signed(cents) for cents in (4500, -250, 0)] == ["+$45", "-$2.50", "$0"]
    assert [as_sentence(text) for text in ("not now", "Why?", "")] == ["Not now.", "Why?", ""]
