"""Slips that golden rounds cannot show: caps, posted limits, promotions, sharing."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.cards import read_cards
from upcard.catalog import shipped
from upcard.catalog.layout import AggregateLimit, Layout, Promotion
from upcard.engine import commands as c
from upcard.pit import Dealer, open_table
from upcard.pit import orders as o
from upcard.pit.dealer import Script
from upcard.pit.descriptions import describe_reason
from upcard.pit.terms import promotions_on
from upcard.settlement import Slip, settle
from upcard.settlement.sharing import share_out
from upcard.units import Cents


def play(layout: Layout, cards: str, bets: dict[int, dict[str, int]], *commands: c.Command) -> tuple[Slip, ...]:
    """The slips of a scripted round."""
    at = Dealer(open_table(shipped(), layout), Script(read_cards(cards)))
    for spot in bets:
        at.say(o.Seat(f"P{spot}", spot))
    at.say(o.NewShoe(52))
    at.say(o.BeginRound())
    for spot, stakes in bets.items():
        for wager, dollars in stakes.items():
            at.say(c.PlaceWager(spot, wager, Cents(dollars * 100)))
    for command in (c.CloseBetting(), *commands):
        at.say(command)
    assert at.last is not None
    return settle(*at.last)


def test_a_payout_cap_holds_a_slip_to_its_maximum() -> None:
    """000 F: at most $1,000 a hand; its own limits never exceed it, so the cap is lowered here."""
    at = Dealer(open_table(shipped(), shipped().layouts["the-brook"]), Script(read_cards("Kd 5h Qd 9c 6h")))
    for step in (o.Seat("Ann", 1), o.NewShoe(52), o.BeginRound()):
        at.say(step)
    for wager in ("Ante", "Suited Royals"):
        at.say(c.PlaceWager(1, wager, Cents(1000)))
    at.say(c.CloseBetting())
    at.say(c.Stay(1))
    assert at.last is not None
    state, terms = at.last
    slip = next(slip for slip in settle(state, terms) if slip.wager == "Suited Royals")
    assert slip.paid == 100_000  # exactly the cap
    royals = replace(terms.wagers["Suited Royals"], payout_cap=Cents(60_000))
    capped = settle(state, replace(terms, wagers={**terms.wagers, "Suited Royals": royals}))
    slip = next(slip for slip in capped if slip.wager == "Suited Royals")
    assert (slip.paid, slip.returned) == (60_000, 1000)
    assert "at most $600 per hand" in describe_reason(slip, terms)


def test_a_posted_aggregate_limit_is_shared_pro_rata_in_cents() -> None:
    """004, WAC 230-15-490: 200 to 1 for three players on one deal, under a posted limit."""
    limit = AggregateLimit(wager="Double Action", amount="$10,000")  # type: ignore[arg-type]  # as a file writes it
    layout = shipped().layouts["double-action"].model_copy(update={"aggregate_limit": (limit,)})
    bets = {spot: {"Blackjack": 5, "Double Action": stake} for spot, stake in ((1, 100), (2, 50), (3, 7))}
    stays = [c.Stay(spot) for spot in bets]
    slips = play(layout, "7h 7h 7h 7h 7h 7h 7c Td 9c", bets, *stays)
    paid = {slip.spot: slip.paid for slip in slips if slip.wager == "Double Action" and slip.paid}
    assert sum(paid.values()) == 1_000_000
    owed = {1: 100 * 200, 2: 50 * 200, 3: 7 * 21}  # spot 3 has three sevens, not all of hearts
    assert paid == {1: 663_416, 2: 331_708, 3: 4_876}
    assert all(abs(paid[spot] - 1_000_000 * owed[spot] / 30_147) < 1 for spot in owed)
    assert all(slip.limit == 1_000_000 for slip in slips if slip.wager == "Double Action" and slip.paid)


def test_a_promotion_is_paid_beside_the_award_and_by_the_house() -> None:
    promotion = Promotion(
        wager="21+3 Xtreme",
        event="straight",
        award="$25",  # type: ignore[arg-type]  # as a file writes it
        since=date(2026, 1, 1),
        until=date(2026, 1, 31),
        consent="letter of 2025-12-01",
    )
    layout = shipped().layouts["lucky-ladies"].model_copy(update={"promotion": (promotion,)})
    for day, award in ((date(2026, 1, 15), 2500), (date(2026, 2, 1), 0)):
        slips = play(
            promotions_on(layout, day),
            "4h 6c 5d Td 9c",
            {1: {"Blackjack": 5, "21+3 Xtreme": 10}},
            c.CloseLateWagers(),
            c.Stay(1),
        )
        (slip,) = (slip for slip in slips if slip.wager == "21+3 Xtreme")
        assert (slip.paid, slip.promotion) == (10_000 + award, award)


def test_a_jackpot_share_is_a_claim_and_pays_nothing_itself() -> None:
    """003 D: for 1, the stake is not returned; 001: to 1, it is (R7)."""
    slips = play(
        shipped().layouts["lucky-ladies"],
        "Qh As Qh Ks",
        {1: {"Blackjack": 5, "Lucky Ladies Jackpot": 1}},
        c.CloseInsurance(),
    )
    (slip,) = (slip for slip in slips if slip.wager == "Lucky Ladies Jackpot")
    assert slip.claim is not None
    assert (str(slip.claim.share), slip.paid, slip.returned) == ("1/4", 0, 0)


@given(st.integers(0, 10**9), st.lists(st.integers(0, 10**7), min_size=1, max_size=9).filter(any))
def test_shares_add_up_to_the_cent_and_differ_from_the_exact_by_less_than_one(amount: int, weights: list[int]) -> None:
    parts = share_out(amount, weights)
    assert sum(parts) == amount
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part * sum(weights) - amount * weight) < sum(weights)


def test_nothing_can_be_shared_among_nobody() -> None:
    with pytest.raises(ValueError, match="weights must not be negative"):
        share_out(5, [0, 0])
