"""A price as JSON, with exact fractions, and as rows of CSV."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from upcard.catalog.game_checks import table_notices
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable_data import pays_json
from upcard.odds.price import JackpotLine, Price, PriceLine
from upcard.odds.upcards import assumptions, by_upcard_dict
from upcard.serialize import Cell, csv_text, fraction, json_text, number
from upcard.units import Basis, dollars
from upcard.wagers.deal_counts import unreachable

if TYPE_CHECKING:
    from upcard.odds.layout_meters import JackpotReturn


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceAnswer:
    """A price, and the edge at the meters in the question, in dollars."""

    price: Price
    meters: dict[str, Fraction]
    permitted: bool = True  # whether the filing permits this number of decks
    long_run: "JackpotReturn | None" = None  # of a jackpot wager at a layout

    @property
    def deviation_at_meters(self) -> float | None:
        """The standard deviation at the meters; None where no meter was given."""
        return sqrt(self.price.variance_at(self.meters)) if self.meters else None

    @property
    def edge_at_meters(self) -> Fraction | None:
        """None where no meter was given."""
        return self.price.edge_at(self.meters) if self.meters else None


BreakEven = Fraction | dict[str, Fraction | None] | None  # dollars on the meter, or on each of several


def as_json(answers: PriceAnswer | Sequence[PriceAnswer]) -> str:
    """A price, or a list of them; fractions as "p/q", percentages unrounded."""
    return json_text(
        _as_dict(answers) if isinstance(answers, PriceAnswer) else [_as_dict(answer) for answer in answers]
    )


def as_csv(answers: Sequence[PriceAnswer]) -> str:
    """Every line of every price."""
    return csv_text([row for answer in answers for row in _line_rows(answer)])


def summary_csv(answers: Sequence[PriceAnswer]) -> str:
    """Each price in one row."""
    return csv_text([_summary_row(answer) for answer in answers])


def _as_dict(answer: PriceAnswer) -> dict[str, object]:
    price, table = answer.price, answer.price.table
    data: dict[str, object] = {
        "paytable": table.name,
        "wager": table.kind.name,
        "decks": price.decks,
        "permitted": answer.permitted,
        "without": list(price.without),
        "basis": table.basis.value,
        "stake": None if price.stake is None else dollars(price.stake),
        "edge": price.edge,
        "edge_percent": float(price.edge * 100),
        "hit_rate": price.hit_rate,
        "variance": price.variance,
        "standard_deviation": price.standard_deviation,
        "combinations": price.combinations,
        "lines": [_line_dict(price, line) for line in price.lines],
        "loss": {"probability": price.loss, "contribution": loss_contribution(price)},
        "jackpots": [_jackpot_dict(jackpot) for jackpot in price.jackpots],
        "break_even_meter": _break_even(price),
        "notices": [*unfiled(answer), *notices(price)],
    }
    if price.by_upcard:
        data["by_upcard"] = by_upcard_dict(price)
        data["assumptions"] = assumptions(price)
    edge = answer.edge_at_meters
    if edge is not None:
        data["at_meters"] = {
            "meters": answer.meters,
            "edge": edge,
            "edge_percent": float(edge * 100),
            "base_return_percent": float(100 * (1 - price.edge)),
            "meter_return_percent": float(100 * (price.edge - edge)),
            "variance": price.variance_at(answer.meters),
            "standard_deviation": answer.deviation_at_meters,
        }
    if answer.long_run is not None:
        data["long_run"] = long_run_dict(answer.long_run)
    return data


def long_run_dict(parts: "JackpotReturn") -> dict[str, object]:
    """The return of a jackpot wager in percent of the stake, by where the money comes from."""
    return {
        "base_return_percent": 100 * parts.base,
        "seed_return_percent": 100 * parts.seed,
        "contribution_return_percent": 100 * parts.contribution,
        "return_percent": 100 * parts.total,
        "mean_meters": {name: cents / 100 for name, cents in parts.meters.items()},
    }


def _line_dict(price: Price, line: PriceLine) -> dict[str, object]:
    amount = paid(price, line)
    return {
        "event": line.event,
        "title": price.table.title(line.event),
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


def paid(price: Price, line: PriceLine) -> Fraction | None:
    """What a line pays in dollars on the stake; None for jackpot shares, or where the stake is unknown."""
    if price.stake is None or not isinstance(line.pay, Fixed):
        return None
    return line.pay.units * price.stake / 100


def loss_contribution(price: Price) -> Fraction:
    """What losing takes from the return; a "for 1" stake is paid over whether it wins or not."""
    return -price.loss if price.table.basis is Basis.TO_ONE else Fraction(0)


def _break_even(price: Price) -> BreakEven:
    """Dollars on the meter; where a table pays from several, each separately."""
    meters = {jackpot: price.break_even(jackpot) for jackpot in price.table.jackpots}
    return next(iter(meters.values())) if len(meters) == 1 else (meters or None)


def unfiled(answer: PriceAnswer) -> list[str]:
    """A number of decks that the filing does not permit."""
    price = answer.price
    if answer.permitted:
        return []
    decks = "1 deck" if price.decks == 1 else f"{price.decks} decks"
    return [f"{price.table.name} is not filed for {decks}: these figures are hypothetical"]


def notices(price: Price) -> list[str]:
    """Awards that cannot happen: with these decks at all (R21), or now that cards are gone."""
    sentences = list(table_notices(price.table, price.decks))
    if price.without:
        never = unreachable(price.table.kind, tuple(price.table.lines), price.decks)
        impossible = [line.event for line in price.lines if not line.combinations and line.event not in never]
        sentences += [
            f"{price.table.name}: {price.table.title(event)} cannot happen {without(price)}" for event in impossible
        ]
    return sentences


def without(price: Price) -> str:
    return f"without {' '.join(price.without)}" if price.without else ""


def _summary_row(answer: PriceAnswer) -> dict[str, Cell]:
    price = answer.price
    return {
        "paytable": price.table.name,
        "wager": price.table.kind.name,
        "decks": price.decks,
        "basis": price.table.basis.value,
        "edge_percent": float(price.edge * 100),
        "hit_rate_percent": float(price.hit_rate * 100),
        "standard_deviation": price.standard_deviation,
        "break_even_meter": _break_even_pairs(price),
        "permitted": "yes" if answer.permitted else "no",
    }


def _break_even_pairs(price: Price) -> str:
    """NAME=dollars for each meter that can be won, so that every number names its meter."""
    meters = {name: price.break_even(name) for name in price.table.jackpots}
    return "; ".join(f"{name}={float(even):.2f}" for name, even in meters.items() if even is not None)


def _line_rows(answer: PriceAnswer) -> list[dict[str, Cell]]:
    """Every line and the loss; figures of the whole table are repeated in every row."""
    price = answer.price
    edge = answer.edge_at_meters
    jackpots = {jackpot.event: jackpot for jackpot in price.jackpots}
    losing_deals = price.combinations - sum(line.combinations for line in price.lines)
    table_cells: dict[str, Cell] = {
        "edge_percent": float(price.edge * 100),
        "break_even_meter": _break_even_pairs(price),
        "meters": "; ".join(f"{name}={number(value)}" for name, value in answer.meters.items()),
        "edge_percent_at_meters": "" if edge is None else float(edge * 100),
        "sd_at_meters": answer.deviation_at_meters,
        "permitted": "yes" if answer.permitted else "no",
    }
    shoe_cells: dict[str, Cell] = {
        "paytable": price.table.name,
        "decks": price.decks,
        "without": " ".join(price.without),
    }
    rows = [shoe_cells | _plain_line(price, line, jackpots.get(line.event)) | table_cells for line in price.lines]
    loss_cells: dict[str, Cell] = {
        "event": "loss",
        "combinations": losing_deals,
        "probability": fraction(price.loss),
        "probability_percent": float(price.loss * 100),
        "contribution": fraction(loss_contribution(price)),
    }
    return [*rows, dict.fromkeys(rows[0]) | shoe_cells | loss_cells | table_cells]


def _plain_line(price: Price, line: PriceLine, jackpot: JackpotLine | None) -> dict[str, Cell]:
    amount = paid(price, line)
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
