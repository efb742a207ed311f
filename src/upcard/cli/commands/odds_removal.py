"""`upcard odds ... --removal`: effects of removal, and the counts that follow them best."""

from upcard.cards import RANKS
from upcard.catalog.paytable import Paytable
from upcard.cli.output import Cell, Form, write_data, write_lines, write_table, write_texts
from upcard.odds.main.question import ParsedQuestion
from upcard.odds.main.removal import main_removal
from upcard.odds.main.solve import VALUE_NAMES
from upcard.odds.removal import Removal, count_dict, removal
from upcard.units import Cents


def show_main_removal(asked: ParsedQuestion, form: Form) -> None:
    """Effects of each value on the main game."""
    found = main_removal(asked.shoe, asked.rules)
    counts = found.counts()
    rows: list[dict[str, Cell]] = [
        {
            "card": name,
            "best_play_percent": 100 * best,
            "chart_percent": 100 * by_chart,
            **{f"level_{count.level}": count.tags[place] for count in counts},
        }
        for place, (name, best, by_chart) in enumerate(zip(VALUE_NAMES, found.best_play, found.one_chart, strict=True))
    ]
    told = {
        "game": asked.game.slug,
        "decks": asked.decks,
        "ev_percent": 100 * found.value,
        "ev_percent_chart": 100 * found.chart_value,
        "effects": rows,
        "counts": [count_dict(count, VALUE_NAMES, count.correlation) for count in counts],
    }
    if not write_data(form, lambda: told, lambda: rows):
        title = f"Effects of removal on the main game of {asked.game.name}, {asked.shoe_text}"
        write_table(title, [_rounded(row) for row in rows], right=list(rows[0])[1:])
        write_lines(
            "What removing one card adds to the player's expectation, in percent of the initial wager: with best play",
            "by composition (CDZ-), and with the full shoe's best chart. The tags follow the chart's effects.",
            *(f"Level {count.level}: correlation {count.correlation:.4f}" for count in counts),
        )


def show_side_removal(table: Paytable, decks: int, form: Form, *, suit: int, stake: Cents | None) -> None:
    """Effects of each card on a side wager."""
    found = removal(table, decks, suit=suit, stake=stake)
    if not write_texts(form, found.as_json, found.as_csv):
        _show_people(found)


def _show_people(found: Removal) -> None:
    counts = found.counts()
    rows: list[dict[str, Cell]] = []
    for rank, mean in enumerate(found.by_rank):
        suits = {name: _percent(float(found.effects[4 * rank + place])) for place, name in enumerate("cdhs")}
        tags = {f"level {count.level}": count.tags[rank] for count in counts}
        rows.append(
            {"rank": RANKS[rank], **(suits if found.reads_suits else {}), "mean": _percent(float(mean)), **tags}
        )
    title = f"Effects of removal on {found.table.name}, {found.decks} deck{'s' * (found.decks > 1)}"
    write_table(title, rows, right=list(rows[0])[1:])
    nothing = [] if counts else ["No single card matters to this wager: no linear count can tell when to make it."]
    write_lines(
        *nothing,
        f"What removing one card adds to the player's expectation, in percent of the wager; the edge is "
        f"{float(100 * found.edge):.4f}%{', with empty meters' if found.table.jackpots else ''}.",
        *(
            f"Level {count.level}: tags by rank, correlation {found.rank_correlation(count):.4f} card by card"
            for count in counts
        ),
    )


def _rounded(row: dict[str, Cell]) -> dict[str, Cell]:
    return {name: f"{cell:+.5f}%" if isinstance(cell, float) else cell for name, cell in row.items()}


def _percent(amount: float) -> str:
    return f"{100 * amount:+.5f}%"
