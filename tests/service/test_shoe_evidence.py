"""The evidence of a finished shoe: complete, the same for somebody who came late, and not there before it is over."""

import json
from pathlib import Path
from typing import Any

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver, one_round
from support.cli_runner import upcard

from upcard.cards import read_card
from upcard.cards.shoe import PublishedShoe, Shuffle, new_shoe, shoe_problems
from upcard.catalog import shipped
from upcard.pit.terms import margins
from upcard.service import commands as s
from upcard.service.query_models import ShoeEvidence
from upcard.service.shoe_evidence import shoe_evidence
from upcard.service.views import player_view


def test_a_finished_shoe_has_its_key_numbers_cut_promise_and_cards(new_driver: NewDriver, tmp_path: Path) -> None:
    driver = new_driver()
    driver.sit("Ann")
    _play_until_shoe(driver, 2)
    driver.say("Ann", s.Cut, words="20 11", place=77)
    _play_until_shoe(driver, 3)
    evidence = _evidence(driver, 2)
    assert (evidence["layout"], evidence["decks"], evidence["cut"]) == ("bet-bigger", 6, 77)
    assert bytes.fromhex(evidence["nonce"]).decode() == "Ann 20 11"
    assert evidence["promise"] == evidence["commitment"]
    assert _evidence(driver, 1)["promise"] == "", "there was no shoe before it"
    first_round = min(cards["round"] for cards in evidence["rounds"])
    assert first_round > max(cards["round"] for cards in _evidence(driver, 1)["rounds"])
    (tmp_path / "shoe.json").write_text(json.dumps(_file(evidence)))
    assert upcard("verify-shoe", str(tmp_path / "shoe.json"), "--json").json["promised"]


def test_there_is_no_evidence_of_a_shoe_in_play_or_to_come(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann")
    one_round(driver)
    assert [shoe["number"] for shoe in driver.service.queries.shoes("T1")] == [2, 1]
    for number in (0, 1, 2, 3):
        assert shoe_evidence(driver.service.queries, "T1", number) is None


@pytest.mark.parametrize("seed", range(4))
def test_the_cards_on_the_table_are_known_at_each_refill(
    new_driver: NewDriver, stack_shoe: StackedShoe, seed: int
) -> None:
    """R33: bust hands are among the discards; split hands and the hole card are not."""
    stack_shoe.cut_card = 103
    driver = new_driver("lucky-ladies-jackpot-two-decks", jackpots={"Lucky Ladies": "LL"}, seed=seed)
    driver.sit("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")
    for _ in range(12):
        _hit_every_hand(driver)
        if driver.live.shoe > 1:
            break
    evidence = _evidence(driver, 1)
    assert len(evidence["refills"]) == 1
    assert _problems(evidence) == []
    on_table = evidence["refills"][0]
    last_round = evidence["rounds"][-1]["cards"]
    assert set(on_table) <= set(last_round)
    assert _problems({**evidence, "refills": [on_table[1:]]})


def test_a_hole_card_that_was_never_turned_over_is_left_out_of_the_comparison(
    new_driver: NewDriver, tmp_path: Path
) -> None:
    driver = new_driver("the-brook")
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.floor(s.Deal)
    driver.floor(s.Void, why="a misdeal")
    driver.floor(s.Shuffle)
    evidence = _evidence(driver, 1)
    cards = evidence["rounds"][0]["cards"]
    assert cards.count("?") == 1
    assert _problems(evidence) == []
    (tmp_path / "shoe.json").write_text(json.dumps(_file(evidence)))
    assert upcard("verify-shoe", str(tmp_path / "shoe.json"), "--json").json["holds"]
    other = "2c" if cards[0] != "2c" else "3c"
    (tmp_path / "shoe.json").write_text(json.dumps({**_file(evidence), "dealt": " ".join([other, *cards[1:]])}))
    assert "card 1 was" in upcard("verify-shoe", str(tmp_path / "shoe.json")).err


def test_a_shoe_that_was_never_begun_has_only_its_key(new_driver: NewDriver) -> None:
    driver = new_driver("the-brook")
    driver.floor(s.AnnounceClosing)
    evidence = _evidence(driver, 1)
    assert (evidence["layout"], evidence["cut"], evidence["rounds"]) == ("", None, [])
    assert evidence["key"]


def _play_until_shoe(driver: TableDriver, number: int) -> None:
    while driver.live.shoe < number:
        one_round(driver)


def _hit_every_hand(driver: TableDriver) -> None:
    """Everybody splits what they can and hits until they are bust, but Ann stays."""
    for spot, player in sorted(driver.live.table.seats.items()):
        driver.bet(player, spot)
    driver.floor(s.Deal)
    while driver.live.table.round is not None:
        for player in set(driver.live.table.seats.values()):
            choices = {choice["do"]: choice for choice in player_view(driver.live, player, None)["choices"]}
            move = next((name for name in ("split", "hit") if name in choices and player != "Ann"), "")
            if move:
                driver.say(player, s.Split if move == "split" else s.Hit, spot=choices[move]["spot"])
                break
        else:
            driver.later(60)


def _evidence(driver: TableDriver, number: int) -> ShoeEvidence:
    evidence = shoe_evidence(driver.service.queries, "T1", number)
    assert evidence is not None
    return evidence


def _file(evidence: ShoeEvidence) -> dict[str, Any]:
    """The evidence as `verify-shoe` reads it, and as the felt offers it for download."""
    record: dict[str, Any] = {
        name: evidence[name] for name in ("layout", "key", "nonce", "cut", "commitment", "promise")
    }
    record["dealt"] = " ".join(card for cards in evidence["rounds"] for card in cards["cards"])
    record["refills"] = [" ".join(cards) for cards in evidence["refills"]]
    return record


def _problems(evidence: ShoeEvidence) -> list[str]:
    """What is wrong with a shoe, verified with its own cut card or another's."""
    assert evidence["cut"] is not None
    shuffle = Shuffle(key=bytes.fromhex(evidence["key"]), nonce=bytes.fromhex(evidence["nonce"]), cut=evidence["cut"])
    layout = shipped().layout(evidence["layout"])
    shoe = new_shoe(evidence["decks"], shuffle, margins(shipped().game(layout.game), layout.decks))
    cards = [card for cards in evidence["rounds"] for card in cards["cards"]]
    published = PublishedShoe(
        commitment=evidence["commitment"],
        promise=evidence["promise"],
        dealt=[None if card == "?" else read_card(card) for card in cards],
        refills=[[None if card == "?" else read_card(card) for card in on_table] for on_table in evidence["refills"]],
    )
    return shoe_problems(shoe, published)
