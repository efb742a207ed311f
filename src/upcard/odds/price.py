"""The exact price of a wager under a paytable.

Everything is a fraction of one unit staked. A "to 1" winner keeps the stake; a "for 1" winner does not. Jackpot lines
are priced with empty meters, and by their slope in each meter: the price at any meter follows from both.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from upcard.cards import HEARTS, card_text
from upcard.catalog.index import Catalog
from upcard.catalog.pays import Fixed, Pay, Share
from upcard.catalog.paytable import Paytable
from upcard.odds.shoe import shoe_without
from upcard.problems import BadRequest
from upcard.units import Cents, Odds
from upcard.wagers import DealKind
from upcard.wagers.deal_counts import Tally, tally

if TYPE_CHECKING:
    from upcard.odds.dealer_hands import DealerTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceLine:
    """One line of a paytable: how often it happens and what it contributes to the return."""

    event: str
    pay: Pay
    combinations: int
    probability: Fraction
    contribution: Fraction  # probability times the pay as printed; from an empty meter, nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotLine:
    """One line that pays a share of a meter."""

    event: str
    jackpot: str
    probability: Fraction
    share: Fraction
    slope: Fraction  # by how much a dollar on the meter lowers the edge


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    table: Paytable
    decks: int
    stake: Cents | None  # the wager that jackpot shares and dollar amounts refer to
    combinations: int
    lines: tuple[PriceLine, ...]
    loss: Fraction
    edge: Fraction
    variance: Fraction
    jackpots: tuple[JackpotLine, ...]
    without: tuple[str, ...] = ()  # cards gone from the shoe
    by_upcard: Mapping[str, "Price"] = field(default_factory=dict)  # wagers on the dealer's final hand
    dealer_terms: "DealerTerms | None" = None  # of such a wager

    @property
    def hit_rate(self) -> Fraction:
        """How often any line happens."""
        return 1 - self.loss

    @property
    def standard_deviation(self) -> float:
        """Of the result of one unit, with empty meters."""
        return sqrt(self.variance)

    def slope(self, jackpot: str) -> Fraction:
        """By how much a dollar on this meter lowers the edge, all its lines together."""
        return sum((line.slope for line in self.jackpots if line.jackpot == jackpot), Fraction(0))

    def break_even(self, jackpot: str) -> Fraction | None:
        """The meter, in dollars, at which the edge is zero while all others are empty; None if there is none."""
        slope = self.slope(jackpot)
        return self.edge / slope if slope else None

    def edge_at(self, meters: Mapping[str, Fraction]) -> Fraction:
        """The edge with these meters, in dollars."""
        return self.edge - sum(self.slope(jackpot) * meter for jackpot, meter in meters.items())

    def variance_at(self, meters: Mapping[str, Fraction]) -> Fraction:
        """The variance with these meters, in dollars; a meter that is not given is empty."""
        stake = Fraction(self.stake or 1, 100)
        square = self.variance + self.edge**2
        for line in self.jackpots:
            empty = Odds(Fraction(0), self.table.basis).net
            filled = Odds(line.share * meters.get(line.jackpot, Fraction(0)) / stake, self.table.basis).net
            square += line.probability * (filled**2 - empty**2)
        return square - self.edge_at(meters) ** 2


def price(
    table: Paytable,
    decks: int,
    *,
    suit: int = HEARTS,
    stake: Cents | None = None,
    removed: Sequence[int] = (),
    terms: "DealerTerms | None" = None,
    each_upcard: bool = True,
) -> Price:
    """Prices a table for a full shoe, or with cards removed; a wager on the dealer's hand needs its `terms`."""
    if not isinstance(table.kind, DealKind):
        return _price_dealer_hand(table, decks, removed, stake, terms, each_upcard=each_upcard)
    listed = tuple(table.lines)
    if not removed:
        return price_tally(table, tally(table.kind, listed, decks, suit), decks=decks, stake=stake)
    from upcard.odds.composition import tally_shoe  # needs numpy, which a full shoe does not

    shoe = shoe_without(decks, removed)
    return price_tally(table, tally_shoe(table.kind, listed, shoe, suit), decks=decks, stake=stake, removed=removed)


def price_all(catalog: Catalog, *, suit: int = HEARTS) -> Iterator[Price]:
    """Every table of a catalog at every deck count it permits."""
    for table in catalog.paytables.values():
        terms = usual_terms(catalog, table)
        for decks in table.decks:
            yield price(table, decks, suit=suit, terms=terms)


def usual_terms(catalog: Catalog, table: Paytable) -> "DealerTerms | None":
    """The terms of a wager on the dealer's hand in its game; None for any other wager: it needs none."""
    if isinstance(table.kind, DealKind):
        return None
    from upcard.odds.dealer_hands import terms_of

    return terms_of(catalog, table)


def _price_dealer_hand(
    table: Paytable,
    decks: int,
    removed: Sequence[int],
    stake: Cents | None,
    terms: "DealerTerms | None",
    *,
    each_upcard: bool,
) -> Price:
    """A wager on the dealer's final hand: all up cards together, and each separately."""
    from upcard.odds.dealer_hands import tally_dealer, together

    if isinstance(table.kind, DealKind):
        raise BadRequest(f"{table.name} does not read the dealer's final hand")
    if terms is None:
        raise TypeError("a wager on the dealer's hand is priced under the terms of its game: see usual_terms")
    shoe = shoe_without(decks, removed)
    tallies = tally_dealer(table.kind, tuple(table.lines), shoe, terms)
    all_together = price_tally(table, together(tallies), decks=decks, stake=stake, removed=removed)
    upcards = {up: tally for up, tally in tallies.items() if tally.deals} if each_upcard else {}
    by_upcard = {
        up: price_tally(table, tally, decks=decks, stake=stake, removed=removed) for up, tally in upcards.items()
    }
    return replace(all_together, by_upcard=by_upcard, dealer_terms=terms)


def price_tally(
    table: Paytable, tally: Tally, *, decks: int, stake: Cents | None, removed: Sequence[int] = ()
) -> Price:
    """Turns counted deals into a price."""
    if tally.deals <= 0:
        raise BadRequest(_why_no_deals(table, 52 * decks - len(removed)))
    stake = stake or usual_stake(table)
    lines = [_line(event, pay, tally) for event, pay in table.lines.items()]
    loss = Fraction(tally.loss, tally.deals)
    nets = [Odds(_units(line.pay), table.basis).net for line in lines]
    mean = sum((line.probability * net for line, net in zip(lines, nets, strict=True)), -loss)
    square = sum((line.probability * net**2 for line, net in zip(lines, nets, strict=True)), loss)
    return Price(
        table=table,
        decks=decks,
        stake=stake,
        combinations=tally.deals,
        lines=tuple(lines),
        loss=loss,
        edge=-mean,
        variance=square - mean**2,
        jackpots=tuple(_jackpot(line, line.pay, stake) for line in lines if isinstance(line.pay, Share)),
        without=tuple(card_text(card) for card in removed),
    )


def _why_no_deals(table: Paytable, cards_left: int) -> str:
    kind = table.kind
    if isinstance(kind, DealKind) and kind.offered_with and cards_left >= len(kind.reads):
        return f"{table.name} is offered only with {kind.offered_with}, and none is left"
    return f"too few cards are left to deal {table.name}"


def usual_stake(table: Paytable) -> Cents | None:
    """The wager a table is printed for; the largest if there are several."""
    for pay in table.lines.values():
        if isinstance(pay, Share) and pay.by_stake[-1][0] is not None:
            return pay.by_stake[-1][0]
    return table.printed_wager


def _line(event: str, pay: Pay, tally: Tally) -> PriceLine:
    combinations = tally.by_event[event]
    probability = Fraction(combinations, tally.deals)
    return PriceLine(
        event=event,
        pay=pay,
        combinations=combinations,
        probability=probability,
        contribution=probability * _units(pay),
    )


def _units(pay: Pay) -> Fraction:
    """What a line pays from empty meters."""
    return pay.units if isinstance(pay, Fixed) else Fraction(0)


def _jackpot(line: PriceLine, pay: Share, stake: Cents | None) -> JackpotLine:
    if stake is None:
        raise BadRequest("a jackpot share needs a wager in dollars: give the table a printed_wager, or use --wager")
    try:
        share = pay.at(stake)
    except ValueError as error:
        raise BadRequest(str(error)) from None
    return JackpotLine(
        event=line.event,
        jackpot=pay.jackpot,
        probability=line.probability,
        share=share,
        slope=line.probability * share / Fraction(stake, 100),
    )
