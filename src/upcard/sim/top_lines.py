"""The top line of each side wager, and how often a run can expect it: with few hits, an interval promises too much."""

from collections.abc import Iterator
from dataclasses import dataclass

from upcard.odds.dealer_hands import terms_at
from upcard.odds.price import price
from upcard.sim.compile import Compiled
from upcard.sim.figures import FEW_HITS, Statistics
from upcard.wagers import DealKind


@dataclass(frozen=True, slots=True, kw_only=True)
class TopLine:
    """The line that pays most with empty meters, and its expected hits."""

    wager: str
    event: str
    expected: float

    @property
    def notice(self) -> str:
        return (
            f"{self.wager}: only {self.expected:.1f} hits of {self.event} are expected in so many rounds; with fewer "
            f"than {FEW_HITS} its interval may miss the mean more often than 5 times in 100"
        )


def top_line(compiled: Compiled, name: str) -> tuple[str, float] | None:
    """The event of a side wager's top line and its chance; None for a wager without a paytable."""
    wager = compiled.terms.wagers.get(name)
    if wager is None or wager.paytable is None:
        return None
    bet, payouts = next(
        (bet, payouts) for bet, payouts in zip(compiled.spread.bets, compiled.payouts, strict=True) if name in bet
    )
    of_dealer = None if isinstance(wager.kind, DealKind) else terms_at(compiled.terms, wager)
    priced = price(wager.paytable, compiled.terms.decks, suit=wager.suit, stake=bet[name], terms=of_dealer)
    nets = payouts.sides[name]
    lines = [line for line in priced.lines if line.probability and line.event in nets]
    top = max(lines, key=lambda line: (nets[line.event].net, -line.probability), default=None)
    return None if top is None else (top.event, float(top.probability))


def top_lines(compiled: Compiled, statistics: Statistics) -> Iterator[TopLine]:
    """Of every side wager that was made."""
    for figures in statistics.wagers:
        top = top_line(compiled, figures.wager)
        if top is not None and figures.figure.made:
            yield TopLine(wager=figures.wager, event=top[0], expected=top[1] * figures.figure.made)


def few_hits(compiled: Compiled, statistics: Statistics) -> list[str]:
    """A notice for every wager whose top line is expected too rarely."""
    return [line.notice for line in top_lines(compiled, statistics) if line.expected < FEW_HITS]
