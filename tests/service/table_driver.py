"""Drives a service with one table, `T1`, in tests: with a clock that tests move, and stacked shoes."""

import random
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from support.empty_books import KEYRING

from upcard.cards import DECK, Card, read_cards
from upcard.cards.shoe import Margins, Shoe, Shuffle, new_shoe
from upcard.catalog import Catalog, shipped
from upcard.ledger import schema as book
from upcard.ledger.accounts import Account
from upcard.ledger.check import check
from upcard.ledger.gaming_day import Hours
from upcard.ledger.requests import SetHours
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.live_table import LiveTable
from upcard.service.pending import Answer
from upcard.service.refusal_chains import NO_STREAM
from upcard.service.refusals import Refused, ServiceRefusal
from upcard.service.running import Service, bootstrap
from upcard.service.timers import fire_due

START = datetime(2026, 3, 2, 18, tzinfo=UTC)
HOURS = SetHours(hours=Hours(since=date(2026, 3, 1), zone="America/New_York", start=6))
MAIN = {
    "bet-bigger": "Ante",
    "the-brook": "Ante",
    "lucky-ladies-jackpot": "Ante",
    "lucky-ladies-jackpot-two-decks": "Ante",
}
Rows = dict[str, Counter[tuple[Any, ...]]]


class TableDriver:
    """The house is open, and so is `T1`."""

    def __init__(
        self,
        address: str,
        layout: str = "bet-bigger",
        *,
        seed: int = 1,
        hours: bool = True,
        readings: Mapping[str, str] | None = None,
        catalog: Catalog | None = None,
        **opening: Any,
    ) -> None:
        self.address, self.layout, self.now, self.count = address, layout, START, 0
        self.catalog = catalog or (_reading_otherwise(layout, readings) if readings else shipped())
        self.entropy, self.spoiled = random.Random(seed).randbytes, False
        self.services: list[Service] = []
        self.service = self.another_service()
        if not hours:
            return
        self.do(s.House(request=HOURS))
        self.do(s.OpenTable(table="T1", layout=layout, **{"tray": 100_000_00, **opening}))

    def another_service(self) -> Service:
        """One more process with its own memory."""
        store = Store.open(self.address, KEYRING)
        with store.transaction():
            pass  # the first writer gives the book its first key
        self.services.append(bootstrap(store, clock=lambda: self.now, entropy=self.entropy, catalog=self.catalog))
        return self.services[-1]

    def restart(self) -> None:
        """Everything in memory is lost."""
        self.service = self.another_service()

    def end(self) -> None:
        """The book is sound, whatever was done."""
        with self.service.desk.book.look() as clerk:
            findings = check(clerk.unit).findings
        for service in self.services:
            service.desk.store.close()
        assert self.spoiled or findings == ()

    # --- asking

    def do(self, command: s.Command, *, id: str = "", actor: str = "Dana", role: str = "floor") -> Answer:  # noqa: A002 - the word for it
        """Sends a command; the first bet of a gaming day is placed again after the shoe was changed."""
        self.count += 1
        name = id or f"c{self.count}"
        try:
            return self.service.desk.do(command, id=name, actor=actor, role=role)
        except Refused as refused:
            if refused.reason != ServiceRefusal.NEW_GAMING_DAY.name:
                raise
        return self.service.desk.do(command, id=f"{name}-again", actor=actor, role=role)

    def floor(self, kind: type[s.TableCommand], **words: Any) -> Answer:
        """Somebody of the house says something at T1."""
        return self.do(kind(table="T1", **words))

    def say(self, player: str, kind: type[s.TableCommand], **words: Any) -> Answer:
        """Sends a player's command at T1; the command names that player where it names one."""
        if "player" in s.fields_of(kind):
            words = {"player": player, **words}
        return self.do(kind(table="T1", **words), actor=player, role="player")

    def refused(self, player: str, kind: type[s.TableCommand], **words: Any) -> tuple[str, str]:
        """Why a player is refused; nothing has changed but that it was written down."""
        return self._refusal_of(lambda: self.say(player, kind, **words))

    def refused_floor(self, kind: type[s.TableCommand], **words: Any) -> tuple[str, str]:
        """Why somebody of the house is refused."""
        return self._refusal_of(lambda: self.floor(kind, **words))

    def refused_do(self, command: s.Command, **how: str) -> tuple[str, str]:
        return self._refusal_of(lambda: self.do(command, **how))

    def _refusal_of(self, send: Any) -> tuple[str, str]:
        before = self.rows()
        try:
            send()
        except Refused as refused:
            after = self.rows()
            new = after.pop("refusals") - before.pop("refusals")
            for rows in (before, after):  # a row without records says nothing; the chain of refusals grows by one
                rows["streams"] = Counter(row[:-2] for row in rows["streams"].elements() if row[1])
                rows["logs"] = Counter(row for row in rows["logs"].elements() if row[0] != NO_STREAM)
            assert after == before
            assert new.total() == 1
            return refused.reason, refused.sentence
        raise AssertionError("this was not refused")

    def sit(self, *players: str, chips: int = 1000_00) -> None:
        """Players with chips, side by side from spot 1 on."""
        for spot, player in enumerate(players, 1):
            if self.bankroll(player) == 0 and chips:
                self.floor(s.BuyIn, player=player, amount=chips)
            self.say(player, s.Seat, spot=spot)

    def bet(self, player: str, spot: int, amount: int = 10_00, **more: int) -> Answer:
        """The main wager, and others."""
        return self.say(player, s.Bet, spot=spot, stakes={MAIN.get(self.layout, "Blackjack"): amount, **more})

    def later(self, seconds: float) -> list[Answer]:
        """The clock goes on, and what has run out is fired."""
        self.now += timedelta(seconds=seconds)
        return fire_due(self.service.desk, self.service.queries)

    # --- looking

    @property
    def live(self) -> LiveTable:
        return self.service.desk.live("T1")

    def bankroll(self, player: str) -> int:
        return self.service.queries.bankroll(player)

    def balance(self, account: str) -> int:
        parsed = Account.parse(account)
        with self.service.desk.book.look() as clerk:
            return clerk.balance(parsed).own(parsed.kind.side)

    def rows(self) -> Rows:
        """Everything that is kept."""
        tables: Mapping[str, sa.Table] = {**book.metadata.tables, **schema.metadata.tables}
        with self.service.desk.store.view() as unit:
            return {
                name: Counter(tuple(row) for row in unit.connection.execute(sa.select(table)))
                for name, table in tables.items()
            }

    def round(self, number: int) -> Any:
        return self.service.queries.round("T1", number)


def _reading_otherwise(layout: str, readings: Mapping[str, str]) -> Catalog:
    """The shipped catalog with one layout that chooses other readings."""
    catalog = Catalog(shipped().folder)
    changed = shipped().layout(layout).model_copy(update={"readings": dict(readings)})
    catalog.__dict__["layouts"] = {**shipped().layouts, layout: changed}
    return catalog


def events(answer: Answer) -> list[str]:
    """What happened, by name."""
    return [str(event["event"]) for event in answer.events]


def one_round(driver: TableDriver) -> None:
    """Ann plays a round on spot 1."""
    driver.bet("Ann", 1)
    driver.say("Ann", s.Ready)
    play_on(driver)


def play_on(driver: TableDriver) -> None:
    """Everybody stays, and nobody insures."""
    while driver.live.table.round is not None:
        driver.later(60)


class StackedShoe:
    """Shoes whose first cards are chosen by the test; the rest are shuffled."""

    def __init__(self) -> None:
        self.cards: tuple[Card, ...] = ()
        self.cut_card = 0  # where it lies; 0: where the rules put it

    def __call__(self, cards: str) -> None:
        self.cards = tuple(read_cards(cards))

    def order(self, decks: int, shuffle: Shuffle, margins: Margins) -> Shoe:
        shoe = new_shoe(decks, shuffle, margins)
        remaining = Counter(dict.fromkeys(DECK, decks)) - Counter(self.cards)
        others = []
        for card in shoe.order:
            if remaining[card]:
                remaining[card] -= 1
                others.append(card)
        return Shoe(shuffle=shuffle, order=(*self.cards, *others), cut_card=self.cut_card or shoe.cut_card)
