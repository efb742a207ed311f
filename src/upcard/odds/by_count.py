"""The exact price of a side wager for a player who counts cards, by the running count.

A number of random cards are gone, and only their running count is known: the sum of their tags. Cards dealt next and
cards gone are exchangeable. So the deals of the next cards are counted by the tags of these, and weighted by the ways
in which the rest of the shoe gives the count. Whole numbers throughout, for any tags.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import comb, perm

from upcard.cards import HEARTS
from upcard.catalog.index import Catalog
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable
from upcard.odds.composition import Mix, tally_marked
from upcard.odds.dealer_hands import is_late
from upcard.odds.marked_dealer import tally_marked_dealer
from upcard.odds.price import Price, price, usual_terms
from upcard.odds.question import PriceQuestion, answers
from upcard.odds.removal import removal
from upcard.odds.tagged_shoe import TaggedShoe, number_tags
from upcard.problems import BadRequest
from upcard.serialize import Cell, csv_text, json_text, number
from upcard.strategy.counting import BEST, CARDS, CountingSystem, counting_system, parse_count
from upcard.units import Cents, Odds
from upcard.wagers import DealKind
from upcard.wagers.deal_counts import Tally

LEAST_CHANCE = Fraction(1, 100_000)  # rarer counts are not shown


@dataclass(frozen=True, slots=True, kw_only=True)
class CountPoint:
    """The wager at one running count."""

    running: Fraction  # from zero at the start of the shoe
    true: Fraction  # the running count, centred, for each deck left
    chance: Fraction  # of this count at this depth
    offered: Fraction  # how often the wager is offered at this count
    edge: Fraction  # of the wagers offered
    by_upcard: Mapping[str, "UpCardPoint"] = field(default_factory=dict)  # of a wager made when the up card is known


@dataclass(frozen=True, slots=True, kw_only=True)
class UpCardPoint:
    """The wager at one count against one up card."""

    offered: Fraction
    edge: Fraction


@dataclass(frozen=True, kw_only=True)
class ByCount:
    """A wager's price by the count, and what it is worth to a player who bets only when the count is favourable."""

    price: Price  # of the full shoe
    count: CountingSystem
    cards_gone: int
    every_point: tuple[CountPoint, ...]
    least_chance: Fraction

    @cached_property
    def points(self) -> tuple[CountPoint, ...]:
        """The counts that are not too rare to be shown; sums are over all counts."""
        return tuple(point for point in self.every_point if point.chance >= self.least_chance)

    @cached_property
    def _chosen(self) -> list[tuple[CountPoint, Fraction, Fraction]]:
        """Counts, or counts and up cards, that favour the player: how often they are offered, and the edge."""
        return [
            (point, choice.offered, choice.edge)
            for point in self.every_point
            for choice in (point.by_upcard.values() if point.by_upcard else (point,))
            if choice.edge < 0
        ]

    @cached_property
    def favourable(self) -> Fraction:
        """In how many rounds the wager is offered at a count that favours the player."""
        return sum((point.chance * offered for point, offered, _ in self._chosen), Fraction(0))

    @cached_property
    def gain(self) -> Fraction:
        """What the player wins, in units, per round watched at this depth."""
        return sum((-point.chance * offered * edge for point, offered, edge in self._chosen), Fraction(0))

    @cached_property
    def offered(self) -> Fraction:
        """In how many rounds the wager is offered."""
        return sum((point.chance * point.offered for point in self.every_point), Fraction(0))

    @property
    def gain_per_offer(self) -> Fraction:
        """What the player wins, in units, per round in which the wager is offered."""
        return self.gain / self.offered if self.offered else Fraction(0)

    @property
    def key_count(self) -> Fraction | None:
        """The lowest count, from the initial count on, from which the wager favours the player at this depth."""
        key = None
        for point in reversed(self.points):
            if point.edge >= 0:
                break
            key = point.running
        return None if key is None else key + self.count.initial_count(self.price.decks)

    def as_json(self) -> str:
        decks, key = self.price.decks, self.key_count
        data = {
            "paytable": self.price.table.name,
            "decks": decks,
            "count": self.count.name,
            "tags": {name: number(tag) for name, tag in self.count.by_name().items()},
            "balance_per_deck": number(self.count.balance),
            "initial_count": number(self.count.initial_count(decks)),
            "pivot": number(self.count.pivot),
            "key_count": None if key is None else number(key),
            "cards_gone": self.cards_gone,
            "edge_percent": float(100 * self.price.edge),
            "offered_percent": float(100 * self.offered),
            "favourable_percent": float(100 * self.favourable),
            "gain_percent": float(100 * self.gain),
            "gain_percent_per_offer": float(100 * self.gain_per_offer),
            "points": [{**_point(point), "edge": point.edge, **_by_upcard(point)} for point in self.points],
        }
        return json_text(data)

    def as_csv(self) -> str:
        table: dict[str, Cell] = {
            "paytable": self.price.table.name,
            "decks": self.price.decks,
            "count": self.count.name,
            "cards_gone": self.cards_gone,
        }
        return csv_text([table | _point(point) | _upcard_cells(point) for point in self.points])


def _point(point: CountPoint) -> dict[str, Cell]:
    return {
        "running_count": number(point.running),
        "true_count": float(point.true),
        "chance_percent": float(100 * point.chance),
        "edge_percent": float(100 * point.edge),
        "offered_percent": float(100 * point.offered),
    }


def _by_upcard(point: CountPoint) -> dict[str, object]:
    rows = {
        up: {
            "offered_percent": float(100 * choice.offered),
            "edge": choice.edge,
            "edge_percent": float(100 * choice.edge),
        }
        for up, choice in point.by_upcard.items()
    }
    return {"by_upcard": rows} if rows else {}


def _upcard_cells(point: CountPoint) -> dict[str, Cell]:
    return {f"edge_percent_{up}": float(100 * choice.edge) for up, choice in point.by_upcard.items()}


def by_count(
    catalog: Catalog,
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
    full_shoe_price = price(table, decks, suit=suit, stake=stake, terms=usual_terms(catalog, table))
    return price_by_count(
        catalog,
        full_shoe_price,
        count=count,
        cards_gone=cards_gone,
        suit=suit,
        meters=meters or {},
        least_chance=least_chance,
    )


def answer_by_count(filed: Paytable, question: PriceQuestion, *, count: str, cards_gone: int | None) -> ByCount:
    """The same for a question as typed; without decks, the most that the table permits."""
    decks = filed.decks[-1] if question.decks is None else question.decks
    (answer,) = answers(filed, replace(question, decks=decks))
    return price_by_count(
        question.catalog,
        answer.price,
        count=count,
        cards_gone=cards_gone,
        suit=question.read_suit(filed),
        meters=answer.meters,
    )


def price_by_count(
    catalog: Catalog,
    full_shoe_price: Price,
    *,
    count: str,
    cards_gone: int | None,
    suit: int,
    meters: Mapping[str, Fraction],
    least_chance: Fraction = LEAST_CHANCE,
) -> ByCount:
    """The same for a wager that is already priced for the full shoe, under the terms of that price."""
    table, decks = full_shoe_price.table, full_shoe_price.decks
    system = count_for(count, full_shoe_price, suit=suit)
    tallies = _tallies(full_shoe_price, system, suit)
    longest = max(len(mix) for by_mix in tallies.values() for mix in by_mix)
    cards_gone = CARDS * decks // 2 if cards_gone is None else cards_gone
    if cards_gone < 1 or CARDS * decks - cards_gone < longest:
        most = CARDS * decks - longest
        raise BadRequest(f"the cards gone must be from 1 to {most}, not {cards_gone}: the wager may need {longest}")
    shoe = TaggedShoe(system, decks, cards_gone, longest)
    sums = _Sums.of(shoe, tallies)
    returns = _brought_back(full_shoe_price, meters)
    shows_upcards = not isinstance(table.kind, DealKind) and is_late(catalog, table)
    points = tuple(
        sums.point(place, returns, shows_upcards=shows_upcards) for place, ways in enumerate(sums.ways) if ways
    )
    return ByCount(
        price=full_shoe_price, count=system, cards_gone=cards_gone, every_point=points, least_chance=least_chance
    )


def count_for(count: str, full_shoe_price: Price, *, suit: int = HEARTS) -> CountingSystem:
    """A count by name or tags, or the best level-one tags for this wager."""
    if count.strip().lower() != BEST:
        return parse_count(count)
    table = full_shoe_price.table
    effects = removal(
        table, full_shoe_price.decks, suit=suit, stake=full_shoe_price.stake, terms=full_shoe_price.dealer_terms
    )
    counts = effects.counts()
    if not counts:
        raise BadRequest(
            f"no single card changes the price of {table.name}, so no linear count can tell when to bet it"
        )
    return counting_system(BEST, counts[0].tags)


def _tallies(full_shoe_price: Price, system: CountingSystem, suit: int) -> dict[str, dict[Mix, Tally]]:
    """The deals by the tags of their cards; of a wager on the dealer's hand, by up card."""
    table, decks = full_shoe_price.table, full_shoe_price.decks
    kind, listed, marks = table.kind, tuple(table.lines), number_tags(system)
    if isinstance(kind, DealKind):
        return {"": tally_marked(kind, listed, (decks,) * CARDS, marks, suit)}
    if full_shoe_price.dealer_terms is None:
        raise TypeError(f"{table.name} was priced without the terms of its game")
    return tally_marked_dealer(kind, listed, decks, marks, full_shoe_price.dealer_terms)


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


@dataclass(frozen=True, kw_only=True)
class _Sums:
    """For each sum of marks: the ways to draw the cards gone, and with them the deals and events by up card."""

    shoe: TaggedShoe
    ways: list[int]
    draws: int
    deals: dict[str, list[int]]
    events: dict[str, dict[str, list[int]]]

    @classmethod
    def of(cls, shoe: TaggedShoe, tallies: Mapping[str, Mapping[Mix, Tally]]) -> "_Sums":
        """Shorter hands are extended to the length of the longest."""
        ways = shoe.ways_without([mix for by_mix in tallies.values() for mix in by_mix])
        deals: dict[str, list[int]] = {}
        events: dict[str, dict[str, list[int]]] = {}
        for up, by_mix in tallies.items():
            packed_deals, packed_events = 0, defaultdict[str, int](int)
            for mix, tally in by_mix.items():
                packed = ways[mix] * perm(shoe.cards_left - len(mix), shoe.longest - len(mix))
                packed_deals += packed * tally.deals
                for event, count in tally.by_event.items():
                    packed_events[event] += packed * count
            deals[up] = shoe.unpacked(packed_deals)
            events[up] = {event: shoe.unpacked(packed) for event, packed in packed_events.items()}
        return cls(
            shoe=shoe,
            ways=shoe.all_ways(),
            draws=comb(CARDS * shoe.decks, shoe.gone),
            deals=deals,
            events=events,
        )

    def point(self, place: int, returns: Mapping[str, Fraction], *, shows_upcards: bool) -> CountPoint:
        """The wager where the marks of the cards gone sum to `place`."""
        shoe, count = self.shoe, self.shoe.count
        every_deal = self.ways[place] * perm(shoe.cards_left, shoe.longest)
        deals = {up: row[place] for up, row in self.deals.items()}
        returned = {
            up: sum((returns[event] * row[place] for event, row in rows.items()), Fraction(0))
            for up, rows in self.events.items()
        }
        offered = sum(deals.values())
        running = Fraction(shoe.running(place), count.scale)
        return CountPoint(
            running=running,
            true=count.true_count(running, shoe.gone, shoe.decks),
            chance=Fraction(self.ways[place], self.draws),
            offered=Fraction(offered, every_deal),
            edge=1 - sum(returned.values(), Fraction(0)) / offered if offered else Fraction(0),
            by_upcard={
                up: UpCardPoint(offered=Fraction(deals[up], every_deal), edge=1 - returned[up] / deals[up])
                for up in deals
                if shows_upcards and deals[up]
            },
        )
