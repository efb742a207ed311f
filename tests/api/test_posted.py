"""Posted means in force: every reader of the API learns at once what a table takes, pays and shows now."""

import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from api.house import TABLE, ApiUser, House, receive, send
from browser.catalogs import copied, edited

from upcard.api.messages import FROM_SERVER
from upcard.catalog import Catalog, shipped
from upcard.catalog.layout import AggregateLimit
from upcard.catalog.ruleset import ruleset_of
from upcard.ledger.jackpots import requests as r
from upcard.ledger.jackpots.terms import terms_of
from upcard.people import Role
from upcard.service import commands as s
from upcard.service.layout_card import LayoutCard, layout_card
from upcard.service.live_table import opened
from upcard.service.views import table_view
from upcard.units import Cents

WAGER, JACKPOT = "Lucky Ladies Jackpot", "Posted Ladies"
AT_ONCE = 1.5  # seconds; a change that is only noticed by the slow read takes up to ten
NOTICE = (
    "Bonus Jackpot prizes are paid by the casino and are not components of any progressive prize contest. Player "
    "wagers do not accrue to any guaranteed player fund. The displayed Bonus Jackpot prize may be modified or "
    "discontinued at any time without prior notice."
)


@pytest.fixture(scope="module")
def linked(house: House) -> list[str]:
    """Two tables that play for one Bonus jackpot."""
    tables = ["Posted 1", "Posted 2"]
    for table in tables:
        jackpots = {WAGER: JACKPOT, "21+3 Jackpot": "Posted Three"}
        house.do(s.OpenTable(table=table, layout="lucky-ladies", tray=10**8, jackpots=jackpots))
    return tables


def suspend(house: House) -> None:
    house.do(s.House(request=r.Suspend(jackpot=JACKPOT, why="the meter is tested")))


def resume(house: House) -> None:
    house.do(s.House(request=r.Resume(jackpot=JACKPOT)))


def section(card: dict[str, Any], heading: str) -> list[list[str]]:
    lines: list[list[str]] = next(part["lines"] for part in card["rules"] if part["heading"] == heading)
    return lines


def circle(card: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(wager for wager in card["wagers"] if wager["name"] == name)
    return found


def test_a_suspended_jackpot_is_off_at_once_at_every_linked_table(house: House, linked: list[str]) -> None:
    """A suspension is a record of the jackpot, not of a table: both tables' watchers learn of it all the same."""
    ann, bob = house.player(), house.player()
    with ann.socket() as one, bob.socket() as two:
        for socket, table in zip((one, two), linked, strict=True):
            send(socket, {"type": "watch", "table": table, "shown": True})
            first = receive(socket, "meters")
            FROM_SERVER.validate_python(first)
            assert first["off"] == {}
        time.sleep(0.3)
        begun = time.monotonic()
        suspend(house)
        why = {"code": "SUSPENDED", "jackpot": JACKPOT, "why": "the meter is tested"}
        for socket in (one, two):
            assert receive(socket, "meters", seconds=AT_ONCE)["off"] == {WAGER: why}
        assert time.monotonic() - begun < AT_ONCE
        assert ann.get(f"/api/tables/{linked[1]}").json()["off"] == {WAGER: why}
        card = ann.get(f"/api/tables/{linked[0]}/card").json()
        sentence = f"off: {JACKPOT} is suspended: the meter is tested"
        assert (circle(card, WAGER)["off"], circle(card, WAGER)["limits"]) == ("SUSPENDED", sentence)
        assert [sentence, ""] in section(card, WAGER)
        assert circle(card, "21+3 Jackpot")["off"] == ""
        resume(house)
        for socket in (one, two):
            assert receive(socket, "meters", seconds=AT_ONCE)["off"] == {}


def test_a_win_that_is_verified_is_off_at_the_other_table_too(house: House) -> None:
    """000: while a win is verified, nobody plays for the jackpot at any linked table."""
    for table in ("Win 1", "Win 2"):
        house.do(s.OpenTable(table=table, layout=TABLE, jackpots={"Galaxy Bonus Jackpot": "Wins"}, by_hand=True))
    house.chips("Wim", 100_00, table="Win 1")
    played: tuple[s.Command, ...] = (
        s.PlaceShoe(table="Win 1"),
        s.Seat(table="Win 1", player="Wim", spot=1),
        s.Bet(table="Win 1", spot=1, stakes={"Ante": 10_00, "Galaxy Bonus Jackpot": 5_00}),
        s.Deal(table="Win 1"),
        *(s.EnterCard(table="Win 1", card="Ah") for _ in range(3)),
        s.DeclineInsurance(table="Win 1", spot=1),
        s.Peek(table="Win 1", blackjack=False),
        s.Stay(table="Win 1", spot=1),
        s.EnterCard(table="Win 1", card="8c"),
        s.Settle(table="Win 1"),
    )
    with house.player().socket() as socket:
        send(socket, {"type": "watch", "table": "Win 2", "shown": True})
        assert receive(socket, "meters")["off"] == {}
        for command in played:
            house.do(command)
        off = receive(socket, "meters", seconds=AT_ONCE)["off"]
    assert off == {"Galaxy Bonus Jackpot": {"code": "BEING_VERIFIED", "jackpot": "Wins"}}


def test_the_card_of_a_table_has_its_minimum_its_shuffling_and_its_meters(house: House) -> None:
    house.do(s.OpenTable(table="Card", layout=TABLE, jackpots={"Galaxy Bonus Jackpot": "Card jackpot"}))
    ann = house.player()
    card = ann.get("/api/tables/Card/card").json()
    assert card == {**ann.get(f"/api/layouts/{TABLE}").json(), "rules": card["rules"]}
    assert ["Bonus Jackpot (daily-accrual, on Galaxy Bonus Jackpot)", "$1,250 now"] in section(card, "Jackpots")
    house.do(s.PostMinimum(table="Card", amount=Cents(8_00)))
    house.do(s.SetShuffler(table="Card", shuffler="hand"))
    card = ann.get("/api/tables/Card/card").json()
    assert (card["posted_minimum"], card["shuffled"], circle(card, "Ante")["limits"]) == (8_00, "by hand", "$8 to $10")
    assert circle(card, "Galaxy Bonus Jackpot")["limits"] == "off: the shoe is shuffled by hand"
    assert "6 decks, shuffled by hand; posted minimum $8." in [line for line, _ in card["rules"][0]["lines"]]
    state = ann.get("/api/tables/Card").json()["state"]
    assert (state["shuffled"], state["shuffler"]) == ("hand", "hand")


def test_other_shuffling_is_posted_for_the_next_shoe_while_a_shoe_is_played(house: House) -> None:
    house.do(s.OpenTable(table="Shoe", layout=TABLE, jackpots={"Galaxy Bonus Jackpot": "Shoe jackpot"}))
    ann = house.player()
    ann.say("Shoe", "seat", player=ann.name, spot=1)
    ann.say("Shoe", "bet", spot=1, stakes={"Ante": 5_00})
    ann.say("Shoe", "clear", spot=1)
    house.do(s.SetShuffler(table="Shoe", shuffler="hand"))
    card = ann.get("/api/tables/Shoe/card").json()
    assert card["shuffled"] == "by machine, by hand from the next shoe"
    assert circle(card, "Galaxy Bonus Jackpot")["off"] == ""
    line = next(row for row in house.somebody(Role.FLOOR).get("/api/floor").json()["tables"] if row["table"] == "Shoe")
    assert (line["shuffled"], line["shuffler"]) == ("automatic", "hand")


class Lobby:
    """Somebody in the lobby, who hears the lines that change."""

    def __init__(self, person: ApiUser, socket: Any) -> None:
        self.socket = socket
        send(socket, {"type": "lobby"})
        whole = receive(socket, "lobby")
        FROM_SERVER.validate_python(whole)
        assert whole["whole"]
        assert whole["tables"] == person.get("/api/tables").json()

    def line(self, table: str) -> dict[str, Any]:
        """The next line of a table."""
        until = time.monotonic() + AT_ONCE
        while True:
            message = receive(self.socket, "lobby", seconds=until - time.monotonic())
            FROM_SERVER.validate_python(message)
            for line in message["tables"]:
                if line["table"] == table:
                    return dict(line)


def test_the_lobby_hears_what_is_posted(house: House, linked: list[str]) -> None:
    house.server.lobby.pace.least = 0.05
    ann = house.player()
    with ann.socket() as socket:
        lobby = Lobby(ann, socket)
        house.do(s.PostMinimum(table=linked[0], amount=Cents(25_00)))
        line = lobby.line(linked[0])
        assert (line["posted_minimum"], line["limits"]) == (25_00, "$25 to $400")
        suspend(house)
        line = lobby.line(linked[1])
        assert line["off"] == {WAGER: {"code": "SUSPENDED", "jackpot": JACKPOT, "why": "the meter is tested"}}
        house.do(s.House(request=r.Post(jackpot=JACKPOT, values={WAGER: 12_345_00})))
        assert lobby.line(linked[1])["meters"][WAGER] == {WAGER: 12_345_00}
        resume(house)
        assert lobby.line(linked[0])["off"] == {}


def test_a_visitor_sees_what_is_posted_but_no_names(house: House) -> None:
    house.do(s.OpenTable(table="Visited", layout=TABLE))
    house.server.people.add_players(["Vera"], actor="house")
    house.do(s.Seat(table="Visited", player="Vera", spot=2))
    house.do(s.SetShuffler(table="Visited", shuffler="hand"))
    answer = httpx.get(f"{house.address}/api/lobby", trust_env=False, verify=False)
    line = next(line for line in answer.json() if line["table"] == "Visited")
    assert (line["players"], line["limits"]) == (1, "$5 to $10")
    assert line["off"] == {"Galaxy Bonus Jackpot": {"code": "off/shuffled-by-hand"}}
    assert "Vera" not in answer.text


# --- the Bonus notice ---------------------------------------------------------------------------------------------


def test_the_bonus_notice_goes_with_every_bonus_amount(house: House, linked: list[str]) -> None:
    """003: all Bonus Jackpot displays must include this language."""
    ann = house.player()
    bonus = {WAGER: NOTICE, "21+3 Jackpot": NOTICE}
    layout = ann.get("/api/layouts/lucky-ladies").json()
    for card in (layout, ann.get(f"/api/tables/{linked[0]}/card").json()):
        assert {meter["wager"]: meter["notice"] for meter in card["jackpots"]} == bonus
        assert section(card, "Jackpots")[-1] == [NOTICE, ""]
    jackpots = {line["jackpot"]: line["notice"] for line in ann.get("/api/jackpots").json()}
    assert (jackpots[JACKPOT], jackpots["the-brook Galaxy Bonus Jackpot"]) == (NOTICE, "")
    assert ann.get(f"/api/tables/{linked[0]}").json()["notices"] == bonus
    lines = {line["table"]: line["notices"] for line in ann.get("/api/tables").json()}
    assert (lines[linked[0]], lines[TABLE]) == (bonus, {})
    with ann.socket() as socket:
        send(socket, {"type": "watch", "table": linked[0], "shown": True})
        assert receive(socket, "meters")["notices"] == bonus
    progressive = ann.get("/api/layouts/lucky-ladies-progressive").json()
    assert {meter["notice"] for meter in progressive["jackpots"]} == {""}


# --- limits and wagers of a layout --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def five_dollars(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The shipped files, with a Lucky Ladies jackpot wager of $5."""
    files = copied(tmp_path_factory.mktemp("five"))
    edited(files / "layouts" / "lucky-ladies.toml", 'PT-BJS-LL-34"\namount = "$1"', 'PT-BJS-LL-34"\namount = "$5"')
    return Catalog(files)


def test_a_five_dollar_wager_shows_the_meter_of_that_wager(five_dollars: Catalog) -> None:
    """R22: what the layout sets for a $1 wager is multiplied, on the card as in the book."""
    layout = five_dollars.layout("lucky-ladies")
    card: LayoutCard = layout_card(five_dollars, layout)
    posted = {meter.wager: meter.posted for meter in card.jackpots}
    assert posted == {WAGER: 50_000_00, "21+3 Jackpot": 5_000_00}
    jackpots = next(part for part in card.rules if part.heading == "Jackpots")
    assert (f"{WAGER} (bonus, on {WAGER})", "$50,000 posted") in jackpots.lines
    for wager, amount in posted.items():
        assert getattr(terms_of(five_dollars, layout, wager), "seed") == amount  # noqa: B009 - of every Bonus plan


def test_an_aggregate_limit_is_posted_before_it_reduces_a_payout() -> None:
    """004: at the circle, on the rules card and in the state of a table."""
    limit = AggregateLimit.model_validate({"wager": "Double Action", "amount": "$5,000"})
    catalog = shipped()
    layout = catalog.layout("double-action").model_copy(update={"aggregate_limit": (limit,)})
    card = layout_card(catalog, layout)
    limits = {wager.name: wager.aggregate_limit for wager in card.wagers}
    assert limits == {"Blackjack": None, "Double Action": 5_000_00, "Match Madness": None}
    sentence = "pays at most $5,000 per deal, all players together"
    assert sentence in next(wager.conditions for wager in card.wagers if wager.name == "Double Action")
    assert (sentence, "") in next(part.lines for part in card.rules if part.heading == "Double Action")


def test_the_state_of_a_table_has_the_aggregate_limit_of_a_circle(tmp_path: Path) -> None:
    files = copied(tmp_path)
    layout = files / "layouts" / "double-action.toml"
    layout.write_text(layout.read_text() + '\n[[aggregate_limit]]\nwager = "Double Action"\namount = "$5,000"\n')
    rules = ruleset_of(Catalog(files), "double-action")
    circles = table_view(opened(rules, s.OpenTable(table="T", layout="double-action")))["wagers"]
    assert {name: wager.get("aggregate_limit") for name, wager in circles.items()} == {
        "Blackjack": None,
        "Double Action": 5_000_00,
        "Match Madness": None,
    }


@pytest.mark.parametrize(
    ("layout", "where"),
    [
        ("the-brook", "beside the wagers stacked in the Ante circle"),
        ("lucky-ladies-jackpot", "left of each wager"),
        ("bet-bigger", "left of each wager"),
        ("lucky-ladies", "beside the wager"),
    ],
)
def test_the_card_says_where_added_chips_are_placed(layout: str, where: str) -> None:
    """000-C42, 001-C42, 002-C35."""
    assert layout_card(shipped(), shipped().layout(layout)).added_wagers == where
