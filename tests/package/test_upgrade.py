"""The chapter on upgrading, carried out: backup, stop, the new version, start, doctor and check; a hand goes on."""

import re
from pathlib import Path

import pytest
from api.house import House, running_house
from support.cli_runner import upcard

from upcard.people import Role
from upcard.service import commands as s

CHAPTER = Path(__file__).parents[2] / "docs" / "installing.md"
CARDS = "Th 9c 9h"


def orders_of_the_chapter() -> list[list[str]]:
    """The `upcard` commands of the chapter for a book file, in their order."""
    text = CHAPTER.read_text(encoding="utf-8").partition("## Upgrading")[2].partition("## ")[0]
    block = re.search(r"```sh\n(.*?)```", text, re.S)
    assert block is not None
    lines = [part.split("#")[0].split() for line in block[1].splitlines() for part in line.split("&&")]
    return [line[1:] for line in lines if line and line[0] == "upcard" and "postgresql" not in " ".join(line)]


def deal_a_hand(house: House) -> None:
    """A hand at a table dealt by hand, in the middle of a decision."""
    house.do(s.OpenTable(table="Oak 1", layout="bet-bigger", tray=10_000_00, by_hand=True))
    house.chips("Ann", 100_00, table="Oak 1")
    dealer = house.somebody(Role.DEALER, name="Dana")
    orders: list[tuple[str, dict[str, object]]] = [
        ("log-on", {}),
        ("new-shoe", {}),
        ("seat", {"player": "Ann", "spot": 1}),
        ("bet", {"spot": 1, "stakes": {"Ante": 10_00}}),
        ("deal", {}),
    ]
    orders += [("card", {"card": card}) for card in CARDS.split()]
    for do, fields in orders:
        answer = dealer.say("Oak 1", do, **fields)
        assert answer.status_code == 200, answer.text


def test_the_chapter_is_carried_out_and_the_hand_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    backup, *checks = orders_of_the_chapter()
    assert (backup[0], [words[0] for words in checks]) == ("backup", ["doctor", "ledger"])
    copy = str(tmp_path / "before-upgrade.db")
    with running_house(tmp_path) as house:
        deal_a_hand(house)
        words = [copy if word.startswith("/backups/") else word for word in backup]
        answer = upcard(*words)  # while the service runs
        assert answer.code == 0, answer.out + answer.err
        before = house.server.service.desk.live("Oak 1").table.round
    with running_house(tmp_path) as house:
        assert house.server.service.desk.live("Oak 1").table.round == before
        house.later(seconds=60)  # the code from before the restart is used up
        dealer = house.sign_in("Dana")
        for do, fields in (("stay", {"spot": 1}), ("card", {"card": "8c"}), ("settle", {})):
            assert dealer.say("Oak 1", do, **fields).status_code == 200
        assert house.server.service.queries.bankroll("Ann") == 110_00
        for words in checks:
            answer = upcard(*words)
            assert answer.code == 0, answer.out + answer.err
