"""`upcard odds ... --count`: the exact price of a side wager by the count."""

from upcard.cards import RANKS
from upcard.catalog.paytable import Paytable
from upcard.cli.output import Cell, Form, counted, percentage, write_lines, write_table, write_texts
from upcard.odds.by_count import ByCount, answer_by_count
from upcard.odds.question import PriceQuestion


def show_by_count(filed: Paytable, question: PriceQuestion, form: Form, *, count: str, gone: int | None) -> None:
    """One table at one number of decks, by the count."""
    found = answer_by_count(filed, question, count=count, cards_gone=gone)
    if not write_texts(form, found.as_json, found.as_csv):
        _show_people(found)


def _show_people(found: ByCount) -> None:
    one = found.price
    rows: list[dict[str, Cell]] = [
        {
            "running": f"{point.running:+d}",
            "true count": f"{float(point.true):+.2f}",
            "chance": percentage(point.chance),
            "house edge": percentage(point.edge),
        }
        for point in found.points
    ]
    gone = f"{counted(found.cards_gone, 'card')} gone"
    title = f"{one.table.name} by the count, {counted(one.decks, 'deck')}, {gone}"
    write_table(title, rows, right=list(rows[0]))
    tags = ", ".join(f"{rank} {tag:+d}" for rank, tag in zip(RANKS, found.tags, strict=True) if tag)
    write_lines(
        f"Count {found.name}: {tags}. The cards out of the shoe are random: only their count is known.",
        f"The wager favours the player {percentage(found.favourable)} of the time; a player who makes it "
        f"only then wins {percentage(found.gain)} of a unit per round watched at this depth.",
    )
