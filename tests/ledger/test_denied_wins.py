"""Denied wins: whatever the order of wins, payments, denials and posted values, the book is as if the denied hands had
not won (decision 034).

Each random sequence is carried out, and then replayed without the wins that were denied.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger.book_driver import MORNING, BookDriver, open_jackpot
from ledger.jackpot_setups import ALL, GALAXY, LADIES, PART, TOP, open_daily_jackpot, open_ladies_jackpot
from ledger.random_book import PLANS

from upcard.ledger.jackpots import requests as j
from upcard.ledger.jackpots.apply import apply
from upcard.ledger.jackpots.bonus import BonusJackpot
from upcard.ledger.jackpots.daily import DailyJackpot
from upcard.ledger.jackpots.jackpot_state import JackpotState
from upcard.ledger.jackpots.posted import PostedJackpot
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.outcome import Moment
from upcard.ledger.refusals import BookRefused

TABLES = ("T1", "T2", "T3")
EXAMPLES = settings().max_examples * 2


class Done(NamedTuple):
    """A request that was carried out."""

    name: str
    at: timedelta
    actor: str
    request: j.JackpotRequest


@dataclass
class Play:
    """A jackpot by its rules alone, and what was done with it."""

    plan: str
    state: JackpotState
    at: timedelta = timedelta(0)
    done: list["Done"] = field(default_factory=list)
    rounds: dict[str, int] = field(default_factory=dict)
    denied: set[str] = field(default_factory=set)

    def do(self, request: j.JackpotRequest, actor: str = "Dana") -> bool:
        """Carries a request out; False if it is refused."""
        return self.redo(Done(f"c{len(self.done)}", self.at, actor, request))

    def redo(self, step: Done) -> bool:
        """Carries out a request of another play again."""
        now = MORNING + step.at
        moment = Moment(command=step.name, part=0, at=now, day=now.date(), actor=step.actor)
        try:
            self.state = apply(self.state, step.request, moment, lambda _: None).state
        except BookRefused:
            return False
        self.done.append(step)
        return True


def opened(plan: str) -> Play:
    layout, wager, _, _ = PLANS[plan]
    opening = open_jackpot("J", layout, wager)
    if plan == "progressive":  # a cap would turn meter into overflow, and that on the day of the wager
        opening = opening.model_copy(update={"terms": opening.terms.model_copy(update={"cap": None})})
    moment = Moment(command="open", part=0, at=MORNING, day=MORNING.date(), actor="Dana")
    return Play(plan, apply(None, opening, moment, lambda _: None).state)


def played(plan: str, dice: random.Random) -> Play:
    """A random sequence: hands at three tables, wins, values, payments and denials in any order."""
    play = opened(plan)
    steps = (deal, end, resolve, post, pass_time)
    weights = (6, 5, dice.randint(1, 6), dice.choice((0, 1)), dice.randint(1, 3))
    for step in dice.choices(steps, weights, k=dice.randint(10, 90)):
        step(play, dice)
    while play.state.running:
        end(play, dice)
    for _ in range(dice.randint(0, 4)):
        resolve(play, dice)
    return play


def deal(play: Play, dice: random.Random) -> None:
    free = [table for table in TABLES if table not in play.state.running]
    if not free:
        return
    table = dice.choice(free)
    number = play.rounds.get(table, 0) + 1
    stakes = []
    for spot in range(1, dice.randint(1, 2) + 1):
        placed = j.StakePlaced(jackpot="J", table=table, round=number, spot=spot)
        if play.plan not in ("posted", "bonus") or play.do(placed):
            stakes.append(j.JackpotStake(spot=spot, player=f"P{spot}", stake=dice.choice(PLANS[play.plan][3])))
    if play.do(j.BeginHand(jackpot="J", table=table, round=number, stakes=tuple(stakes))):
        play.rounds[table] = number


def end(play: Play, dice: random.Random) -> None:
    """A hand ends, mostly with a win."""
    if not play.state.running:
        return
    table = dice.choice(list(play.state.running))
    dealt, claims = play.state.running[table], []
    for stake in dealt.stakes:
        if dice.random() < 0.7:
            line = dice.choice(play.state.trigger.lines)
            share = line.share_at(stake.stake)
            assert share is not None
            claims.append(
                j.JackpotClaim(
                    spot=stake.spot,
                    player=stake.player,
                    stake=stake.stake,
                    meter=line.meter,
                    share=share,
                    event=line.event,
                )
            )
    play.do(j.EndHand(jackpot="J", table=table, round=dealt.round, claims=tuple(claims)))


def resolve(play: Play, dice: random.Random) -> None:
    """Pays or denies a win. 000: a win in line behind the fund's is not paid before it (see below)."""
    state = play.state
    if not state.wins:
        return
    key = dice.choice(list(state.wins))
    in_line = isinstance(state, DailyJackpot) and key in state.behind and state.holder
    if dice.random() < 0.5 and not in_line:
        play.do(j.Verify(jackpot="J", win=key), "Vera")
        play.do(j.PayWin(jackpot="J", win=key), "Paul")
    elif play.do(j.DenyWin(jackpot="J", win=key, why="the shoe was short")):
        play.denied.add(key)


def post(play: Play, dice: random.Random) -> None:
    meter = play.state.trigger.lines[0].meter
    values = {meter: dice.choice((1, 77, 800_000, 1_000_000, 1_700_001))}
    if play.plan == "bonus" and dice.random() < 0.4:
        play.do(j.Post(jackpot="J", values=values, seeds={meter: dice.choice((500_000, 1_300_000))}))
    elif play.plan in ("bonus", "posted"):
        play.do(j.Post(jackpot="J", values=values))


def pass_time(play: Play, dice: random.Random) -> None:
    play.at += timedelta(hours=dice.choice((5, 30)))


def replayed_without_denied_wins(play: Play) -> JackpotState:
    """The same requests in the same order, but the denied hands had not won."""
    again = opened(play.plan)
    for step in play.done:
        request = step.request
        if isinstance(request, j.EndHand):
            kept = (claim for claim in request.claims if key_of(play, request, claim) not in play.denied)
            assert again.redo(step._replace(request=request.model_copy(update={"claims": tuple(kept)})))
        elif not isinstance(request, j.Verify | j.PayWin | j.DenyWin) or request.win not in play.denied:
            assert again.redo(step), request
    return again.state


def key_of(play: Play, hand: j.EndHand, claim: j.JackpotClaim) -> str:
    of_meter = f"/{claim.meter}" if play.plan == "posted" else ""
    return f"{hand.table}/{hand.round}{of_meter}"


def amounts(state: JackpotState) -> dict[str, list[int]]:
    return {key: [award.amount for award in win.awards] for key, win in state.wins.items()}


randoms = st.randoms(use_true_random=True)  # evenly spread: rare orders of wins and denials matter


@given(randoms)
@settings(max_examples=EXAMPLES)
def test_003_bonus_a_denial_shows_what_would_be_shown_without_that_win(dice: random.Random) -> None:
    """Other winners keep their amounts: a share of what was displayed to them."""
    play = played("bonus", dice)
    without = replayed_without_denied_wins(play)
    assert isinstance(play.state, BonusJackpot)
    assert isinstance(without, BonusJackpot)
    assert (play.state.value, play.state.seed) == (without.value, without.seed)
    assert (play.state.hits, play.state.queued) == (without.hits, without.queued)
    assert play.state.wins.keys() == without.wins.keys()
    assert play.state.promises.keys() == without.wins.keys()


@given(randoms)
@settings(max_examples=EXAMPLES)
def test_001_a_denial_leaves_everything_as_without_that_win(dice: random.Random) -> None:
    play = played("posted", dice)
    without = replayed_without_denied_wins(play)
    assert isinstance(play.state, PostedJackpot)
    numbered = {"promises"}  # a hand's transfers are numbered, those of the denied wins too
    assert play.state.model_dump(exclude=numbered) == without.model_dump(exclude=numbered)


@given(randoms)
@settings(max_examples=EXAMPLES)
def test_000_a_denial_leaves_the_fund_and_the_winners_as_without_that_win(dice: random.Random) -> None:
    play = played("daily-accrual", dice)
    without = replayed_without_denied_wins(play)
    assert isinstance(play.state, DailyJackpot)
    assert isinstance(without, DailyJackpot)
    for state in (play.state, without):
        assert (state.value, state.next_growth, state.carry) == (without.value, without.next_growth, without.carry)
        assert (state.holder, state.behind, state.stopped() is None) == (
            without.holder, without.behind, without.stopped() is None
        )  # fmt: skip
        assert amounts(state) == amounts(without)


@given(randoms)
@settings(max_examples=EXAMPLES)
def test_003_progressive_a_denial_returns_the_players_money_as_without_that_win(dice: random.Random) -> None:
    """Winners get their share of what was shown at their deal, as far as the meter would hold it without the denied
    wins. Only a reseeding larger than its win stays in the meter: a denial never lowers it."""
    play = played("progressive", dice)
    assert isinstance(play.state, ProgressiveJackpot)
    meter, awards = progressive_without_denied_wins(play)
    assert play.state.meter == meter
    assert amounts(play.state) == awards
    assert play.state.award == sum(sum(shares) for shares in awards.values())
    assert play.state.shortfall == 0


def progressive_without_denied_wins(play: Play) -> tuple[int, dict[str, list[int]]]:
    """The meter and the awards that wait, from what was wagered, shown, paid and denied."""
    state = opened("progressive").state
    assert isinstance(state, ProgressiveJackpot)
    seed, meter, carry, again = state.terms.seed, state.meter, Fraction(0), opened("progressive")
    awards: dict[str, list[int]] = {}
    paid = {step.request.win for step in play.done if isinstance(step.request, j.PayWin)}
    as_locked = dict(locked_amounts(play))
    for step in play.done:
        request = step.request
        if isinstance(request, j.BeginHand):
            carry += state.terms.rate * sum(stake.stake for stake in request.stakes)
            meter, carry = meter + int(carry), carry - int(carry)
        elif isinstance(request, j.EndHand) and request.claims:
            key, shares = f"{request.table}/{request.round}", [claim.share for claim in request.claims]
            shown = again.state.running[request.table].values[LADIES]
            reseeding = seed if sum(shares) >= 1 else 0
            if key in play.denied:
                meter += max(reseeding - sum(as_locked[key]), 0)
            else:
                awards[key] = as_locked[key] if key in paid else share(shown, shares, meter)
                meter += reseeding - sum(awards[key])
        again.redo(step)
    return meter, {key: shares for key, shares in awards.items() if key not in paid}


def locked_amounts(play: Play) -> Iterator[tuple[str, list[int]]]:
    """What each win was when it was paid or denied, or is now."""
    again = opened(play.plan)
    for step in play.done:
        if isinstance(step.request, j.PayWin | j.DenyWin):
            yield step.request.win, amounts(again.state)[step.request.win]
        again.redo(step)
    yield from amounts(again.state).items()


def share(shown: int, shares: list[Fraction], meter: int) -> list[int]:
    """R14: shares of what was shown, scaled down together; at most the meter. Largest remainder, first seat first."""
    exact = [shown * part / max(sum(shares), Fraction(1)) for part in shares]
    wanted = largest_remainder(exact, -int(-sum(exact) // 1))
    if sum(wanted) <= meter:
        return wanted
    return largest_remainder([Fraction(meter * amount, sum(wanted)) for amount in wanted], meter)


def largest_remainder(exact: list[Fraction], total: int) -> list[int]:
    parts = [int(amount) for amount in exact]
    for seat in sorted(range(len(exact)), key=lambda seat: (parts[seat] - exact[seat], seat))[: total - sum(parts)]:
        parts[seat] += 1
    return parts


# --- by example ---------------------------------------------------------------------------------------------------


def denied(driver: BookDriver, win: str) -> None:
    driver.do(j.DenyWin(jackpot="LL", win=win, why="no wager was on the sensor"))


def test_003_bonus_a_denial_after_a_second_win_does_not_inflate_the_meter(driver: BookDriver) -> None:
    """Seed $10,000; 25%, then 100%; the first is denied: $10,000, not $12,500."""
    open_ladies_jackpot(driver, "lucky-ladies")
    driver.hand("T1", {"Ann": 100}, LADIES, {"Ann": PART})
    driver.hand("T1", {"Bob": 100}, LADIES, {"Bob": ALL})
    denied(driver, "T1/1")
    assert driver.meter("LL") == 1_000_000
    denied(driver, "T1/2")
    assert driver.meter("LL") == 1_000_000
    assert driver.check().sound


def test_003_progressive_a_winner_who_got_less_gets_what_was_shown_when_the_other_win_is_denied(
    driver: BookDriver,
) -> None:
    open_ladies_jackpot(driver)
    driver.table("T2", "lucky-ladies-progressive", LL=LADIES)
    first, second = driver.deal("T1", {"Ann": 100}, LADIES), driver.deal("T2", {"Bob": 100}, LADIES)
    driver.settle("T1", first, {"Ann": 100}, LADIES, {"Ann": PART})
    driver.settle("T2", second, {"Bob": 100}, LADIES, {"Bob": ALL})
    driver.do(j.Verify(jackpot="LL", win="T2/1"), actor="Vera")
    shown = 1_000_030
    assert driver.state("LL").wins["T2/1"].amount == shown - 250_004  # Ann's quarter is of what was shown to her
    receipt = driver.do(j.DenyWin(jackpot="LL", win="T1/1", why="the shoe was short"))
    assert driver.state("LL").wins["T2/1"].amount == shown
    assert driver.meter("LL") == 1_000_000
    told: Mapping[str, object] = receipt.answers["jackpot:LL"]
    assert "T2/1" in str(told["wins"])
    with pytest.raises(BookRefused, match="must be verified by a second person"):
        driver.do(j.PayWin(jackpot="LL", win="T2/1"), actor="Paul")
    driver.pay("LL", "T2/1")
    assert driver.own("player:Bob") == shown
    assert driver.check().sound


def hand_across_the_morning(driver: BookDriver) -> int:
    """Bob's hand at T2 was dealt at $1,250, before the accrual of the morning; Ann's at T1 after it, and wins."""
    open_daily_jackpot(driver)
    driver.table("T2", "the-brook", BJ=GALAXY)
    driver.hand("T1", {"Ann": 500}, GALAXY)
    bobs = driver.deal("T2", {"Bob": 500}, GALAXY)
    driver.later(days=1)
    driver.hand("T1", {"Ann": 500}, GALAXY, {"Ann": TOP})
    assert driver.state("BJ").wins["T1/2"].amount == 125_050
    return bobs


def test_000_the_accrual_that_waited_for_a_denied_win_is_added_at_once(driver: BookDriver) -> None:
    hand_across_the_morning(driver)
    driver.later(days=1)
    driver.do(j.AccrueDay(jackpot="BJ", day=date(2026, 3, 3)))
    assert driver.meter("BJ") == 125_050
    driver.do(j.DenyWin(jackpot="BJ", win="T1/2", why="the shoe was short"))
    assert driver.meter("BJ") == 125_100  # Bob's hand is still in play, and keeps its $1,250


def test_000_the_next_winner_in_line_gets_the_fund_of_their_own_deal(driver: BookDriver) -> None:
    bobs = hand_across_the_morning(driver)
    driver.settle("T2", bobs, {"Bob": 500}, GALAXY, {"Bob": TOP})
    driver.do(j.DenyWin(jackpot="BJ", win="T1/2", why="the shoe was short"))
    assert driver.state("BJ").wins["T2/1"].amount == 125_000
    driver.pay("BJ", "T2/1")
    assert driver.meter("BJ") == 125_050
    assert driver.check().sound
