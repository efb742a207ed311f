"""Random commands of guests, dealers and the floor: mostly legal, now and then illegal.

They depend only on the seed and the state of the tables.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from support.random_play import command_of

from upcard.engine import commands as c
from upcard.engine import legal
from upcard.engine.round import Round
from upcard.engine.terms import Terms
from upcard.ledger.gaming_day import Hours
from upcard.ledger.jackpots import requests as j
from upcard.ledger.requests import SetHours
from upcard.service import commands as s
from upcard.service.live_table import LiveTable
from upcard.units import Cents

LAYOUTS = {
    "Pitch": "lucky-ladies-jackpot-two-decks",
    "Brook": "the-brook",
    "Ladies": "lucky-ladies-progressive",
    "Double": "double-action",
    "Bigger": "bet-bigger",
}
JACKPOTS = {"Ladies": {"Lucky Ladies Jackpot": "LL", "21+3 Jackpot": "21+3"}}
GUESTS = ("Ann", "Bob", "Cleo", "Dov", "Eve")

_AT_A_SPOT: Mapping[type, type[s.TableCommand]] = {
    c.Hit: s.Hit,
    c.Stay: s.Stay,
    c.Split: s.Split,
    c.Surrender: s.Surrender,
    c.DeclineInsurance: s.DeclineInsurance,
    c.TakeEvenMoney: s.TakeEvenMoney,
}
_CLOSING = (c.CloseBetting, c.CloseLateWagers, c.CloseInsurance)


@dataclass(frozen=True, slots=True)
class Submission:
    """A command with its id and who asks; asked again it is the same."""

    command: s.Command
    id: str
    actor: str
    role: str = "floor"


def opening(tables: Mapping[str, str], pace: s.Pace, *, prefix: str = "open") -> list[Submission]:
    """The house sets its hours and opens its tables."""
    hours = SetHours(hours=Hours(since=date(2026, 3, 1), zone="America/Los_Angeles", start=6))
    submissions = [Submission(s.House(request=hours), f"{prefix}-hours", "Dana")]
    for table, layout in tables.items():
        links = {wager: f"{name} {table}" for wager, name in JACKPOTS.get(table, {}).items()}
        opened = s.OpenTable(table=table, layout=layout, tray=50_000_00, jackpots=links, pace=pace)
        submissions.append(Submission(opened, f"{prefix}-{table}", "Dana"))
    return submissions


class RandomCommands:
    """Chooses what is asked next."""

    def __init__(self, seed: object, *, prefix: str = "c", odd: float = 0.06) -> None:
        self.chance = random.Random(f"crowd {seed}")
        self.prefix, self.odd = prefix, odd
        self.asked = 0

    def next_command(self, live: LiveTable) -> Submission:
        """Something for a table."""
        if self.chance.random() < self.odd:
            return self._odd(live)
        if not live.opened:
            return self._floor(s.OpenTable(table=live.name, layout=live.layout, tray=30_000_00, why="counted again"))
        state, terms = live.table.round, live.table.terms
        if state is None or terms is None:
            return self._between_rounds(live)
        if self.chance.random() < 0.06:
            return self._during_a_round(live)
        return self._play(live, state, terms)

    def house(self, live: LiveTable) -> Submission:
        """Something for the whole house: jackpots stop, go on, and their money is brought to the bank."""
        links = sorted(JACKPOTS.get(live.name, {}).values())
        jackpot = f"{self.chance.choice(links)} {live.name}" if links else "nobody's"
        requests = (
            j.Suspend(jackpot=jackpot, why="a display is dark"),
            j.Resume(jackpot=jackpot),
            j.Resume(jackpot=jackpot),
            j.Deposit(jackpot=jackpot, amount=1_00),
        )
        return self._floor(s.House(request=self.chance.choice(requests)))

    # --- kinds of wishes ------------------------------------------------------------------------------------------

    def _play(self, live: LiveTable, state: Round, terms: Terms) -> Submission:
        choices = legal(state, terms)
        closing = [choice for choice in choices if choice.order in _CLOSING]
        if closing and (len(state.spots) >= len(live.table.seats) or self.chance.random() < 0.3):
            if self.chance.random() < 0.4:
                player = self.chance.choice(live.players)
                return self._guest(player, s.Ready(table=live.name, player=player))
            return self._floor(s.Deal(table=live.name))
        preferred = [choice for choice in choices if choice.order is not c.ClearWagers or self.chance.random() < 0.05]
        order = command_of(self.chance.choice(preferred or list(choices)), self.chance)
        if isinstance(order, (*_CLOSING, c.DealCard, c.Peek)):
            return self._floor(s.Deal(table=live.name))
        return self._guest(live.table.seats[order.spot], _said(live.name, order))

    def _between_rounds(self, live: LiveTable) -> Submission:
        if live.table.closed:
            return self._floor(s.CloseTable(table=live.name, tray=30_000_00, why="counted"))
        if len(live.players) < 2 or self.chance.random() < 0.1:
            return self._newcomer(live)
        if self.chance.random() < 0.25:
            return self._guests_affair(live)
        if self.chance.random() < 0.08:
            return self._floors_affair(live)
        spot, player = self.chance.choice(sorted(live.table.seats.items()))
        main, amount = live.table.layout.wager[0].name, live.table.posted_minimum * self.chance.randint(1, 3)
        return self._guest(player, s.Bet(table=live.name, spot=spot, stakes={main: amount}))

    def _newcomer(self, live: LiveTable) -> Submission:
        player = self.chance.choice(GUESTS)
        if self.chance.random() < 0.6:
            spot = self.chance.randint(1, live.table.layout.spots)
            return self._guest(player, s.Seat(table=live.name, player=player, spot=spot))
        return self._floor(s.BuyIn(table=live.name, player=player, amount=self.chance.randint(10, 100) * 100_00))

    def _guests_affair(self, live: LiveTable) -> Submission:
        table, player = live.name, self.chance.choice(live.players)
        chips = self.chance.choice(
            (
                s.BuyIn(table=table, player=player, amount=500_00),
                s.BuyIn(table=table, player=player, amount=3000_00),
                s.CashOut(table=table, player=player, amount=self.chance.randint(1, 40) * 5_00),
                s.Tip(table=table, player=player, amount=5_00),
            )
        )
        if self.chance.random() < 0.4:
            return self._floor(chips)
        return self._guest(
            player,
            self.chance.choice(
                (
                    s.Leave(table=table, player=player),
                    s.Away(table=table, player=player),
                    s.SitOut(table=table, player=player),
                    s.Back(table=table, player=player),
                    s.Cut(table=table, player=player, words=f"lucky {self.asked}"),
                )
            ),
        )

    def _floors_affair(self, live: LiveTable) -> Submission:
        table, player = live.name, self.chance.choice(live.players)
        return self._floor(
            self.chance.choice(
                (
                    s.Fill(table=table, amount=1000_00),
                    s.Credit(table=table, amount=100_00),
                    s.PostMinimum(table=table, amount=Cents(self.chance.choice((5_00, 10_00, 25_00)))),
                    s.NotifyFlatBet(table=table, player=player),
                    s.AskToRelinquish(table=table, player=player),
                    s.SetShuffler(table=table, shuffler=self.chance.choice(("hand", "automatic"))),
                    s.PayTips(table=table, amount=5_00),
                    s.AnnounceClosing(table=table),
                    s.CloseTable(table=table, tray=30_000_00, why="counted"),
                )
            ),
        )

    def _during_a_round(self, live: LiveTable) -> Submission:
        table, player = live.name, self.chance.choice(live.players)
        return self.chance.choice(
            (
                self._floor(s.Void(table=table, why="a card was seen")),
                self._floor(s.Deal(table=table)),
                self._floor(s.BuyIn(table=table, player=player, amount=2000_00)),
                self._guest(player, s.Away(table=table, player=player)),
                self._guest(player, s.Back(table=table, player=player)),
            )
        )

    def _odd(self, live: LiveTable) -> Submission:
        """Refused, mostly."""
        table, player, spot = live.name, self.chance.choice(GUESTS), self.chance.randint(1, 6)
        return self.chance.choice(
            (
                self._guest(player, s.Hit(table=table, spot=spot)),
                self._guest(player, s.Bet(table=table, spot=spot, stakes={"Sic Bo": 5_00})),
                self._guest(player, s.Bet(table=table, spot=spot, stakes={"Blackjack": 5_01})),
                self._guest("Mallory", s.CashOut(table=table, player=player, amount=1_00)),
                self._guest(player, s.CashOut(table=table, player=player, amount=1_000_000_00)),
                self._guest(player, s.Void(table=table, why="I lost")),
                self._guest(player, s.Stay(table="Nowhere", spot=spot)),
                self._floor(s.Reset(table=table, why="a whim")),
                self._floor(s.OpenTable(table=table, layout=live.layout, tray=1_00)),
                self._floor(s.OpenTable(table="Attic", layout="no-such-layout", tray=1_00)),
                self._floor(s.Timeout(table=table, key=f"{live.round}/betting")),
                self._floor(s.Timeout(table=table, key="yesterday")),
            )
        )

    def _guest(self, player: str, command: s.Command) -> Submission:
        return self._numbered(command, player, "player")

    def _floor(self, command: s.Command) -> Submission:
        return self._numbered(command, "Dana", "floor")

    def _numbered(self, command: s.Command, actor: str, role: str) -> Submission:
        self.asked += 1
        return Submission(command, f"{self.prefix}{self.asked}", actor, role)


def _said(table: str, order: c.Command) -> s.TableCommand:
    match order:
        case c.PlaceWager(spot, wager, amount):
            return s.Bet(table=table, spot=spot, stakes={wager: amount})
        case c.ClearWagers(spot, wager):
            return s.ClearWagers(table=table, spot=spot, wager=wager)
        case c.Insure(spot, amounts):
            return s.Insure(table=table, spot=spot, amount=amounts[0][1] or None)
        case c.Double(spot, doubled):
            return s.Double(table=table, spot=spot, amounts=doubled)
        case _:
            return _AT_A_SPOT[type(order)](table=table, spot=order.spot)  # type: ignore[union-attr, call-arg]  # each has a spot alone
