"""Live shoes: promised before the first wager, told when they are over, and checked by anybody."""

import json
from typing import Any

import pytest
from service.conftest import NewEvening
from service.evening import Evening, Laid
from support.cli_runner import upcard

from upcard.cards import Card
from upcard.cards.shoe import new_shoe
from upcard.pit.terms import margins
from upcard.service import commands as s
from upcard.service.refusals import Refused

SHOE_TABLES = ("history", "refusals", "streams", "shoes", "rounds", "player_rounds", "entries", "chains", "transfers")


def test_the_promise_comes_before_the_first_wager_and_the_key_after_the_last_round(
    evening: NewEvening, lay: Laid
) -> None:
    lay.cut_card = 20
    e = evening()
    e.sit("Ann")
    told = [(row["number"], one) for row in e.service.queries.records("T1") for one in row["events"]]
    promised = next(one["commitment"] for _, one in told if one["event"] == "shoe-committed")
    assert e.service.queries.shoes("T1") == [{"number": 1, "commitment": promised, "key": None}]
    _until_the_shoe_is_over(e)
    second, first = e.service.queries.shoes("T1")
    assert first["commitment"] == promised
    assert first["key"]
    assert (second["number"], second["key"]) == (2, None)


def test_a_live_shoe_is_in_no_row(evening: NewEvening, lay: Laid) -> None:
    """Neither its key, nor the hole card of the hand that is played, nor a card that lies in the shoe."""
    lay("Tc 9h 2d 7s")
    e = evening()
    e.sit("Ann")
    e.say("Ann", s.Cut, words="lucky", place=150)
    e.bet("Ann", 1)
    e.say("Ann", s.Ready)
    with pytest.raises(Refused):
        e.say("Ann", s.Split, spot=1)
    assert e.live.shuffle is not None
    key = e.live.shuffle.key.hex()
    rows = e.rows()
    texts = [str(cell) for name in SHOE_TABLES for row in rows[name] for cell in row]
    assert not [text for text in texts if key in text.lower()]
    dealt = [one["card"] for row in e.service.queries.records("T1") for one in row["events"] if "card" in one]
    assert dealt == ["Tc", "9h", "2d"]
    assert not [text for text in texts if '"7s"' in text]
    assert key not in repr(e.live)


def test_a_finished_shoe_is_verified_by_the_command_line(evening: NewEvening, tmp_path: Any) -> None:
    e = evening()
    e.sit("Ann")
    e.say("Ann", s.Cut, words="lucky", place=150)
    _until_the_shoe_is_over(e)
    told = [one for row in e.service.queries.records("T1") for one in row["events"]]
    revealed = next(one for one in told if one["event"] == "shoe-revealed")
    promised = next(one for one in told if one["event"] == "shoe-committed")
    record = {name: revealed[name] for name in ("key", "nonce", "cut")}
    record |= {"layout": "bet-bigger", "commitment": promised["commitment"], "dealt": " ".join(_dealt(e))}
    (tmp_path / "shoe.json").write_text(json.dumps(record))
    answer = upcard("verify-shoe", str(tmp_path / "shoe.json"), "--json")
    assert answer.json["holds"], answer.err
    assert bytes.fromhex(revealed["nonce"]).decode() == "Ann lucky"
    assert revealed["cut"] == 150
    (tmp_path / "shoe.json").write_text(json.dumps({**record, "cut": 151}))
    assert upcard("verify-shoe", str(tmp_path / "shoe.json")).code == 2


def test_players_words_and_cut_change_the_order(evening: NewEvening) -> None:
    orders: set[tuple[Card, ...]] = set()
    said: list[dict[str, Any]] = [{}, {"words": "lucky"}, {"words": "plucky"}, {"place": 100}, {"place": 101}]
    for words in said:
        e = evening(seed=7)
        e.sit("Ann")
        if words:
            e.say("Ann", s.Cut, **words)
        e.bet("Ann", 1)
        orders.add(e.live.pile)
    assert len(orders) == len(said)


def test_a_cut_has_its_margins_and_its_moment(evening: NewEvening) -> None:
    e = evening()
    e.sit("Ann")
    assert e.no("Ann", s.Cut, place=1)[0] == "BAD_CUT"
    assert e.no("Eve", s.Cut, words="hers")[0] == "NOT_SEATED"
    e.bet("Ann", 1)
    assert e.no("Ann", s.Cut, words="late")[0] == "CUT_DECIDED"


def test_a_shoe_that_runs_out_in_a_round_is_dealt_on_with_the_discards(evening: NewEvening, lay: Laid) -> None:
    """R33: with the same key and a nonce of its own, so a table that is resumed deals the same cards."""
    lay.cut_card = 103
    e = evening("lucky-ladies-jackpot-two-decks", jackpots={"Lucky Ladies": "LL"})
    e.sit("Ann")
    while not e.live.refills:
        before = e.live
        _one_round(e)
        if e.live.shoe != before.shoe:
            break
    said = [one for row in e.service.queries.records("T1", since=before.version - 1) for one in row["events"]]
    assert any(one["event"] == "discards-returned" for one in said)
    known = e.live
    e.restart()
    assert e.live == known


def test_the_pile_is_the_shoe_of_the_key(evening: NewEvening) -> None:
    e = evening()
    e.sit("Ann")
    e.bet("Ann", 1)
    live = e.live
    assert live.shuffle is not None
    catalog = e.service.desk.catalog
    allowed = margins(catalog.game("bet-bigger"), 6)
    assert live.pile == new_shoe(6, live.shuffle, allowed).order


def _until_the_shoe_is_over(e: Evening) -> None:
    while e.live.shoe == 1:
        _one_round(e)


def _one_round(e: Evening) -> None:
    e.bet("Ann", 1)
    e.floor(s.Deal)
    while e.live.table.round is not None:
        e.later(60)


def _dealt(e: Evening) -> list[str]:
    """The cards of the first shoe as they came out, each hole card in its place."""
    out: list[str] = []
    hole = -1
    live_shoe = 1
    for row in e.service.queries.records("T1", most=5000):
        for one in row["events"]:
            match one["event"]:
                case "shoe-revealed":
                    live_shoe += 1
                case "hole-card-dealt":
                    hole = len(out)
                    out.append("")
                case "hole-revealed":
                    out[hole] = one["card"]
                case _ if "card" in one and live_shoe == 1:
                    out.append(one["card"])
    assert "" not in out
    return out


@pytest.mark.parametrize("played", [True, False])
def test_the_key_of_the_last_shoe_is_told_once(evening: NewEvening, lay: Laid, played: bool) -> None:
    e = evening("the-brook")
    e.sit("Ann")
    lay.cut_card = 3
    if played:
        e.bet("Ann", 1)
    e.floor(s.AnnounceClosing)
    if played:
        e.floor(s.Deal)
        while e.live.table.round is not None:
            e.later(60)
    assert e.live.table.closed
    e.floor(s.CloseTable, tray=e.own("tray:T1"))
    records = e.service.queries.records("T1")
    told = [event["shoe"] for row in records for event in row["events"] if event["event"] == "shoe-revealed"]
    assert told == [1]
    e.floor(s.OpenTable, layout="the-brook", tray=e.own("tray:T1"))
    assert [(one["number"], one["key"] is None) for one in e.service.queries.shoes("T1")] == [(2, True), (1, False)]


def test_a_process_keeps_no_keys_of_shoes_that_another_has_put_away(evening: NewEvening) -> None:
    e = evening("the-brook")
    e.sit("Ann")
    first, second = e.service, e.another()
    for _ in range(4):
        for e.service in (first, second):
            e.floor(s.Fill, amount=100)
        e.bet("Ann", 1)
        e.service = first
        e.floor(s.Void, why="a drill")
        e.service = second
        e.floor(s.CloseTable, tray=e.own("tray:T1"))
        e.floor(s.OpenTable, layout="the-brook", tray=e.own("tray:T1"))
        e.say("Ann", s.Seat, spot=1)
    assert max(len(one.desk.cache.keys) for one in (first, second)) == 1
