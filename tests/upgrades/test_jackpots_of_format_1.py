"""Jackpots in entries of format 1 are replayed by the rules of their time: posted values, denials, accruals."""

from datetime import date, timedelta
from fractions import Fraction

import pytest
from ledger.book_driver import MORNING, open_jackpot, open_table
from ledger.jackpot_setups import ALL, GALAXY, LADIES, PART, TOP

from upcard.ledger import requests as r
from upcard.ledger import tables
from upcard.ledger.jackpots import requests as j
from upcard.ledger.jackpots.apply import apply
from upcard.ledger.jackpots.jackpot_state import JackpotState
from upcard.ledger.outcome import Moment, Outcome
from upcard.ledger.refusals import BookRefusal, BookRefused

OPENINGS = {
    "daily": ("the-brook", GALAXY, 500),
    "posted": ("lucky-ladies-jackpot", "Lucky Ladies", 1000),
    "bonus": ("lucky-ladies", LADIES, 100),
    "progressive": ("lucky-ladies-progressive", LADIES, 100),
}


class OldJackpot:
    """A jackpot whose entries are all of format 1."""

    def __init__(self, plan: str) -> None:
        layout, wager, self.stake = OPENINGS[plan]
        self.moment = Moment(command="c", part=0, at=MORNING, day=MORNING.date(), actor="Dana", format=1)
        self.state: JackpotState = apply(None, open_jackpot("J", layout, wager), self.moment, lambda _: None).state

    def do(self, request: j.JackpotRequest, actor: str = "Dana") -> Outcome[JackpotState]:
        outcome = apply(self.state, request, self.moment._replace(actor=actor), lambda _: None)
        self.state = outcome.state
        return outcome

    def begin(self, table: str = "T1", number: int = 1, players: int = 1) -> tuple[j.JackpotStake, ...]:
        stakes = tuple(j.JackpotStake(spot=spot, player="Ann", stake=self.stake) for spot in range(1, players + 1))
        self.do(j.BeginHand(jackpot="J", table=table, round=number, stakes=stakes))
        return stakes

    def win(self, *wins: tuple[str, str, str], table: str = "T1", number: int = 1) -> Outcome[JackpotState]:
        """Ends a hand with these wins, spot by spot."""
        claims = tuple(
            j.JackpotClaim(
                spot=spot, player="Ann", stake=self.stake, meter=meter, share=Fraction(share), event=event
            )
            for spot, (meter, share, event) in enumerate(wins, 1)
        )  # fmt: skip
        return self.do(j.EndHand(jackpot="J", table=table, round=number, claims=claims))

    def deny(self, win: str) -> Outcome[JackpotState]:
        return self.do(j.DenyWin(jackpot="J", win=win, why="the shoe was short"))

    def refusal(self, request: j.JackpotRequest) -> BookRefusal:
        with pytest.raises(BookRefused) as caught:
            self.do(request)
        return caught.value.reason

    @property
    def meter(self) -> int:
        return next(iter(self.state.values().values()))


def test_bonus_a_denial_raises_the_display_by_what_the_win_took() -> None:
    jackpot = OldJackpot("bonus")
    for number, win in ((1, PART), (2, ALL)):
        jackpot.begin(number=number)
        jackpot.win(win, number=number)
    jackpot.deny("T1/1")
    assert jackpot.meter == 1_250_000


def test_bonus_a_win_of_format_1_is_denied_by_its_own_drop_after_later_wins() -> None:
    """Locked before the upgrade, denied after it: the full win in between stands."""
    jackpot = OldJackpot("bonus")
    jackpot.begin()
    jackpot.win(PART)
    jackpot.moment = jackpot.moment._replace(format=2)
    jackpot.begin(number=2)
    jackpot.win(ALL, number=2)
    jackpot.deny("T1/1")
    assert jackpot.meter == 1_000_000


@pytest.mark.parametrize("plan", ["posted", "bonus"])
def test_posted_values_are_refused_during_a_hand(plan: str) -> None:
    jackpot = OldJackpot(plan)
    jackpot.begin()
    jackpot.moment = jackpot.moment._replace(at=MORNING + timedelta(days=2))
    post = j.Post(jackpot="J", values={jackpot.state.trigger.lines[0].meter: 5})
    assert jackpot.refusal(post) is BookRefusal.HAND_RUNNING
    jackpot.win()
    assert jackpot.do(post).answer.keys() == {"meters", "wins"}
    assert jackpot.meter == 5


def test_daily_nothing_is_accrued_unless_it_is_asked_for_between_hands() -> None:
    jackpot = OldJackpot("daily")
    jackpot.begin()
    jackpot.win()
    jackpot.moment = jackpot.moment._replace(day=date(2026, 3, 9))
    jackpot.begin(number=2)
    assert jackpot.refusal(j.AccrueDay(jackpot="J", day=date(2026, 3, 8))) is BookRefusal.HAND_RUNNING
    jackpot.win(TOP, number=2)
    assert [win.amount for win in jackpot.state.wins.values()] == [125_000]


def test_a_stake_is_not_reported_to_its_jackpot_before_the_deal() -> None:
    moment = Moment(command="c", part=0, at=MORNING, day=MORNING.date(), actor="Dana")
    layout, wager, _ = OPENINGS["posted"]
    state = tables.apply(None, open_table("T1", layout), moment, lambda _: None).state
    state = tables.apply(state, r.LinkTable(table="T1", wager=wager, jackpot="J"), moment, lambda _: None).state
    stake = r.PlaceStake(table="T1", round=1, spot=1, player="Ann", wager=wager, amount=1000)
    sent = {}
    for written in (1, 2):
        placed = tables.apply(state, stake, moment._replace(format=written), lambda _: None)
        clear = r.ClearStake(table="T1", stake="c")
        cleared = tables.apply(placed.state, clear, moment._replace(format=written), lambda _: None)
        sent[written] = [type(request).__name__ for request in (*placed.onward, *cleared.onward)]
    assert sent == {1: [], 2: ["StakePlaced", "StakesReturned"]}
