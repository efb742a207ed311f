"""More than one's own hand: hints on demand, bots in the other seats, chips and meters that move before one's eyes."""

import re
from collections.abc import Callable

from browser.player import Player
from playwright.sync_api import expect

Newcomer = Callable[..., Player]
VALUES = re.compile(r"^Hit [-+]\d+\.\d%, .*Stay [-+]\d+\.\d%.*: Hit is best by \d+\.\d cents per dollar\.$")


def test_a_hint_tells_what_every_action_is_worth(newcomer: Newcomer) -> None:
    """By key and by button; gone when the hand goes on, and never asked for by itself."""
    ann = newcomer()
    ann.sit_down("bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "5s Td 7c 7h 2c 9h")
    ann.bet("Ante")
    ann.deal()
    expect(ann.page.locator("button.act.hit")).to_be_visible()
    hint = ann.page.locator("[data-hint]")
    expect(hint).to_be_empty()
    ann.page.keyboard.press("v")
    expect(hint).to_have_text(VALUES, timeout=60_000)  # a machine that has never priced a hand compiles first
    for action in ("Hit", "Stay", "Double", "Surrender -50.0%"):
        assert action in hint.inner_text()
    expect(ann.page.locator("button.act.hit")).to_have_class(re.compile("best"))
    ann.does("hit")
    expect(ann.page.locator("section.own .hand")).to_contain_text("14")
    expect(hint).to_be_empty()
    ann.page.get_by_role("button", name="Hint").click()
    expect(hint).to_contain_text("is best by")
    assert "Double" not in hint.inner_text()  # three cards
    ann.does("hit")
    expect(ann.slip("Ante")).to_contain_text("Bust with 23")


def test_a_hint_prices_even_money(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("double-action", "Double Action")
    ann.stack("double-action", "As Ad Kc 6h")
    ann.bet("Blackjack")
    ann.deal()
    expect(ann.page.locator("button.act.even-money")).to_be_visible()
    ann.page.keyboard.press("v")
    expect(ann.page.locator("[data-hint]")).to_have_text(
        re.compile(r"^No \+103\.\d%.*Even money \+100\.0%.*: No is best by 3\.\d cents per dollar\.$"), timeout=60_000
    )
    ann.does("even-money")
    expect(ann.slip("Blackjack")).to_contain_text("+$5")


def test_bots_fill_the_seats_play_a_round_and_go(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("lucky-ladies-jackpot", "Lucky Ladies Jackpot")
    sign = ann.page.get_by_label("Table sign")
    sign.get_by_role("button", name="Fill the seats with bots").click()
    bots = ann.page.locator("section.spot.taken:not(.own)")
    expect(bots).to_have_count(4)
    expect(bots.first).to_contain_text("(bot)")
    ann.stack("lucky-ladies-jackpot", "8s 8d 9c 8c 7c Ac 8h 8d 9s 8c 7d 9d")  # all are asked for insurance
    ann.bet("Ante")
    ann.deal()
    no = ann.page.locator("button.act.decline-insurance")
    expect(no).to_be_visible(timeout=20_000)
    expect(bots.locator("img").first).to_be_visible()
    no.click()
    stay = ann.page.locator("button.act.stay")
    expect(stay).to_be_visible(timeout=20_000)
    stay.click()
    expect(ann.slip("Ante")).to_be_visible(timeout=20_000)
    sign.get_by_role("button", name="Send the bots away").click()
    expect(bots).to_have_count(0)


def test_chips_of_others_are_seen_as_they_come_down(newcomer: Newcomer) -> None:
    ann, bob = newcomer(), newcomer()
    ann.sit_down("the-brook", "The Brook")
    bob.sit_down("the-brook", "The Brook")
    seen = bob.page.locator("section.spot.taken:not(.own)")
    expect(seen).to_have_count(1)
    ann.bet("Ante", "Galaxy Bonus Jackpot")
    expect(seen).to_contain_text("Bets $10")
    expect(seen.locator(".chip").first).to_be_visible()
    expect(seen.locator(".mark.jackpot.filled")).to_have_count(1)
    ann.page.get_by_role("button", name="Undo").click()
    expect(seen).to_contain_text("Bets $5")
    ann.page.get_by_role("button", name="Clear").click()
    expect(seen.locator(".chip")).to_have_count(0)
    assert ann.money() == "$1,000"


def test_the_jackpot_display_shows_the_meters_of_the_book(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("the-brook", "The Brook")
    jackpots = ann.page.evaluate("fetch('/api/jackpots').then(answer => answer.json())")
    meters = next(jackpot["meters"] for jackpot in jackpots if jackpot["jackpot"].startswith("the-brook"))
    for name, cents in meters.items():
        expect(ann.page.locator(f'[data-meter="{name}"]')).to_contain_text(f"${cents // 100:,}")
