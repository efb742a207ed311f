"""`upcard odds ... --removal`: effects of removal, and the counts that follow them best."""

from upcard.cards import RANKS
from upcard.catalog.paytable import Paytable
from upcard.cli.output import Cell, Form, write_data, write_lines, write_table, write_texts
from upcard.odds.dealer_hands import DealerTerms
from upcard.odds.main.question import ParsedQuestion
from upcard.odds.main.removal import main_removal
from upcard.odds.main.solve import VALUE_NAMES
from upcard.odds.removal import Removal, count_dict, removal
from upcard.units import Cents


def show_main_removal(question: ParsedQuestion, form: Form) -> None:
    effects = main_removal(question.shoe, question.rules)
    counts = effects.counts()
    rows: list[dict[str, Cell]] = [
        {
            "card": name,
            "best_play_percent": 100 * best,
            "chart_percent": 100 * by_chart,
            **{f"level_{count.level}": count.tags[place] for count in counts},
        }
        for place, (name, best, by_chart) in enumerate(
            zip(VALUE_NAMES, effects.best_play, effects.one_chart, strict=True)
        )
    ]
    data = {
        "game": question.game.slug,
        "decks": question.decks,
        "ev_percent": 100 * effects.value,
        "ev_percent_chart": 100 * effects.chart_value,
        "effects": rows,
        "counts": [count_dict(count, VALUE_NAMES, count.correlation) for count in counts],
    }
    if not write_data(form, lambda: data, lambda: rows):
        title = f"Effects of removal on the main game of {question.game.name}, {question.shoe_text}"
        write_table(title, [_rounded(row) for row in rows], right=list(rows[0])[1:])
        write_lines(
            "What removing one card adds to the player's expectation, in percent of the initial wager: with best play",
            "by composition (CDZ-), and with the full shoe's best chart. The tags follow the chart's effects.",
            *(f"Level {count.level}: correlation {count.correlation:.4f}" for count in counts),
        )


def show_side_removal(
    table: Paytable, decks: int, form: Form, *, suit: int, stake: Cents | None, terms: DealerTerms | None = None
) -> None:
    effects = removal(table, decks, suit=suit, stake=stake, terms=terms)
    if not write_texts(form, effects.as_json, effects.as_csv):
        _show_people(effects)


def _show_people(effects: Removal) -> None:
    counts = effects.counts()
    rows: list[dict[str, Cell]] = []
    for rank, mean in enumerate(effects.by_rank):
        suits = {name: _percent(float(effects.effects[4 * rank + place])) for place, name in enumerate("cdhs")}
        tags = {f"level {count.level}": count.tags[rank] for count in counts}
        rows.append(
            {"rank": RANKS[rank], **(suits if effects.reads_suits else {}), "mean": _percent(float(mean)), **tags}
        )
    title = f"Effects of removal on {effects.table.name}, {effects.decks} deck{'s' * (effects.decks > 1)}"
    write_table(title, rows, right=list(rows[0])[1:])
    nothing = [] if counts else ["No single card matters to this wager: no linear count can tell when to make it."]
    write_lines(
        *nothing,
        f"What removing one card adds to the player's expectation, in percent of the wager; the edge is "
        f"{float(100 * effects.edge):.4f}%{', with empty meters' if effects.table.jackpots else ''}.",
        *(
            f"Level {count.level}: tags by rank, correlation {effects.rank_correlation(count):.4f} card by card"
            for count in counts
        ),
    )


def _rounded(row: dict[str, Cell]) -> dict[str, Cell]:
    return {name: f"{cell:+.5f}%" if isinstance(cell, float) else cell for name, cell in row.items()}


def _percent(amount: float) -> str:
    return f"{100 * amount:+.5f}%"
