"""Betting on several spots, what is offered, and where the chips lie: until the deal, in play, and after the round."""

import re
from collections.abc import Callable
from typing import Any

from browser.player import Player
from playwright.sync_api import expect

Newcomer = Callable[..., Player]


def round_of(player: Player, table: str) -> Any:
    """The round in progress, as the service has it."""
    return player.page.evaluate(
        "table => fetch(`/api/tables/${table}`).then(answer => answer.json()).then(body => body.state.round)", table
    )


def sit_on_two_spots(player: Player, table: str, name: str) -> None:
    player.sit_down(table, name)
    player.page.locator("button.sit").first.click()
    expect(player.page.locator("section.spot.own")).to_have_count(2)


def test_bets_on_two_spots_are_taken_all_or_none_and_taken_back_until_the_deal(newcomer: Newcomer) -> None:
    ann, bob = newcomer(), newcomer()
    sit_on_two_spots(ann, "the-brook", "The Brook")
    bob.sit_down("the-brook", "The Brook")
    antes = ann.circle("Ante")
    antes.first.click()
    ann.circle("Lucky Ladies").last.click()  # without an Ante
    ann.deal()
    expect(ann.page.get_by_role("alert")).to_contain_text("Ante")
    assert round_of(ann, "the-brook") is None, "the other spot was not bet on either"
    antes.last.click()
    ann.deal()
    expect(ann.page.get_by_role("status")).to_contain_text("Waiting for the others")
    assert ann.money() == "$985"
    ann.page.get_by_role("button", name="Clear").click()
    expect(ann.page.locator("[data-bankroll]")).to_have_text("$1,000")
    assert round_of(ann, "the-brook") is None
    ann.page.get_by_role("button", name="Rebet & Deal").click()  # both with one click
    expect(ann.page.get_by_role("status")).to_contain_text("Waiting for the others")
    assert ann.money() == "$985"
    ann.page.get_by_role("button", name="Clear").click()
    expect(ann.page.locator("[data-bankroll]")).to_have_text("$1,000")


def test_insurance_and_even_money_say_and_show_which_spot(newcomer: Newcomer) -> None:
    ann = newcomer()
    sit_on_two_spots(ann, "bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "Tc As Ad 9h Kc 7h")  # 19 and a blackjack against an ace
    spots = [int(spot.get_attribute("data-spot-number") or 0) for spot in ann.page.locator("section.own").all()]
    insured = ann.page.locator(f'section[data-spot-number="{spots[0]}"] .insured')
    for circle in ann.circle("Ante").all():
        circle.click()
    ann.deal()
    for spot, question in zip(spots, ("Insurance?", "Even money?"), strict=True):
        expect(ann.page.get_by_role("status")).to_contain_text(f"Spot {spot}: the dealer shows an ace. {question}")
        expect(ann.page.locator("section.spot.turn")).to_have_attribute("data-spot-number", str(spot))
        if spot == spots[1]:
            expect(insured.locator(".chip").first).to_be_visible()  # a stack, until the dealer has looked
        ann.does("insure" if spot == spots[0] else "even-money")
        expect(insured).to_contain_text("Insurance $2.50")
    expect(ann.page.locator(f'section[data-spot-number="{spots[1]}"] .insured')).to_have_count(0)
    ann.does("stay")
    expect(ann.page.get_by_label("Results of the round")).to_contain_text(f"Spot {spots[1]}")
    expect(insured.locator(".chip")).to_have_count(0)  # the dealer took it


def test_what_is_lost_is_taken_and_what_is_won_is_paid_beside_it(newcomer: Newcomer) -> None:
    """A split: the first hand doubles and wins $10, the second loses $5."""
    ann = newcomer(reduced_motion="no-preference")
    ann.page.add_init_script('localStorage.setItem("upcard", JSON.stringify({ speed: 2 }))')
    ann.sit_down("bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "8s 6d 8c Th 3d Td 9c 4h")
    ann.bet("Ante")
    ann.deal()
    ann.does("split")
    expect(ann.circle("Ante")).to_have_accessible_name(re.compile(r"\$5, and \$5 added"))
    ann.does("double")
    expect(ann.circle("Ante")).to_have_accessible_name(re.compile(r"\$5, and \$10 added"))
    expect(ann.circle("Ante").locator("[data-added='1000'] .chip").first).to_be_visible()
    ann.does("stay")
    expect(ann.circle("Ante")).to_have_accessible_name(re.compile(r"won \+\$5$"))
    chips = ann.circle("Ante")
    moves = "parts => parts.flatMap(part => part.getAnimations().map(move => move.animationName))"
    taken = chips.locator("[data-taken='500']")
    expect(taken).to_have_count(1)
    assert chips.locator("[data-paid='1000']").count() == 1
    assert chips.locator("[data-left='1000']").count() == 1
    ann.page.evaluate("Promise.allSettled(document.getAnimations().map(move => move.finished))")
    expect(taken).to_have_css("opacity", "0")
    assert chips.locator(".taken, .paid").evaluate_all(moves) == []


def test_a_lost_doubled_hand_reads_what_was_lost_and_nothing_moves_where_it_must_not(newcomer: Newcomer) -> None:
    ann = newcomer()  # who wants no motion
    ann.sit_down("bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "5s 9s 6c Th 2c")
    ann.chip("$10")
    ann.bet("Ante")
    ann.deal()
    ann.does("double")
    expect(ann.slip("Ante")).to_contain_text("-$20")
    circle = ann.circle("Ante")
    expect(circle).to_have_accessible_name(re.compile(r"lost -\$20$"))
    assert "+" not in circle.locator("[data-mark]").evaluate_all("marks => marks.map(mark => mark.dataset.mark).join()")
    assert circle.locator(".chip").count() == 0, "the dealer has the chips"
    assert ann.page.evaluate("document.getAnimations().length") == 0


def test_limits_stand_at_the_circle_and_only_seats_that_may_be_taken_invite(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("the-brook", "The Brook")  # spot 3; further spots must be next to it
    inviting = ann.page.locator("section.spot:has(button.sit)")
    assert inviting.evaluate_all("spots => spots.map(spot => spot.dataset.spotNumber)") == ["2", "4"]
    limits = ann.circle("Ante").locator(".limits")
    expect(limits).to_be_hidden()
    ann.circle("Ante").focus()
    expect(limits).to_be_visible()
    expect(limits).to_have_attribute("data-limits", "$5 to $10")
    ann.chip("$1")
    ann.bet("Ante")
    ann.page.get_by_role("button", name="Help").focus()
    expect(limits).to_be_visible()  # as long as the stake is too small
    ann.chip("$5")
    ann.bet("Ante")
    ann.page.get_by_role("button", name="Help").focus()
    ann.page.mouse.move(1, 1)
    expect(limits).to_be_hidden()
    ann.page.get_by_role("button", name="\N{MULTIPLICATION SIGN}2").click()
    expect(ann.page.get_by_role("alert")).to_contain_text("Ante ($5 to $10)")  # at its limit
    expect(ann.circle("Ante")).to_have_accessible_name(re.compile(r": \$10,"))


def test_a_choice_made_in_advance_and_21_need_no_press(newcomer: Newcomer) -> None:
    ann, bob = newcomer(), newcomer()
    ann.sit_down("bet-bigger", "Bet Bigger")
    bob.sit_down("bet-bigger", "Bet Bigger")
    bob.page.get_by_role("button", name="Settings").click()
    bob.page.get_by_label("Stay on 21 without asking").check()
    bob.page.get_by_role("group", name="Speed").get_by_label("Instant").check()
    bob.page.keyboard.press("Escape")
    expect(bob.page.get_by_label("Stay on 21")).to_have_count(0)
    ann.stack("bet-bigger", "Js 5c 9h 8c 6d 8h Tc")
    ann.bet("Ante")
    ann.deal()
    bob.bet("Ante")
    bob.deal()
    bob.page.get_by_role("button", name="Hit when it is your turn").click()
    expect(bob.page.get_by_role("button", name="Hit when it is your turn")).to_have_attribute("aria-pressed", "true")
    ann.does("stay")
    expect(bob.slip("Ante")).to_contain_text("21 wins")  # hit, then stayed
    expect(ann.slip("Ante")).to_contain_text("18 wins")
