"""`upcard odds main`: the exact value of the main game."""

import time
from dataclasses import dataclass

from upcard.cli.main_question import Asked, MainQuestion, announce, compiled, understand
from upcard.cli.output import Cell, Form, write_csv, write_json, write_lines, write_table
from upcard.odds.main.play import SPLIT_MODEL
from upcard.odds.main.solve import ACTIONS, OUTCOME_NAMES, VALUE_NAMES, HandValue, Solved, solve
from upcard.problems import BadRequest

UPS = (*VALUE_NAMES[1:], "A")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to show beside the value."""

    sd: bool = False
    hands: bool = False
    readings: bool = False
    removal: bool = False


def show(question: MainQuestion, wanted: Wanted, form: Form) -> None:
    """Solves the main game and shows what was asked."""
    asked = understand(question)
    if sum((wanted.hands, wanted.readings, wanted.removal)) > 1:
        raise BadRequest("--hands, --readings and --removal are questions of their own; ask one at a time")
    if (wanted.hands or wanted.readings or wanted.removal) and (wanted.sd or question.chart):
        raise BadRequest("--sd and --chart go with the value, not with --hands, --readings or --removal")
    kernels = ("kernel", "spread_kernel") if wanted.sd else ("kernel",)
    announce(form, *kernels)
    if wanted.readings:
        from upcard.cli.readings import show_main

        show_main(asked, form)
    elif wanted.removal:
        from upcard.cli.removal import show_main as show_removal

        show_removal(asked, form)
    elif wanted.hands:
        _show_hands(asked, form)
    else:
        _show_value(asked, form, sd=wanted.sd)
    compiled(*kernels)


def assumptions(asked: Asked) -> list[str]:
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


def _show_value(asked: Asked, form: Form, *, sd: bool) -> None:
    start = time.perf_counter()
    solved = solve(asked.shoe, asked.rules)
    value, by_chart = solved.optimum.value, solved.best_chart.value
    seconds = time.perf_counter() - start
    answer: dict[str, object] = {
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
    }
    if asked.chart is not None:
        answer["ev_percent_given"] = 100 * solved.given(asked.chart).value
    if sd:
        from upcard.odds.main.spread import METHOD, standard_deviation

        answer["sd"] = standard_deviation(solved.optimum)
        answer["sd_method"] = METHOD
    answer["assumptions"] = assumptions(asked)
    answer["notices"] = list(asked.notices)
    match form:
        case Form.JSON:
            by_hand = {hand: 100 * worth for hand, worth in solved.insurance_by_hand().items()}
            answer["insurance_by_hand_percent"] = by_hand  # of the insurance wager
            answer["even_money"] = {"taken": 1.0, "declined": solved.even_money_declined}
            answer["dealer_no_blackjack"] = no_blackjack(dealer_dict(solved))
            write_json(answer)
        case Form.CSV:
            plain = {key: cell for key, cell in answer.items() if isinstance(cell, int | float | str)}
            write_csv([plain | {"rules": _rules_text(asked)}])
        case Form.PEOPLE:
            _write(asked, solved, answer)


def dealer_dict(solved: Solved) -> dict[str, dict[str, float]]:
    """The dealer's chances by up card, nothing else being seen."""
    return {
        up: dict(zip(OUTCOME_NAMES, map(float, solved.dealer[VALUE_NAMES.index(up)]), strict=True))
        for up in UPS
        if solved.position.shoe.values[VALUE_NAMES.index(up)] > 0
    }


def no_blackjack(dealer: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """The same chances once the dealer is known to have no blackjack."""
    return {
        up: {end: chance / (1 - row["blackjack"]) for end, chance in row.items() if end != "blackjack"}
        for up, row in dealer.items()
        if row["blackjack"] < 1
    }


def _write(asked: Asked, solved: Solved, answer: dict[str, object]) -> None:
    names = {
        "ev_percent": "best play by composition (CDZ-)",
        "ev_percent_chart": "best chart by totals",
        "ev_percent_given": "the chart given",
        "element_of_risk_percent": "best play, of all that is wagered in the end",
        "insurance_ev_percent": "insurance, of the insurance wager",
    }
    rows: list[dict[str, Cell]] = [
        {"player's expectation": name, "percent": f"{answer[key]:+.6f}%"}
        for key, name in names.items()
        if answer.get(key) is not None
    ]
    write_table(f"Main game of {asked.game.name}, {asked.shoe_text}", rows, right=["percent"])
    ends: list[dict[str, Cell]] = [
        {"up card": up, **{name: f"{100 * chance:.4f}%" for name, chance in row.items()}}
        for up, row in dealer_dict(solved).items()
    ]
    write_table("The dealer's final hand, before any peek", ends, right=OUTCOME_NAMES)
    write_lines(
        f"Rules               {_rules_text(asked)}",
        f"Mean wager          {solved.optimum.stake:.5f} initial wagers a round, doubles and splits included",
        *(
            [f"Standard deviation  {answer['sd']:.5f} initial wagers a round ({answer['sd_method']})"]
            if "sd" in answer
            else []
        ),
        *assumptions(asked),
        *(f"Notice: {notice}" for notice in asked.notices),
        f"Computed in {answer['seconds']:.2f} s.",
    )


def _rules_text(asked: Asked) -> str:
    return ", ".join(f"{key}={text}" for key, text in asked.rules.as_text().items())


def _show_hands(asked: Asked, form: Form) -> None:
    values = list(solve(asked.shoe, asked.rules).hand_values())
    match form:
        case Form.JSON:
            write_json([_hand_dict(one) for one in values])
        case Form.CSV:
            write_csv([_hand_row(one, plain=True) for one in values])
        case Form.PEOPLE:
            title = f"Every first decision of {asked.game.name}, {asked.shoe_text}, in initial wagers"
            write_table(title, [_hand_row(one, plain=False) for one in values], right=["chance", *ACTIONS])
            write_lines(*assumptions(asked))


def _hand_dict(one: HandValue) -> dict[str, object]:
    return {"hand": one.hand, "up": one.up, "chance": one.chance, **one.worth, "best": one.best}


def _hand_row(one: HandValue, *, plain: bool) -> dict[str, Cell]:
    worth: dict[str, Cell] = {
        name: (value if plain else f"{value:+.6f}") if value is not None else "" for name, value in one.worth.items()
    }
    chance = one.chance if plain else f"{100 * one.chance:.4f}%"
    return {"hand": one.hand, "up": one.up, "chance": chance, **worth, "best": one.best}
