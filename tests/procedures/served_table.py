"""A table served from a book of its own, for clauses about what happens around a round."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from service.table_driver import StackedShoe, TableDriver, play_on

from upcard.catalog.index import Catalog
from upcard.ledger.jackpots.requests import PayWin, Verify
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service import table_shoes
from upcard.service.jackpot_lines import JackpotLine
from upcard.service.meters import Meters
from upcard.service.refusals import Refused


class ServedTable(TableDriver):
    """The table `T1` with a jackpot for each jackpot wager of its layout, named after the wager."""

    def play(self, stakes: dict[str, dict[str, int]]) -> None:
        """A round in which these players make these wagers and stay."""
        self.bet_all(stakes)
        self.floor(s.Deal)
        play_on(self)

    def bet_all(self, stakes: dict[str, dict[str, int]]) -> None:
        for spot, (player, wagers) in enumerate(stakes.items(), 1):
            self.say(player, s.Bet, spot=spot, stakes=wagers)

    def meters(self) -> dict[str, int]:
        """Every meter as the jackpot displays show it."""
        return {meter: amount for line in self.lines() for meter, amount in line["meters"].items()}

    def lines(self) -> list[JackpotLine]:
        return Meters(self.service.desk.book).rows()

    def pay_win(self) -> dict[str, int]:
        """Verifies and pays the one win that waits; returns what each winner is paid."""
        (line,) = (line for line in self.lines() if line["waiting"])
        (win,) = line["waiting"]
        named = {"jackpot": line["jackpot"], "win": win["win"]}
        self.do(s.House(request=Verify(**named)), actor="Vera")
        self.do(s.House(request=PayWin(**named)), actor="Pat")
        return {self.live.table.seats[award["spot"]]: award["amount"] for award in win["awards"]}

    def reason(self, command: s.Command) -> str:
        """Why a command is refused; empty if it is not."""
        try:
            self.do(command)
        except Refused as refused:
            return refused.reason
        return ""


@contextmanager
def served(catalog: Catalog, layout: str, cards: str = "", *players: str) -> Iterator[ServedTable]:
    """A table with these players; each shoe begins with these cards. The book must be sound at the end."""
    shoe = StackedShoe()
    shoe(cards)
    jackpots = {settings.wager: settings.wager for settings in catalog.layout(layout).jackpot}
    with TemporaryDirectory() as folder, mock.patch.object(table_shoes, "new_shoe", shoe.order):
        address = str(shutil.copy(_empty_book(), Path(folder) / "book.db"))
        table = ServedTable(address, layout, catalog=catalog, jackpots=jackpots)
        try:
            table.sit(*players)
            yield table
            table.end()
        finally:
            for service in table.services:
                service.desk.store.close()


@cache
def _empty_book() -> Path:
    path = Path(_FOLDER.name) / "empty.db"
    Store.create(str(path)).close()
    return path


_FOLDER = TemporaryDirectory()  # removed when the tests end
