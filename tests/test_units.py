from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.units import Basis, Cents, Odds, Rounding, decimal_text, dollars, money, round_cents, share


@pytest.mark.parametrize(
    ("text", "cents"), [("$5", 500), ("$2.50", 250), ("$1,250", 125_000), ("$10,000.05", 1_000_005)]
)
def test_money_is_read_to_the_cent(text: str, cents: int) -> None:
    assert money(text) == cents


@pytest.mark.parametrize("text", ["5", "$", "$1.5", "$-5", "$1,25", "€5", "$1.234", ""])
def test_what_is_not_money_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not an amount of money"):
        money(text)


@pytest.mark.parametrize("text", ["$100,000,000,000.01", "$" + "9" * 400, "$" + "9" * 5000])
def test_an_amount_above_the_maximum_is_refused_in_one_clear_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"at most \$100,000,000,000, not a number of \d+ digits"):
        money(text)


@given(st.integers(min_value=0, max_value=10**12))
def test_money_written_is_read_back(cents: int) -> None:
    assert money(dollars(cents)) == cents


@pytest.mark.parametrize(
    ("text", "pays", "basis", "net"),
    [
        ("3:2", Fraction(3, 2), Basis.TO_ONE, Fraction(3, 2)),
        ("25 to 1", Fraction(25), Basis.TO_ONE, Fraction(25)),
        ("25 for 1", Fraction(25), Basis.FOR_ONE, Fraction(24)),
        ("6:5", Fraction(6, 5), Basis.TO_ONE, Fraction(6, 5)),
    ],
)
def test_to_one_keeps_the_stake_and_for_one_does_not(text: str, pays: Fraction, basis: Basis, net: Fraction) -> None:
    odds = Odds.parse(text)
    assert (odds.pays, odds.basis, odds.net) == (pays, basis, net)
    assert Odds.parse(str(odds)) == odds


@pytest.mark.parametrize("text", ["3:0", "3", "to 1", "-3:2", "3 at 2"])
def test_what_is_not_odds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not odds"):
        Odds.parse(text)


def test_three_to_two_on_an_odd_cent_names_its_rounding() -> None:
    odds = Odds.parse("3:2")
    assert odds.win(Cents(5), Rounding.DOWN) == 7
    assert odds.win(Cents(5), Rounding.UP) == 8
    assert odds.win(Cents(5), Rounding.NEAREST) == 8


@given(st.fractions(min_value=0, max_value=10**6))
def test_rounding_never_moves_an_amount_by_a_whole_cent(amount: Fraction) -> None:
    for rounding in Rounding:
        assert abs(round_cents(amount, rounding) - amount) < 1
    assert round_cents(amount, Rounding.DOWN) <= amount <= round_cents(amount, Rounding.UP)


@given(st.fractions(min_value=0, max_value=10**6), st.integers(0, 9))
def test_digits_are_rounded_half_up_without_a_float(value: Fraction, places: int) -> None:
    text = decimal_text(value, places)
    assert len(text.partition(".")[2]) == places
    assert -Fraction(1, 2) < (Fraction(text) - value) * 10**places <= Fraction(1, 2)


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction(1, 3), None, "1/3"),
        (Fraction(5, 2), None, "2.5"),
        (Fraction(7), None, "7"),
        (Fraction("0.000000000001"), None, "0.000000000001"),
        (Fraction(-1, 8), 2, "-0.12"),
        (Fraction(2675, 1000), 2, "2.68"),  # a float would say 2.67
    ],
)
def test_a_fraction_is_written_in_all_its_digits(value: Fraction, places: int | None, text: str) -> None:
    assert decimal_text(value, places) == text


def test_a_share_is_exact() -> None:
    assert share("12.5%") == Fraction(1, 8)
    with pytest.raises(ValueError, match="not a share"):
        share("half")
