"""The audit: recomputes every figure a filing publishes and compares it digit by digit."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import factorial
from typing import TYPE_CHECKING

from upcard.catalog.fields import decks_text
from upcard.catalog.index import Catalog
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable, Published
from upcard.odds.price import Price, price, usual_terms
from upcard.odds.shoe import shoe_without
from upcard.problems import BadRequest
from upcard.units import decimal_text
from upcard.wagers import DealKind, Role
from upcard.wagers.deal_counts import Tally, tally

if TYPE_CHECKING:
    from upcard.odds.dealer_hands import DealerTerms


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


def audit(catalog: Catalog, tables: Iterable[Paytable]) -> Iterator[AuditedFigure]:
    """Recomputes every figure that these tables publish; the games of the catalog say how they are played."""
    tables = tuple(tables)
    for table in tables:
        exact = _ExactFigures(table, usual_terms(catalog, table))
        for figure in table.published:
            yield _finding(exact, figure, tables)


def _finding(exact_figures: "_ExactFigures", figure: Published, tables: Sequence[Paytable]) -> AuditedFigure:
    table = exact_figures.table
    decks = figure.decks or table.decks[0]
    exact = exact_figures.of(figure, decks)
    printed = parse_printed(figure.printed)
    return AuditedFigure(
        filing=table.filing,
        paytable=table.name,
        decks=decks,
        figure=f"{figure.figure}, {table.title(figure.event)}" if figure.event else figure.figure,
        published=figure.printed,
        exact=exact,
        agrees=printed.holds(exact),
        note=_note(exact_figures, figure, decks, exact, tables),
    )


def parse_printed(text: str) -> PrintedNumber:
    """Reads "5.53%", "0.000742", "1,242" or "1 in 4"."""
    digits = text.removeprefix("1 in ").removesuffix("%").replace(",", "")
    return PrintedNumber(Fraction(digits), -int(Decimal(digits).as_tuple().exponent))


@dataclass(frozen=True, slots=True)
class _ExactFigures:
    """The exact figures of a table, in the unit of the print."""

    table: Paytable
    terms: "DealerTerms | None"

    def of(self, figure: Published, decks: int) -> Fraction:
        match figure.figure:
            case "house advantage":
                return self._price(decks).edge * 100
            case "return to player":
                return (1 - self._price(decks).edge) * 100
            case "hit rate":
                return self._price(decks).hit_rate * 100
            case "hit frequency":
                return _one_in(self.table, self._price(decks).hit_rate)
            case "probability":
                return self._row_probability(figure.event, decks) * (100 if figure.printed.endswith("%") else 1)
            case "combinations":
                return self._combinations(figure, decks)
            case "average hands until hit":
                return _one_in(self.table, self._row_probability(figure.event, decks))

    def _price(self, decks: int) -> Price:
        return price(self.table, decks, terms=self.terms, each_upcard=False)

    def _tally(self, decks: int) -> Tally:
        """Of the published rows; they may be finer than what is paid."""
        table = self.table
        rows = {*table.lines, *(figure.event for figure in table.published if figure.event)}
        listed = tuple(event for event in table.kind.events if event in rows)
        if isinstance(table.kind, DealKind):
            return tally(table.kind, listed, decks)
        from upcard.odds.dealer_hands import tally_dealer, together

        if self.terms is None:
            raise TypeError("a wager on the dealer's hand is audited under the terms of its game")
        return together(tally_dealer(table.kind, listed, shoe_without(decks, ()), self.terms))

    def _row_probability(self, event: str, decks: int) -> Fraction:
        """The chance of a published row."""
        counts = self._tally(decks)
        return Fraction(counts.by_event[event], counts.deals)

    def _combinations(self, figure: Published, decks: int) -> Fraction:
        """The deals of a published row, counted as its source counts them: in order, or without some of the order.

        Sources count the player's two cards, the dealer's two or all cards without their order.
        """
        kind = self.table.kind
        if not isinstance(kind, DealKind):
            raise BadRequest(f"{self.table.name}: hands of different lengths have no number of combinations")
        deals = self._tally(decks).by_event[figure.event]
        counted = [Fraction(deals, orders) for orders in sorted(_orders(kind))]
        printed = parse_printed(figure.printed).value
        return min(counted, key=lambda count: abs(count - printed))


def _orders(kind: DealKind) -> set[int]:
    """By how many orders of the cards a source may divide its count."""
    reads = {*kind.reads}
    pairs = [pair for pair in ({Role.FIRST, Role.SECOND}, {Role.UP, Role.HOLE}) if pair <= reads]
    return {1, *(2**count for count in range(1, len(pairs) + 1)), factorial(len(reads))}


def _one_in(table: Paytable, chance: Fraction) -> Fraction:
    if not chance:
        raise BadRequest(f"{table.name} publishes how often an event happens that never does")
    return 1 / chance


def _note(figures: _ExactFigures, figure: Published, decks: int, exact: Fraction, tables: Sequence[Paytable]) -> str:
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
        _same_elsewhere(figures, figure, decks, printed),
        _contradicted(figures.table, figure, decks, printed, tables),
    ]
    return "; ".join(filter(None, reasons))


def _same_elsewhere(figures: _ExactFigures, figure: Published, decks: int, printed: PrintedNumber) -> str:
    """Other numbers of decks for which the same pays would give the printed figure."""
    others = tuple(other for other in range(1, 9) if other != decks and printed.holds(figures.of(figure, other)))
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
