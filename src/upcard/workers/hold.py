"""The job for the expected hold: what a main game wins for the house."""

from dataclasses import dataclass

from upcard.odds.main.rules import MainRules


@dataclass(frozen=True, slots=True, kw_only=True)
class MainHold:
    """What a unit on the main game, and on insurance, wins for the house."""

    mean: float
    variance: float
    insurance_mean: float
    insurance_variance: float


def solve_main(decks: int, rules: MainRules) -> MainHold:
    """Solves a main game; takes seconds."""
    from upcard.odds.main.deviation import standard_deviation
    from upcard.odds.main.rank_shoe import full_shoe
    from upcard.odds.main.solve import solve

    solved = solve(full_shoe(decks), rules)
    pays = float(rules.insurance)
    worth = solved.insurance or 0.0
    chance = (worth + 1) / (pays + 1)
    return MainHold(
        mean=-solved.optimum.value,
        variance=standard_deviation(solved.optimum) ** 2,
        insurance_mean=-worth,
        insurance_variance=chance * (1 - chance) * (pays + 1) ** 2,
    )
