"""A whole house in a small book: five games, jackpots, people and approvals, corrections, refusals, hands in play.

It is written with a clock and entropy of its own, so that a book of today can be kept as text and opened by every later
version; and it plays on in a book that an earlier version wrote.
"""

import base64
import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta

import pyotp
import sqlalchemy as sa

from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.engine.awaiting import (
    DealerCard,
    InsuranceAnswers,
    Nothing,
    PeekAnswer,
    PlayerCard,
    PlayerDecision,
    Wagers,
    awaiting,
)
from upcard.ledger.gaming_day import Hours
from upcard.ledger.jackpots.requests import HandOverVerification, PayWin, Verify
from upcard.ledger.keyring import Keyring
from upcard.ledger.requests import CloseDay, SetHours
from upcard.ledger.store import Store
from upcard.people import Approval, PasswordCost, People, Role, Session
from upcard.people import schema as people_schema
from upcard.people.person import name_key
from upcard.service import commands as s
from upcard.service.bots import Bot, role_of
from upcard.service.live_table import LiveTable
from upcard.service.refusals import Refused
from upcard.service.running import Service, bootstrap
from upcard.service.whole_book_check import FullReport, check_everything
from upcard.strategy import usual
from upcard.units import Cents

PASSWORD = "seven red chairs by the door"
START = datetime(2026, 3, 2, 18, tzinfo=UTC)
KEY = bytes(range(32))
LAYOUTS = {
    "Brook": "the-brook",
    "Ladies": "lucky-ladies-jackpot",
    "Bigger": "bet-bigger",
    "Bust": "lucky-ladies",
    "Action": "double-action",
}
BY_HAND = "Progressive"
JACKPOT = "Lucky Ladies Jackpot"
MIDDLE_OF_A_HAND = ("Brook", "Action")
APPROVAL = '{"do":"pay-win","win":"W1"}'


class House:
    """A service and its people in one process."""

    def __init__(
        self, store: Store, now: datetime = START, catalog: Catalog | None = None, seed: str = "house"
    ) -> None:
        self.store, self.now, self.count = store, now, 0
        self.link = ""  # for tests to remember, as are the next two
        self.session: Session
        self.approval: Approval
        self.name = f"{seed}-{now:%d-%H%M%S}"  # its ids begin so: no two starts use the same
        self.chance = random.Random(seed)
        entropy = self.chance.randbytes
        self.service: Service = bootstrap(store, catalog=catalog or shipped(), clock=lambda: self.now, entropy=entropy)
        cheap = PasswordCost(passes=1, memory_kib=64)
        self.people = People(store, clock=lambda: self.now, entropy=entropy, cost=cheap)

    def do(self, command: s.Command, actor: str = "Flo", role: str = "floor", *, id: str = "") -> None:  # noqa: A002 - the word for it
        """Carries out a command; the first bet of a gaming day is placed again after the shoe was changed."""
        self.count += 1
        name = id or f"{self.name}-{self.count}"
        try:
            self.service.desk.do(command, id=name, actor=actor, role=role)
        except Refused as refused:
            if refused.reason != "NEW_GAMING_DAY":
                raise
            if isinstance(command, s.Bet) and self.live(command.table).table.dealt_by_hand:
                self.service.desk.do(s.PlaceShoe(table=command.table), id=f"{name}-shoe", actor="Dan", role="dealer")
            self.service.desk.do(command, id=f"{name}-again", actor=actor, role=role)

    def refused(self, command: s.Command, actor: str, role: str) -> str:
        try:
            self.do(command, actor, role)
        except Refused as no:
            return no.reason
        raise AssertionError("nothing was refused")

    def live(self, table: str) -> LiveTable:
        return self.service.desk.live(table)

    # --- playing ---------------------------------------------------------------------------------------------------

    def play(self, table: str, rounds: int, *, into_a_hand: bool = False) -> None:
        """Two bots play so many rounds, and into the next hand if that is wanted."""
        bots = [Bot(f"{table} {name}", usual()) for name in ("Ann", "Bob")]
        last = self.live(table).round + rounds - (self.live(table).table.round is not None)
        for _ in range(2_000):
            live = self.live(table)
            over = live.table.round is None and live.round >= last
            if over and not into_a_hand:
                return
            if live.round > last and live.table.round is not None and live.table.round.dealer:
                return
            self.now += timedelta(seconds=1)
            for bot in bots:
                live = self.live(table)
                command = bot.next(live, lambda bot=bot: self.service.queries.bankroll(bot.player))  # type: ignore[misc]  # a default binds the loop's own value
                if command is not None:
                    self.do(command, bot.player, role_of(command))
        raise AssertionError(f"{table} does not come to the end of its rounds")

    def deal_by_hand(self, table: str, cards: str, *, until_over: bool = True, insured: bool = False) -> None:
        """Enters cards as they fall due; players stay, and insurance ends with a blackjack where they decline it."""
        cards_left = cards.split()
        while (state := self.live(table).table.round) is not None:
            terms = self.live(table).table.terms
            assert terms is not None
            match awaiting(state, terms):
                case PlayerCard() | DealerCard() if cards_left:
                    self.do(s.EnterCard(table=table, card=cards_left.pop(0)), "Dan", "dealer")
                case Wagers():
                    self.do(s.Deal(table=table), "Dan", "dealer")
                case InsuranceAnswers(()):
                    self.do(s.Deal(table=table), "Dan", "dealer")
                case InsuranceAnswers(spots):
                    answer = s.Insure if insured else s.DeclineInsurance
                    self.do(answer(table=table, spot=spots[0]))
                case PeekAnswer():
                    self.do(s.Peek(table=table, blackjack=not insured), "Dan", "dealer")
                case PlayerDecision(spot, _) if cards_left or until_over:
                    self.do(s.Stay(table=table, spot=spot))
                case Nothing() if until_over:
                    self.do(s.Settle(table=table), "Dan", "dealer")
                case _:
                    return

    # --- people ----------------------------------------------------------------------------------------------------

    def hire(self) -> None:
        token = self.people.setup_token()
        assert token is not None
        flo = self.people.set_up(token, "Flo", PASSWORD)
        for name, roles in (("Fay", [Role.FLOOR]), ("Dan", [Role.DEALER]), ("Ada", [Role.AUDITOR])):
            self.people.accept(self.people.invite(flo, name, roles), PASSWORD)
        self.people.invite(flo, "Zoe", [Role.CASHIER])  # who has not come yet
        self.people.disable(flo, "Ada")

    def confirmed(self, name: str) -> Session:
        """Somebody who has just entered a code of a new authenticator."""
        session = self.people.sign_in(name, PASSWORD)
        secret, _ = self.people.enrol_totp(session)
        self.now += timedelta(seconds=60)
        return self.people.confirm_totp(session, pyotp.TOTP(secret).at(self.now))

    def sign_in(self, name: str) -> Session:
        """Somebody who has an authenticator, signed in with its next code."""
        assert self.store.keyring is not None
        with self.store.view() as unit:
            columns = people_schema.people.c
            query = sa.select(columns.totp_secret).where(columns.name == name)
            encrypted = unit.connection.execute(query).scalar_one()
        secret = base64.b32encode(self.store.keyring.decrypt(encrypted, f"codes:{name_key(name)}")).decode()
        self.now += timedelta(seconds=60)
        return self.people.sign_in(name, PASSWORD, pyotp.TOTP(secret).at(self.now))

    def approve(self, session: Session, asked: Approval) -> None:
        """Somebody's approval of a command, as the transaction that carries the command out uses it up."""
        consent = self.people.consent(session, asked.id, allowed=[Role.FLOOR], command="flo:1")
        with self.store.transaction() as unit:
            consent(unit)()

    # --- checking --------------------------------------------------------------------------------------------------

    def check(self) -> FullReport:
        with self.store.view() as unit:
            return check_everything(unit, self.store.keyring)


def fill_book(house: House) -> None:
    """Everything that a book can hold, up to hands in play."""
    house.hire()
    flo, fay = house.confirmed("Flo"), house.confirmed("Fay")
    house.do(s.House(request=SetHours(hours=Hours(since=date(2026, 3, 1), zone="UTC", start=6))))
    for table, layout in LAYOUTS.items():
        house.do(s.OpenTable(table=table, layout=layout, tray=1_000_000, jackpots=jackpots_of(table, layout)))
    house.do(
        s.OpenTable(
            table=BY_HAND,
            layout="lucky-ladies-progressive",
            tray=1_000_000,
            by_hand=True,
            jackpots=jackpots_of(BY_HAND, "lucky-ladies-progressive"),
        )
    )
    for table in LAYOUTS:
        house.play(table, 2)
    _win_a_jackpot(house)
    _correct_and_refuse(house)
    house.approve(fay, house.people.ask(flo, APPROVAL))
    house.people.withdraw(flo, house.people.ask(flo, APPROVAL).id)
    house.people.ask(flo, '{"do":"correct","transfer":"chips"}')  # nobody has answered it yet
    house.now += timedelta(days=1)
    house.do(s.House(request=CloseDay(day=date(2026, 3, 2))))


def leave_in_play(house: House) -> None:
    """Two tables in the middle of a hand out of a shoe, one in the middle of a hand that a person deals."""
    for table in MIDDLE_OF_A_HAND:
        house.play(table, 1, into_a_hand=True)
    house.do(s.Bet(table=BY_HAND, spot=1, stakes={"Blackjack": 500}), "Ann", "player")
    house.do(s.Deal(table=BY_HAND), "Dan", "dealer")
    house.deal_by_hand(BY_HAND, "9h 8c", until_over=False)
    house.do(s.CorrectCard(table=BY_HAND, number=1, card="9s"), "Dan", "dealer")


def play_on(house: House) -> None:
    """What an earlier version left is finished, and every table plays two more rounds."""
    if not house.live(BY_HAND).dealer:  # formats before 3 did not know who deals
        house.do(s.LogOn(table=BY_HAND), "Dan", "dealer")
    house.deal_by_hand(BY_HAND, "7d Td")
    for table in LAYOUTS:
        house.play(table, 2)
    house.do(s.Bet(table=BY_HAND, spot=1, stakes={"Blackjack": 500}), "Ann", "player")
    house.do(s.Deal(table=BY_HAND), "Dan", "dealer")
    house.deal_by_hand(BY_HAND, "Th 6c 9h Kd 8s")
    (waiting,) = house.people.waiting_approvals() or (None,)
    flo = house.sign_in("Flo")
    if waiting is None:
        house.people.ask(flo, APPROVAL)
    house.people.disable(flo.person, "Dan")
    house.refused(s.Hit(table="Bigger", spot=1), "Bigger Ann", "player")


def jackpots_of(table: str, layout: str) -> dict[str, str]:
    return {settings.wager: f"{table} {settings.wager}" for settings in shipped().layouts[layout].jackpot}


def _win_a_jackpot(house: House) -> None:
    house.do(s.LogOn(table=BY_HAND), "Dan", "dealer")
    house.do(s.PlaceShoe(table=BY_HAND), "Dan", "dealer")
    house.do(s.BuyIn(table=BY_HAND, player="Ann", amount=50_000), "Dan", "dealer", id="chips")
    house.do(s.Seat(table=BY_HAND, player="Ann", spot=1), "Ann", "player")
    house.do(s.Bet(table=BY_HAND, spot=1, stakes={"Blackjack": 500, JACKPOT: 100}), "Ann", "player")
    house.do(s.Deal(table=BY_HAND), "Dan", "dealer")
    house.deal_by_hand(BY_HAND, "Qh Ah Qh Kh")
    house.do(s.Bet(table=BY_HAND, spot=1, stakes={"Blackjack": 500}), "Ann", "player")
    house.do(s.Deal(table=BY_HAND), "Dan", "dealer")
    house.deal_by_hand(BY_HAND, "Th Ac 9h 7d", insured=True)
    (jackpot,) = [jackpot_row for jackpot_row in house.service.queries.jackpots() if jackpot_row["wins"]]
    (win,) = jackpot["wins"]
    house.do(s.House(request=Verify(jackpot=jackpot["jackpot"], win=win)), "Flo")
    house.do(s.House(request=HandOverVerification(jackpot=jackpot["jackpot"], win=win, to="Fay")), "Flo")
    house.do(s.House(request=Verify(jackpot=jackpot["jackpot"], win=win)), "Fay")
    house.do(s.House(request=PayWin(jackpot=jackpot["jackpot"], win=win)), "Flo")


def _correct_and_refuse(house: House) -> None:
    house.do(s.Correct(table=BY_HAND, transfer="chips", amount=2_000, why="counted twice"))
    house.do(s.PostMinimum(table="Bigger", amount=Cents(1_000)))
    assert house.refused(s.Hit(table="Brook", spot=1), "Brook Ann", "player") == "NO_ROUND"
    assert house.refused(s.Deal(table="Nowhere"), "Flo", "floor") == "TABLE_UNKNOWN"
    house.play("Bust", 1, into_a_hand=True)
    house.do(s.Void(table="Bust", why="a card on the floor"))


@contextmanager
def open_house(address: str, *, now: datetime = START, catalog: Catalog | None = None) -> Iterator[House]:
    store = Store.open(address, Keyring([KEY]), lambda: START)
    try:
        yield House(store, now, catalog)
    finally:
        store.close()
