"""Live shoes: promised before the first wager, told when they are over, and checked by anybody."""

import json
from pathlib import Path
from typing import Any

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver
from support.cli_runner import upcard

from upcard.cards import Card
from upcard.cards.shoe import new_shoe
from upcard.pit.terms import margins
from upcard.service import commands as s
from upcard.service.refusals import Refused

SHOE_TABLES = ("history", "refusals", "streams", "shoes", "rounds", "player_rounds", "entries", "chains", "transfers")


def test_the_commitment_is_published_before_the_first_wager_and_the_key_after_the_last_round(
    new_driver: NewDriver, stack_shoe: StackedShoe
) -> None:
    stack_shoe.cut_card = 20
    driver = new_driver()
    driver.sit("Ann")
    events = [(row["number"], event) for row in driver.service.queries.records("T1") for event in row["events"]]
    promised = next(event["commitment"] for _, event in events if event["event"] == "shoe-committed")
    assert driver.service.queries.shoes("T1") == [{"number": 1, "commitment": promised, "key": None}]
    _until_the_shoe_is_over(driver)
    second, first = driver.service.queries.shoes("T1")
    assert first["commitment"] == promised
    assert first["key"]
    assert (second["number"], second["key"]) == (2, None)


def test_the_key_of_a_live_shoe_is_in_no_row(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    """Neither its key, nor the hole card of the hand that is played, nor a card that lies in the shoe."""
    stack_shoe("Tc 9h 2d 7s")
    driver = new_driver()
    driver.sit("Ann")
    driver.say("Ann", s.Cut, words="lucky", place=150)
    driver.bet("Ann", 1)
    driver.say("Ann", s.Ready)
    with pytest.raises(Refused):
        driver.say("Ann", s.Split, spot=1)
    assert driver.live.shuffle is not None
    key = driver.live.shuffle.key.hex()
    rows = driver.rows()
    texts = [str(cell) for name in SHOE_TABLES for row in rows[name] for cell in row]
    assert not [text for text in texts if key in text.lower()]
    dealt = [
        event["card"] for row in driver.service.queries.records("T1") for event in row["events"] if "card" in event
    ]
    assert dealt == ["Tc", "9h", "2d"]
    assert not [text for text in texts if '"7s"' in text]
    assert key not in repr(driver.live)


def test_a_finished_shoe_is_verified_by_the_command_line(new_driver: NewDriver, tmp_path: Any) -> None:
    driver = new_driver()
    driver.sit("Ann")
    driver.say("Ann", s.Cut, words="lucky", place=150)
    _until_the_shoe_is_over(driver)
    events = [event for row in driver.service.queries.records("T1") for event in row["events"]]
    revealed = next(event for event in events if event["event"] == "shoe-revealed")
    promised = next(event for event in events if event["event"] == "shoe-committed")
    record = {name: revealed[name] for name in ("key", "nonce", "cut")}
    record |= {"layout": "bet-bigger", "commitment": promised["commitment"], "dealt": " ".join(_dealt(driver))}
    (tmp_path / "shoe.json").write_text(json.dumps(record))
    answer = upcard("verify-shoe", str(tmp_path / "shoe.json"), "--json")
    assert answer.json["holds"], answer.err
    assert bytes.fromhex(revealed["nonce"]).decode() == "Ann lucky"
    assert revealed["cut"] == 150
    (tmp_path / "shoe.json").write_text(json.dumps({**record, "cut": 151}))
    assert upcard("verify-shoe", str(tmp_path / "shoe.json")).code == 2


def test_players_words_and_cut_change_the_order(new_driver: NewDriver) -> None:
    orders: set[tuple[Card, ...]] = set()
    cuts: list[dict[str, Any]] = [{}, {"words": "lucky"}, {"words": "plucky"}, {"place": 100}, {"place": 101}]
    for words in cuts:
        driver = new_driver(seed=7)
        driver.sit("Ann")
        if words:
            driver.say("Ann", s.Cut, **words)
        driver.bet("Ann", 1)
        orders.add(driver.live.pile)
    assert len(orders) == len(cuts)


def test_a_cut_has_its_margins_and_its_moment(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann")
    assert driver.refused("Ann", s.Cut, place=1)[0] == "BAD_CUT"
    assert driver.refused("Eve", s.Cut, words="hers")[0] == "NOT_SEATED"
    driver.bet("Ann", 1)
    assert driver.refused("Ann", s.Cut, words="late")[0] == "CUT_DECIDED"


def test_a_shoe_that_runs_out_in_a_round_is_dealt_on_with_the_discards(
    new_driver: NewDriver, stack_shoe: StackedShoe
) -> None:
    """R33: with the same key and a nonce of its own, so a table that is resumed deals the same cards."""
    stack_shoe.cut_card = 103
    driver = new_driver("lucky-ladies-jackpot-two-decks", jackpots={"Lucky Ladies": "LL"})
    driver.sit("Ann")
    while not driver.live.refills:
        before = driver.live
        _one_round(driver)
        if driver.live.shoe != before.shoe:
            break
    events = [
        event for row in driver.service.queries.records("T1", since=before.version - 1) for event in row["events"]
    ]
    assert any(event["event"] == "discards-returned" for event in events)
    table_before = driver.live
    driver.restart()
    assert driver.live == table_before


def test_a_shoe_is_verified_beyond_a_refill(new_driver: NewDriver, stack_shoe: StackedShoe, tmp_path: Path) -> None:
    """R33: what comes after the discards were shuffled in follows from the same key."""
    stack_shoe.cut_card = 103
    layout = "lucky-ladies-jackpot-two-decks"
    driver = new_driver(layout, jackpots={"Lucky Ladies": "LL"})
    driver.sit("Ann")
    _until_the_shoe_is_over(driver)
    events, revealed = _events(driver), _of(driver, "shoe-revealed")[0]
    record = {name: revealed[name] for name in ("key", "nonce", "cut")}
    record |= {"layout": layout, "dealt": " ".join(_dealt(driver)), "refills": _on_table_at_refills(driver, events)}
    assert len(record["refills"]) == 1
    assert len(_dealt(driver)) > 104
    (tmp_path / "shoe.json").write_text(json.dumps(record))
    answer = upcard("verify-shoe", str(tmp_path / "shoe.json"), "--json")
    assert answer.code == 0, answer.err
    (tmp_path / "shoe.json").write_text(json.dumps({**record, "refills": ["2c"]}))
    assert "was" in upcard("verify-shoe", str(tmp_path / "shoe.json")).err


def _on_table_at_refills(driver: TableDriver, events: list[Any]) -> list[str]:
    """The cards of the round in progress, each time the discards were returned."""
    dealt, first, out, refills = _dealt(driver), 0, 0, []
    for event in events:
        match event["event"]:
            case "shoe-revealed":
                break
            case "round-begun":
                first = out
            case "discards-returned":
                refills.append(" ".join(dealt[first:out]))
            case "hole-revealed":
                pass
            case kind if "card" in event or kind == "hole-card-dealt":
                out += 1
    return refills


def test_the_next_shoe_is_promised_when_a_shoe_begins(new_driver: NewDriver, tmp_path: Path) -> None:
    """So its key cannot be chosen when the cards of this one are known."""
    driver = new_driver()
    driver.sit("Ann")
    assert not _of(driver, "shoe-promised")
    _until_the_shoe_is_over(driver)
    _one_round(driver)
    promised, committed = _of(driver, "shoe-promised"), _of(driver, "shoe-committed")
    assert [event["shoe"] for event in promised] == [2, 3]
    assert [event["shoe"] for event in committed] == [1, 2]
    assert promised[0]["commitment"] == committed[1]["commitment"]
    kinds = [event["event"] for event in _events(driver)]
    assert kinds.index("shoe-promised") == kinds.index("shoe-begun") + 1, "before its first card"
    driver.restart()
    while driver.live.shoe == 2:
        _one_round(driver)
    revealed = _of(driver, "shoe-revealed")[1]
    record = {name: revealed[name] for name in ("key", "nonce", "cut")}
    record |= {"layout": "bet-bigger", "promise": promised[0]["commitment"]}
    (tmp_path / "shoe.json").write_text(json.dumps(record))
    assert upcard("verify-shoe", str(tmp_path / "shoe.json"), "--json").json["promised"]


def _events(driver: TableDriver) -> list[Any]:
    return [event for row in driver.service.queries.records("T1", most=5000) for event in row["events"]]


def _of(driver: TableDriver, kind: str) -> list[Any]:
    return [event for event in _events(driver) if event["event"] == kind]


def test_the_cards_dealt_are_those_of_the_shoes_key(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann")
    driver.bet("Ann", 1)
    live = driver.live
    assert live.shuffle is not None
    catalog = driver.service.desk.catalog
    allowed = margins(catalog.game("bet-bigger"), 6)
    assert live.pile == new_shoe(6, live.shuffle, allowed).order


def _until_the_shoe_is_over(driver: TableDriver) -> None:
    while driver.live.shoe == 1:
        _one_round(driver)


def _one_round(driver: TableDriver) -> None:
    driver.bet("Ann", 1)
    driver.floor(s.Deal)
    while driver.live.table.round is not None:
        driver.later(60)


def _dealt(driver: TableDriver) -> list[str]:
    """The cards of the first shoe as they came out, each hole card in its place."""
    out: list[str] = []
    hole = -1
    live_shoe = 1
    for row in driver.service.queries.records("T1", most=5000):
        for event in row["events"]:
            match event["event"]:
                case "shoe-revealed":
                    live_shoe += 1
                case "hole-card-dealt":
                    hole = len(out)
                    out.append("")
                case "hole-revealed":
                    out[hole] = event["card"]
                case _ if "card" in event and live_shoe == 1:
                    out.append(event["card"])
    assert "" not in out
    return out


@pytest.mark.parametrize("played", [True, False])
def test_the_key_of_a_finished_shoe_is_published_once(
    new_driver: NewDriver, stack_shoe: StackedShoe, played: bool
) -> None:
    driver = new_driver("the-brook")
    driver.sit("Ann")
    stack_shoe.cut_card = 3
    if played:
        driver.bet("Ann", 1)
    driver.floor(s.AnnounceClosing)
    if played:
        driver.floor(s.Deal)
        while driver.live.table.round is not None:
            driver.later(60)
    assert driver.live.table.closed
    driver.floor(s.CloseTable, tray=driver.balance("tray:T1"))
    records = driver.service.queries.records("T1")
    revealed = [event["shoe"] for row in records for event in row["events"] if event["event"] == "shoe-revealed"]
    assert revealed == [1]
    driver.floor(s.OpenTable, layout="the-brook", tray=driver.balance("tray:T1"))
    assert [(shoe["number"], shoe["key"] is None) for shoe in driver.service.queries.shoes("T1")] == [
        (2, True),
        (1, False),
    ]


def test_a_process_keeps_no_keys_of_shoes_that_another_has_put_away(new_driver: NewDriver) -> None:
    driver = new_driver("the-brook")
    driver.sit("Ann")
    first, second = driver.service, driver.another_service()
    for _ in range(4):
        for driver.service in (first, second):
            driver.floor(s.Fill, amount=100)
        driver.bet("Ann", 1)
        driver.service = first
        driver.floor(s.Void, why="a drill")
        driver.service = second
        driver.say("Ann", s.Leave)
        driver.floor(s.CloseTable, tray=driver.balance("tray:T1"))
        driver.floor(s.OpenTable, layout="the-brook", tray=driver.balance("tray:T1"))
        driver.say("Ann", s.Seat, spot=1)
    assert max(len(service.desk.cache.keys) for service in (first, second)) == 1
