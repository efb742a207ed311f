"""The exact price of a side wager for a player who counts: by the count of the cards gone, whatever they were.

The cards gone are so many at random, of which nothing is known but their running count: the sum of their tags, +1, 0 or
-1. Cards dealt next and cards gone are exchangeable. So the deals of the next cards are counted by how many of them
carry each tag, and each is weighed by the ways in which the rest of the shoe yields a count. Whole numbers throughout.
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
from upcard.wagers.counts import Tally

Tags = tuple[int, ...]  # of the 13 ranks from ace to king
Mix = tuple[int, int]

HILO: Tags = (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1)
COUNTS = ("hilo", "best")
LEAST_CHANCE = Fraction(1, 100_000)  # rarer counts are not shown


@dataclass(frozen=True, slots=True, kw_only=True)
class CountPoint:
    """The wager when the running count is this."""

    running: int
    true: Fraction  # the running count for each deck left
    chance: Fraction  # of this count, once so many cards are gone
    edge: Fraction


@dataclass(frozen=True, kw_only=True)
class ByCount:
    """A wager's price by the count, and what that is worth to a player who makes it only when it favours him."""

    price: Price  # of the full shoe
    name: str
    tags: Tags
    cards_gone: int
    points: tuple[CountPoint, ...]

    @cached_property
    def favourable(self) -> Fraction:
        """How often the count says that the wager is good."""
        return sum((one.chance for one in self.points if one.edge < 0), Fraction(0))

    @cached_property
    def gain(self) -> Fraction:
        """What he wins of a unit for each round he watches at this depth."""
        return sum((-one.chance * one.edge for one in self.points if one.edge < 0), Fraction(0))

    def as_json(self) -> str:
        """In the form programs get."""
        told = {
            "paytable": self.price.table.name,
            "decks": self.price.decks,
            "count": self.name,
            "tags": dict(zip(RANKS, self.tags, strict=True)),
            "cards_gone": self.cards_gone,
            "edge_percent": float(100 * self.price.edge),
            "favourable_percent": float(100 * self.favourable),
            "gain_percent": float(100 * self.gain),
            "points": [{**_point(one), "edge": one.edge} for one in self.points],
        }
        return json_text(told)

    def as_csv(self) -> str:
        """Each count in a row."""
        table: dict[str, Cell] = {"paytable": self.price.table.name, "decks": self.price.decks, "count": self.name}
        return csv_text([table | {"cards_gone": self.cards_gone} | _point(one) for one in self.points])


def _point(one: CountPoint) -> dict[str, Cell]:
    return {
        "running_count": one.running,
        "true_count": float(one.true),
        "chance_percent": float(100 * one.chance),
        "edge_percent": float(100 * one.edge),
    }


def by_count(
    table: Paytable,
    decks: int,
    *,
    count: str = "hilo",
    gone: int | None = None,
    suit: int = HEARTS,
    stake: Cents | None = None,
    meters: Mapping[str, Fraction] | None = None,
    least: Fraction = LEAST_CHANCE,
) -> ByCount:
    """Prices a wager by a count once so many cards are gone; half the shoe, if it is not said how many."""
    whole = price(table, decks, suit=suit, stake=stake)
    gone = 26 * decks if gone is None else gone
    tags = tags_of(count, table, decks, suit=suit, stake=stake)
    marks = [tags[rank_of(card)] for card in DECK]
    tallies = _tallies(table, decks, marks, suit)
    longest = max(length for length, _ in tallies)
    left = 52 * decks - gone
    if gone < 1 or left < longest:
        raise BadRequest(f"the cards gone are from 1 to {52 * decks - longest}, not {gone}: a wager may read {longest}")
    shoe = TaggedShoe(plus=decks * 4 * tags.count(1), minus=decks * 4 * tags.count(-1), cards=52 * decks, gone=gone)
    back = _brought_back(whole, meters or {})
    points = tuple(
        CountPoint(
            running=running,
            true=Fraction(52 * running, left),
            chance=chance,
            edge=_edge(tallies, back, shoe, running, longest),
        )
        for running, chance in shoe.chances()
        if chance >= least
    )
    return ByCount(price=whole, name=count, tags=tags, cards_gone=gone, points=points)


def answer_by_count(filed: Paytable, question: PriceQuestion, *, count: str, gone: int | None) -> ByCount:
    """The same for a question as it was typed; without decks, the most that the table permits."""
    table = question.table(filed)
    decks = filed.decks[-1] if question.decks is None else question.decks
    (whole,) = answers(filed, replace(question, decks=decks))
    return by_count(
        table,
        decks,
        count=count.lower(),
        gone=gone,
        suit=question.read_suit(),
        stake=question.read_stake(),
        meters=whole.meters,
    )


def tags_of(count: str, table: Paytable, decks: int, *, suit: int = HEARTS, stake: Cents | None = None) -> Tags:
    """Hi-Lo's tags, or the best level-one tags for this very wager; one that no card matters to has none."""
    if count == "hilo":
        return HILO
    if count != "best":
        raise UnknownName(what="count", name=count, known=COUNTS, hint=f"counts are {', '.join(COUNTS)}")
    found = removal(table, decks, suit=suit, stake=stake).counts()
    if not found:
        raise BadRequest(f"no single card matters to {table.name}: no linear count can tell when to make it")
    return found[0].tags


@dataclass(frozen=True, kw_only=True)
class TaggedShoe:
    """A shoe by its tags, from which so many cards are gone."""

    plus: int
    minus: int
    cards: int
    gone: int

    def chances(self) -> Iterator[tuple[int, Fraction]]:
        """Every running count and how likely it is."""
        every = comb(self.cards, self.gone)
        for running in range(-min(self.minus, self.gone), min(self.plus, self.gone) + 1):
            ways = self.ways((0, 0), 0, running)
            if ways:
                yield running, Fraction(ways, every)

    def ways(self, mix: Mix, length: int, running: int) -> int:
        """In how many ways the cards gone make this count, when other cards, of these tags, are not among them."""
        plus, minus = self.plus - mix[0], self.minus - mix[1]
        if plus < 0 or minus < 0:
            return 0
        neutral = self.cards - length - plus - minus
        first = max(0, -running, -((neutral - self.gone + running) // 2))  # lower leaves too few that count nothing
        last = min(minus, plus - running, (self.gone - running) // 2)
        high, low, rest = _choices(plus), _choices(minus), _choices(neutral)
        return sum(
            high[one + running] * low[one] * rest[self.gone - 2 * one - running] for one in range(first, last + 1)
        )


@lru_cache(maxsize=4096)
def _choices(cards: int) -> tuple[int, ...]:
    """In how many ways 0, 1, 2 ... of so many cards are chosen."""
    return tuple(comb(cards, chosen) for chosen in range(cards + 1))


def _tallies(table: Paytable, decks: int, marks: Sequence[int], suit: int) -> dict[tuple[int, Mix], Tally]:
    """The deals by how many cards they take, and by the tags of these."""
    kind, listed = table.kind, tuple(table.lines)
    if isinstance(kind, DealKind):
        found = tally_marked(kind, listed, (decks,) * 52, marks, suit)
        return {(len(kind.reads), mix): one for mix, one in found.items()}
    by_value = [0] * 10
    for card in DECK:
        by_value[value_of_rank(rank_of(card)) - 1] = marks[
            card
        ]  # a ten's tags are a king's: the wager tells none apart
    return tally_marked_dealer(kind, listed, decks, by_value, terms_of(table))


def _brought_back(whole: Price, meters: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """What a unit brings back with each line, its stake included."""
    shares = {
        one.event: one.share * meters.get(one.jackpot, Fraction(0)) / Fraction(whole.stake or 1, 100)
        for one in whole.jackpots
    }
    return {
        event: Odds(pay.units if isinstance(pay, Fixed) else shares[event], whole.table.basis).net + 1
        for event, pay in whole.table.lines.items()
    }


def _edge(
    tallies: Mapping[tuple[int, Mix], Tally], back: Mapping[str, Fraction], shoe: TaggedShoe, running: int, longest: int
) -> Fraction:
    """What the house keeps of a unit at this count; shorter hands are drawn out to the length of the longest."""
    left = shoe.cards - shoe.gone
    deals, returned = 0, Fraction(0)
    for (length, mix), counted in tallies.items():
        weight = shoe.ways(mix, length, running) * perm(left - length, longest - length)
        deals += weight * counted.deals
        returned += weight * sum(back[event] * count for event, count in counted.by_event.items())
    return 1 - returned / deals
