"""A price against what it hangs on: the number of decks, and each meter. What a chart is drawn from."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from upcard.catalog import shipped
from upcard.catalog.paytable import Paytable
from upcard.odds.answer import PriceAnswer
from upcard.odds.price import price
from upcard.odds.question import PriceQuestion
from upcard.problems import BadRequest
from upcard.serialize import json_text

STEPS = 20  # of a meter, from nothing to half as much again as breaks even
UNTIL = Fraction(100_000)  # dollars shown of a meter that never breaks even


def by_decks(filed: Paytable, question: PriceQuestion) -> str:
    """The edge for every number of decks, as JSON; also those the filing does not permit, and said so."""
    table = replace(question, any_decks=True).table(filed)
    removed, suit, stake = question.read_removed(), question.read_suit(), question.read_stake()
    told = []
    for decks in table.decks:
        try:
            one = price(table, decks, suit=suit, stake=stake, removed=removed, each_upcard=False)
        except BadRequest:  # so few decks do not hold the cards that are gone
            continue
        answer = PriceAnswer(price=one, meters=question.read_meters(one))
        edge = one.edge if answer.edge_at_meters is None else answer.edge_at_meters
        told.append(
            {
                "decks": decks,
                "permitted": decks in filed.decks,
                "edge": edge,
                "edge_percent": float(100 * edge),
                "hit_rate_percent": float(100 * one.hit_rate),
            }
        )
    return json_text(told)


def by_meter(answer: PriceAnswer) -> str:
    """The edge along each meter in dollars, as JSON; the other meters stand as they were said to."""
    one, posted = answer.price, posted_meters(answer.price.table)
    told = {}
    for name in one.table.jackpots:
        others = {other: value for other, value in answer.meters.items() if other != name}
        slope, edge = one.slope(name), one.edge_at(others)
        even = edge / slope if slope else None
        said = (even, answer.meters.get(name), posted.get(name))
        top = max([value * 3 / 2 for value in said if value is not None and value > 0], default=UNTIL)
        meters = [top * step / STEPS for step in range(STEPS + 1)]
        told[name] = {
            "break_even": None if even is None or even < 0 else float(even),
            "posted": None if name not in posted else float(posted[name]),
            "asked": None if name not in answer.meters else float(answer.meters[name]),
            "points": [(float(meter), float(100 * one.edge_at({**others, name: meter}))) for meter in meters],
        }
    return json_text(told)


def posted_meters(table: Paytable) -> Mapping[str, Fraction]:
    """What the layouts post on the meters of this table, in dollars; the first that does."""
    found: dict[str, Fraction] = {}
    name = table.name.removesuffix(", edited")
    for layout in shipped().layouts.values():
        wagers = {wager.name for wager in layout.wager if wager.paytable == name}
        for jackpot in layout.jackpot:
            if jackpot.wager in wagers:
                for meter, amount in jackpot.posted.items():
                    found.setdefault(meter, Fraction(amount, 100))
    return {meter: amount for meter, amount in found.items() if meter in table.jackpots}
