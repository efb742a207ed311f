"""A price as programs get it: JSON with everything, fractions exact, and rows of CSV."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from upcard.catalog.checks import table_notices
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable_data import pays_json
from upcard.odds.price import JackpotLine, Price, PriceLine
from upcard.odds.upcards import assumptions, by_upcard_dict
from upcard.serialize import Cell, csv_text, fraction, json_text, number
from upcard.units import Basis, dollars
from upcard.wagers.counts import unreachable


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceAnswer:
    """A price, and the edge with the meters the user asked about, in dollars."""

    price: Price
    meters: dict[str, Fraction]

    @property
    def edge_at_meters(self) -> Fraction | None:
        """None where no meter was given."""
        return self.price.edge_at(self.meters) if self.meters else None


BreakEven = Fraction | dict[str, Fraction | None] | None  # dollars on the meter, or on each of several


def as_json(answers: PriceAnswer | Sequence[PriceAnswer]) -> str:
    """A price, or a list of them, in the form programs get; fractions as "p/q", percentages unrounded."""
    return json_text(_as_dict(answers) if isinstance(answers, PriceAnswer) else [_as_dict(one) for one in answers])


def as_csv(answers: Sequence[PriceAnswer]) -> str:
    """Every line of every price."""
    return csv_text([row for one in answers for row in _line_rows(one)])


def summary_csv(answers: Sequence[PriceAnswer]) -> str:
    """Each price in one row."""
    return csv_text([_summary_row(one.price) for one in answers])


def _as_dict(answer: PriceAnswer) -> dict[str, object]:
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
        "loss": {"probability": one.loss, "contribution": loss_contribution(one)},
        "jackpots": [_jackpot_dict(jackpot) for jackpot in one.jackpots],
        "break_even_meter": _break_even(one),
        "notices": notices(one),
    }
    if one.by_upcard:
        said["by_upcard"] = by_upcard_dict(one)
        said["assumptions"] = assumptions(one)
    edge = answer.edge_at_meters
    if edge is not None:
        said["at_meters"] = {"meters": answer.meters, "edge": edge, "edge_percent": float(edge * 100)}
    return said


def _line_dict(one: Price, line: PriceLine) -> dict[str, object]:
    amount = paid(one, line)
    return {
        "event": line.event,
        "title": one.table.title(line.event),
        "combinations": line.combinations,
        "probability": line.probability,
        "pays": pays_json(line.pay),
        "pays_dollars": None if amount is None else number(amount),
        "contribution": line.contribution,
    }


def _jackpot_dict(jackpot: JackpotLine) -> dict[str, object]:
    return {
        "event": jackpot.event,
        "jackpot": jackpot.jackpot,
        "probability": jackpot.probability,
        "share": str(jackpot.share),
        "edge_per_meter_dollar": -jackpot.slope,
        "rounds_between_hits": float(1 / jackpot.probability) if jackpot.probability else None,
    }


def paid(one: Price, line: PriceLine) -> Fraction | None:
    """What a line pays in dollars on the wager asked about; None for shares, or where no wager is known."""
    if one.stake is None or not isinstance(line.pay, Fixed):
        return None
    return line.pay.units * one.stake / 100


def loss_contribution(one: Price) -> Fraction:
    """What losing takes from the return; a "for 1" stake is gone whether it wins or not."""
    return -one.loss if one.table.basis is Basis.TO_ONE else Fraction(0)


def _break_even(one: Price) -> BreakEven:
    """Dollars on the meter; where a table pays from several, each by itself."""
    found = {jackpot: one.break_even(jackpot) for jackpot in one.table.jackpots}
    return next(iter(found.values())) if len(found) == 1 else (found or None)


def notices(one: Price) -> list[str]:
    """Awards that cannot happen: with these decks at all (R21), or now that cards are gone."""
    said = list(table_notices(one.table, one.decks))
    if one.without:
        never = unreachable(one.table.kind, tuple(one.table.lines), one.decks)
        gone = [line.event for line in one.lines if not line.combinations and line.event not in never]
        said += [f"{one.table.name}: {one.table.title(event)} cannot happen {without(one)}" for event in gone]
    return said


def without(one: Price) -> str:
    """The cards gone from the shoe, in words."""
    return f"without {' '.join(one.without)}" if one.without else ""


def _summary_row(one: Price) -> dict[str, Cell]:
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


def _line_rows(answer: PriceAnswer) -> list[dict[str, Cell]]:
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
        "contribution": fraction(loss_contribution(one)),
    }
    return [*rows, dict.fromkeys(rows[0]) | shoe | loss | whole]


def _plain_line(one: Price, line: PriceLine, jackpot: JackpotLine | None) -> dict[str, Cell]:
    amount = paid(one, line)
    return {
        "event": line.event,
        "combinations": line.combinations,
        "probability": fraction(line.probability),
        "probability_percent": float(line.probability * 100),
        "pays": number(line.pay.units) if isinstance(line.pay, Fixed) else "",
        "pays_dollars": "" if amount is None else number(amount),
        "jackpot": jackpot.jackpot if jackpot else "",
        "share": fraction(jackpot.share) if jackpot else "",
        "contribution": fraction(line.contribution),
    }
