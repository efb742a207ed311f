"""Leaving and coming back: links, reloads, lost connections, absent players, and who plays without a mouse."""

import re
from collections.abc import Callable

from browser.player import Player
from playwright.sync_api import WebSocketRoute, expect

Newcomer = Callable[..., Player]
DECISION = 30_000  # ms that a table waits for a player who is there


def test_leaving_in_the_middle_of_a_hand_warns_and_nobody_waits_for_who_left(newcomer: Newcomer) -> None:
    ann, bob = newcomer(), newcomer()
    ann.sit_down("double-action", "Double Action")
    bob.sit_down("double-action", "Double Action")
    ann.stack("double-action", "Ts 9c 9d 8c 8d 8h")
    ann.bet("Blackjack")
    ann.deal()
    bob.bet("Blackjack")
    bob.deal()
    ann.page.locator("button.act.stay").wait_for()
    to_lobby = ann.page.get_by_role("link", name="Back to the lobby")
    to_lobby.click()
    expect(ann.page.get_by_role("dialog")).to_contain_text("Your hand is still in play")
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("button.act.stay")).to_be_visible()
    to_lobby.click()
    ann.page.get_by_role("button", name="Leave anyway").click()
    card = ann.page.locator('[data-layout="double-action"]')
    expect(card).to_contain_text("2 playing, 4 of 6 seats free")
    expect(ann.page.locator(".you")).to_contain_text("$995")  # as it is now
    ann.page.get_by_role("link", name="Return to your hand at Double Action").click()
    expect(ann.page.locator("button.act.stay")).to_be_visible()
    ann.page.goto("about:blank")
    expect(bob.page.locator("button.act.stay")).to_be_visible(timeout=DECISION - 8_000)
    bob.does("stay")
    expect(bob.slip("Blackjack")).to_be_visible()


def test_the_pages_open_while_the_book_takes_no_write(newcomer: Newcomer) -> None:
    """They used to ask /healthz first, which waits for the disk, and showed nothing when it failed."""
    ann = newcomer()
    ann.page.route("**/healthz", lambda route: route.fulfill(status=503, json={"healthy": False}))
    ann.page.goto(ann.address)
    expect(ann.page.get_by_role("button", name="Sit down at Bet Bigger", exact=True)).to_be_visible()


def test_a_lost_connection_is_shown_within_three_seconds(newcomer: Newcomer) -> None:
    ann = newcomer()
    dead = False

    def join(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda message: None if dead else socket.send(message))

    ann.page.route_web_socket(re.compile("/ws"), join)
    ann.sit_down("bet-bigger", "Bet Bigger")
    expect(ann.page.get_by_role("status")).to_contain_text("Place your bets")
    ann.page.evaluate(
        """() => {
          const status = document.querySelector("[role=status]");
          const seen = () => status.textContent.includes("Connection lost") && (window.lostAt ??= performance.now());
          new MutationObserver(seen).observe(status, { childList: true, subtree: true, characterData: true });
          window.diedAt = performance.now();
        }"""
    )
    dead = True
    expect(ann.page.get_by_role("status")).to_contain_text("Connection lost")
    assert ann.page.evaluate("window.lostAt - window.diedAt") < 3000
    dead = False
    expect(ann.page.get_by_role("status")).to_contain_text("Place your bets")


def test_a_reload_keeps_chips_the_last_bet_and_the_last_result(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "Js 9s 8d 8s")
    ann.bet("Ante", "Match the Dealer")
    ann.page.reload()
    expect(ann.circle("Match the Dealer")).to_have_accessible_name(re.compile(r": \$5,"))
    assert ann.money() == "$990"
    ann.deal()
    ann.does("stay")
    expect(ann.slip("Ante")).to_contain_text("18 wins")
    ann.page.reload()
    expect(ann.slip("Ante")).to_contain_text("18 wins")
    expect(ann.page.get_by_role("button", name="Rebet & Deal")).to_be_enabled()
    ann.page.get_by_role("button", name="Close the results").click()


def test_a_round_without_a_mouse_keeps_the_focus_and_tells_totals(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("bet-bigger", "Bet Bigger")
    keys, heard = ann.page.keyboard, ann.page.locator("[data-announcement]")
    focused = "() => [document.activeElement.closest('footer') !== null, document.activeElement.className]"
    ann.stack("bet-bigger", "2s 9h 3c Th 6c 5h 4d")
    ann.bet("Ante")
    ann.deal()
    expect(heard).to_have_text("You have 5. The dealer shows 9.")
    expect(ann.page.locator("button.act.hit")).to_be_enabled()
    ann.page.locator("button.act.hit").focus()
    keys.press("Enter")
    expect(heard).to_have_text("You have 11. The dealer shows 9.")
    expect(ann.page.locator("button.act.hit")).to_be_enabled()
    inside, button = ann.page.evaluate(focused)
    assert inside
    assert "act" in button
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.get_by_role("button", name="Change the keys").click()
    ann.page.locator("[data-key=hit]").press("x")
    ann.page.mouse.click(4, 400)  # outside
    expect(ann.page.get_by_role("dialog")).to_have_count(0)
    keys.press("h")  # no longer
    keys.press("x")
    expect(heard).to_have_text("You have 16. The dealer shows 9.")
    ann.page.locator("button.act.stay").focus()
    keys.press("Enter")
    expect(heard).to_have_text("You lost $5 in this round. You have $995.")
    assert ann.page.evaluate(focused)[0]


def test_double_for_less_starts_at_the_amount_and_enter_confirms(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "5h 9s 6h Th 2d")
    ann.chip("$10")
    ann.bet("Ante")
    ann.deal()
    ann.page.locator("button.act.less").wait_for()
    ann.page.keyboard.press("l")
    slider = ann.page.get_by_role("slider")
    expect(slider).to_be_focused()
    ann.page.keyboard.press("ArrowLeft")
    ann.page.keyboard.press("Enter")
    expect(ann.slip("Ante")).to_contain_text("-$14")


def test_the_link_of_a_table_leads_to_that_table(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.page.goto(f"{ann.address}/#/table/lucky-ladies")
    expect(ann.page.get_by_role("heading", name="Lucky Ladies")).to_be_visible()
    expect(ann.page.locator("button.sit")).to_have_count(6)
    ann.page.get_by_role("button", name="Sit here, spot 2").click()
    expect(ann.page.locator("section.spot.own")).to_be_visible()
