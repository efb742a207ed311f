"""How a price is shown: to people as a table with its sums, to programs as JSON and CSV with everything in it."""

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from upcard.catalog import shipped
from upcard.catalog.checks import table_notices
from upcard.catalog.pays import Fixed, Share, pay_text, percent
from upcard.catalog.paytable import Paytable
from upcard.cli.output import (
    Cell,
    Form,
    counted,
    fraction,
    number,
    percentage,
    write_csv,
    write_json,
    write_lines,
    write_table,
)
from upcard.cli.paytables import pays_json
from upcard.odds.price import Jackpot, Line, Price
from upcard.units import Basis, dollars
from upcard.wagers import DealKind
from upcard.wagers.counts import unreachable


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A price, and the edge with the meters the user asked about, in dollars."""

    price: Price
    meters: dict[str, Fraction]

    @property
    def edge_at_meters(self) -> Fraction | None:
        """None where no meter was given."""
        return self.price.edge_at(self.meters) if self.meters else None


def write_one(answer: Answer, form: Form) -> None:
    """One table at one number of decks: every line of it."""
    match form:
        case Form.JSON:
            write_json(as_dict(answer))
        case Form.CSV:
            write_csv(_line_rows(answer))
        case Form.PEOPLE:
            _show_one(answer)


def write_several(answers: list[Answer], form: Form) -> None:
    """Some tables or deck counts: a line of each for people, every line of every table for programs."""
    match form:
        case Form.JSON:
            write_json([as_dict(one) for one in answers])
        case Form.CSV:
            write_csv([row for one in answers for row in _line_rows(one)])
        case Form.PEOPLE:
            _show_summaries(answers)


def write_all(answers: list[Answer], form: Form) -> None:
    """The whole catalog: a line of each, and everything in JSON."""
    match form:
        case Form.JSON:
            write_json([as_dict(one) for one in answers])
        case Form.CSV:
            write_csv([_plain_summary(one.price) for one in answers])
        case Form.PEOPLE:
            _show_summaries(answers)
            left = len(shipped().paytables) - len({one.price.table.name for one in answers})
            if left:
                write_lines(
                    f"{counted(left, 'table')} on the dealer's final hand (Break Bonus, Bust Bonus): not priced yet."
                )


def as_dict(answer: Answer) -> dict[str, object]:
    """A price in the form programs get; fractions as "p/q", percentages unrounded."""
    one, table = answer.price, answer.price.table
    said: dict[str, object] = {
        "paytable": table.name,
        "wager": table.kind.name,
        "decks": one.decks,
        "without": list(one.without),
        "basis": table.basis.value,
        "stake": None if one.stake is None else dollars(one.stake),
        "edge": one.edge,
        "edge_percent": float(one.edge * 100),
        "hit_rate": one.hit_rate,
        "variance": one.variance,
        "standard_deviation": one.standard_deviation,
        "combinations": one.combinations,
        "lines": [_line_dict(one, line) for line in one.lines],
        "loss": {"probability": one.loss, "contribution": _loss_contribution(one)},
        "jackpots": [_jackpot_dict(jackpot) for jackpot in one.jackpots],
        "break_even_meter": _break_even(one),
        "notices": _notices(one),
    }
    edge = answer.edge_at_meters
    if edge is not None:
        said["at_meters"] = {"meters": answer.meters, "edge": edge, "edge_percent": float(edge * 100)}
    return said


def _line_dict(one: Price, line: Line) -> dict[str, object]:
    paid = _paid(one, line)
    return {
        "event": line.event,
        "title": one.table.title(line.event),
        "combinations": line.combinations,
        "probability": line.probability,
        "pays": pays_json(line.pay),
        "pays_dollars": None if paid is None else number(paid),
        "contribution": line.contribution,
    }


def _jackpot_dict(jackpot: Jackpot) -> dict[str, object]:
    return {
        "event": jackpot.event,
        "jackpot": jackpot.jackpot,
        "probability": jackpot.probability,
        "share": str(jackpot.share),
        "edge_per_meter_dollar": -jackpot.slope,
        "rounds_between_hits": float(1 / jackpot.probability) if jackpot.probability else None,
    }


def _paid(one: Price, line: Line) -> Fraction | None:
    """What a line pays in dollars on the wager asked about; None for shares, or where no wager is known."""
    if one.stake is None or not isinstance(line.pay, Fixed):
        return None
    return line.pay.units * one.stake / 100


def _loss_contribution(one: Price) -> Fraction:
    return -one.loss if one.table.basis is Basis.TO_ONE else Fraction(0)


def _break_even(one: Price) -> object:
    """Dollars on the meter; where a table pays from several, each by itself."""
    found = {jackpot: one.break_even(jackpot) for jackpot in one.table.jackpots}
    return next(iter(found.values())) if len(found) == 1 else (found or None)


def _notices(one: Price) -> list[str]:
    """Awards that cannot happen: with these decks at all (R21), or now that cards are gone."""
    said = list(table_notices(one.table, one.decks))
    if one.without:
        never = unreachable(one.table.kind, tuple(one.table.lines), one.decks)
        gone = [line.event for line in one.lines if not line.combinations and line.event not in never]
        said += [f"{one.table.name}: {one.table.title(event)} cannot happen {_without(one)}" for event in gone]
    return said


def _without(one: Price) -> str:
    return f"without {' '.join(one.without)}" if one.without else ""


def _show_one(answer: Answer) -> None:
    one, table = answer.price, answer.price.table
    shoe = f"{counted(one.decks, 'deck')} {_without(one)}".strip()
    rows = [_line_row(one, line) for line in one.lines]
    lost = one.combinations - sum(line.combinations for line in one.lines)
    loss: dict[str, Cell] = {
        "event": "Loss",
        "combinations": f"{lost:,}",
        "probability": _chance(one.loss),
        "1 in": _one_in(one.loss),
        "contribution": percentage(-one.loss) if table.basis is Basis.TO_ONE else "",
    }
    rows.append(dict.fromkeys(rows[0]) | loss)
    right = [name for name in rows[0] if name != "event"]
    write_table(
        f"{table.name}: {table.kind.title}, {shoe}", rows, right=right, drop=["combinations", "1 in", "contribution"]
    )
    empty = " with empty meters" if one.jackpots else ""
    offered = " (of the deals in which it is offered)" if _conditional(table) else ""
    write_lines(
        f"House edge          {percentage(one.edge)} of the wager{empty}{offered}",
        f"Hit rate            {percentage(one.hit_rate)}, 1 in {_one_in(one.hit_rate)}",
        f"Standard deviation  {one.standard_deviation:.4f} units a wager{empty}",
        f"Combinations        {one.combinations:,} ordered deals",
        *([] if one.stake is None else [f"Wager               {dollars(one.stake)}"]),
        *_jackpot_lines(answer),
        *(f"Notice: {notice}" for notice in _notices(one)),
    )


def _line_row(one: Price, line: Line) -> dict[str, Cell]:
    basis = one.table.basis.value
    paid = _paid(one, line)
    in_dollars = {} if one.stake is None else {f"on {dollars(one.stake)}": "" if paid is None else _dollars(paid)}
    return {
        "event": one.table.title(line.event),
        "combinations": f"{line.combinations:,}",
        "probability": _chance(line.probability),
        "1 in": _one_in(line.probability),
        f"pays {basis}": pay_text(line.pay),
        **in_dollars,
        "contribution": "" if isinstance(line.pay, Share) else percentage(line.contribution),
    }


def _conditional(table: Paytable) -> bool:
    return isinstance(table.kind, DealKind) and table.kind.offered_when is not None


def _jackpot_lines(answer: Answer) -> list[str]:
    one, lines = answer.price, []
    for jackpot in one.jackpots:
        every = f"every {_one_in(jackpot.probability)} rounds" if jackpot.probability else "never"
        lines.append(
            f"{jackpot.jackpot}: {percent(jackpot.share)} for {one.table.title(jackpot.event)}, {every} a spot"
        )
    for name in one.table.jackpots:
        lines += [f"{name}: {said}" for said in _meter_lines(one, name)]
    if answer.edge_at_meters is not None:
        at = ", ".join(f"{name} at {_dollars(value)}" for name, value in answer.meters.items())
        lines.append(f"House edge          {percentage(answer.edge_at_meters)} with {at}")
    return lines


def _meter_lines(one: Price, name: str) -> list[str]:
    even = one.break_even(name)
    if even is None:
        return ["cannot be won, so no meter breaks even"]
    slope = f"each $1,000 on the meter takes {float(one.slope(name) * 1000 * 100):.4f} points off the edge"
    if even < 0:
        return [slope, "the player has the edge already with an empty meter"]
    alone = ", the other meters empty" if len(one.table.jackpots) > 1 else ""
    return [slope, f"break-even at {_dollars(even)}{alone}"]


def _show_summaries(answers: list[Answer]) -> None:
    shoes = {_without(one.price) for one in answers} - {""}
    title = " ".join(["Exact odds: edge of the wager, jackpot tables with empty meters", *sorted(shoes)])
    rows = [_summary(one) for one in answers]
    right = ["decks", "house edge", "hit rate", "sd", "at the meters"]
    write_table(title, rows, right=right, drop=["sd", "pays", "wager", "hit rate"])
    for meters in {tuple(one.meters.items()): None for one in answers if one.meters}:
        write_lines(f"At the meters: {', '.join(f'{name} {_dollars(value)}' for name, value in meters)}.")
    tables = len({one.price.table.name for one in answers})
    write_lines(f"{counted(len(answers), 'price')} of {counted(tables, 'paytable')}.")
    write_lines(
        *dict.fromkeys(f"Notice: {notice}" for one in answers if one.price.without for notice in _notices(one.price))
    )


def _summary(answer: Answer) -> dict[str, Cell]:
    one = answer.price
    edge = answer.edge_at_meters
    return {
        "paytable": one.table.name,
        "wager": one.table.kind.title,
        "decks": one.decks,
        "pays": one.table.basis.value,
        "house edge": percentage(one.edge),
        **({} if edge is None else {"at the meters": percentage(edge)}),
        "hit rate": percentage(one.hit_rate, 2),
        "sd": f"{one.standard_deviation:.3f}",
        "break-even meter": _break_even_text(one),
    }


def _break_even_text(one: Price) -> str:
    said = {}
    for name in one.table.jackpots:
        even = one.break_even(name)
        said[name] = "never" if even is None else "already empty" if even < 0 else _dollars(even)
    return " ".join(said.values()) if len(said) == 1 else ", ".join(f"{name} {even}" for name, even in said.items())


def _plain_summary(one: Price) -> dict[str, Cell]:
    return {
        "paytable": one.table.name,
        "wager": one.table.kind.name,
        "decks": one.decks,
        "basis": one.table.basis.value,
        "edge_percent": float(one.edge * 100),
        "hit_rate_percent": float(one.hit_rate * 100),
        "standard_deviation": one.standard_deviation,
        "break_even_meter": _break_even_pairs(one),
    }


def _break_even_pairs(one: Price) -> str:
    """NAME=dollars for each meter that can be won, so that no number stands without its meter."""
    found = {name: one.break_even(name) for name in one.table.jackpots}
    return "; ".join(f"{name}={float(even):.2f}" for name, even in found.items() if even is not None)


def _line_rows(answer: Answer) -> list[dict[str, Cell]]:
    """Every line and the loss; what holds for the whole table stands in every row."""
    one = answer.price
    edge = answer.edge_at_meters
    jackpots = {jackpot.event: jackpot for jackpot in one.jackpots}
    lost = one.combinations - sum(line.combinations for line in one.lines)
    whole: dict[str, Cell] = {
        "edge_percent": float(one.edge * 100),
        "break_even_meter": _break_even_pairs(one),
        "meters": "; ".join(f"{name}={number(value)}" for name, value in answer.meters.items()),
        "edge_percent_at_meters": "" if edge is None else float(edge * 100),
    }
    shoe: dict[str, Cell] = {"paytable": one.table.name, "decks": one.decks, "without": " ".join(one.without)}
    rows = [shoe | _plain_line(one, line, jackpots.get(line.event)) | whole for line in one.lines]
    loss: dict[str, Cell] = {
        "event": "loss",
        "combinations": lost,
        "probability": fraction(one.loss),
        "probability_percent": float(one.loss * 100),
        "contribution": fraction(_loss_contribution(one)),
    }
    return [*rows, dict.fromkeys(rows[0]) | shoe | loss | whole]


def _plain_line(one: Price, line: Line, jackpot: Jackpot | None) -> dict[str, Cell]:
    paid = _paid(one, line)
    return {
        "event": line.event,
        "combinations": line.combinations,
        "probability": fraction(line.probability),
        "probability_percent": float(line.probability * 100),
        "pays": number(line.pay.units) if isinstance(line.pay, Fixed) else "",
        "pays_dollars": "" if paid is None else number(paid),
        "jackpot": jackpot.jackpot if jackpot else "",
        "share": fraction(jackpot.share) if jackpot else "",
        "contribution": fraction(line.contribution),
    }


def _chance(probability: Fraction) -> str:
    return f"{float(probability * 100):.6f}%"


def _one_in(probability: Fraction) -> str:
    if not probability:
        return "never"
    odds = float(1 / probability)
    return f"{odds:,.2f}" if isfinite(odds) else "never"


def _dollars(amount: Fraction) -> str:
    return f"${float(amount):,.2f}"
