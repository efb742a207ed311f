"""`upcard odds main`: the exact value of the main game."""

from collections.abc import Iterator

from upcard.cli.catalog_in_use import catalog_in_use, chart_in_use
from upcard.cli.commands.odds_options import OddsOptions
from upcard.cli.compile_notice import announce_compiling
from upcard.cli.layout_lookup import game_and_layout
from upcard.cli.output import Cell, Form, write_data, write_lines, write_table, write_texts
from upcard.odds.main.answer import MainData, assumptions, dealer_dict, hand_dict, main_value, rules_text
from upcard.odds.main.jit import note_compiled
from upcard.odds.main.question import MainQuestion, ParsedQuestion, parse_question
from upcard.odds.main.solve import ACTIONS, OUTCOME_NAMES, HandValue, Solution, solve
from upcard.problems import BadRequest


def show_main_odds(options: OddsOptions, form: Form) -> None:
    """The value of the main game; or its hands, readings or removal."""
    if options.wager or options.meter or options.pay or options.any_decks or options.suit is not None:
        raise BadRequest(
            "--wager, --meter, --pay, --any-decks and --suit are for side wagers, not for upcard odds main"
        )
    if options.count is not None or options.gone is not None:
        raise BadRequest(
            "--count and --gone are for side wagers; upcard simulate --count measures the main game by true count, "
            "and --shoe values it for any cards left"
        )
    game, layout = game_and_layout(options.game, options.layout)
    question = parse_question(
        MainQuestion(
            catalog=catalog_in_use(),
            game=game,
            layout=layout,
            decks=options.decks,
            settings=tuple(options.settings),
            shoe=options.shoe,
            without=options.without,
            chart=None if options.chart is None else chart_in_use(options.chart),
        )
    )
    instead = (options.hands, options.readings, options.removal)
    if sum(instead) > 1:
        raise BadRequest("use only one of --hands, --readings and --removal")
    if any(instead) and (options.sd or options.distribution or options.chart):
        raise BadRequest("--sd, --distribution and --chart cannot be combined with --hands, --readings or --removal")
    kernels = ("kernel", "result_kernel") if options.sd or options.distribution else ("kernel",)
    announce_compiling(form, *kernels)
    if options.readings:
        from upcard.cli.commands.odds_readings import show_main_readings

        show_main_readings(question, form)
    elif options.removal:
        from upcard.cli.commands.odds_removal import show_main_removal

        show_main_removal(question, form)
    elif options.hands:
        _show_hands(question, form)
    else:
        _show_value(question, form, sd=options.sd, distribution=options.distribution)
    note_compiled(*kernels)


def _show_value(question: ParsedQuestion, form: Form, *, sd: bool, distribution: bool) -> None:
    value = main_value(question, sd=sd, distribution=distribution)
    if not write_texts(form, value.as_json, value.as_csv):
        _write(question, value.solved, value.data)


def _write(question: ParsedQuestion, solved: Solution, answer: MainData) -> None:
    percents = {
        "best play by composition (CDZ-)": answer["ev_percent"],
        "best chart by totals": answer["ev_percent_chart"],
        "your chart": answer.get("ev_percent_given"),
        "best play, of the total amount wagered": answer["element_of_risk_percent"],
        "insurance, of the insurance wager": answer["insurance_ev_percent"],
    }
    rows: list[dict[str, Cell]] = [
        {"player's expectation": name, "percent": f"{percent:+.6f}%"}
        for name, percent in percents.items()
        if percent is not None
    ]
    write_table(f"Main game of {question.game.name}, {question.shoe_text}", rows, right=["percent"])
    ends: list[dict[str, Cell]] = [
        {"up card": up, **{name: f"{100 * chance:.4f}%" for name, chance in row.items()}}
        for up, row in dealer_dict(solved).items()
    ]
    write_table("The dealer's final hand, before any peek", ends, right=OUTCOME_NAMES)
    if "distribution" in answer:
        _write_distribution(answer)
    write_lines(
        f"Rules               {rules_text(question)}",
        f"Mean wager          {solved.optimum.stake:.5f} initial wagers per round, doubles and splits included",
        *_deviation_lines(answer),
        *assumptions(question),
        *(f"Notice: {notice}" for notice in question.notices),
        f"Computed in {answer['seconds']:.2f} s.",
    )


def _deviation_lines(answer: MainData) -> Iterator[str]:
    given = "sd_given" in answer
    if "sd" in answer:
        of_best = " with best play" if given else ""
        yield f"Standard deviation  {answer['sd']:.6f} initial wagers per round{of_best} (exact)"
    if given:
        yield f"                    {answer['sd_given']:.6f} with your chart (exact)"


def _write_distribution(answer: MainData) -> None:
    """The chance of every result, with best play and with the chart given."""
    best = {row["result"]: row["chance"] for row in answer["distribution"]}
    charts = {"best play": best}
    if "distribution_given" in answer:
        charts["your chart"] = {row["result"]: row["chance"] for row in answer["distribution_given"]}
    rows: list[dict[str, Cell]] = [
        {
            "result": f"{result:+g}",
            **{name: f"{100 * chances.get(result, 0.0):.6f}%" for name, chances in charts.items()},
        }
        for result in sorted({result for chances in charts.values() for result in chances})
    ]
    write_table("Results of a round, in initial wagers", rows, right=["result", *charts])
    bound = max(answer["distribution_bound"], answer.get("distribution_bound_given", 0.0))
    if bound:
        write_lines(
            f"Chances are exact up to two hands. Rounds that end with three or four hands, {100 * bound:.4f}% of all, "
            "are",
            "approximated: no chance can be off by more than that. The standard deviation is exact for any number.",
        )


def _show_hands(question: ParsedQuestion, form: Form) -> None:
    values = list(solve(question.shoe, question.rules).hand_values())
    rows = [hand_dict(hand) for hand in values]
    if not write_data(form, lambda: rows, lambda: rows):
        title = f"Every first decision of {question.game.name}, {question.shoe_text}, in initial wagers"
        write_table(title, [_hand_row(hand) for hand in values], right=["chance", *ACTIONS])
        write_lines(*assumptions(question))


def _hand_row(hand: HandValue) -> dict[str, Cell]:
    worth = {name: "" if value is None else f"{value:+.6f}" for name, value in hand.worth.items()}
    return hand_dict(hand) | {"chance": f"{100 * hand.chance:.4f}%", **worth}
