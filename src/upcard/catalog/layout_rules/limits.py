"""Rules on amounts: fixed wagers, least and largest wagers, the law's limits, aggregate limits on payouts."""

from collections.abc import Iterator

from upcard.catalog.game import Wager
from upcard.catalog.game_checks import Complaint
from upcard.catalog.layout import AggregateLimit, Offered
from upcard.catalog.layout_rules.layout_under_check import Case
from upcard.catalog.pays import Fixed
from upcard.units import Cents, dollars


def amounts(case: Case) -> Iterator[Complaint]:
    for place, wager, offered in case.offers():
        if wager.role == "jackpot" and offered.amount is None:
            yield place, f"{wager.name} is a wager of one fixed amount: give amount"
        if offered.amount is None:
            continue
        if wager.role != "jackpot" and not wager.amounts:
            yield place, f"{wager.name} is not a wager of one fixed amount: leave out amount"
        if wager.amounts and offered.amount not in wager.amounts:
            yield place, f"{wager.name} must be {_or(wager.amounts)}, not {dollars(offered.amount)}"


def amounts_in_chips(case: Case) -> Iterator[Complaint]:
    for place, _, offered in case.offers():
        if offered.amount is not None and offered.amount % case.layout.chip:
            yield place, f"{dollars(offered.amount)} is not a multiple of the smallest chip"


def bounds(case: Case) -> Iterator[Complaint]:
    posted = Cents(case.layout.posted_minimum)
    for place, wager, offered in case.offers():
        least, most = offered.min, offered.max
        if least is not None and most is not None and least > most:
            yield place, f"its least wager {dollars(least)} is above its largest {dollars(most)}"
        if wager.min is not None and least is not None and least < wager.min.at(posted):
            yield place, f"the filing's least wager is {wager.min}, not {dollars(least)}"
        if wager.min is not None and most is not None and most < wager.min.at(posted):
            yield place, f"its largest wager {dollars(most)} is below the filing's least, {wager.min}"
        if wager.max is not None and most is not None and most > wager.max.at(posted):
            yield place, f"the filing's largest wager is {wager.max}, not {dollars(most)}"


def lawful(case: Case) -> Iterator[Complaint]:
    """Where the filing leaves the limits to the operator, the jurisdiction's newest limits apply."""
    for place, wager, offered in case.offers():
        if (wager.min is not None and wager.max is not None) or wager.amounts or wager.equals:
            continue
        judge = _lawful_jackpot_wager if wager.role == "jackpot" else _lawful_limits
        yield from ((place, sentence) for sentence in judge(case, wager, offered))


def _lawful_jackpot_wager(case: Case, _wager: Wager, offered: Offered) -> Iterator[str]:
    allowed = case.law.jackpot_wagers
    if offered.amount is not None and allowed and offered.amount not in allowed:
        jurisdiction = case.game.source.jurisdiction
        yield f"a jackpot wager must be {_or(allowed)} in {jurisdiction}, not {dollars(offered.amount)}"


def _lawful_limits(case: Case, wager: Wager, offered: Offered) -> Iterator[str]:
    law = case.law
    largest = law.largest_wager if wager.role == "main" else law.largest_bonus_wager
    if offered.max is None:
        yield "the filing leaves its largest wager to the operator: give max"
    elif largest is not None and offered.max > largest:
        yield f"{dollars(offered.max)} is above the lawful {dollars(largest)} ({law.citation})"
    if wager.min is None and offered.min is None:
        yield "the filing leaves its least wager to the operator: give min"
    elif law.smallest_wager is not None and offered.min is not None and offered.min < law.smallest_wager:
        yield f"{dollars(offered.min)} is below the lawful {dollars(law.smallest_wager)} ({law.citation})"


def aggregates(case: Case) -> Iterator[Complaint]:
    for limit in case.layout.aggregate_limit:
        yield from ((f"aggregate_limit {limit.wager}", sentence) for sentence in _aggregate(case, limit))


def _aggregate(case: Case, limit: AggregateLimit) -> Iterator[str]:
    """WAC 230-15-490: no limit where the top odds are low, and none below the largest wager at the top odds counted."""
    most_odds = case.law.aggregate_counts_odds_up_to
    offered = next((candidate for candidate in case.layout.wager if candidate.name == limit.wager), None)
    if not case.game.layout_limits.aggregate_payout_limit or most_odds is None:
        yield f"{case.game.name} does not allow an aggregate limit on payouts"
    elif offered is None or offered.paytable not in case.catalog.paytables:
        yield "the layout offers no such wager with a paytable"
    else:
        lines = case.catalog.paytables[offered.paytable].lines.values()
        top = max((pay.units for pay in lines if isinstance(pay, Fixed)), default=0)
        floor = int((offered.max or 0) * min(top, most_odds))
        if top < most_odds:
            yield f"its top odds are below {most_odds} to 1, so payouts may not be limited"
        elif limit.amount < floor:
            yield f"the limit may not be below {dollars(floor)}, the largest wager at {most_odds} to 1"


def _or(amounts: tuple[int, ...]) -> str:
    return " or ".join(dollars(amount) for amount in amounts)
