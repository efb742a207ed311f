"""People who work here, at a browser; and a house of their own, whose clock the tests move."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from api.house import PASSWORD, ApiUser, House, running_house
from browser.player import Player
from playwright.sync_api import Browser, Locator, StorageState, expect

from upcard.api.signed_in import COOKIE
from upcard.catalog import Catalog
from upcard.ledger.check import check as check_book
from upcard.ledger.journal import instant_text
from upcard.people import Role, schema
from upcard.people.register import Register
from upcard.service import commands as s
from upcard.service.history_check import check as check_records
from upcard.service.house_catalog import HouseCatalog
from upcard.service.running import keyring_beside


class Floor:
    """A house that is open, with tables dealt by hand: whoever tests says which cards come."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.address = house.address.replace("127.0.0.1", "localhost")
        self.ahead = timedelta(0)
        house.server.service.desk.clock = self.clock
        self.dealer = house.somebody(Role.DEALER, name="Dana")

    def clock(self) -> datetime:
        """The tables' clock, ahead of the door's: nobody is signed out when a day goes by."""
        return self.house.clock() + self.ahead

    def later(self, **time: float) -> None:
        self.ahead += timedelta(**time)

    def person(self, name: str, *roles: Role) -> ApiUser:
        """An account, of staff with an authenticator."""
        return self.house.somebody(*roles, name=name)

    def signed_in(self, name: str) -> StorageState:
        """What a browser keeps of somebody who signed in a while ago, so that their code no longer counts."""
        people, store = self.house.server.people, self.house.server.service.desk.store
        person = people.find(name)
        code = self.house.new_code(name) if person is not None and person.has_totp else ""
        session = people.sign_in(name, PASSWORD, code, source="127.0.0.1")
        with store.transaction() as unit:
            register = Register(unit, self.house.clock(), store.keyring)
            register.change(schema.sessions, schema.sessions.c.id == session.id, confirmed_at=None)
        token = session.token
        return {
            "cookies": [
                {
                    "name": COOKIE,
                    "value": token,
                    "domain": "localhost",
                    "path": "/",
                    "expires": -1,
                    "secure": True,
                    "httpOnly": True,
                    "sameSite": "Strict",
                }
            ],
            "origins": [{"origin": self.address, "localStorage": [{"name": "upcard-signed-in", "value": "yes"}]}],
        }

    def open(
        self, table: str, layout: str = "bet-bigger", jackpots: dict[str, str] | None = None, *, laid: bool = True
    ) -> None:
        """A table a person deals at, with a shoe laid on it."""
        opening: dict[str, Any] = {"layout": layout, "tray": 1_000_000_00, "jackpots": jackpots or {}}
        self.house.do(s.OpenTable(table=table, by_hand=True, **opening))
        self.say(table, "log-on")
        if laid:
            self.say(table, "new-shoe")

    def say(self, table: str, do: str, **fields: Any) -> Any:
        """The dealer says something."""
        answer = self.dealer.say(table, do, **fields)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def sit(self, table: str, player: str, *spots: int, chips: int = 1000_00) -> None:
        self.house.server.people.add_players([player], actor="house")
        self.say(table, "buy-in", player=player, amount=chips)
        for spot in spots:
            self.say(table, "seat", player=player, spot=spot)

    def deal(self, table: str, cards: str) -> None:
        """The wagers are closed, and these cards are dealt."""
        self.say(table, "deal")
        for card in cards.split():
            self.say(table, "card", card=card)

    def chips(self, player: str) -> int:
        return self.house.server.service.queries.bankroll(player)

    def read_files(self, folder: Path) -> None:
        """The files as another start of the service would find them."""
        desk, catalog = self.house.server.service.desk, Catalog(folder)
        desk.book.catalog = catalog
        desk.context = replace(desk.context, catalogs=HouseCatalog(catalog), started=instant_text(desk.clock()))

    def check(self) -> None:
        """The books are clean, and every record is done again by the rules."""
        desk = self.house.server.service.desk
        with desk.book.look() as clerk:
            assert check_book(clerk.unit).findings == ()
            records = check_records(clerk.unit, keyring_beside(self.house.settings.book, None))
        assert records.findings == []


@contextmanager
def a_floor(folder: Path) -> Iterator[Floor]:
    """Without limits of rate; its overview and lobby are told ten times a second, for tests are quicker than people."""
    with running_house(folder) as house:
        house.server.overview.pace.least = house.server.lobby.pace.least = 0.1
        yield Floor(house)


class Person(Player):
    """Somebody who works here, signed in at a browser.

    At a display, in the lobby and on the page of the day by the form, elsewhere before the page is opened, which takes
    half the time.
    """

    def __init__(self, browser: Browser, floor: Floor, name: str, where: str, **options: Any) -> None:
        by_form = where.startswith(("#", "display", "floor/day"))
        super().__init__(
            browser, floor.address, **({} if by_form else {"storage_state": floor.signed_in(name)}), **options
        )
        self.floor, self.name = floor, name
        if by_form:
            self._fill_the_form(f"{floor.address}/#/sign-in" if where.startswith("#") else f"{floor.address}/{where}")
        if where.startswith("#") or not by_form:
            self.page.goto(f"{floor.address}/{where}")

    def _fill_the_form(self, where: str) -> None:
        self.page.goto(where)
        self.sign_in_here()

    def sign_in_here(self) -> None:
        """Fills the form that the page shows."""
        self.page.get_by_label("Name").fill(self.name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        person = self.floor.house.server.people.find(self.name)
        if person is not None and person.has_totp:
            self.page.get_by_label("Code").fill(self.floor.house.new_code(self.name))
            self.page.get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_role("button", name="Sign in")).to_have_count(0)

    def go(self, where: str) -> None:
        self.page.goto(f"{self.address}/#/{where}")

    def button(self, name: str, within: Locator | None = None) -> Locator:
        return (within or self.page).get_by_role("button", name=name)

    def show_code(self) -> None:
        """A code of the authenticator, which is asked for."""
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_label("Code").fill(self.floor.house.new_code(self.name))
        dialog.get_by_role("button", name="Confirm").click()
        expect(dialog).to_have_count(0)

    def confirm(self, button: str) -> None:
        """Says yes to what an order will do."""
        self.page.get_by_role("dialog").get_by_role("button", name=button, exact=True).click()

    def told(self, text: str) -> None:
        """The line under the head says so."""
        expect(self.page.get_by_role("status").filter(has_text=text).first).to_be_visible()

    def refused(self, text: str) -> None:
        expect(self.page.get_by_role("alert").filter(has_text=text).first).to_be_visible()

    def keys(self, text: str) -> None:
        """Keys, one after another; a word in brackets is a key of that name."""
        for key in re.findall(r"<(\w+)>|(\S)", text):
            self.page.keyboard.press(key[0] or key[1])

    def fields(self, *texts: str) -> None:
        """One field after another, from the one that has the focus on; Enter at the end."""
        for place, text in enumerate(texts):
            if place:
                self.page.keyboard.press("Tab")
            self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def row(self, table: str) -> Locator:
        """A table's line."""
        return self.page.locator(f'tr[data-table="{table}"]')

    def jackpot(self, name: str) -> Locator:
        return self.page.locator(f'[data-jackpot="{name}"]')

    def go_home(self) -> None:
        self.context.close()


At = Callable[..., Person]  # who, and at which page
