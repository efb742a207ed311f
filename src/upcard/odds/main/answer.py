"""The main game's value as programs get it."""

import time
from dataclasses import dataclass
from typing import TypedDict

from upcard.odds.main.play import SPLIT_MODEL
from upcard.odds.main.question import ParsedQuestion
from upcard.odds.main.solve import OUTCOME_NAMES, VALUE_NAMES, HandValue, Solution, solve
from upcard.serialize import Cell, csv_text, json_text

UPS = (*VALUE_NAMES[1:], "A")


Chances = dict[str, float]  # by how the dealer's hand ends


class OptionalData(TypedDict, total=False):
    """What is told where it was asked for."""

    ev_percent_given: float
    sd: float
    sd_method: str


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
    """What the main game is worth, and everything said with it."""

    question: ParsedQuestion
    solved: Solution
    data: MainData

    def as_json(self) -> str:
        """With insurance and the dealer's hands in full."""
        solved = self.solved
        told = {
            **self.data,
            "insurance_by_hand_percent": {hand: 100 * worth for hand, worth in solved.insurance_by_hand().items()},
            "even_money": {"taken": 1.0, "declined": solved.even_money_declined},
            "dealer_no_blackjack": no_blackjack(dealer_dict(solved)),
        }
        return json_text(told)

    def as_csv(self) -> str:
        """In one row."""
        plain: dict[str, Cell] = {key: one for key, one in self.data.items() if isinstance(one, int | float | str)}
        return csv_text([plain | {"rules": rules_text(self.question)}])


def main_value(asked: ParsedQuestion, *, sd: bool = False) -> MainValue:
    """Solves the main game; `sd` adds the standard deviation, which takes longer."""
    start = time.perf_counter()
    solved = solve(asked.shoe, asked.rules)
    value, by_chart = solved.optimum.value, solved.best_chart.value
    seconds = time.perf_counter() - start
    given: OptionalData = {}
    if asked.chart is not None:
        given["ev_percent_given"] = 100 * solved.with_chart(asked.chart).value
    if sd:
        from upcard.odds.main.deviation import METHOD, standard_deviation

        given["sd"] = standard_deviation(solved.optimum)
        given["sd_method"] = METHOD
    told: MainData = {
        "game": asked.game.slug,
        "decks": asked.decks,
        "shoe": dict(zip("A23456789TJQK", asked.shoe.ranks, strict=True)),
        "rules": asked.rules.as_text(),
        "split_model": SPLIT_MODEL,
        "ev_percent": 100 * value,
        "ev_percent_chart": 100 * by_chart,
        "insurance_ev_percent": None if solved.insurance is None else 100 * solved.insurance,
        "element_of_risk_percent": 100 * solved.element_of_risk,
        "mean_wager": solved.optimum.stake,
        "dealer": dealer_dict(solved),
        "seconds": seconds,
        **given,
        "assumptions": assumptions(asked),
        "notices": list(asked.notices),
    }
    return MainValue(question=asked, solved=solved, data=told)


def assumptions(asked: ParsedQuestion) -> list[str]:
    """Under which assumptions the figures hold."""
    rules = asked.rules
    peek = {
        "peek": "the dealer peeks, so a blackjack of his ends the round before any decision",
        "none": "no hole card: a dealer's blackjack takes doubles and splits too",
        "none_originals": "no hole card: a dealer's blackjack takes the initial wager only",
    }[rules.hole]
    aces = "drawn to" if rules.hit_split_aces else "one card each"
    again = "split again" if rules.resplit_aces else "split once"
    return [
        f"Percentages are of the initial wager; one spot, a round dealt from {asked.shoe_text}, freshly shuffled: "
        "no cut card, no cards seen before.",
        f"Split model {SPLIT_MODEL}: each hand of a split is played as the same cards would be without it; "
        f"re-splits to {rules.hands} hands are exact; aces are {again}, {aces}.",
        f"Insurance is not taken; {peek}.",
        "The chart is the best one by totals: each cell is best over all hands that reach it.",
    ]


def rules_text(asked: ParsedQuestion) -> str:
    """The rules in the words of `--set`."""
    return ", ".join(f"{key}={text}" for key, text in asked.rules.as_text().items())


def dealer_dict(solved: Solution) -> dict[str, Chances]:
    """The dealer's chances by up card, nothing else being seen."""
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


def hand_dict(one: HandValue) -> dict[str, Cell]:
    """One first decision."""
    return {"hand": one.hand, "up": one.up, "chance": one.chance, **one.worth, "best": one.best}
