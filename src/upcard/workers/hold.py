"""The jobs for the expected hold: what the wagers of a layout win for the house, alone and together.

Every job assumes a skill: players who use the best play by composition, the usual chart, or that of a typical player.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from upcard.odds.main.rules import MainRules

if TYPE_CHECKING:  # loaded by the worker only
    from upcard.engine.terms import Terms
    from upcard.strategy.chart import Chart

MAIN, INSURANCE, EVEN_MONEY = "main", "insurance", "even money"  # names of a game's wagers begin with a capital letter
Skill = Literal["best", "chart", "typical"]
_CHARTS = {"chart": "usual-surrender", "typical": "typical"}  # of a skill, by its name among the charts shipped


@dataclass(frozen=True, slots=True, kw_only=True)
class MainHold:
    """What a unit on the main game, on insurance, and on a blackjack paid as even money wins for the house."""

    mean: float
    insurance_mean: float
    insurance_variance: float
    even_money_mean: float  # more than the same blackjack would without it
    even_money_variance: float  # likewise, so it is negative: even money leaves nothing to chance


def solve_main(decks: int, rules: MainRules, even_money: float, skill: Skill) -> MainHold:
    """Solves a main game; takes seconds."""
    from upcard.odds.main.rank_shoe import full_shoe
    from upcard.odds.main.solve import solve
    from upcard.strategy.chart import named

    solved = solve(full_shoe(decks), rules)
    pays = float(rules.insurance)
    worth = solved.insurance or 0.0
    chance = (worth + 1) / (pays + 1)
    declined = solved.even_money_declined or even_money
    value = solved.optimum.value if skill == "best" else solved.with_chart(named(_CHARTS[skill])).value
    return MainHold(
        mean=-value,
        insurance_mean=-worth,
        insurance_variance=chance * (1 - chance) * (pays + 1) ** 2,
        even_money_mean=declined - even_money,
        even_money_variance=even_money**2 - float(rules.blackjack) * declined,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class JointHold:
    """How a layout's wagers win and lose together, in units of their stakes."""

    one_spot: dict[tuple[str, str], float]  # covariance of two wagers, and variance of one, on the same spot
    two_spots: dict[tuple[str, str], float]  # of wagers on two spots
    events: dict[tuple[tuple[str, str], ...], float]  # chances that wagers on the first cards win these, all at once


def solve_joint(rules_text: str, skill: Skill) -> JointHold:
    """Plays a layout's wagers together; takes seconds."""
    from upcard.catalog.ruleset import read_ruleset
    from upcard.sim.covariance import covariances, joint_events

    rules = read_ruleset(rules_text)
    terms = _terms(rules_text)
    found = covariances(rules.catalog, rules.layout, _chart(terms, rules.layout.decks, skill))
    return JointHold(one_spot=found.one_spot, two_spots=found.two_spots, events=joint_events(terms))


def _chart(terms: "Terms", decks: int, skill: Skill) -> "Chart":
    from upcard.odds.main.rules import from_game
    from upcard.sim.charts import chart_named

    return chart_named(_CHARTS.get(skill, "best"), from_game(terms.rules), decks)


def _terms(rules_text: str) -> "Terms":
    from upcard.catalog.ruleset import read_ruleset
    from upcard.pit import open_table
    from upcard.pit.terms import derive

    rules = read_ruleset(rules_text)
    return derive(open_table(rules.catalog, rules.layout, behaviour=rules.behaviour))


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusHold:
    """What a unit on a wager that is lost with the hand (R6) wins for the house."""

    mean: float
    variance: float


def solve_bonus(rules_text: str, wager: str) -> BonusHold:
    """Prices such a wager under stored rules, for players who use the best chart; takes seconds."""
    from upcard.odds.dealer_hands import terms_at
    from upcard.odds.main.lost_price import price_lost
    from upcard.odds.main.rules import from_game
    from upcard.odds.price import price

    terms = _terms(rules_text)
    offered = terms.wagers[wager]
    if offered.paytable is None:
        raise ValueError(f"{wager} has no paytable")
    of_dealer = terms_at(terms, offered)
    live = price(offered.paytable, terms.decks, terms=of_dealer)
    lost = price_lost(offered.paytable, from_game(terms.rules), of_dealer, live, late=offered.late, variance=True)
    return BonusHold(mean=lost.edge, variance=lost.variance or 0.0)
