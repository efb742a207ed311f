"""Every rule of the vector, the way it must push the value, and what is refused."""

from dataclasses import replace
from fractions import Fraction

import pytest
from support.main_game_rules import PEERS, shoe_of, solved

from upcard.catalog import shipped
from upcard.odds.main.rank_shoe import RankShoe, full_shoe
from upcard.odds.main.rules import changed, from_game
from upcard.odds.main.solve import solve
from upcard.problems import BadRequest, UnknownName


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"soft17": "stand"}, {"soft17": "hit"}),
        ({"soft17": "until_hard"}, {"soft17": "hit"}),
        ({"blackjack": Fraction(3, 2)}, {"blackjack": Fraction(6, 5)}),
        ({"blackjack": Fraction(2)}, {"blackjack": Fraction(3, 2)}),
        ({"das": True}, {"das": False}),
        ({"double": "any"}, {"double": "9-11"}),
        ({"double": "9-11"}, {"double": "10-11"}),
        ({"double": "10-11"}, {"double": "none", "das": False}),
        ({"hands": 4}, {"hands": 3}),
        ({"hands": 3}, {"hands": 2}),
        ({"resplit_aces": True}, {"resplit_aces": False}),
        ({"hit_split_aces": True}, {"hit_split_aces": False}),
        ({"surrender": "late"}, {"surrender": "none"}),
        ({"surrender": "early"}, {"surrender": "late"}),
        ({"hole": "peek"}, {"hole": "none"}),
    ],
)
def test_a_better_rule_is_worth_more(better: dict[str, object], worse: dict[str, object]) -> None:
    high, low = solved(2, **better), solved(2, **worse)
    assert high.optimum.value > low.optimum.value + 1e-6
    assert high.best_chart.value > low.best_chart.value + 1e-6


def test_losing_originals_only_is_worth_as_much_as_a_peek() -> None:
    assert solved(6, hole="none_originals").optimum.value == solved(6).optimum.value


def test_splitting_by_printed_rank_changes_nothing_while_tens_stand() -> None:
    by_rank, by_value = solved(6, split="rank"), solved(6)
    assert by_rank.optimum.value == pytest.approx(by_value.optimum.value, abs=1e-15)
    ten = by_rank.position.splittable[9]
    assert ten[4] == pytest.approx(4 * 24 * 23 / (96 * 95))  # equal printed ranks among two tens
    assert by_rank.optimum.options.split[-1, 4] != by_value.optimum.options.split[-1, 4]  # fewer re-splits


def test_fewer_decks_are_better_for_the_player() -> None:
    values = [solved(decks).optimum.value for decks in range(1, 9)]
    assert values == sorted(values, reverse=True)


def test_best_play_beats_the_best_chart_which_beats_every_other_chart() -> None:
    for decks in (1, 2, 6):
        solution = solved(decks)
        from upcard.strategy import usual

        assert solution.optimum.value >= solution.best_chart.value >= solution.with_chart(usual()).value - 1e-15


def test_the_rules_of_every_game_file_make_a_vector() -> None:
    for game in shipped().games.values():
        assert from_game(game.rules).as_text()["soft17"] == game.rules.soft17


def test_settings_are_put_into_the_vector() -> None:
    rules, decks = changed(PEERS, ["soft17=stand", "das=no", "blackjack=6:5", "decks=2", "hands=2", "hole=none"])
    assert decks == 2
    assert rules == replace(PEERS, soft17="stand", das=False, blackjack=Fraction(6, 5), hands=2, hole="none")


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("soft17=maybe", "soft17 must be hit or stand or until_hard, not 'maybe'"),
        ("das=perhaps", "das must be yes or no"),
        ("hands=5", "hands must be 2, 3 or 4"),
        ("blackjack=free", "blackjack must be odds like 3:2"),
        ("blackjack=0:1", "blackjack must be odds like 3:2"),
        ("decks=9", "decks must be a whole number from 1 to 8"),
        ("decks=-1", "decks must be a whole number from 1 to 8"),
        ("soft17", "--set takes key=value"),
    ],
)
def test_a_setting_that_says_nothing_sensible_is_refused(setting: str, says: str) -> None:
    with pytest.raises(BadRequest, match=says):
        changed(PEERS, [setting])


def test_an_unknown_rule_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean soft17"):
        changed(PEERS, ["soft=stand"])


@pytest.mark.parametrize(
    "settings", [["resplit_aces=yes", "hands=2"], ["double=none", "das=yes"], ["das=no", "das=yes"]]
)
def test_impossible_combinations_are_refused(settings: list[str]) -> None:
    with pytest.raises(BadRequest):
        changed(PEERS, settings)


def test_a_shoe_too_small_for_a_round_is_refused() -> None:
    with pytest.raises(BadRequest, match="too small"):
        solve(shoe_of(2, 2, 2, 2, 2, 0, 0, 0, 0, 4), PEERS)
    with pytest.raises(BadRequest, match="none negative"):
        RankShoe((-1,) * 13)
    with pytest.raises(BadRequest, match="cannot remove 5 of rank A"):
        full_shoe(1).without([0] * 5)


def test_a_missing_rank_is_no_trouble() -> None:
    """A shoe without fives, or without aces, still has a value; without aces there is nothing to insure."""
    no_fives = solve(shoe_of(24, 24, 24, 24, 0, 24, 24, 24, 24, 96), PEERS)
    no_aces = solve(shoe_of(0, 24, 24, 24, 24, 24, 24, 24, 24, 96), PEERS)
    assert no_fives.optimum.value > 0.02
    assert -0.05 < no_aces.optimum.value < solved(6).optimum.value
    assert no_aces.insurance is None


def test_insurance_pays_when_more_than_a_third_are_tens() -> None:
    assert solved(6).insurance == pytest.approx(3 * 96 / 311 - 1)
    assert solved(1).insurance_by_hand()["2,3"] == pytest.approx(3 * 16 / 49 - 1)
    rich = solve(shoe_of(20, 20, 20, 20, 20, 20, 20, 20, 20, 96), PEERS)
    assert rich.insurance is not None
    assert rich.insurance > 0


def test_the_dealer_ends_somehow() -> None:
    for soft17 in ("hit", "stand", "until_hard"):
        assert solved(4, soft17=soft17).dealer.sum(axis=1) == pytest.approx([1.0] * 10, abs=1e-12)


def test_a_round_puts_more_than_its_first_wager_at_risk() -> None:
    solution = solved(6)
    assert 1.1 < solution.optimum.stake < 1.2
    assert solution.element_of_risk == pytest.approx(solution.optimum.value / solution.optimum.stake)
    assert solved(6, double="none", das=False, surrender="late").optimum.stake < solution.optimum.stake
