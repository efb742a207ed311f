"""A book with random requests: tables of one plan, players, wagers, wins, corrections and daily closes.

Every request may be refused; then nothing may change. `test_random_books.py` checks what must hold after each.
"""

import random
from collections.abc import Callable
from datetime import timedelta

from ledger.book_driver import BookDriver, check_refusal, misdeal, open_jackpot

from upcard.ledger import requests as r
from upcard.ledger.gaming_day import Hours, day_of
from upcard.ledger.jackpots import requests as j
from upcard.ledger.journal import next_day
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefused

PLANS = {
    "daily-accrual": ("the-brook", "Galaxy Bonus Jackpot", "Ante", (500,)),
    "posted": ("lucky-ladies-jackpot", "Lucky Ladies", "Ante", (500, 1000)),
    "bonus": ("lucky-ladies", "Lucky Ladies Jackpot", "Blackjack", (100,)),
    "progressive": ("lucky-ladies-progressive", "Lucky Ladies Jackpot", "Blackjack", (100,)),
}
PLAYERS = ("Ann", "Bob", "Cy")
PEOPLE = ("Dana", "Vera", "Paul")


class RandomBook:
    def __init__(self, driver: BookDriver, plan: str, dice: random.Random) -> None:
        self.driver, self.plan, self.dice = driver, plan, dice
        self.layout, self.wager, self.main, self.amounts = PLANS[plan]
        self.trigger = open_jackpot("J", self.layout, self.wager).trigger
        self.requests: list[tuple[Record, str]] = []
        driver.jackpot("J", self.layout, self.wager)
        for table in ("T1", "T2"):
            driver.table(table, self.layout, J=self.wager)
        for player in PLAYERS:
            driver.do(r.BuyIn(table="T1", player=player, amount=20_000))

    def step(self) -> None:
        """Makes one random request, or a few that belong together."""
        steps: list[tuple[int, Callable[[], None]]] = [
            (9, self.play),
            (3, self.chips),
            (5, self.win),
            (3, self.change),
            (2, self.correct),
            (2, self.tomorrow),
        ]
        weights, actions = zip(*steps, strict=True)
        self.dice.choices(actions, weights)[0]()

    def ask(self, request: Record, *, actor: str = "Dana") -> None:
        name = f"w{len(self.requests)}"
        self.requests.append((request, actor))
        try:
            self.driver.do(request, actor=actor, id=name)
        except BookRefused as refusal:
            check_refusal(refusal)

    # --- a round

    def play(self) -> None:
        table = self.dice.choice(("T1", "T2"))
        state = self.driver.state_of_table(table)
        number = state.rounds + 1
        if state.open is None or (not state.open.locked and self.dice.random() < 0.4):
            for spot, player in enumerate(PLAYERS, 1):
                if self.dice.random() < 0.6:
                    self.stake(table, number, spot, player, self.main, self.dice.randint(1, 40) * 100)
                if self.dice.random() < 0.7:
                    self.stake(table, number, spot, player, self.wager, self.dice.choice(self.amounts))
        elif not state.open.locked and self.dice.random() < 0.2:
            self.ask(r.ClearStake(table=table, stake=self.dice.choice([*state.open.stakes, "none"])))
        elif not state.open.locked:
            self.ask(r.LockRound(table=table, round=number))
        elif self.dice.random() < 0.15:
            self.ask(misdeal(table, number))
        elif self.dice.random() < 0.3:
            slips = self.some(self.slips(table, name_stakes=True))
            self.ask(r.SettleRound(table=table, round=number, slips=slips, final=False))
        elif self.dice.random() < 0.2 and state.open.settled:
            names = [
                r.SlipName(spot=slip.spot, wager=slip.wager)
                for slips in state.open.settled.values()
                for slip in slips
                if self.dice.random() < 0.5
            ]
            self.ask(r.ReverseSlips(table=table, round=number, slips=tuple(names or [r.SlipName(spot=9, wager="X")])))
        else:
            self.ask(r.SettleRound(table=table, round=number, slips=self.slips(table)))

    def some(self, slips: tuple[r.SlipLine, ...]) -> tuple[r.SlipLine, ...]:
        """The slips of some wagers, each complete; rarely one is missing, which is refused."""
        wagers = {(slip.spot, slip.wager) for slip in slips}
        named = {wager for wager in sorted(wagers) if self.dice.random() < 0.5}
        chosen = tuple(slip for slip in slips if (slip.spot, slip.wager) in named)
        return chosen[1:] if self.dice.random() < 0.1 else chosen

    def stake(self, table: str, number: int, spot: int, player: str, wager: str, amount: int) -> None:
        stakes = ((wager, amount),)
        self.ask(r.PlaceStakes(table=table, round=number, spot=spot, player=player, stakes=stakes))

    def slips(self, table: str, *, name_stakes: bool = False) -> tuple[r.SlipLine, ...]:
        on_felt = self.driver.state_of_table(table).open
        assert on_felt is not None
        slips, claimed = [], set()
        for name, stake in on_felt.stakes.items():
            claim = None
            key = (stake.spot, stake.amount)
            if stake.wager == self.wager and key not in claimed and self.dice.random() < 0.4:
                line = self.dice.choice(self.trigger.lines)
                share = line.share / 2 if self.plan == "posted" and stake.amount == 500 else line.share
                claim = r.ClaimLine(meter=line.meter, share=share, event=line.event)
                claimed.add(key)
            returned = self.dice.choice((0, stake.amount)) if stake.wager == self.main else 0
            paid = self.dice.choice((0, stake.amount, stake.amount * 3 // 2)) if returned else 0
            slips.append(
                r.SlipLine(
                    spot=stake.spot,
                    player=stake.player,
                    wager=stake.wager,
                    stake=stake.amount,
                    paid=paid,
                    returned=returned,
                    promotion=paid // 3,
                    claim=claim,
                    stakes=(name,) if name_stakes else (),
                )
            )
        return tuple(slips)

    # --- chips, wins, changes

    def chips(self) -> None:
        table, player = self.dice.choice(("T1", "T2")), self.dice.choice(PLAYERS)
        amount = self.dice.choice((1, 333, 5_000, 60_000))
        requests: list[Record] = [
            r.Fill(table=table, amount=amount),
            r.Credit(table=table, amount=amount * 100),
            r.BuyIn(table=table, player=player, amount=amount),
            r.CashOut(table=table, player=player, amount=amount),
            r.Tip(table=table, player=player, amount=amount),
            r.PayTips(table=table, amount=amount),
            r.CountTray(
                table=table,
                counted=self.dice.choice((0, 100_000)),
                expected=self.driver.own(f"tray:{table}") + self.dice.choice((0, 0, 1)),
                why=self.dice.choice(("", "a chip fell")),
            ),
        ]
        self.ask(self.dice.choice(requests))

    def win(self) -> None:
        waiting = [*self.driver.state("J").wins, "none"]
        key = waiting[0] if self.dice.random() < 0.9 else waiting[-1]
        requests: list[Record] = [
            j.Verify(jackpot="J", win=key),
            j.PayWin(jackpot="J", win=key),
            j.DenyWin(jackpot="J", win=key, why="the shoe was short"),
        ]
        self.ask(self.dice.choices(requests, (5, 4, 2))[0], actor=self.dice.choice(PEOPLE))

    def change(self) -> None:
        amount = self.dice.choice((1, 40, 12_345, 1_000_000, 1_500_000))
        meter = self.trigger.lines[0].meter
        requests: list[Record] = [
            j.Post(jackpot="J", values={meter: amount}),
            j.WithdrawPost(jackpot="J"),
            j.AccrueDay(jackpot="J", day=day_of(self.driver.at, self.hours()) - timedelta(days=1)),
            j.SetCap(jackpot="J", cap=self.dice.choice((1_000_020, 1_000_100, 2_000_000))),
            j.Deposit(jackpot="J", amount=amount),
            j.EscrowLost(jackpot="J", amount=amount, why="a fee of the bank"),
            j.CureEscrow(jackpot="J", amount=amount),
            j.Suspend(jackpot="J", why="the display is dark"),
            j.Resume(jackpot="J"),
            j.Resume(jackpot="J"),
            *(self.reduction(amount) for _ in range(5)),
        ]
        self.ask(self.dice.choice(requests))

    def reduction(self, amount: int) -> Record:
        contributions = [
            f"w{number}#1.0" for number, (request, _) in enumerate(self.requests) if isinstance(request, r.LockRound)
        ]
        return j.Reduce.model_validate(
            {
                "jackpot": "J",
                "reason": self.dice.choice(("malfunction", "to-cap", "gross-receipts", "seed")),
                "source": self.dice.choice(("meter", "reserve", "overflow")),
                "amount": self.dice.choice((1, 5, amount)),
                "second": self.dice.choice(PEOPLE),
                "document": "form 12",
                "corrects": self.dice.choice(contributions or ["none"]),
            }
        )

    def correct(self) -> None:
        number = self.dice.randrange(len(self.requests) + 1)
        player = self.dice.choice(("", "Ann"))
        self.ask(
            r.Correct(
                table=self.dice.choice(("T1", "T2")),
                transfer=self.dice.choice((f"w{number}", f"w{number}#0.{self.dice.randrange(9)}")),
                amount=self.dice.choice((1, 100, 5_000)),
                to_player=player,
                why="it was counted wrong",
            )
        )

    def tomorrow(self) -> None:
        self.driver.later(hours=self.dice.choice((5, 30)))
        today = day_of(self.driver.at, self.hours())
        closed = self.driver.house().closed
        self.ask(r.CloseDay(day=next_day(closed) if closed else today - timedelta(days=1)))

    def hours(self) -> tuple[Hours, ...]:
        return self.driver.house().hours
