"""Two tables of a house that play for one jackpot."""

from datetime import timedelta
from typing import Any

from api.house import ApiUser, House

from upcard.ledger.journal import utc_now
from upcard.people import Role
from upcard.service import commands as s

SUITED_ACES = "Ah Ah Ah 9c"
QUEENS_OF_HEARTS = "Qh Qh Qh 9c"
JACKPOT = "Linked"


class LinkedHouse:
    """T1 with Ann and T2 with Bob, linked to one jackpot; the tables' clock moves when a test says so."""

    def __init__(self, house: House, layout: str, main: str, wager: str, stake: int) -> None:
        self.stakes, self.ahead = {main: 10_00, wager: stake}, timedelta(0)
        house.server.service.desk.clock = lambda: utc_now() + self.ahead
        for table in ("T1", "T2"):
            pace = s.Pace(betting=600, decision=600, insurance=600)
            house.do(s.OpenTable(table=table, layout=layout, tray=10**7, jackpots={wager: JACKPOT}, pace=pace))
        self.ann, self.bob = house.player(name="Ann"), house.player(name="Bob")
        self.jack = house.somebody(Role.JACKPOTS, name="Jack")
        self.aud = house.somebody(Role.AUDITOR, name="Aud")
        for table, player in (("T1", self.ann), ("T2", self.bob)):
            assert player.say(table, "seat", player=player.name, spot=1).status_code == 200

    def bet(self, player: ApiUser, table: str) -> Any:
        return player.say(table, "bet", spot=1, stakes=self.stakes)

    def play_on(self, player: ApiUser, table: str) -> None:
        """The player stays and does not insure."""
        player.say(table, "ready", player=player.name)
        while player.get(f"/api/tables/{table}").json()["state"]["round"] is not None:
            if player.say(table, "stay", spot=1).status_code != 200:
                assert player.say(table, "decline-insurance", spot=1).status_code == 200

    def jackpot(self, player: ApiUser) -> Any:
        return next(line for line in player.get("/api/jackpots").json() if line["jackpot"] == JACKPOT)

    def later(self, **by: float) -> None:
        self.ahead += timedelta(**by)
