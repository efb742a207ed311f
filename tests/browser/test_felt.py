"""The felt in a real browser: whole rounds by mouse and keyboard, refusals, two browsers, reloads, a phone, axe."""

import re
from collections.abc import Callable

import pytest
from browser.player import Player
from playwright.sync_api import expect

from upcard.catalog import shipped

Newcomer = Callable[..., Player]

# Cards come in the order they are dealt: player, dealer, player, dealer (face down), then as they are asked for.
ROUNDS = {
    "the-brook": (
        "The Brook",
        ["Ante", "Bet Bigger 2", "Lucky Ladies", "Suited Royals", "Galaxy Bonus Jackpot"],
        "Kh 7d Qh Td",  # a suited 20 and suited royals against 17
        {"Ante": "20 wins, pays 1 to 1: +$5", "Lucky Ladies": "Suited 20 pays", "Suited Royals": "pays"},
    ),
    "lucky-ladies-jackpot": (
        "Lucky Ladies Jackpot",
        ["Ante", "Bet Bigger 2x", "Lucky Ladies", "Match the Dealer", "Perfect Pair"],
        "9s 9d 9s 8c",  # a perfect pair of nines that match the dealer
        {"Perfect Pair": "pays", "Match the Dealer": "pays", "Ante": "18 wins, pays 1 to 1: +$5"},
    ),
    "bet-bigger": (
        "Bet Bigger",
        ["Ante", "Bet Bigger 1x", "Match the Dealer", "Break Bonus"],
        "Ts 6d Tc Th 9d",  # the dealer breaks
        {"Ante": "20 wins, pays 1 to 1: +$5", "Break Bonus": "pays", "Match the Dealer": "No winning event: -$5"},
    ),
    "lucky-ladies": (
        "Lucky Ladies",
        ["Blackjack", "Lucky Ladies", "21+3 Xtreme", "Top 3", "21+3 Jackpot"],
        "Td 9d Kd 8s",  # a suited 20 and a flush with the up card
        {
            "Blackjack": "20 wins, pays 1 to 1: +$5",
            "Lucky Ladies": "Suited 20 pays 9 to 1: +$45",
            "21+3 Xtreme": "pays",
        },
    ),
    "double-action": (
        "Double Action",
        ["Blackjack", "Double Action", "Match Madness"],
        "Tc 9d Ts 8h",
        {"Blackjack": "20 wins, pays 1 to 1: +$5"},
    ),
}


DECIDED_AT_THE_DEAL = {
    "Lucky Ladies",
    "Suited Royals",
    "Match the Dealer",
    "Perfect Pair",
    "21+3 Xtreme",
    "Double Action",
}


@pytest.mark.parametrize("table", ROUNDS)
def test_a_whole_round_of_each_game_by_mouse(table: str, newcomer: Newcomer) -> None:
    name, wagers, cards, slips = ROUNDS[table]
    ann = newcomer()
    ann.sit_down(table, name)
    ann.stack(table, cards)
    ann.bet(*wagers)
    ann.deal()
    ann.page.locator("button.act.stay, button:has-text('Continue')").first.wait_for()
    paid = re.compile(r"(won|lost) [+-]\$\d")
    for wager in DECIDED_AT_THE_DEAL.intersection(wagers):  # and paid or taken then, while the hand is played
        expect(ann.circle(wager)).to_have_accessible_name(paid)
    expect(ann.circle(wagers[0])).not_to_have_accessible_name(paid)
    if ann.page.get_by_role("button", name="Continue").count():  # wagers after the peek
        ann.bet("Bust Bonus")
        ann.page.get_by_role("button", name="Continue").click()
    ann.does("stay")
    for wager in wagers:
        expect(ann.slip(wager)).to_have_count(1)
    for wager, text in slips.items():
        expect(ann.slip(wager)).to_contain_text(text)
    assert ann.page.locator("section.own .circle").count() >= len(wagers)


def test_a_round_by_keyboard_alone(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "5s 9d 6c 7h 9c Ts")
    keys = ann.page.keyboard
    keys.press("3")  # a red chip into the Ante
    expect(ann.circle("Ante")).to_have_accessible_name(re.compile(r"\$5,"))
    for _ in range(8):  # to Break Bonus, and a chip into it
        keys.press("ArrowRight")
        if ann.page.evaluate("document.activeElement.dataset.circle") == "Break Bonus":
            break
    keys.press("3")
    keys.press("2")
    expect(ann.circle("Break Bonus")).to_have_accessible_name(re.compile(r"\$6,"))
    keys.press("Backspace")  # undone
    expect(ann.circle("Break Bonus")).to_have_accessible_name(re.compile(r"\$5,"))
    keys.press("Enter")
    expect(ann.page.locator("button.act.double")).to_be_visible()
    keys.press("d")
    expect(ann.slip("Ante")).to_contain_text("20 wins")
    assert ann.page.locator("section.own .hand").get_by_text("20", exact=True).count() == 1
    keys.press("Enter")  # the same again
    expect(ann.circle("Break Bonus")).to_have_accessible_name(re.compile(r"\$5,"))
    keys.press("c")
    expect(ann.circle("Break Bonus")).to_have_accessible_name(re.compile("empty"))
    keys.press("?")
    expect(ann.page.get_by_role("dialog")).to_contain_text("How to bet")
    keys.press("Escape")
    expect(ann.page.get_by_role("dialog")).to_have_count(0)


def test_insurance_then_a_split_and_a_double_for_less(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("the-brook", "The Brook")
    ann.stack("the-brook", "8s Ad 8c 6h 3d Th 7d Tc Kc")
    ann.chip("$10")
    ann.bet("Ante")
    ann.deal()
    expect(ann.page.get_by_role("status")).to_contain_text("Insurance?")
    assert ann.offered() == {"Insurance", "No"}
    ann.does("insure")
    expect(ann.page.locator("section.own .insured")).to_have_text("Insurance $5")
    ann.does("split")
    expect(ann.page.locator("section.own .hand")).to_have_count(2)
    expect(ann.page.locator("section.own .hand").first).to_contain_text("11")
    ann.page.get_by_role("button", name="for less").click()
    ann.page.locator("dialog input[type=range]").fill("400")
    ann.page.locator("dialog").get_by_role("button", name="Double").click()
    expect(ann.page.locator("section.own .hand").first).to_contain_text("doubled $4")
    ann.does("stay")
    expect(ann.slip("Insurance").or_(ann.page.locator("[data-slip]").filter(has_text="nsurance")).first).to_be_visible()
    expect(ann.page.get_by_label("Results of the round")).to_contain_text("hand 2")


def test_even_money_is_offered_for_a_blackjack_against_an_ace(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("double-action", "Double Action")
    ann.stack("double-action", "As Ad Kc 6h")
    ann.bet("Blackjack")
    ann.deal()
    expect(ann.page.get_by_role("status")).to_contain_text("Even money?")
    assert "Even money" in ann.offered()
    ann.page.keyboard.press("e")
    expect(ann.slip("Blackjack")).to_contain_text("+$5")


def test_a_refusal_is_shown_in_words_and_the_chips_stay(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("the-brook", "The Brook")
    ann.bet("Lucky Ladies")
    ann.deal()
    expect(ann.page.get_by_role("alert")).to_contain_text(re.compile("Ante|main", re.IGNORECASE))
    expect(ann.circle("Lucky Ladies")).to_have_accessible_name(re.compile(r"\$5,"))
    ann.chip("$10")
    ann.bet("Lucky Ladies")
    expect(ann.page.get_by_role("alert")).to_contain_text("The maximum Lucky Ladies is $10.")
    ann.page.get_by_role("button", name="Clear").click()
    assert ann.money() == "$1,000"


def test_two_browsers_at_one_table_see_each_other(newcomer: Newcomer) -> None:
    ann, bob = newcomer(), newcomer()
    ann.sit_down("lucky-ladies-jackpot", "Lucky Ladies Jackpot")
    bob.sit_down("lucky-ladies-jackpot", "Lucky Ladies Jackpot")
    others = ann.page.locator("section.spot.taken:not(.own)")
    expect(others).to_have_count(1)
    ann.stack("lucky-ladies-jackpot", "Ts 9c 6d Tc 9d 8h")
    ann.bet("Ante")
    ann.deal()
    expect(bob.page.locator("section.spot.taken:not(.own) .chip").first).to_be_visible()
    expect(ann.page.get_by_role("status")).to_contain_text("Waiting for the others")
    bob.bet("Ante")
    bob.deal()
    expect(ann.page.locator("section.spot.own img")).to_have_count(2)
    expect(ann.page.locator("section.spot.taken:not(.own) img")).to_have_count(2)
    ann.does("stay")
    bob.does("stay")
    expect(ann.slip("Ante")).to_have_count(1)
    expect(bob.slip("Ante")).to_have_count(1)
    for player in (ann, bob):  # every event told once
        assert sum("Dealer turns over" in line for line in player.log()) == 1


def test_a_reload_in_the_middle_of_a_hand_keeps_seat_chips_and_cards(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("double-action", "Double Action")
    ann.stack("double-action", "As 9d 6c 8h")
    ann.bet("Blackjack")
    ann.deal()
    expect(ann.page.locator("section.own .hand")).to_contain_text("7 or 17")
    ann.page.reload()
    expect(ann.page.locator("section.own .hand")).to_contain_text("7 or 17")
    assert ann.money() == "$995"
    ann.does("stay")
    expect(ann.slip("Blackjack")).to_contain_text("Push")


def test_a_reconnecting_page_shows_the_same_hand(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.page.add_init_script(
        "const Real = WebSocket; window.sockets = [];"
        "window.WebSocket = class extends Real { constructor(...all) { super(...all); window.sockets.push(this); } };"
    )
    ann.sit_down("bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "Ts 9d 8c 8h")
    ann.bet("Ante")
    ann.deal()
    expect(ann.page.locator("button.act.stay")).to_be_visible()
    before, sockets = len(ann.log()), ann.page.evaluate("window.sockets.length")
    ann.page.evaluate("window.sockets.at(-1).close()")
    expect(ann.page.get_by_role("status")).to_contain_text("your seat is kept")
    expect(ann.page.get_by_role("status")).to_contain_text("Your turn")
    assert ann.page.evaluate("window.sockets.length") == sockets + 1
    expect(ann.page.locator("button.act.stay")).to_be_visible()
    ann.does("stay")
    expect(ann.slip("Ante")).to_contain_text("18 wins")
    assert len(ann.log()) > before
    assert sum("ten of spades" in line for line in ann.log()) == 1


def test_rounds_are_listed_and_replayed(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "Ts 9d 8c 8h")
    ann.bet("Ante")
    ann.deal()
    ann.does("stay")
    expect(ann.slip("Ante")).to_be_visible()
    ann.page.get_by_role("button", name="Rounds").click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Replay").click()
    expect(dialog).to_contain_text("Dealer 17")
    expect(dialog.locator("img")).to_have_count(4)
    dialog.get_by_role("button", name="Back").click()
    ann.page.keyboard.press("Escape")


def test_a_replay_on_a_phone_has_room_for_every_hand_and_tells_them_apart(newcomer: Newcomer) -> None:
    ann = newcomer(viewport={"width": 390, "height": 844})
    ann.sit_down("bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "8s 6d 8c Th 8h Tc 9h 5h Kc")
    ann.bet("Ante")
    ann.deal()
    ann.does("split")
    expect(ann.page.locator("section.own .hand")).to_have_count(2)
    ann.does("split")
    for hand in range(3):
        expect(ann.page.locator("section.own .hand").nth(hand)).to_contain_text("▸")
        ann.does("stay")
    expect(ann.slip("Ante")).to_have_count(3)
    ann.page.get_by_role("button", name="Rounds").click()
    dialog = ann.page.get_by_role("dialog")
    expect(dialog.locator("tr[data-round]")).to_have_count(1)
    dialog.get_by_role("button", name="Replay").click()
    expect(dialog.locator(".slips")).to_contain_text("Ante, hand 3.")
    edges = dialog.evaluate(
        "one => [...one.querySelectorAll('.felt, .felt img')].map(part => part.getBoundingClientRect().right)"
    )
    assert len(edges) > 8
    assert max(edges) == edges[0], "every card lies on the felt"
    ann.page.keyboard.press("Escape")


def test_the_phone_shows_table_and_buttons_without_scrolling_sideways(newcomer: Newcomer) -> None:
    ann = newcomer(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    ann.sit_down("the-brook", "The Brook")
    ann.bet("Lucky Ladies", "Suited Royals")
    ann.deal()
    expect(ann.page.get_by_role("alert")).to_be_in_viewport()
    expect(ann.page.get_by_role("button", name="Deal", exact=True)).to_be_in_viewport(ratio=1)
    ann.stack("the-brook", "8s 9d 8c 8h")  # after the refusal, which begins no round
    ann.bet("Ante")
    ann.deal()
    expect(ann.page.locator("button.act.split")).to_be_in_viewport()
    expect(ann.page.locator("section.own img").first).to_be_in_viewport()
    expect(ann.page.get_by_label("Dealer", exact=True)).to_be_in_viewport()
    assert ann.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]") == [390, 390]
    ann.does("stay")
    expect(ann.slip("Ante")).to_be_in_viewport()


def test_the_last_of_many_slips_is_seen_and_reached(newcomer: Newcomer) -> None:
    """Two hands and six side wagers: all at once on a laptop, by scrolling and by keyboard on a phone."""
    for screen in ({"width": 1280, "height": 800}, {"width": 390, "height": 844}):
        ann = newcomer(viewport=screen)
        ann.sit_down("lucky-ladies", "Lucky Ladies")
        ann.stack("lucky-ladies", "Qh 9d Qh 8s 9c 9h")
        ann.bet("Blackjack", "Lucky Ladies", "21+3 Xtreme", "Top 3", "21+3 Jackpot")
        ann.deal()
        expect(ann.page.get_by_role("button", name="Continue")).to_be_enabled()
        ann.bet("Bust Bonus")
        expect(ann.circle("Bust Bonus").locator("[data-sum]")).to_be_attached()
        ann.page.get_by_role("button", name="Continue").click()
        ann.does("split")
        for hand in (0, 1):
            expect(ann.page.locator("section.own .hand").nth(hand)).to_contain_text("▸")
            ann.does("stay")
        slips = ann.page.get_by_label("Results of the round").get_by_label("Wagers")
        expect(slips.locator("li")).to_have_count(7)
        if screen["width"] < 700:
            slips.focus()
            ann.page.keyboard.press("End")
        expect(slips.locator("li").last).to_be_in_viewport(ratio=1)
        assert ann.axe() == []
        ann.leave()


def test_axe_finds_nothing_serious(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.page.goto(ann.address)
    expect(ann.page.get_by_role("button", name="Sit down")).to_have_count(len(shipped().layouts))
    violations = {"lobby": ann.axe()}
    ann.sit_down("lucky-ladies", "Lucky Ladies")
    ann.stack("lucky-ladies", "8s 9d 8c 8h")
    ann.bet("Blackjack", "Lucky Ladies")
    violations["betting"] = ann.axe()
    ann.deal()
    ann.page.get_by_role("button", name="Continue").click()
    expect(ann.page.locator("button.act.stay")).to_be_visible()
    ann.page.keyboard.press("v")
    expect(ann.page.locator("[data-hint]")).to_contain_text("is best by", timeout=60_000)
    violations["playing"] = ann.axe()
    ann.does("stay")
    expect(ann.slip("Blackjack")).to_be_visible()
    violations["over"] = ann.axe()
    ann.page.get_by_role("button", name="Rules").click()
    expect(ann.page.get_by_role("dialog")).to_contain_text("The main game")
    violations["rules"] = ann.axe()
    ann.page.keyboard.press("Escape")
    for button in ("Rounds", "Help"):
        ann.page.get_by_role("button", name=button).click()
        expect(ann.page.get_by_role("dialog")).to_be_visible()
        violations[button] = ann.axe()
        ann.page.keyboard.press("Escape")
    ann.page.get_by_role("button", name="Settings").click()
    violations["settings"] = ann.axe()
    ann.page.get_by_role("button", name="Settings").click()
    stranger = newcomer()
    stranger.page.goto(f"{ann.address}/#/sign-in")
    expect(stranger.page.get_by_role("heading", name="Sign in")).to_be_visible()
    violations["sign in"] = stranger.axe()
    assert {where: problems for where, problems in violations.items() if problems} == {}


def test_cards_move_and_the_round_is_the_same(newcomer: Newcomer) -> None:
    ann = newcomer(reduced_motion="no-preference")
    ann.sit_down("bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "Ts 9d 8c 8h")
    ann.bet("Ante")
    ann.deal()
    expect(ann.page.locator(".card.moving").first).to_be_visible()
    ann.does("stay")
    expect(ann.slip("Ante")).to_contain_text("18 wins")


def test_a_player_who_returns_to_the_lobby_between_rounds_gives_up_the_seat(newcomer: Newcomer) -> None:
    ann, bob = newcomer(), newcomer()
    ann.sit_down("double-action", "Double Action")
    bob.sit_down("double-action", "Double Action")
    expect(bob.page.locator("section.spot.taken")).to_have_count(2)
    ann.page.get_by_role("link", name="Back to the lobby").click()
    expect(ann.page.get_by_role("heading", name="Take a seat")).to_be_visible()
    expect(bob.page.locator("section.spot.taken")).to_have_count(1)


def test_a_double_and_a_split_are_offered_only_with_the_chips_for_them(newcomer: Newcomer) -> None:
    """Two spots of $400 leave $200 of a guest's $1,000: enough to double for less, not to double or to split."""
    ann = newcomer()
    ann.sit_down("double-action", "Double Action")
    ann.page.locator("button.sit").first.click()
    expect(ann.page.locator("section.spot.own")).to_have_count(2)
    ann.stack("double-action", "8c 9h 6d 8s 9c Th")
    ann.chip("$100")
    for circle in ann.page.locator('section.own button[data-circle="Blackjack"]').all():
        for _ in range(4):
            circle.click()
    assert ann.money() == "$200"
    ann.deal()
    ann.page.locator("button.act.stay").wait_for()
    assert {button.inner_text().split("\n")[0].strip() for button in ann.page.locator("button.act:visible").all()} == {
        "Hit",
        "Stay",
        "Double for less",
    }
    ann.page.locator("button.act.less").click()
    expect(ann.page.get_by_role("slider")).to_have_attribute("max", "20000")
    ann.page.keyboard.press("Escape")
    for spot in (1, 2):
        expect(ann.page.locator("section.spot.turn")).to_have_count(1)
        ann.does("stay")
        if spot == 1:
            ann.page.wait_for_timeout(300)
    expect(ann.page.get_by_label("Results of the round")).to_be_visible()
