"""The server is killed in the middle of a hand and started again: the page recovers by itself, and the hand goes on."""

import re
from pathlib import Path

from browser.conftest import demo
from browser.player import Player
from playwright.sync_api import Browser, expect

DOWN = re.compile("ERR_CONNECTION|WebSocket|Failed to load resource")


def test_a_hand_continues_after_the_server_was_killed(browser: Browser, tmp_path: Path) -> None:
    with demo(tmp_path, hints=False) as serving:
        ann = Player(browser, serving.address)
        ann.sit_down("double-action", "Double Action")
        stay, deal = ann.page.locator("button.act.stay"), ann.page.get_by_role("button", name="Deal", exact=True)
        over = ann.page.get_by_label("Results of the round")
        ann.bet("Blackjack", "Match Madness")
        deal.click()
        while True:  # until there is a hand to decide: a blackjack leaves none
            no = ann.page.locator("button.act.decline-insurance")
            expect(stay.or_(over).or_(no).first).to_be_visible()
            if no.count():
                no.click()
            elif stay.count():
                break
            else:
                ann.page.get_by_role("button", name="Rebet", exact=True).click()
                deal.click()
        cards = ann.page.locator("section.own img").evaluate_all("all => all.map(image => image.alt)")
        money = ann.money()
        serving.kill()
        expect(ann.page.get_by_role("status")).to_contain_text("Connection lost")
        serving.start()
        expect(ann.page.get_by_role("status")).to_contain_text("Your turn", timeout=15_000)
        assert ann.page.locator("section.own img").evaluate_all("all => all.map(image => image.alt)") == cards
        assert ann.money() == money
        ann.does("stay")
        expect(ann.slip("Blackjack")).to_be_visible()
        expect(ann.slip("Match Madness")).to_be_visible()
        assert sum("No more bets" in line for line in ann.log()) == sum(
            "Dealer turns over" in line for line in ann.log()
        )
        assert [message for message in ann.wrong if not DOWN.search(message)] == []
        ann.context.close()
