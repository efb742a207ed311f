"""A jackpot of a catalog, by the rules of the book alone: hands at one table, wins, payments, posted values."""

from datetime import UTC, datetime, timedelta

from procedures.catalogs import default_layout

from upcard.catalog.index import Catalog
from upcard.ledger.jackpots import requests as j
from upcard.ledger.jackpots.apply import apply
from upcard.ledger.jackpots.hands_and_wins import JackpotState
from upcard.ledger.jackpots.terms import terms_of, trigger_of
from upcard.ledger.outcome import Moment
from upcard.ledger.refusals import BookRefused


class JackpotByRules:
    """The first jackpot of a filing's default layout."""

    def __init__(self, catalog: Catalog, number: str, stake: int) -> None:
        layout = default_layout(catalog, number)
        wager, self.stake, self.rounds = layout.jackpot[0].wager, stake, 0
        self.at = datetime(2026, 3, 2, 18, tzinfo=UTC)
        self.state: JackpotState | None = None
        terms, trigger = terms_of(catalog, layout, wager), trigger_of(catalog, layout, wager)
        self.do(j.AddJackpot(jackpot="J", layout=layout.slug, rules="", wager=wager, terms=terms, trigger=trigger))

    def do(self, request: j.JackpotRequest, actor: str = "Dana") -> None:
        moment = Moment(command="c", part=0, at=self.at, day=self.at.date(), actor=actor)
        self.state = apply(self.state, request, moment, lambda _: None).state

    def refused(self, request: j.JackpotRequest) -> str:
        """The code of a refusal; empty: the request was carried out."""
        try:
            self.do(request)
        except BookRefused as refusal:
            return str(refusal.reason.value)
        return ""

    def later(self, **by: float) -> None:
        self.at += timedelta(**by)

    def deal(self, *stakes: int) -> None:
        """A hand; each spot has the jackpot wager."""
        self.rounds += 1
        wagers = tuple(
            j.JackpotStake(spot=spot, player=f"P{spot}", stake=stake)
            for spot, stake in enumerate(stakes or (self.stake,), 1)
        )
        self.do(j.BeginHand(jackpot="J", table="T", round=self.rounds, stakes=wagers))

    def end(self, *, won: bool = False) -> None:
        """The end of the hand; won: with the first line of the paytable."""
        assert self.state is not None
        line = self.state.trigger.lines[0]
        claims = []
        for wager in self.state.running["T"].stakes if won else ():
            share = line.share_at(wager.stake)
            assert share is not None
            claims.append(
                j.JackpotClaim(
                    spot=wager.spot,
                    player=wager.player,
                    stake=wager.stake,
                    meter=line.meter,
                    share=share,
                    event=line.event,
                )
            )
        self.do(j.EndHand(jackpot="J", table="T", round=self.rounds, claims=tuple(claims)))

    def pay(self) -> None:
        assert self.state is not None
        (win,) = self.state.wins
        self.do(j.Verify(jackpot="J", win=win), "Vera")
        self.do(j.PayWin(jackpot="J", win=win), "Paul")

    @property
    def meters(self) -> dict[str, int]:
        assert self.state is not None
        return self.state.values()
