"""The shoe: its decks are verified, the shuffle is fair, the cut is within the margins, and a key rebuilds it."""

import hashlib
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cli_runner import upcard

from upcard.cards import DECK, Card, card_text
from upcard.cards.shoe import Margins, Shuffle, brick, commitment, missing_cards, new_shoe, shuffled
from upcard.catalog import shipped
from upcard.pit.terms import margins
from upcard.problems import BadRequest

KEY = bytes(range(32))
MIDDLE = Margins(least=0, most=312, cut_card=260)


def test_a_deck_is_verified_card_by_card() -> None:
    assert missing_cards(DECK) == []
    assert missing_cards([*DECK[1:], DECK[1], Card(99)]) == ["Ac is missing", "2 of Ad", "99 is not a card"]
    assert len(brick([DECK, DECK])) == 104
    with pytest.raises(BadRequest, match="deck 2 is not complete: Ks is missing"):
        brick([DECK, DECK[:-1]])


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=40), st.integers(0, 312))
def test_a_shoe_holds_every_card_of_its_decks(key: bytes, nonce: bytes, cut: int) -> None:
    shoe = new_shoe(6, Shuffle(key=key, nonce=nonce, cut=cut), MIDDLE)
    assert Counter(shoe.order) == Counter(dict.fromkeys(DECK, 6))
    assert shoe == new_shoe(6, Shuffle(key=key, nonce=nonce, cut=cut), MIDDLE)


def test_key_nonce_and_cut_each_change_the_order() -> None:
    shoe = new_shoe(6, Shuffle(key=KEY, nonce=b"us", cut=100), MIDDLE)
    assert shoe.order != new_shoe(6, Shuffle(key=KEY[::-1], nonce=b"us", cut=100), MIDDLE).order
    assert shoe.order != new_shoe(6, Shuffle(key=KEY, nonce=b"them", cut=100), MIDDLE).order
    next_cut = new_shoe(6, Shuffle(key=KEY, nonce=b"us", cut=101), MIDDLE)
    assert shoe.order[1:] == next_cut.order[:-1]  # the back goes to the front, one card later


def test_the_order_of_a_known_key_never_changes() -> None:
    """A test vector for verifiers in other languages."""
    order = shuffled(DECK, KEY, b"nonce")
    text = " ".join(card_text(card) for card in order)
    assert text.startswith(VECTOR_START)
    assert hashlib.sha256(text.encode()).hexdigest() == VECTOR_HASH


VECTOR_START = "6s 9c 8s Ts Ac 2d 2c Qs Qd"
VECTOR_HASH = "ed487f86f20b00379331927819ec9a904679ebc8dd62740fc4d0aac52fc1e777"


def test_every_order_of_four_cards_is_equally_likely() -> None:
    """Chi-square over the 24 orders at 99.9%; the keys are fixed, so the test is too."""
    cards = DECK[:4]
    orders = Counter(
        shuffled(cards, hashlib.sha256(number.to_bytes(4, "big")).digest(), b"") for number in range(24_000)
    )
    assert set(orders) == set(permutations(cards))
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 49.73  # 23 degrees of freedom


def test_every_card_is_equally_likely_at_every_place_of_a_deck() -> None:
    """Chi-square of card against place over 4,000 shuffles, at 99.9%."""
    counts: Counter[tuple[int, int]] = Counter()
    for number in range(4000):
        order = shuffled(DECK, hashlib.sha256(number.to_bytes(4, "big")).digest(), b"x")
        counts.update(enumerate(order))
    expected = 4000 / 52
    statistic = sum((counts[place, card] - expected) ** 2 / expected for place in range(52) for card in DECK)
    assert 2378 < statistic < 2830  # 51 * 51 degrees of freedom, mean 2601, deviation 72


@pytest.mark.parametrize(
    ("game", "decks", "least", "most", "cut_card"),
    [("the-brook", 6, 39, 273, 260), ("bet-bigger", 2, 39, 65, 52), ("lucky-ladies", 1, 13, 39, 39)],
)
def test_the_cut_keeps_about_a_deck_from_either_end(
    game: str, decks: int, least: int, most: int, cut_card: int
) -> None:
    """All filings: at least one deck (approximately), the cut card one deck from the end; one-deck games a quarter."""
    allowed = margins(shipped().games[game], decks)
    assert (allowed.least, allowed.most, allowed.cut_card) == (least, most, cut_card)
    with pytest.raises(BadRequest, match=f"cut between {least} and {most} cards"):
        new_shoe(decks, Shuffle(key=KEY, nonce=b"", cut=least - 1), allowed)


def test_a_short_key_is_refused() -> None:
    with pytest.raises(BadRequest, match="32 bytes, not 5"):
        shuffled(DECK, b"short", b"")


def record(**changes: str) -> list[str]:
    shoe = new_shoe(6, Shuffle(key=KEY, nonce=b"us", cut=150), MIDDLE)
    record = {
        "layout": "the-brook",
        "key": KEY.hex(),
        "nonce": b"us".hex(),
        "cut": "150",
        "commitment": commitment(KEY),
        "dealt": " ".join(card_text(card) for card in shoe.order[:20]),
    }
    return [word for name, value in {**record, **changes}.items() for word in (f"--{name}", value)]


def test_a_finished_shoe_is_verified_from_its_key() -> None:
    assert upcard("verify-shoe", *record()).out.startswith(
        "The shoe is genuine: its key matches the commitment, no earlier promise was given; its first 20 cards"
    )
    assert upcard("verify-shoe", *record(), "--json").json["holds"] is True
    promised = upcard("verify-shoe", *record(promise=commitment(KEY))).out
    assert "its key matches the commitment, and was promised when the shoe before began;" in promised


def test_verify_shoe_says_whether_the_house_could_have_chosen_the_key() -> None:
    with_number = upcard("verify-shoe", *record()).out
    assert "A player's number is in the shuffle: nobody could choose the order of the cards." in with_number
    without = upcard("verify-shoe", *record(nonce="", dealt="")).out
    assert "the house could have chosen this key before it published the hash. Only a number of your own" in without


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"commitment": "00" * 32}, "the key is not the one that was committed to"),
        ({"promise": "00" * 32}, "the key is not the one that was promised when the shoe before began"),
        ({"nonce": "00"}, "card 1 was"),
        ({"refill": "Qh " * 7}, "refill 1: these cards cannot be on the table at once"),
        ({"cut": "151"}, "card 1 was"),
        ({"cut": "5"}, "cut between 39 and 273"),
        ({"key": "xyz"}, "the key is not hexadecimal"),
        ({"key": "0011"}, "32 bytes, not 2"),
        ({"dealt": "Qh " * 313}, "313 cards cannot have come out of a shoe of 312"),
        ({"dealt": "Qh Qq"}, "dealt: 'Qq' is not a card"),
        ({"layout": "the-brok"}, "did you mean the-brook"),
    ],
)
def test_a_shoe_that_was_tampered_with_is_detected(changes: dict[str, str], sentence: str) -> None:
    result = upcard("verify-shoe", *record(**changes))
    assert result.code == 2
    assert sentence in result.err
