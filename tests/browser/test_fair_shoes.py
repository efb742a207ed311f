"""Fairness that a player can see: published hashes, a number and a cut of one's own, shoes verified in the browser."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from browser.player import Player
from playwright.sync_api import Route, expect
from support.cli_runner import upcard

Newcomer = Callable[..., Player]
TABLE, NAME = "double-action", "Double Action"


@pytest.fixture
def short_shoes(address: str) -> Iterator[None]:
    """The cut card comes out in the first round of every shoe."""
    httpx.post(f"{address}/test/last-rounds", json={"tables": [TABLE]}, verify=False)
    yield
    httpx.post(f"{address}/test/last-rounds", json={"tables": []}, verify=False)


def _shoe_of(player: Player) -> int:
    return int(player.page.locator("[data-shoe]").get_attribute("data-shoe") or 0)


def _play_a_shoe(player: Player) -> int:
    """One round, the only one of its shoe; returns the shoe's number."""
    shoe = _shoe_of(player)
    player.bet("Blackjack")
    player.deal()
    stay = player.page.locator("button.act.stay:enabled, button.act.decline-insurance:enabled")
    checked = player.page.locator(f'[data-checked="{shoe}"]')
    while not checked.count():
        stay.or_(checked).first.wait_for()
        if stay.count():
            stay.first.click()
    return shoe


def _dialog(player: Player) -> Any:
    player.page.locator("[data-shoe]").click()
    return player.page.get_by_role("dialog")


@pytest.mark.usefixtures("short_shoes")
def test_five_shoes_are_verified_in_the_browser_and_changed_ones_rejected(newcomer: Newcomer, tmp_path: Path) -> None:
    ann = newcomer()
    ann.sit_down(TABLE, NAME)
    _play_a_shoe(ann)  # whatever an earlier test dealt
    dialog = _dialog(ann)
    first = _shoe_of(ann)
    commitment = dialog.locator("[data-commitment]").inner_text()
    assert len(commitment) == 64
    dialog.get_by_label("Your number or words").fill("4711")
    dialog.get_by_label("I place the cut").check()
    dialog.get_by_role("slider").fill("77")
    dialog.get_by_role("button", name="Add to the shuffle").click()
    expect(dialog).to_contain_text(f"Your number 4711 is in the shuffle of shoe {first}.")
    dialog.get_by_label("Add a new random number to every shoe").check()
    assert ann.axe() == []
    ann.page.keyboard.press("Escape")

    for number in range(first, first + 5):
        assert _play_a_shoe(ann) == number
        expect(ann.page.locator("[data-checked]")).to_have_text(f"✓ Shoe {number} verified")

    dialog = _dialog(ann)
    for number in range(first, first + 5):
        result = dialog.locator(f'[data-finished="{number}"]')
        expect(result.locator("[data-genuine]")).to_be_visible()
        expect(result).to_contain_text("The hash was promised when the shoe before began.")
        expect(result).to_contain_text("Your number is in the shuffle")
        expect(result).to_contain_text("The cards of the one round that you watched are the same.")
    assert ann.axe() == []
    with ann.page.expect_download() as download:
        dialog.get_by_role("button", name=f"Download the evidence of shoe {first}", exact=True).click()
    download.value.save_as(tmp_path / "shoe.json")
    record = json.loads((tmp_path / "shoe.json").read_text())
    assert (record["commitment"], record["cut"]) == (commitment, 77)
    assert bytes.fromhex(record["nonce"]).decode().endswith(" 4711")
    verified = upcard("verify-shoe", str(tmp_path / "shoe.json"), "--json")
    assert verified.json["players_number"]
    assert verified.json["promised"]
    ann.page.keyboard.press("Escape")
    _reject_changed_shoes(newcomer, first)


def _reject_changed_shoes(newcomer: Newcomer, first: int) -> None:
    """Somebody who comes later fetches the records; what the service changes in them is noticed."""

    def card(evidence: Any) -> None:
        cards = evidence["rounds"][0]["cards"]
        cards[2] = "2c" if cards[2] != "2c" else "3c"

    changes: list[tuple[str, Callable[[Any], Any]]] = [
        ("card", card),
        ("commitment", lambda evidence: evidence.update(key="00" * 32)),
        ("card", lambda evidence: evidence.update(nonce=(bytes.fromhex(evidence["nonce"])[:-1] + b"2").hex())),
        ("card", lambda evidence: evidence.update(cut=78)),
    ]
    bob = newcomer()
    bob.sit_down(TABLE, NAME)
    dialog = _dialog(bob)
    verify = dialog.get_by_role("button", name=f"Verify shoe {first}", exact=True)
    for problem, change in changes:
        bob.page.route(f"**/shoes/{first}", partial(_answer_changed, change))
        verify.click()
        expect(dialog.locator(f'[data-finished="{first}"] [data-problem="{problem}"]')).to_be_visible()
        bob.page.unroute(f"**/shoes/{first}")
        bob.page.reload()  # nothing is verified yet
        _dialog(bob)
    verify.click()
    expect(dialog.locator(f'[data-finished="{first}"] [data-genuine]')).to_be_visible()
    bob.page.keyboard.press("Escape")


def _answer_changed(change: Callable[[Any], Any], route: Route) -> None:
    evidence = route.fetch().json()
    change(evidence)
    route.fulfill(json=evidence)
