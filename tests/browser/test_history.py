"""A player's history in the browser: cards, filters, statistics, and a shared round without names."""

import re
from collections.abc import Callable

from browser.player import Player
from playwright.sync_api import expect

Newcomer = Callable[..., Player]


def test_history_statistics_and_a_shared_round(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("bet-bigger", "Bet Bigger")
    for cards, wagers in (("Ts 6d Tc Th 9d", ["Ante", "Break Bonus"]), ("Ts 9d 8c Th", ["Ante"])):  # won, then lost
        ann.stack("bet-bigger", cards)
        ann.bet(*wagers)
        ann.deal()
        ann.does("stay")
        expect(ann.slip("Ante")).to_be_visible()
        ann.page.get_by_role("button", name="Close the results").click()

    ann.page.get_by_role("button", name="Rounds", exact=True).click()
    dialog = ann.page.get_by_role("dialog")
    rows = dialog.locator("tr[data-round]")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("10♠8♣ 9♦10♥")
    expect(rows.first).to_contain_text("-$5")
    dialog.get_by_label("Wager").select_option("Break Bonus")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("+$10")
    dialog.get_by_label("Result").select_option("lost")
    expect(dialog).to_contain_text("No round fits.")
    dialog.get_by_label("Result").select_option("won")
    expect(rows).to_have_count(1)
    assert ann.axe() == []
    rows.first.get_by_role("button").click()
    expect(dialog).to_contain_text("20 wins, pays 1 to 1: +$5")
    dialog.get_by_role("button", name="Copy a link to share").click()
    link = dialog.locator("[data-link]").input_value()
    assert re.search(r"/#/replay/bet-bigger/\d+/\d\.[0-9a-f]{40}$", link)
    name = ann.page.evaluate("fetch('/api/me').then(answer => answer.json()).then(me => me.name)")

    dialog.get_by_role("button", name="All rounds").click()
    dialog.get_by_role("button", name="Statistics").click()
    expect(dialog.locator('[data-period="session"] [data-stat="rounds"]')).to_have_text("2 rounds")
    expect(dialog.locator('[data-stat="result"]')).to_have_text("+$5")
    expect(dialog.locator('[data-by="wager"] tbody tr')).to_have_count(2)
    dialog.get_by_role("button", name="All your rounds").click()
    expect(dialog.locator('[data-period="career"] [data-stat="rounds"]')).to_have_text("2 rounds")
    assert ann.axe() == []
    ann.page.keyboard.press("Escape")

    friend = newcomer()  # who is not signed in
    friend.page.goto(link)
    expect(friend.page.get_by_role("heading", name="A shared round of Bet Bigger")).to_be_visible()
    expect(friend.page.locator("main")).to_contain_text(": the player")
    expect(friend.page.locator("main")).to_contain_text("20 wins, pays 1 to 1: +$5")
    assert name not in friend.page.content()
    assert friend.axe() == []
