"""The audit: recomputes every figure a filing publishes and compares it digit by digit."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from upcard.catalog.fields import decks_text
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable, Published
from upcard.odds.price import price
from upcard.problems import BadRequest
from upcard.units import decimal_text
from upcard.wagers import DealKind
from upcard.wagers.deal_counts import tally


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedFigure:
    """One published figure beside the exact one."""

    filing: str
    paytable: str
    decks: int
    figure: str
    published: str
    exact: Fraction  # in the unit of the print: a percentage, or the N of "1 in N"
    agrees: bool
    note: str


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A printed number and how many decimals it has."""

    value: Fraction
    places: int

    def holds(self, exact: Fraction, places: int | None = None) -> bool:
        """Whether the exact value rounds to the print (to fewer places, where asked)."""
        places = self.places if places is None else places
        half = Fraction(1, 2 * 10**places)
        return abs(exact - _rounded(self.value, places)) <= half

    def truncates(self, exact: Fraction) -> bool:
        """Whether the print is the exact value truncated, not rounded."""
        scale = 10**self.places
        return Fraction((exact * scale).__floor__(), scale) == self.value


def audit(tables: Iterable[Paytable]) -> Iterator[AuditedFigure]:
    tables = tuple(tables)
    for table in tables:
        for figure in table.published:
            yield _finding(table, figure, tables)


def _finding(table: Paytable, figure: Published, tables: Sequence[Paytable]) -> AuditedFigure:
    decks = figure.decks or table.decks[0]
    exact = _exact(table, figure, decks)
    printed = parse_printed(figure.printed)
    return AuditedFigure(
        filing=table.filing,
        paytable=table.name,
        decks=decks,
        figure=f"{figure.figure}, {table.title(figure.event)}" if figure.event else figure.figure,
        published=figure.printed,
        exact=exact,
        agrees=printed.holds(exact),
        note=_note(table, figure, decks, exact, tables),
    )


def parse_printed(text: str) -> PrintedNumber:
    """Reads "5.53%", "0.000742" or "1 in 4"."""
    digits = text.removeprefix("1 in ").removesuffix("%")
    return PrintedNumber(Fraction(digits), -int(Decimal(digits).as_tuple().exponent))


def _exact(table: Paytable, figure: Published, decks: int) -> Fraction:
    match figure.figure:
        case "house advantage":
            return price(table, decks).edge * 100
        case "return to player":
            return (1 - price(table, decks).edge) * 100
        case "hit frequency":
            return 1 / price(table, decks).hit_rate
        case "probability":
            return _row_probability(table, figure.event, decks)
        case "average hands until hit":
            return 1 / _row_probability(table, figure.event, decks)


def _row_probability(table: Paytable, event: str, decks: int) -> Fraction:
    """The chance of a published row; the filing may print finer rows than it pays."""
    if not isinstance(table.kind, DealKind):
        raise BadRequest(f"{table.name} publishes a figure that cannot be recomputed yet")
    rows = {*table.lines, *(figure.event for figure in table.published if figure.event)}
    counts = tally(table.kind, tuple(rows), decks)
    return Fraction(counts.by_event[event], counts.deals)


def _note(table: Paytable, figure: Published, decks: int, exact: Fraction, tables: Sequence[Paytable]) -> str:
    """How well a figure agrees, or why it does not, as far as computing can tell."""
    printed = parse_printed(figure.printed)
    if printed.holds(exact):
        return "agrees to the printed digit"
    if printed.truncates(exact):
        return "truncated, not rounded"
    agreeing = [places for places in range(1, printed.places) if printed.holds(exact, places)]
    if agreeing:
        return f"agrees to {agreeing[-1]} decimal{'s' * (agreeing[-1] > 1)} only"
    reasons = [
        f"wrong: it should read {decimal_text(exact, printed.places)}",
        _same_elsewhere(table, figure, decks, printed),
        _contradicted(table, figure, decks, printed, tables),
    ]
    return "; ".join(filter(None, reasons))


def _same_elsewhere(table: Paytable, figure: Published, decks: int, printed: PrintedNumber) -> str:
    """Other numbers of decks for which the same pays would give the printed figure."""
    others = tuple(other for other in range(1, 9) if other != decks and printed.holds(_exact(table, figure, other)))
    return f"the pays give the printed figure with {decks_text(others)} decks" if others else ""


def _contradicted(
    table: Paytable, figure: Published, decks: int, printed: PrintedNumber, tables: Sequence[Paytable]
) -> str:
    """The table that pays at least as much on every line, and yet is printed with the largest house advantage."""
    if figure.figure != "house advantage":
        return ""
    worse = [
        (parse_printed(rival_figure.printed).value, rival.name, rival_figure.printed)
        for rival in tables
        for rival_figure in rival.published
        if rival_figure.figure == figure.figure
        and (rival_figure.decks or rival.decks[0]) == decks
        and _pays_no_less(rival, table)
    ]
    value, name, rival_printed = max(worse)
    return f"{name} pays no less on any line, and is printed with {rival_printed}" if value > printed.value else ""


def _pays_no_less(rival: Paytable, table: Paytable) -> bool:
    if (rival.kind, rival.basis, list(rival.lines)) != (table.kind, table.basis, list(table.lines)):
        return False
    pairs = [(rival.lines[event], pay) for event, pay in table.lines.items()]
    return all(
        isinstance(rival_pay, Fixed) and isinstance(pay, Fixed) and rival_pay.units >= pay.units
        for rival_pay, pay in pairs
    )


def _rounded(value: Fraction, places: int) -> Fraction:
    scale = 10**places
    return Fraction((value * scale + Fraction(1, 2)).__floor__(), scale)
