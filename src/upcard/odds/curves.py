"""The edge against the number of decks, and against each meter: the data of a chart."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from upcard.catalog.index import Catalog
from upcard.catalog.paytable import Paytable
from upcard.odds.answer import PriceAnswer
from upcard.odds.price import price, usual_terms
from upcard.odds.question import PriceQuestion
from upcard.problems import BadRequest
from upcard.serialize import json_text

STEPS = 20  # of a meter, from zero to half as much again as the break-even
UNTIL = Fraction(100_000)  # dollars shown for a meter that never breaks even


def by_decks(filed: Paytable, question: PriceQuestion) -> str:
    """The edge for every number of decks, as JSON, marking those the filing does not permit."""
    table = replace(question, any_decks=True).table(filed)
    removed, suit, stake = question.read_removed(), question.read_suit(), question.read_stake()
    terms = usual_terms(question.catalog, filed)
    rows = []
    for decks in table.decks:
        try:
            deck_price = price(table, decks, suit=suit, stake=stake, removed=removed, terms=terms, each_upcard=False)
        except BadRequest:  # too few decks to hold the removed cards
            continue
        answer = PriceAnswer(price=deck_price, meters=question.read_meters(deck_price))
        edge = deck_price.edge if answer.edge_at_meters is None else answer.edge_at_meters
        rows.append(
            {
                "decks": decks,
                "permitted": decks in filed.decks,
                "edge": edge,
                "edge_percent": float(100 * edge),
                "hit_rate_percent": float(100 * deck_price.hit_rate),
            }
        )
    return json_text(rows)


def by_meter(catalog: Catalog, answer: PriceAnswer) -> str:
    """The edge along each meter in dollars, as JSON; the other meters stay as given."""
    wager_price, posted = answer.price, posted_meters(catalog, answer.price.table)
    curves = {}
    for name in wager_price.table.jackpots:
        others = {meter_name: value for meter_name, value in answer.meters.items() if meter_name != name}
        slope, edge = wager_price.slope(name), wager_price.edge_at(others)
        break_even = edge / slope if slope else None
        marks = (break_even, answer.meters.get(name), posted.get(name))
        top = max([value * 3 / 2 for value in marks if value is not None and value > 0], default=UNTIL)
        meters = [top * step / STEPS for step in range(STEPS + 1)]
        curves[name] = {
            "break_even": None if break_even is None or break_even < 0 else float(break_even),
            "posted": None if name not in posted else float(posted[name]),
            "asked": None if name not in answer.meters else float(answer.meters[name]),
            "points": [(float(meter), float(100 * wager_price.edge_at({**others, name: meter}))) for meter in meters],
        }
    return json_text(curves)


def posted_meters(catalog: Catalog, table: Paytable) -> Mapping[str, Fraction]:
    """What the layouts post on the meters of this table, in dollars; the first layout that posts one counts."""
    posted: dict[str, Fraction] = {}
    name = table.name.removesuffix(", edited")
    for layout in catalog.layouts.values():
        wagers = {wager.name for wager in layout.wager if wager.paytable == name}
        for jackpot in layout.jackpot:
            if jackpot.wager in wagers:
                for meter, amount in jackpot.posted.items():
                    posted.setdefault(meter, Fraction(amount, 100))
    return {meter: amount for meter, amount in posted.items() if meter in table.jackpots}
