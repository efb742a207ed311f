"""The jobs for the expected hold: what a main game, or a wager that depends on its play, wins for the house."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusHold:
    """What a unit on a wager that is lost with the hand (R6) wins for the house."""

    mean: float
    variance: float


def solve_bonus(rules_text: str, wager: str) -> BonusHold:
    """Prices such a wager under stored rules, for players who use the best chart; takes seconds."""
    from upcard.catalog.ruleset import read_ruleset
    from upcard.odds.dealer_hands import terms_at
    from upcard.odds.main.lost_price import price_lost
    from upcard.odds.main.rules import from_game
    from upcard.odds.price import price
    from upcard.pit import open_table
    from upcard.pit.terms import derive

    rules = read_ruleset(rules_text)
    terms = derive(open_table(rules.catalog, rules.layout, behaviour=rules.behaviour))
    offered = terms.wagers[wager]
    if offered.paytable is None:
        raise ValueError(f"{wager} has no paytable")
    of_dealer = terms_at(terms, offered)
    live = price(offered.paytable, rules.layout.decks, terms=of_dealer)
    lost = price_lost(offered.paytable, from_game(terms.rules), of_dealer, live, late=offered.late, variance=True)
    return BonusHold(mean=lost.edge, variance=lost.variance or 0.0)
