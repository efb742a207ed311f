"""The main game with the hole card known, and times a wager on the dealer's hand, against dealing every card."""

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

import pytest
from odds_main.test_round_results import decisions_of, oracle_rules, random_rules, random_shoe
from support.blackjack_oracle import Counts, Finished, minus, natural, plus, points, two_cards
from support.round_oracle import Chances, Rounds, mean_and_sd

from upcard.catalog import shipped
from upcard.odds.main.bonus_product import result_times_return
from upcard.odds.main.known_hole import values_by_hole
from upcard.odds.main.play import SPLIT
from upcard.odds.main.position import FIRST, PAIRS, SECOND, TEN
from upcard.odds.main.rank_shoe import RankShoe
from upcard.odds.main.rules import MainRules
from upcard.odds.main.solve import Solution, solve

SEEDS = (1, 2, 3, 5, 8, 11)
BREAK = {3: 1, 4: 3, 5: 4, 6: 15, 7: 50, 8: 200}  # what 002's Break Bonus pays to 1


def sparse(seed: int) -> tuple[RankShoe, MainRules, Solution]:
    """A random shoe and rules under which tens are not split by rank."""
    random = Random(seed)
    while True:
        rules = random_rules(random)
        shoe = random_shoe(random, rules)
        solution = solve(shoe, rules)
        if rules.split == "value" or not (solution.optimum.decisions[1][PAIRS[TEN]] == SPLIT).any():
            return shoe, rules, solution


def counts_for(shoe: RankShoe, rules: MainRules) -> Counts:
    return shoe.ranks if rules.split == "rank" else tuple(int(count) for count in shoe.values)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_worth_of_a_round_with_a_known_hole_card(seed: int) -> None:
    shoe, rules, solution = sparse(seed)
    by_total, by_pair = values_by_hole(solution.optimum)
    oracle = Rounds(counts_for(shoe, rules), oracle_rules(rules), decisions_of(solution.optimum))
    places = {(int(low), int(high)): place for place, (low, high) in enumerate(zip(FIRST, SECOND, strict=True))}
    for first, second, up, hole, left, _ in oracle._deals():
        low, high = sorted((min(first, 9), min(second, 9)))
        if rules.split == "rank" and min(first, second) >= 9 and hole >= 9:
            continue  # of equal worth only where tens are not split; their rank may still matter to the oracle's shoe
        worth = (by_pair if first == second else by_total)[places[low, high], min(up, 9), min(hole, 9)]
        mean, _ = mean_and_sd(oracle._round(first, second, up, hole, left))
        assert worth == pytest.approx(mean, abs=1e-9)


@dataclass(eq=False)
class BonusRounds(Rounds):
    """Results times what a bonus on the dealer's bust returns, by its number of cards."""

    ends: dict[object, dict[int, float]] = field(default_factory=dict)

    def _round(self, first: int, second: int, up: int, hole: int, shoe: Counts) -> Chances:
        if natural(up, hole):
            return {Fraction(0): 1.0}  # no bust
        if natural(first, second):
            return self._times(self.rules.blackjack, shoe, up, hole)
        hand = two_cards(len(shoe), first, second)
        by_value = (*hand[:9], sum(hand[9:]))
        if self.decide(by_value, min(up, 9), False, first == second) == "surrender":
            return self._times(Fraction(-1, 2), shoe, up, hole)
        return super()._round(first, second, up, hole, shoe)

    def _settle(self, shoe: Counts, up: int, hole: int, finished: Finished) -> Chances:
        result = sum(stake if total <= 21 else -stake for total, stake in finished)
        return self._times(Fraction(result), shoe, up, hole)

    def _times(self, result: Fraction, shoe: Counts, up: int, hole: int) -> Chances:
        """Only busts return something: then every hand that has not bust wins."""
        sums: Chances = defaultdict(float)
        for cards, chance in self.busts(shoe, two_cards(len(shoe), up, hole), 2, False).items():
            sums[result * (BREAK[min(cards, 8)] + 1)] += chance
        return sums

    def busts(self, shoe: Counts, hand: Counts, cards: int, bound: bool) -> dict[int, float]:
        key = (shoe, hand, bound)
        if key not in self.ends:
            total, soft = points(hand)
            bound = bound or (self.rules.soft17 == "until_hard" and soft and total == 17)
            chances: dict[int, float] = defaultdict(float)
            if total > 21:
                chances[cards] = 1.0
            elif total < 17 or (total == 17 and soft and self.rules.soft17 == "hit") or (bound and soft):
                for card, count in enumerate(shoe):
                    if count:
                        for length, chance in self.busts(minus(shoe, card), plus(hand, card), cards + 1, bound).items():
                            chances[length] += chance * count / sum(shoe)
            self.ends[key] = chances
        return self.ends[key]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_result_times_the_return_of_a_bonus_on_the_dealers_bust(seed: int) -> None:
    shoe, rules, solution = sparse(seed)
    table = shipped().paytable("002 Break Bonus")
    oracle = BonusRounds(counts_for(shoe, rules), oracle_rules(rules), decisions_of(solution.optimum))
    mean, _ = mean_and_sd(oracle.chances())
    cards = [count // 4 + (suit < count % 4) for count in shoe.ranks for suit in range(4)]
    assert result_times_return(solution.optimum, table, cards) == pytest.approx(mean, abs=1e-9)
