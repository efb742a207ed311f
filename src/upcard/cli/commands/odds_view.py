"""How a price is shown: to people as a table with its sums; what programs get is in `odds.answer`."""

from fractions import Fraction
from math import isfinite

from upcard.catalog.pays import Share, pay_text, percent
from upcard.cli.output import Cell, Form, counted, percentage, write_lines, write_table, write_texts
from upcard.odds.answer import PriceAnswer, as_csv, as_json, notices, paid, summary_csv, unfiled, without
from upcard.odds.price import Price, PriceLine
from upcard.odds.upcards import assumptions
from upcard.units import Basis, dollars
from upcard.wagers import DealKind


def write_one(answer: PriceAnswer, form: Form) -> None:
    """One table at one number of decks: every line of it."""
    if not write_texts(form, lambda: as_json(answer), lambda: as_csv([answer])):
        _show_one(answer)


def write_several(answers: list[PriceAnswer], form: Form) -> None:
    """Some tables or deck counts: a line of each for people, every line of every table for programs."""
    if not write_texts(form, lambda: as_json(answers), lambda: as_csv(answers)):
        _show_summaries(answers)


def write_all(answers: list[PriceAnswer], form: Form) -> None:
    """The whole catalog: a line of each, and everything in JSON."""
    if not write_texts(form, lambda: as_json(answers), lambda: summary_csv(answers)):
        _show_summaries(answers)


def _show_one(answer: PriceAnswer) -> None:
    price, table = answer.price, answer.price.table
    filed = "" if answer.permitted else " (not filed)"
    shoe = f"{counted(price.decks, 'deck')}{filed} {without(price)}".strip()
    rows = [_line_row(price, line) for line in price.lines]
    lost = price.combinations - sum(line.combinations for line in price.lines)
    loss: dict[str, Cell] = {
        "event": "Loss",
        **_combinations(price, lost),
        "probability": _chance(price.loss),
        "1 in": _one_in(price.loss),
        "contribution": percentage(-price.loss) if table.basis is Basis.TO_ONE else "",
    }
    rows.append(dict.fromkeys(rows[0]) | loss)
    right = [name for name in rows[0] if name != "event"]
    drop = ["combinations", "1 in", "contribution", *(name for name in right if name.startswith("on $"))]
    write_table(f"{table.name}: {table.kind.title}, {shoe}", rows, right=right, drop=drop)
    if price.by_upcard:
        write_table("By up card", _upcard_rows(price), right=["house edge", "dealer busts", "sd"])
    empty = " with empty meters" if price.jackpots else ""
    conditional = isinstance(table.kind, DealKind) and table.kind.offered_when is not None
    offered = " (of the deals in which it is offered)" if conditional else ""
    write_lines(
        f"House edge          {percentage(price.edge)} of the wager{empty}{offered}",
        f"Hit rate            {percentage(price.hit_rate)}, 1 in {_one_in(price.hit_rate)}",
        f"Standard deviation  {price.standard_deviation:.4f} units per wager{empty}",
        *(f"Combinations        {count} ordered deals" for count in _combinations(price, price.combinations).values()),
        *([] if price.stake is None else [f"Wager               {dollars(price.stake)}"]),
        *_jackpot_lines(answer),
        *assumptions(price),
        *(f"Notice: {notice}" for notice in (*unfiled(answer), *notices(price))),
    )


def _line_row(price: Price, line: PriceLine) -> dict[str, Cell]:
    basis = price.table.basis.value
    amount = paid(price, line)
    in_dollars = (
        {} if price.stake is None else {f"on {dollars(price.stake)}": "" if amount is None else _dollars(amount)}
    )
    return {
        "event": price.table.title(line.event),
        **_combinations(price, line.combinations),
        "probability": _chance(line.probability),
        "1 in": _one_in(line.probability),
        f"pays {basis}": pay_text(line.pay),
        **in_dollars,
        "contribution": "" if isinstance(line.pay, Share) else percentage(line.contribution),
    }


def _upcard_rows(full_price: Price) -> list[dict[str, Cell]]:
    return [
        {
            "up card": up,
            "house edge": percentage(price.edge),
            "dealer busts": percentage(price.hit_rate),
            "sd": f"{price.standard_deviation:.3f}",
        }
        for up, price in full_price.by_upcard.items()
    ]


def _combinations(price: Price, count: int) -> dict[str, Cell]:
    """Left out for wagers on the dealer's hand: those counts have forty digits."""
    return {"combinations": f"{count:,}"} if isinstance(price.table.kind, DealKind) else {}


def _jackpot_lines(answer: PriceAnswer) -> list[str]:
    price, lines = answer.price, []
    for jackpot in price.jackpots:
        every = f"every {_one_in(jackpot.probability)} rounds" if jackpot.probability else "never"
        lines.append(
            f"{jackpot.jackpot}: {percent(jackpot.share)} for {price.table.title(jackpot.event)}, {every} per spot"
        )
    for name in price.table.jackpots:
        lines += [f"{name}: {line}" for line in _meter_lines(price, name)]
    if answer.edge_at_meters is not None:
        at = ", ".join(f"{name} at {_dollars(value)}" for name, value in answer.meters.items())
        lines.append(f"House edge          {percentage(answer.edge_at_meters)} with {at}")
        lines.append(f"Standard deviation  {answer.deviation_at_meters:.4f} units per wager with {at}")
    if answer.long_run is not None:
        parts = answer.long_run
        lines.append(
            f"Return in the long run  {percentage(parts.total)}: {percentage(parts.base)} base, "
            f"{percentage(parts.seed)} from what the house puts into the meter, "
            f"{percentage(parts.contribution)} from contributions"
        )
    return lines


def _meter_lines(price: Price, name: str) -> list[str]:
    even = price.break_even(name)
    if even is None:
        return ["cannot be won, so no meter breaks even"]
    slope = f"each $1,000 on the meter takes {float(price.slope(name) * 1000 * 100):.4f} points off the edge"
    if even < 0:
        return [slope, "the player has the edge even with an empty meter"]
    alone = ", the other meters empty" if len(price.table.jackpots) > 1 else ""
    return [slope, f"break-even at {_dollars(even)}{alone}"]


def _show_summaries(answers: list[PriceAnswer]) -> None:
    shoes = {without(answer.price) for answer in answers} - {""}
    title = " ".join(["Exact odds: edge of the wager, jackpot tables with empty meters", *sorted(shoes)])
    rows = [_summary(answer) for answer in answers]
    right = ["decks", "house edge", "hit rate", "sd", "at the meters"]
    write_table(title, rows, right=right, drop=["sd", "pays", "wager", "hit rate", "break-even meter"])
    for meters in {tuple(answer.meters.items()): None for answer in answers if answer.meters}:
        write_lines(f"At the meters: {', '.join(f'{name} {_dollars(value)}' for name, value in meters)}.")
    tables = len({answer.price.table.name for answer in answers})
    write_lines(f"{counted(len(answers), 'price')} of {counted(tables, 'paytable')}.")
    if not all(answer.permitted for answer in answers):
        write_lines("* The filing does not permit this number of decks.")
    write_lines(
        *dict.fromkeys(
            f"Notice: {notice}" for answer in answers if answer.price.without for notice in notices(answer.price)
        )
    )


def _summary(answer: PriceAnswer) -> dict[str, Cell]:
    price = answer.price
    edge = answer.edge_at_meters
    return {
        "paytable": price.table.name,
        "wager": price.table.kind.title,
        "decks": price.decks if answer.permitted else f"{price.decks} *",
        "pays": price.table.basis.value,
        "house edge": percentage(price.edge),
        **({} if edge is None else {"at the meters": percentage(edge)}),
        "hit rate": percentage(price.hit_rate, 2),
        "sd": f"{price.standard_deviation:.3f}",
        "break-even meter": _break_even_text(price),
    }


def _break_even_text(price: Price) -> str:
    meters = {}
    for name in price.table.jackpots:
        even = price.break_even(name)
        meters[name] = "never" if even is None else "below $0" if even < 0 else _dollars(even)
    return (
        " ".join(meters.values()) if len(meters) == 1 else ", ".join(f"{name} {even}" for name, even in meters.items())
    )


def _chance(probability: Fraction) -> str:
    return f"{float(probability * 100):.6f}%"


def _one_in(probability: Fraction) -> str:
    if not probability:
        return "never"
    odds = float(1 / probability)
    return f"{odds:,.2f}" if isfinite(odds) else "never"


def _dollars(amount: Fraction) -> str:
    return f"${float(amount):,.2f}"
