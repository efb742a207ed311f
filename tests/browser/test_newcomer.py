"""Somebody who has read nothing: a round of each of the five games, two side wagers each, by what is on the screen."""

import time
from collections.abc import Callable

from browser.player import Player
from playwright.sync_api import Locator, expect

from upcard.catalog import shipped

Newcomer = Callable[..., Player]
WHOLE_BROWSER = True
THINKS = 1.5  # seconds before each click
MINUTES = 3


class Stranger:
    """Clicks what looks clickable, and counts."""

    def __init__(self, player: Player) -> None:
        self.player, self.page, self.clicks = player, player.page, 0

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1

    def sits_down(self, number: int) -> None:
        """The gold button under a picture; the name of the game is all they need."""
        if self.page.get_by_role("link", name="Back to the lobby").count():
            self.click(self.page.get_by_role("link", name="Back to the lobby"))
        self.click(self.page.get_by_role("button", name="Sit down").nth(number))
        expect(self.page.locator("section.spot.own")).to_be_visible()

    def bets(self) -> None:
        """The large circle and two others that take a chip at once; then the gold button."""
        self.click(self.page.locator("section.own .circle.main"))
        others = self.page.locator("section.own .circle.side[aria-disabled=false]")
        expect(others.nth(1)).to_be_visible()
        for at in range(2):
            self.click(others.nth(at))
        expect(self.page.locator("section.own .circle .sum")).to_have_count(3)
        self.click(self.page.get_by_role("button", name="Deal", exact=True))

    def plays(self) -> None:
        """Whatever is asked: goes on, declines, stays; until the slips lie there."""
        results = self.page.get_by_label("Results of the round")
        buttons = self.page.locator("button.act.stay, button.act.decline-insurance, button:has-text('Continue')")
        while True:
            expect(results.or_(buttons).first).to_be_visible(timeout=15_000)
            if results.count():
                return
            label = buttons.first.inner_text().split("\n")[0]
            self.click(buttons.first)
            expect(self.page.get_by_role("button", name=label, exact=True)).to_have_count(0)


def test_a_newcomer_plays_every_game_within_three_minutes(newcomer: Newcomer) -> None:
    ann = newcomer(reduced_motion="no-preference")
    ann.page.goto(ann.address)
    stranger = Stranger(ann)
    layouts = shipped().layouts  # each has a table; the usual ones of the five games come first
    expect(ann.page.get_by_role("button", name="Sit down")).to_have_count(len(layouts))
    played, started = [], time.monotonic()
    for number in range(5):
        stranger.sits_down(number)
        stranger.bets()
        stranger.plays()
        slips = ann.page.locator("[data-slip]")
        assert slips.count() >= 3
        played.append(ann.page.locator("h1").inner_text())
        assert not ann.page.get_by_role("alert").count(), "nothing was refused"
    assert len(set(played)) == 5
    assert time.monotonic() - started + THINKS * stranger.clicks < MINUTES * 60
    assert stranger.clicks <= 45
