"""`upcard odds ... --count`: the exact price of a side wager by the count."""

from collections.abc import Iterator
from fractions import Fraction

from upcard.catalog.paytable import Paytable
from upcard.cli.output import Cell, Form, counted, percentage, write_lines, write_table, write_texts
from upcard.odds.by_count import ByCount, CountPoint, answer_by_count
from upcard.odds.question import PriceQuestion
from upcard.serialize import number


def show_by_count(filed: Paytable, question: PriceQuestion, form: Form, *, count: str, gone: int | None) -> None:
    by_count = answer_by_count(filed, question, count=count, cards_gone=gone)
    if not write_texts(form, by_count.as_json, by_count.as_csv):
        _show_people(by_count)


def _show_people(by_count: ByCount) -> None:
    price, system = by_count.price, by_count.count
    initial = system.initial_count(price.decks)
    rows: list[dict[str, Cell]] = [
        {
            "running": _signed(point.running),
            **({f"from {_signed(initial)}": _signed(initial + point.running)} if system.balance else {}),
            "true count": f"{float(point.true):+.2f}",
            "chance": percentage(point.chance),
            **({} if by_count.offered == 1 else {"offered": percentage(point.offered)}),
            "house edge": percentage(point.edge),
        }
        for point in by_count.points
    ]
    cards_gone = f"{counted(by_count.cards_gone, 'card')} gone"
    title = f"{price.table.name} by the count, {counted(price.decks, 'deck')}, {cards_gone}"
    write_table(title, rows, right=list(rows[0]))
    if any(point.by_upcard for point in by_count.points):
        upcards = [_upcard_row(point) for point in by_count.points]
        write_table("House edge by up card, which is known when the wager is made", upcards, right=list(upcards[0]))
    tags = ", ".join(f"{name} {_signed(tag)}" for name, tag in system.by_name().items() if tag)
    write_lines(
        f"Count {system.name}: {tags}. The cards out of the shoe are random: only their count is known.",
        *_unbalanced(by_count),
        *_worth(by_count),
    )


def _upcard_row(point: CountPoint) -> dict[str, Cell]:
    edges = {up: percentage(choice.edge, 2) for up, choice in point.by_upcard.items()}
    return {"true count": f"{float(point.true):+.2f}", **edges}


def _unbalanced(by_count: ByCount) -> Iterator[str]:
    """What a player needs to use a count whose tags do not sum to zero."""
    system, key = by_count.count, by_count.key_count
    if system.balance:
        yield (
            f"It is unbalanced: {_signed(system.balance)} per deck. Start at "
            f"{_signed(system.initial_count(by_count.price.decks))}; the pivot is {_signed(system.pivot)}, which is "
            "that true count at any depth; "
            + ("no count is favourable at this depth." if key is None else f"the key count here is {_signed(key)}.")
        )
        yield "True counts are centred: the average of as many cards is subtracted first."


def _worth(by_count: ByCount) -> Iterator[str]:
    upcards = any(point.by_upcard for point in by_count.points)
    favours = "The count and the up card favour" if upcards else "The count favours"
    yield (
        f"{favours} the player in {percentage(by_count.favourable)} of all rounds; a player who makes "
        f"the wager only then wins {percentage(by_count.gain)} of a unit per round watched at this depth"
        + (
            "."
            if by_count.offered == 1
            else f",\nand {percentage(by_count.gain_per_offer)} per round in which it is offered "
            f"({percentage(by_count.offered)} of all)."
        )
    )


def _signed(amount: Fraction) -> str:
    return f"{number(amount):+g}" if amount else "0"
