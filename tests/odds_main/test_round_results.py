"""The results of a round against an oracle that deals every card: chances, mean and standard deviation."""

import os
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from support import blackjack_oracle as plain
from support.main_game_rules import PEERS, shoe_of, solved
from support.round_oracle import Chances, Decide, RoundRules, Rounds, mean_and_sd

from upcard.odds.main.chart_play import ChartPlay
from upcard.odds.main.deviation import RoundResults, round_results
from upcard.odds.main.hand_tables import hands, key_of
from upcard.odds.main.play import Optimum
from upcard.odds.main.position import FIRST, SECOND
from upcard.odds.main.rank_shoe import RankShoe
from upcard.odds.main.rules import Double, MainRules
from upcard.odds.main.solve import solve
from upcard.problems import BadRequest
from upcard.strategy.chart import Chart, pair_row, usual

ACTIONS = ("stand", "hit", "double", "surrender", "split")
SHOES = 300 if os.environ.get("UPCARD_SOAK") else 16


def random_rules(random: Random) -> MainRules:
    most = random.choice((2, 2, 2, 3, 4))
    double: Double = random.choice(("any", "any", "9-11", "10-11", "none"))
    return replace(
        PEERS,
        soft17=random.choice(("hit", "stand", "until_hard")),
        blackjack=random.choice((Fraction(3, 2), Fraction(6, 5), Fraction(1))),
        double=double,
        das=double != "none" and random.random() < 0.7,
        hands=most,
        resplit_aces=most > 2 and random.random() < 0.5,
        hit_split_aces=random.random() < 0.3,
        split=random.choice(("rank", "value")),
        surrender=random.choice(("none", "late", "early")),
        hole=random.choice(("peek", "peek", "none", "none_originals")),
    )


def random_shoe(random: Random, rules: MainRules) -> RankShoe:
    """Few ranks, most of them high: a round of many small cards would take the oracle too long."""
    while True:
        kinds = random.randint(3, 6 if rules.hands == 2 else 4)
        ranks = set(random.sample(range(5, 13), kinds - 1)) | {random.choice((0, 1, 3, 4))}
        shoe = RankShoe(tuple(random.randint(1, 8) if rank in ranks else 0 for rank in range(13)))
        try:
            shoe.must_suffice(rules.hands)
        except BadRequest:
            continue
        return shoe


def decisions_of(way: Optimum | ChartPlay) -> Decide:
    """The decisions of a solved game, looked up hand by hand."""
    places = {key: place for place, key in enumerate(hands().keys.tolist())}
    two = {(int(low), int(high)): place for place, (low, high) in enumerate(zip(FIRST, SECOND, strict=True))}
    by_total, by_pair = way.decisions

    def decide(hand: plain.Counts, up: int, split: bool, may_split: bool) -> str:
        if sum(hand) == 2 and not split:
            low, high = (value for value, count in enumerate(hand) for _ in range(count))
            return ACTIONS[int((by_pair if may_split else by_total)[two[low, high], up])]
        place = places[sum(count * key_of(value) for value, count in enumerate(hand))]
        return ACTIONS[int((way.play.split_actions if split else way.play.actions)[place, up])]

    return decide


def by_chart(chart: Chart, rules: MainRules) -> Decide:
    """A chart's letters, read from the chart itself."""

    def decide(hand: plain.Counts, up: int, split: bool, may_split: bool) -> str:
        total, soft = plain.points(hand)
        row = pair_row(hand.index(2) + 1) if may_split else f"{'soft' if soft else 'hard'} {max(total, 5)}"
        letter = chart.letter(row, up + 1)
        first = sum(hand) == 2 and not split
        if letter.surrenders and first and rules.surrender != "none":
            return "surrender"
        if letter.splits:
            return "split"
        if letter.doubles and sum(hand) == 2 and rules.doubles(total, soft=soft) and (rules.das or not split):
            return "double"
        return "stand" if letter.stands else "hit"

    return decide


def oracle_rules(rules: MainRules) -> RoundRules:
    return RoundRules(
        soft17=rules.soft17,
        hands=rules.hands,
        resplit_aces=rules.resplit_aces,
        hit_split_aces=rules.hit_split_aces,
        early_surrender=rules.surrender == "early",
        hole=rules.hole,
        blackjack=rules.blackjack,
    )


def dealt_out(shoe: RankShoe, rules: MainRules, decide: Decide) -> Chances:
    counts = shoe.ranks if rules.split == "rank" else tuple(int(count) for count in shoe.values)
    return Rounds(counts, oracle_rules(rules), decide).chances()


def assert_agree(results: RoundResults, plain_chances: Chances) -> None:
    """Mean and standard deviation to 1e-9; chances within the bound that is printed with them."""
    mean, deviation = mean_and_sd(plain_chances)
    assert results.mean == pytest.approx(mean, abs=1e-9)
    assert results.standard_deviation == pytest.approx(deviation, abs=1e-9)
    assert sum(results.chances.values()) == pytest.approx(1, abs=1e-9)
    off = [
        abs(results.chances.get(result, 0.0) - plain_chances.get(result, 0.0))
        for result in results.chances.keys() | plain_chances.keys()
    ]
    assert max(off) <= results.bound + 1e-9


@pytest.mark.parametrize("seed", range(SHOES))
def test_random_sparse_shoes_and_rules_agree_with_dealing_every_card(seed: int) -> None:
    random = Random(seed)
    rules = random_rules(random)
    shoe = random_shoe(random, rules)
    best = solve(shoe, rules).optimum
    results = round_results(best)
    assert_agree(results, dealt_out(shoe, rules, decisions_of(best)))
    if rules.hands == 2:
        assert results.bound == 0
    if rules.hole != "none_originals" and rules.surrender != "early" and rules.double == "any":
        table = plain.Table(
            shoe.ranks if rules.split == "rank" else tuple(int(count) for count in shoe.values),
            soft17=rules.soft17,
            das=rules.das,
            hands=rules.hands,
            resplit_aces=rules.resplit_aces,
            hit_split_aces=rules.hit_split_aces,
            surrender=rules.surrender == "late",
            peek=rules.hole == "peek",
            blackjack=float(rules.blackjack),
        )
        assert results.mean == pytest.approx(table.value(), abs=1e-9)


@pytest.mark.parametrize("split_hands", [2, 3])
def test_a_chart_has_its_own_deviation_and_chances(split_hands: int) -> None:
    rules = replace(PEERS, hands=split_hands, surrender="late")
    shoe = shoe_of(4, 0, 0, 0, 3, 0, 0, 6, 0, 12)
    played = solve(shoe, rules).with_chart(usual())
    results = round_results(played)
    assert_agree(results, dealt_out(shoe, rules, by_chart(usual(), rules)))
    assert results.standard_deviation != round_results(solve(shoe, rules).optimum).standard_deviation


def test_a_full_shoe_has_whole_chances_and_the_known_value() -> None:
    results = round_results(solved(6).optimum)
    assert sum(results.chances.values()) == pytest.approx(1, abs=1e-12)
    mean = sum(float(result) * chance for result, chance in results.chances.items())
    assert abs(mean - results.mean) <= 8 * results.bound
    assert results.bound < 0.003
    assert results.chances[Fraction(3, 2)] == pytest.approx(0.0453229877160642, abs=1e-12)


@pytest.mark.parametrize(
    ("calmer", "wilder"),
    [({"surrender": "late"}, {}), ({"das": False}, {}), ({"double": "none", "das": False}, {"double": "10-11"})],
)
def test_rules_that_put_less_at_risk_calm_the_game(calmer: dict[str, object], wilder: dict[str, object]) -> None:
    deviations = [
        round_results(solved(1, hands=2, **changes).optimum).standard_deviation for changes in (calmer, wilder)
    ]
    assert deviations[0] < deviations[1]
