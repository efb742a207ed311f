"""The exact price of a side wager for a player who counts cards, by the running count.

A number of random cards are gone, and only their running count is known: the sum of their tags, +1, 0 or -1. Cards
dealt next and cards gone are exchangeable. So the deals of the next cards are counted by how many of them carry each
tag, and weighted by the ways in which the rest of the shoe gives the count. Whole numbers throughout.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, perm

from upcard.cards import DECK, HEARTS, RANKS, rank_of, value_of_rank
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable
from upcard.odds.composition import tally_marked
from upcard.odds.dealer_hands import tally_marked_dealer, terms_of
from upcard.odds.price import Price, price
from upcard.odds.question import PriceQuestion, answers
from upcard.odds.removal import removal
from upcard.problems import BadRequest, UnknownName
from upcard.serialize import Cell, csv_text, json_text
from upcard.units import Cents, Odds
from upcard.wagers import DealKind
from upcard.wagers.deal_counts import Tally

Tags = tuple[int, ...]  # of the 13 ranks from ace to king
Mix = tuple[int, int]

HILO: Tags = (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1)
COUNTS = ("hilo", "best")
LEAST_CHANCE = Fraction(1, 100_000)  # rarer counts are not shown


@dataclass(frozen=True, slots=True, kw_only=True)
class CountPoint:
    """The wager at one running count."""

    running: int
    true: Fraction  # the running count for each deck left
    chance: Fraction  # of this count at this depth
    edge: Fraction


@dataclass(frozen=True, kw_only=True)
class ByCount:
    """A wager's price by the count, and what it is worth to a player who bets only when the count is favourable."""

    price: Price  # of the full shoe
    name: str
    tags: Tags
    cards_gone: int
    points: tuple[CountPoint, ...]

    @cached_property
    def favourable(self) -> Fraction:
        """How often the count favours the player."""
        return sum((point.chance for point in self.points if point.edge < 0), Fraction(0))

    @cached_property
    def gain(self) -> Fraction:
        """What the player wins, in units, per round watched at this depth."""
        return sum((-point.chance * point.edge for point in self.points if point.edge < 0), Fraction(0))

    def as_json(self) -> str:
        data = {
            "paytable": self.price.table.name,
            "decks": self.price.decks,
            "count": self.name,
            "tags": dict(zip(RANKS, self.tags, strict=True)),
            "cards_gone": self.cards_gone,
            "edge_percent": float(100 * self.price.edge),
            "favourable_percent": float(100 * self.favourable),
            "gain_percent": float(100 * self.gain),
            "points": [{**_point(point), "edge": point.edge} for point in self.points],
        }
        return json_text(data)

    def as_csv(self) -> str:
        table: dict[str, Cell] = {"paytable": self.price.table.name, "decks": self.price.decks, "count": self.name}
        return csv_text([table | {"cards_gone": self.cards_gone} | _point(point) for point in self.points])


def _point(point: CountPoint) -> dict[str, Cell]:
    return {
        "running_count": point.running,
        "true_count": float(point.true),
        "chance_percent": float(100 * point.chance),
        "edge_percent": float(100 * point.edge),
    }


def by_count(
    table: Paytable,
    decks: int,
    *,
    count: str = "hilo",
    cards_gone: int | None = None,
    suit: int = HEARTS,
    stake: Cents | None = None,
    meters: Mapping[str, Fraction] | None = None,
    least_chance: Fraction = LEAST_CHANCE,
) -> ByCount:
    """Prices a wager by a count once so many cards are gone; half the shoe by default."""
    full_shoe_price = price(table, decks, suit=suit, stake=stake)
    cards_gone = 26 * decks if cards_gone is None else cards_gone
    tags = tags_of(count, table, decks, suit=suit, stake=stake)
    marks = [tags[rank_of(card)] for card in DECK]
    tallies = _tallies(table, decks, marks, suit)
    longest = max(length for length, _ in tallies)
    cards_left = 52 * decks - cards_gone
    if cards_gone < 1 or cards_left < longest:
        raise BadRequest(
            f"the cards gone must be from 1 to {52 * decks - longest}, not {cards_gone}: the wager may need {longest}"
        )
    shoe = TaggedShoe(
        plus=decks * 4 * tags.count(1), minus=decks * 4 * tags.count(-1), cards=52 * decks, gone=cards_gone
    )
    returns = _brought_back(full_shoe_price, meters or {})
    points = tuple(
        CountPoint(
            running=running,
            true=Fraction(52 * running, cards_left),
            chance=chance,
            edge=_edge(tallies, returns, shoe, running, longest),
        )
        for running, chance in shoe.chances()
        if chance >= least_chance
    )
    return ByCount(price=full_shoe_price, name=count, tags=tags, cards_gone=cards_gone, points=points)


def answer_by_count(filed: Paytable, question: PriceQuestion, *, count: str, cards_gone: int | None) -> ByCount:
    """The same for a question as typed; without decks, the most that the table permits."""
    table = question.table(filed)
    decks = filed.decks[-1] if question.decks is None else question.decks
    (answer,) = answers(filed, replace(question, decks=decks))
    return by_count(
        table,
        decks,
        count=count.lower(),
        cards_gone=cards_gone,
        suit=question.read_suit(),
        stake=question.read_stake(),
        meters=answer.meters,
    )


def tags_of(count: str, table: Paytable, decks: int, *, suit: int = HEARTS, stake: Cents | None = None) -> Tags:
    """Hi-Lo's tags, or the best level-one tags for this wager."""
    if count == "hilo":
        return HILO
    if count != "best":
        raise UnknownName(what="count", name=count, known=COUNTS, hint=f"counts are {', '.join(COUNTS)}")
    counts = removal(table, decks, suit=suit, stake=stake).counts()
    if not counts:
        raise BadRequest(
            f"no single card changes the price of {table.name}, so no linear count can tell when to bet it"
        )
    return counts[0].tags


@dataclass(frozen=True, kw_only=True)
class TaggedShoe:
    """A shoe by its tags, with some cards gone."""

    plus: int
    minus: int
    cards: int
    gone: int

    def chances(self) -> Iterator[tuple[int, Fraction]]:
        """Every running count and how likely it is."""
        draws = comb(self.cards, self.gone)
        for running in range(-min(self.minus, self.gone), min(self.plus, self.gone) + 1):
            ways = self.ways((0, 0), 0, running)
            if ways:
                yield running, Fraction(ways, draws)

    def ways(self, mix: Mix, length: int, running: int) -> int:
        """In how many ways the cards gone make this count, with other cards of these tags not among them."""
        plus, minus = self.plus - mix[0], self.minus - mix[1]
        if plus < 0 or minus < 0:
            return 0
        neutral = self.cards - length - plus - minus
        first = max(0, -running, -((neutral - self.gone + running) // 2))  # lower leaves too few neutral cards
        last = min(minus, plus - running, (self.gone - running) // 2)
        high, low, rest = _choices(plus), _choices(minus), _choices(neutral)
        return sum(
            high[minus_gone + running] * low[minus_gone] * rest[self.gone - 2 * minus_gone - running]
            for minus_gone in range(first, last + 1)
        )


@lru_cache(maxsize=4096)
def _choices(cards: int) -> tuple[int, ...]:
    """In how many ways 0, 1, 2 ... of so many cards can be chosen."""
    return tuple(comb(cards, chosen) for chosen in range(cards + 1))


def _tallies(table: Paytable, decks: int, marks: Sequence[int], suit: int) -> dict[tuple[int, Mix], Tally]:
    """The deals by how many cards they take, and by the tags of these."""
    kind, listed = table.kind, tuple(table.lines)
    if isinstance(kind, DealKind):
        tallies = tally_marked(kind, listed, (decks,) * 52, marks, suit)
        return {(len(kind.reads), mix): tally for mix, tally in tallies.items()}
    by_value = [0] * 10
    for card in DECK:
        by_value[value_of_rank(rank_of(card)) - 1] = marks[
            card
        ]  # all tens share a tag: the wager cannot tell them apart
    return tally_marked_dealer(kind, listed, decks, by_value, terms_of(table))


def _brought_back(price: Price, meters: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """What a unit returns on each line, the stake included."""
    shares = {
        line.event: line.share * meters.get(line.jackpot, Fraction(0)) / Fraction(price.stake or 1, 100)
        for line in price.jackpots
    }
    return {
        event: Odds(pay.units if isinstance(pay, Fixed) else shares[event], price.table.basis).net + 1
        for event, pay in price.table.lines.items()
    }


def _edge(
    tallies: Mapping[tuple[int, Mix], Tally],
    returns: Mapping[str, Fraction],
    shoe: TaggedShoe,
    running: int,
    longest: int,
) -> Fraction:
    """What the house keeps of a unit at this count; shorter hands are extended to the length of the longest."""
    cards_left = shoe.cards - shoe.gone
    deals, returned = 0, Fraction(0)
    for (length, mix), tally in tallies.items():
        weight = shoe.ways(mix, length, running) * perm(cards_left - length, longest - length)
        deals += weight * tally.deals
        returned += weight * sum(returns[event] * count for event, count in tally.by_event.items())
    return 1 - returned / deals
