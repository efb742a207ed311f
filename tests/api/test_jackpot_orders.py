"""What the people who look after jackpots see and may do: evidence, verification, payment, posting, escrow."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from api.house import ApiUser, House, running_house
from api.linked_house import JACKPOT, QUEENS_OF_HEARTS, SUITED_ACES, LinkedHouse
from service.table_driver import StackedShoe

from upcard.people import Role
from upcard.service import commands as s

WIN = "T1/1"
PROGRESSIVE = "Progressive"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with running_house(tmp_path, post_two_people_above=20_000_00, pay_two_people_above=5_000_00) as opened:
        yield opened


def reason(answer: httpx.Response) -> str:
    return str(answer.json().get("reason", ""))


def won(house: House, stack_shoe: StackedShoe) -> LinkedHouse:
    """Ann has won the fund of 000 at T1, and her round goes on."""
    stack_shoe(SUITED_ACES)
    linked = LinkedHouse(house, "the-brook", "Ante", "Galaxy Bonus Jackpot", 5_00)
    assert linked.bet(linked.ann, "T1").status_code == 200
    linked.ann.say("T1", "ready", player="Ann")
    return linked


def evidence(person: ApiUser, win: str = WIN) -> Any:
    answer = person.get(f"/api/jackpots/{JACKPOT}/evidence", win=win)
    assert answer.status_code == 200, answer.text
    return answer.json()


def order(person: ApiUser, name: str, **fields: Any) -> httpx.Response:
    return person.post(f"/api/house/{name}", {"jackpot": JACKPOT, **fields})


def test_a_win_shows_player_cards_and_a_genuine_shoe_from_the_deciding_card_on(
    house: House, stack_shoe: StackedShoe, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked = won(house, stack_shoe)
    during = evidence(linked.jack)
    (hand,) = during["hands"]
    assert (hand["player"], hand["cards"], hand["amount"]) == ("Ann", [["Ah", "Ah"]], 1_250_00)
    assert (during["dealer"][0], during["round_over"], during["replay"]) == ("Ah", False, "")
    linked.play_on(linked.ann, "T1")
    after = evidence(linked.jack)
    assert after["round_over"]
    assert after["verification"]
    assert house.nobody().get(f"/api/replays/T1/1?token={after['replay']}").status_code == 200
    assert after["result"] == "differs"  # the test has stacked the shoe, and that shows
    monkeypatch.setattr("upcard.service.win_evidence.new_shoe", stack_shoe.order)
    assert evidence(linked.jack)["result"] == "genuine"


def test_only_those_who_look_after_jackpots_see_their_money(house: House, stack_shoe: StackedShoe) -> None:
    linked = won(house, stack_shoe)
    dealer = house.somebody(Role.DEALER)
    for person in (linked.ann, dealer):
        for path in ("staff", f"{JACKPOT}/account", f"{JACKPOT}/evidence?win={WIN}"):
            assert reason(person.get(f"/api/jackpots/{path}")) == "NOT_ALLOWED"
    assert reason(linked.jack.get(f"/api/jackpots/{JACKPOT}/evidence", win="T1/9")) == "NO_SUCH_WIN"
    assert reason(linked.jack.get("/api/jackpots/Nothing/account")) == "JACKPOT_UNKNOWN"
    staff = linked.aud.get("/api/jackpots/staff").json()
    colleagues = {
        person["name"]: (person["verifies"], person["pays"], person["approves"]) for person in staff["people"]
    }
    assert colleagues == {"Flo": (True, False, True), "Jack": (True, True, False)}
    assert staff["two_people_above"] == {"post": 20_000_00, "pay": 5_000_00}


def test_an_officer_hands_a_verification_over_and_then_pays(house: House, stack_shoe: StackedShoe) -> None:
    """Whoever verified a win could not pay it, and nobody else could verify it: a dead end with one officer."""
    linked = won(house, stack_shoe)
    fay = house.somebody(Role.FLOOR, name="Fay")
    assert reason(order(linked.jack, "hand-over-verification", win=WIN, to="Fay")) == "NOT_VERIFIED"
    assert order(linked.jack, "verify", win=WIN).status_code == 200
    linked.play_on(linked.ann, "T1")
    linked.jack.step_up()
    assert reason(order(linked.jack, "pay-win", win=WIN)) == "SAME_PERSON"
    assert reason(order(fay, "verify", win=WIN)) == "VERIFIED_ALREADY"
    assert reason(order(fay, "hand-over-verification", win=WIN, to="Flo")) == "VERIFIER_ONLY"
    assert reason(order(linked.jack, "hand-over-verification", win=WIN, to="Jack")) == "SAME_PERSON"
    assert order(linked.jack, "hand-over-verification", win=WIN, to="Fay").status_code == 200
    (waiting,) = next(row for row in fay.get("/api/floor").json()["jackpots"] if row["jackpot"] == JACKPOT)["waiting"]
    assert (waiting["verified_by"], waiting["handed_to"], waiting["verification"]) == ("", "Fay", True)
    assert reason(order(linked.jack, "pay-win", win=WIN)) == "SECOND_PERSON"
    assert order(fay, "verify", win=WIN).status_code == 200
    before = house.server.service.queries.bankroll("Ann")
    assert order(linked.jack, "pay-win", win=WIN).status_code == 200  # $1,250 is below the limit of an approval
    assert house.server.service.queries.bankroll("Ann") == before + 1_250_00


def test_displays_learn_no_names_of_players_or_staff(house: House, stack_shoe: StackedShoe) -> None:
    linked = won(house, stack_shoe)
    order(linked.jack, "verify", win=WIN)
    order(linked.jack, "hand-over-verification", win=WIN, to="Flo")
    screen = house.somebody(Role.DISPLAY)
    with screen.socket() as socket:
        socket.send('{"type": "overview", "tables": false}')
        told = socket.recv(10)
    for name in ("Ann", "Jack", "Flo"):
        assert f'"{name}"' not in str(told)


def test_posting_and_paying_above_a_limit_takes_two_people(house: House, stack_shoe: StackedShoe) -> None:
    stack_shoe(QUEENS_OF_HEARTS)
    linked = LinkedHouse(house, "lucky-ladies-jackpot", "Ante", "Lucky Ladies", 10_00)
    linked.later(hours=25)
    linked.jack.step_up()
    assert linked.jack.get(f"/api/jackpots/{JACKPOT}/account").json()["next_change"] == ""
    waits = order(linked.jack, "post", values={"MEGA": 20_001_00})
    assert waits.status_code == 202
    linked.jack.post(f"/api/approvals/{waits.json()['approval']}/withdraw")
    assert order(linked.jack, "post", values={"MEGA": 20_000_00}).status_code == 200
    account = linked.jack.get(f"/api/jackpots/{JACKPOT}/account").json()
    assert account["next_change"] > account["movements"][0]["at"]
    moved = account["movements"][0]
    assert (moved["meter"], moved["reason"], moved["after"], moved["by"]) == ("MEGA", "posted", 20_000_00, "Jack")
    assert linked.bet(linked.ann, "T1").status_code == 200
    linked.play_on(linked.ann, "T1")
    fay = house.somebody(Role.FLOOR, name="Fay")
    assert order(fay, "verify", win=f"{WIN}/MEGA").status_code == 200
    assert order(linked.jack, "pay-win", win=f"{WIN}/MEGA").status_code == 202  # $20,000 needs an approval


def test_a_progressive_shows_what_may_be_deposited_and_taken_and_why(house: House) -> None:
    jack = house.somebody(Role.JACKPOTS, name="Jack")
    jack.step_up()
    house.do(s.OpenJackpot(jackpot=PROGRESSIVE, layout="lucky-ladies-progressive", wager="Lucky Ladies Jackpot"))
    path = f"/api/jackpots/{PROGRESSIVE}/account"
    money = jack.get(path).json()["progressive"]
    seed = money["base"]
    assert money["escrow"] | {"since": "", "deposit_by": ""} == {
        "deposited": 0,
        "undeposited": seed,
        "since": "",
        "deposit_by": "",
        "overdue": False,
        "owed": seed,
        "shortfall": 0,
    }
    deposit = jack.post("/api/house/deposit", {"jackpot": PROGRESSIVE, "amount": seed})
    assert deposit.status_code == 200, deposit.text
    after = jack.get(path).json()
    assert after["progressive"]["escrow"]["deposited"] == seed
    most = {(line["reason"], line["source"]): line["most"] for line in after["reductions"]}
    assert most[("malfunction", "meter")] == seed
    assert {most[key] for key in most if key[0] != "malfunction"} == {0}  # nothing above the cap or the base
    refused = jack.post(
        "/api/house/reduce",
        {
            "jackpot": PROGRESSIVE,
            "reason": "seed",
            "source": "meter",
            "amount": 1,
            "second": "Flo",
            "document": "form 7",
        },
    )
    assert refused.status_code == 202  # it waits for Flo, and the book will refuse it
