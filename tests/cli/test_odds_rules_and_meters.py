"""`upcard odds` with other rules, unfiled numbers of decks, meters, counts and a layout's jackpots."""

import csv
import io
from fractions import Fraction
from math import sqrt

import pytest
from support.cli_runner import upcard

from upcard.catalog import shipped
from upcard.catalog.pays import Fixed
from upcard.odds.price import price

# --- rules of the dealer's hand ---------------------------------------------------------------------------------------


def test_wagers_on_the_dealers_hand_follow_the_rules_set() -> None:
    """A dealer who stands on soft 17 busts less often, so both bonuses are worth less."""
    for table in ("002 Break Bonus", "PT-FLT-BB-01"):
        filed, stands = (
            upcard("odds", table, "--decks", "6", *rules, "--json").json for rules in ((), ("--set", "soft17=stand"))
        )
        assert stands["edge_percent"] > filed["edge_percent"] + 1
        assert "stands on soft 17" in " ".join(stands["assumptions"])


def test_without_a_hole_card_a_late_wager_is_made_before_any_blackjack_is_known() -> None:
    filed, no_hole = (
        upcard("odds", "PT-FLT-BB-01", "--decks", "6", *rules, "--json").json for rules in ((), ("--set", "hole=none"))
    )
    assert no_hole["hit_rate"] != filed["hit_rate"]
    assert "of all rounds" in " ".join(no_hole["assumptions"])
    by_decks = upcard("odds", "PT-FLT-BB-01", "--set", "decks=6", "--json").json
    assert by_decks["edge"] == filed["edge"]


@pytest.mark.parametrize("instead", [("--removal",), ("--count", "hilo"), ("--readings",)])
def test_the_rules_set_hold_for_every_view_of_such_a_wager(instead: tuple[str, ...]) -> None:
    def text(*rules: str) -> str:
        return upcard("odds", "002 Break Bonus", "--decks", "6", *instead, *rules, "--json").out

    assert text("--set", "soft17=stand") != text()


def test_no_rule_changes_a_wager_on_the_deal() -> None:
    refused = upcard("odds", "DA6/1", "--decks", "6", "--set", "soft17=stand")
    assert refused.code == 2
    assert "no rule of play changes DA6/1" in refused.err


# --- numbers of decks -------------------------------------------------------------------------------------------------


def test_numbers_of_decks_that_are_not_filed_are_marked() -> None:
    priced = upcard("odds", "DA6/1", "--any-decks", "--json").json
    assert [row["decks"] for row in priced if row["permitted"]] == [6]
    assert "not filed for 1 deck" in priced[0]["notices"][0]
    text = upcard("odds", "DA6/1", "--any-decks").out
    assert "5 *" in text
    assert "does not permit this number of decks" in text
    assert "(not filed)" in upcard("odds", "DA6/1", "--any-decks", "--decks", "4").out
    rows = list(csv.DictReader(io.StringIO(upcard("odds", "DA6/1", "--any-decks", "--csv").out)))
    assert {row["decks"] for row in rows if row["permitted"] == "yes"} == {"6"}


# --- meters -----------------------------------------------------------------------------------------------------------


def test_a_meter_moves_the_standard_deviation_too() -> None:
    data = upcard("odds", "PT-BJS-213-01", "--decks", "6", "--meter", "$10,000", "--json").json
    quote = price(shipped().paytable("PT-BJS-213-01"), 6)
    mean = square = Fraction(0)
    for line in quote.lines:  # every pay is "for 1" or "to 1" on $1; the jackpot pays the meter
        pays = line.pay.units if isinstance(line.pay, Fixed) else Fraction(10_000)
        net = pays if data["basis"] == "to 1" else pays - 1
        mean += line.probability * net
        square += line.probability * net**2
    mean -= quote.loss
    square += quote.loss
    assert data["at_meters"]["standard_deviation"] == pytest.approx(sqrt(square - mean**2), rel=1e-12)
    assert data["at_meters"]["standard_deviation"] > 10 * data["standard_deviation"]


def test_the_return_of_a_jackpot_wager_is_split_by_where_the_money_comes_from() -> None:
    """In the long run a wager returns what it returns at the mean meter; the cap keeps some of the 15%."""
    data = upcard("odds", "PT-BJS-LL-34", "--layout", "lucky-ladies-progressive", "--json").json
    parts = data["long_run"]
    (meter,) = parts["mean_meters"].values()
    quote = price(shipped().paytable("PT-BJS-LL-34"), 6)
    at_mean = 1 - quote.edge_at({"Lucky Ladies Jackpot": Fraction(round(100 * meter), 100)})
    assert parts["return_percent"] == pytest.approx(float(100 * at_mean), abs=1e-4)
    assert parts["base_return_percent"] == pytest.approx(100 - data["edge_percent"])
    assert 14 < parts["contribution_return_percent"] < 15
    assert parts["seed_return_percent"] == pytest.approx(100 * 10_000 * 11 / 12_909_299)


def test_the_expected_meter_does_not_depend_on_the_seed_of_the_run() -> None:
    """It is 1,250 and half a dollar for each of 62,666.5 wagers; a simulated one was $19,768, $42,916 or $30,661."""
    quick = ("--rounds", "2,000", "--strategy", "usual", "--threads", "1", "--json")
    meters = [upcard("simulate", "000", *quick, "--seed", seed).json["jackpots"][0] for seed in ("1", "2")]
    assert [meter["expected_meter"] for meter in meters] == [pytest.approx(32_583.25)] * 2
    spread = meters[0]["meter_distribution"]
    assert 1_250 < spread["p5"] < spread["p50"] < spread["mean"] < spread["p95"]
    assert spread["wagers_between_hits"]["mean"] == pytest.approx(62_666.5)


# --- counts -----------------------------------------------------------------------------------------------------------


def test_the_main_game_refuses_a_count_and_says_what_to_do() -> None:
    refused = upcard("odds", "main", "--game", "002", "--count", "hilo")
    assert refused.code == 2
    assert "upcard simulate --count" in refused.err


@pytest.mark.parametrize("count", ["ko", "halves", "-1 1 1 1 1 1 0 0 0 -1"])
def test_every_count_has_the_same_name_in_every_command(count: str) -> None:
    counted = upcard("odds", "insurance", "--decks", "1", "--count", count, "--json").json
    played = upcard("simulate", "004", "--rounds", "2000", "--strategy", "usual", "--count", count, "--json").json
    assert counted["count"] == played["count"]
    if count == "ko":
        assert (counted["initial_count"], counted["pivot"]) == (0, 4)
    assert "upcard odds PAYTABLE --removal" in upcard("simulate", "004", "--rounds", "2000", "--count", "best").err
