"""Every circle explains itself: paytable, exact edge, hit rate, and what it would have paid on this hand."""

import re
from collections.abc import Callable

from browser.player import Player
from playwright.sync_api import expect

Newcomer = Callable[..., Player]


def test_a_circle_tells_its_edge_and_what_it_would_have_paid(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "Ts 6d Tc Th 9d")  # the dealer breaks
    ann.bet("Ante", "Match the Dealer")
    ann.deal()
    ann.does("stay")
    expect(ann.slip("Ante")).to_be_visible()
    dialog = ann.page.get_by_role("dialog")

    ann.circle("Break Bonus").locator(".name").click()
    expect(dialog.get_by_role("heading")).to_have_text("Break Bonus")
    expect(dialog.locator('[data-fact="edge"]')).to_contain_text("13.85%")  # the filing's paytable, six decks
    expect(dialog.locator('[data-fact="hit-rate"]')).to_contain_text("28.58% of the hands, one in 3.5")
    expect(dialog.locator('[data-fact="this-hand"]')).to_contain_text("would have won")
    expect(dialog.locator("tr.won")).to_have_count(1)
    assert ann.axe() == []
    ann.page.keyboard.press("Escape")
    expect(ann.circle("Break Bonus")).to_have_accessible_name(re.compile(r"Break Bonus, spot \d: empty"))

    ann.page.get_by_role("button", name="Rules").click()
    expect(dialog).to_contain_text("Come closer to 21 than the dealer")
    expect(dialog.get_by_text("Filing 002")).not_to_be_visible()
    dialog.get_by_text("The rules as filed, clause by clause").click()
    expect(dialog.get_by_text("Filing 002")).to_be_visible()
    dialog.get_by_role("button", name="What Match the Dealer pays").click()
    facts = ann.page.locator("dialog").last
    expect(facts.locator('[data-fact="this-hand"]')).to_contain_text("You had $5 on it: No winning event: -$5.")
    assert ann.axe() == []
    ann.page.keyboard.press("Escape")
    ann.page.keyboard.press("Escape")
