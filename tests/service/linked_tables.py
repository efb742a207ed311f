"""Two tables of one layout, linked to one jackpot, with a player at each."""

from typing import Any

from service.conftest import NewDriver
from service.table_driver import TableDriver

from upcard.ledger.jackpots import requests as j
from upcard.ledger.jackpots.jackpot_state import JackpotState
from upcard.service import commands as s
from upcard.service.pending import Answer

JACKPOT = "J"
WAGERS = {
    "the-brook": ("Ante", "Galaxy Bonus Jackpot", 5_00),
    "lucky-ladies-jackpot": ("Ante", "Lucky Ladies", 10_00),
    "lucky-ladies": ("Blackjack", "Lucky Ladies Jackpot", 1_00),
}
PLAYERS = {"T1": "Ann", "T2": "Bob"}


class LinkedTables:
    """T1 with Ann and T2 with Bob, on spot 1 each."""

    def __init__(self, new_driver: NewDriver, layout: str) -> None:
        self.main, self.wager, self.stake = WAGERS[layout]
        self.driver: TableDriver = new_driver(layout, jackpots={self.wager: JACKPOT})
        self.driver.do(s.OpenTable(table="T2", layout=layout, tray=10_000_00, jackpots={self.wager: JACKPOT}))
        for table, player in PLAYERS.items():
            self.driver.do(s.BuyIn(table=table, player=player, amount=1000_00))
            self.say(table, s.Seat, spot=1, player=player)

    def say(self, table: str, kind: type[s.TableCommand], **words: Any) -> Answer:
        """The table's player says something."""
        if "player" in s.fields_of(kind):
            words = {"player": PLAYERS[table], **words}
        return self.driver.do(kind(table=table, **words), actor=PLAYERS[table], role="player")

    def bet(self, table: str, *, jackpot: bool = True) -> Answer:
        stakes = {self.main: 10_00, **({self.wager: self.stake} if jackpot else {})}
        return self.say(table, s.Bet, spot=1, stakes=stakes)

    def play(self, table: str, *, jackpot: bool = True) -> None:
        """A whole round: the player stays."""
        self.bet(table, jackpot=jackpot)
        self.say(table, s.Ready)
        self.play_on(table)

    def play_on(self, table: str) -> None:
        while self.live(table).table.round is not None:
            self.driver.later(60)

    def live(self, table: str) -> Any:
        return self.driver.service.desk.live(table)

    def house(self, request: s.HouseRequest, actor: str = "Jack") -> Answer:
        return self.driver.do(s.House(request=request), actor=actor)

    def pay(self) -> None:
        (win,) = self.state.wins
        self.house(j.Verify(jackpot=JACKPOT, win=win), "Vera")
        self.house(j.PayWin(jackpot=JACKPOT, win=win), "Paul")

    @property
    def state(self) -> JackpotState:
        with self.driver.service.desk.book.look() as clerk:
            return clerk.jackpot(JACKPOT)

    @property
    def meter(self) -> int:
        return next(iter(self.state.values().values()))
