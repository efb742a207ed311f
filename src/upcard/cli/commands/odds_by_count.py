"""`upcard odds ... --count`: the exact price of a side wager by the count."""

from upcard.cards import RANKS
from upcard.catalog.paytable import Paytable
from upcard.cli.output import Cell, Form, counted, percentage, write_lines, write_table, write_texts
from upcard.odds.by_count import ByCount, answer_by_count
from upcard.odds.question import PriceQuestion


def show_by_count(filed: Paytable, question: PriceQuestion, form: Form, *, count: str, gone: int | None) -> None:
    by_count = answer_by_count(filed, question, count=count, cards_gone=gone)
    if not write_texts(form, by_count.as_json, by_count.as_csv):
        _show_people(by_count)


def _show_people(by_count: ByCount) -> None:
    price = by_count.price
    rows: list[dict[str, Cell]] = [
        {
            "running": f"{point.running:+d}",
            "true count": f"{float(point.true):+.2f}",
            "chance": percentage(point.chance),
            "house edge": percentage(point.edge),
        }
        for point in by_count.points
    ]
    cards_gone = f"{counted(by_count.cards_gone, 'card')} gone"
    title = f"{price.table.name} by the count, {counted(price.decks, 'deck')}, {cards_gone}"
    write_table(title, rows, right=list(rows[0]))
    tags = ", ".join(f"{rank} {tag:+d}" for rank, tag in zip(RANKS, by_count.tags, strict=True) if tag)
    write_lines(
        f"Count {by_count.name}: {tags}. The cards out of the shoe are random: only their count is known.",
        f"The wager favours the player {percentage(by_count.favourable)} of the time; a player who makes it "
        f"only then wins {percentage(by_count.gain)} of a unit per round watched at this depth.",
    )
