"""The main game's value as programs get it."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from upcard.odds.main.play import SPLIT_MODEL
from upcard.odds.main.question import ParsedQuestion
from upcard.odds.main.solve import OUTCOME_NAMES, VALUE_NAMES, HandValue, Solution, solve
from upcard.serialize import Cell, csv_text, json_text

if TYPE_CHECKING:
    from upcard.odds.main.deviation import RoundResults

UPS = (*VALUE_NAMES[1:], "A")


Chances = dict[str, float]  # by how the dealer's hand ends


class ResultChance(TypedDict):
    """A result of a round, in initial wagers, and how often it happens."""

    result: float
    chance: float


class OptionalData(TypedDict, total=False):
    """Figures that are present only on request."""

    ev_percent_given: float
    sd: float  # of best play
    sd_method: str
    sd_bound: float  # by how much a deviation may be off
    sd_given: float  # of the chart given
    distribution: list[ResultChance]
    distribution_bound: float
    distribution_given: list[ResultChance]
    distribution_bound_given: float


class MainData(OptionalData):
    """What the main game is worth."""

    game: str
    decks: int | None
    shoe: dict[str, int]
    rules: dict[str, str]
    split_model: str
    ev_percent: float
    ev_percent_chart: float
    insurance_ev_percent: float | None
    element_of_risk_percent: float
    mean_wager: float
    dealer: dict[str, Chances]
    seconds: float
    assumptions: list[str]
    notices: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MainValue:
    """What the main game is worth, with the question and the solution behind it."""

    question: ParsedQuestion
    solved: Solution
    data: MainData

    def as_json(self) -> str:
        """Adds insurance by hand and the dealer's chances in full."""
        solved = self.solved
        data = {
            **self.data,
            "insurance_by_hand_percent": {hand: 100 * worth for hand, worth in solved.insurance_by_hand().items()},
            "even_money": {"taken": 1.0, "declined": solved.even_money_declined},
            "dealer_no_blackjack": no_blackjack(dealer_dict(solved)),
        }
        return json_text(data)

    def as_csv(self) -> str:
        row: dict[str, Cell] = {key: cell for key, cell in self.data.items() if isinstance(cell, int | float | str)}
        return csv_text([row | {"rules": rules_text(self.question)}])


def main_value(question: ParsedQuestion, *, sd: bool = False, distribution: bool = False) -> MainValue:
    """Solves the main game; `sd` adds the standard deviation, `distribution` the chances of results: both take longer.

    With a chart in the question they are also those of the chart.
    """
    start = time.perf_counter()
    solved = solve(question.shoe, question.rules)
    value, by_chart = solved.optimum.value, solved.best_chart.value
    seconds = time.perf_counter() - start
    optional: OptionalData = {}
    given = None if question.chart is None else solved.with_chart(question.chart)
    if given is not None:
        optional["ev_percent_given"] = 100 * given.value
    if sd or distribution:
        from upcard.odds.main.deviation import DEVIATION_BOUND, METHOD, round_results

        best = round_results(solved.optimum)
        optional.update({"sd": best.standard_deviation, "sd_method": METHOD, "sd_bound": DEVIATION_BOUND})
        if distribution:
            optional.update({"distribution": _chances(best), "distribution_bound": best.bound})
        if given is not None:
            of_chart = round_results(given)
            optional["sd_given"] = of_chart.standard_deviation
            if distribution:
                optional["distribution_given"] = _chances(of_chart)
                optional["distribution_bound_given"] = of_chart.bound
    data: MainData = {
        "game": question.game.slug,
        "decks": question.decks,
        "shoe": dict(zip("A23456789TJQK", question.shoe.ranks, strict=True)),
        "rules": question.rules.as_text(),
        "split_model": SPLIT_MODEL,
        "ev_percent": 100 * value,
        "ev_percent_chart": 100 * by_chart,
        "insurance_ev_percent": None if solved.insurance is None else 100 * solved.insurance,
        "element_of_risk_percent": 100 * solved.element_of_risk,
        "mean_wager": solved.optimum.stake,
        "dealer": dealer_dict(solved),
        "seconds": seconds,
        **optional,
        "assumptions": assumptions(question),
        "notices": list(question.notices),
    }
    return MainValue(question=question, solved=solved, data=data)


def _chances(results: "RoundResults") -> list[ResultChance]:
    return [{"result": float(result), "chance": chance} for result, chance in results.chances.items()]


def assumptions(question: ParsedQuestion) -> list[str]:
    """The assumptions behind the figures."""
    rules = question.rules
    peek = {
        "peek": "the dealer peeks, so a dealer blackjack ends the round before any decision",
        "none": "no hole card: a dealer blackjack takes doubles and splits too",
        "none_originals": "no hole card: a dealer blackjack takes the initial wager only",
    }[rules.hole]
    aces = "drawn to" if rules.hit_split_aces else "one card each"
    again = "split again" if rules.resplit_aces else "split once"
    return [
        f"Percentages are of the initial wager, for one spot and a round dealt from {question.shoe_text}, freshly "
        "shuffled: no cut card, no cards seen before.",
        f"Split model {SPLIT_MODEL}: each hand of a split is played as if it had not come from a split; "
        f"re-splits to {rules.hands} hands are exact; aces are {again}, {aces}.",
        f"Insurance is not taken; {peek}.",
        "The chart is the best one by totals: each cell is the best play over all hands that reach it.",
    ]


def rules_text(question: ParsedQuestion) -> str:
    """The rules in the words of `--set`."""
    return ", ".join(f"{key}={text}" for key, text in question.rules.as_text().items())


def dealer_dict(solved: Solution) -> dict[str, Chances]:
    """The dealer's chances by up card, when no other card is seen."""
    return {
        up: dict(zip(OUTCOME_NAMES, map(float, solved.dealer[VALUE_NAMES.index(up)]), strict=True))
        for up in UPS
        if solved.position.shoe.values[VALUE_NAMES.index(up)] > 0
    }


def no_blackjack(dealer: dict[str, Chances]) -> dict[str, Chances]:
    """The same chances once the dealer is known to have no blackjack."""
    return {
        up: {end: chance / (1 - row["blackjack"]) for end, chance in row.items() if end != "blackjack"}
        for up, row in dealer.items()
        if row["blackjack"] < 1
    }


def hand_dict(value: HandValue) -> dict[str, Cell]:
    return {"hand": value.hand, "up": value.up, "chance": value.chance, **value.worth, "best": value.best}
