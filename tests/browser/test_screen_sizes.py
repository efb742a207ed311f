"""Every game on screens from a phone to a large monitor: what the player needs is in view, and nothing covers it."""

from collections.abc import Callable
from typing import Any

import pytest
from browser.player import Player
from browser.test_felt import ROUNDS
from playwright.sync_api import expect

Newcomer = Callable[..., Player]

SIZES = {
    "phone": (390, 844),
    "phone on its side": (844, 390),
    "tablet": (768, 1024),
    "laptop": (1280, 800),
    "large monitor": (1920, 1080),
    "laptop at 200% zoom": (640, 400),
}

# Boxes of everything that matters, by kind; a group's parts may lie on one another, two groups may not.
LOOK = """() => {
  const boxes = {};
  const add = (kind, element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    if (right - left < 1 || bottom - top < 1) return;
    (boxes[kind] ??= []).push([left, top, right, bottom]);
  };
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  all('[aria-label="Dealer"] :is([data-card], .total)').forEach((part) => add("dealer", part));
  all("section.spot:not(.own) :is([data-card], .sit, .bet, .number)").forEach((part) => {
    add(`seat ${part.closest("section").dataset.spotNumber}`, part);
  });
  all("section.spot.own").forEach((spot) => {
    const number = spot.dataset.spotNumber;
    all(".hand", spot).forEach((hand, at) => {
      all("[data-card], .total", hand).forEach((part) => add(`hand ${number}.${at}`, part));
    });
    all(".ring", spot).forEach((ring) => add(`circle ${number} ${ring.parentElement.dataset.circle}`, ring));
    all(".who", spot).forEach((name) => add(`name of spot ${number}`, name));
    all("button.bet", spot).forEach((bet) => add(`chips ${number}`, bet));
  });
  all("footer button:not(.slips *)").forEach((button) => {
    add(`button ${button.textContent.trim() || button.ariaLabel}`, button);
  });
  all("aside.signs, [data-arrangement] .signs").slice(0, 1).forEach((sign) => add("table sign", sign));
  all("section.slips").forEach((slips) => add("results", slips));
  all("header nav button").forEach((button) => add(`button ${button.textContent}`, button));
  return boxes;
}"""
CUT_OFF = """() => [...document.querySelectorAll("section.own .who, footer button, header nav button, h1")]
  .filter((text) => text.clientWidth && text.scrollWidth > text.clientWidth + 1).map((text) => text.textContent)"""
LINES = "() => [...document.querySelectorAll('.slips .lists')].map((list) => list.clientHeight)"
LINE = 16  # px
AT_REST = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
}"""
NAMES = """() => [...document.querySelectorAll("section.own .circle .name")].map((name) => {
  const { left, top, right, bottom } = name.getBoundingClientRect();
  return [name.textContent, parseFloat(getComputedStyle(name).fontSize), left, top, right, bottom];
})"""
PAIRS = ["2h", "3c", "3h"], ["2s", "3d", "3s"]
# What each spot is dealt after its split: four cards to the first hand and one to the second. Both are soft, so their
# totals have two numbers. The dealer stands on soft 18.
AFTER_A_SPLIT = ["Ah Ac 2d 3h Ah", "As Ad 2c 3s As", "Ah Ac 2h 3d Ac"]
LONG_HAND = 3  # hits
Box = tuple[float, float, float, float]


def overlap(one: Box, other: Box, slack: float = 1.0) -> bool:
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > slack and min(one[3], other[3]) - max(one[1], other[1]) > slack
    )


def faults(player: Player, width: int, height: int) -> list[str]:
    """What is out of view, and what lies on something else."""
    boxes: dict[str, list[Box]] = player.page.evaluate(LOOK)
    wrong = [
        f"{kind} is out of view: {[round(edge) for edge in box]}"
        for kind, group in boxes.items()
        for box in group
        if box[0] < -1 or box[1] < -1 or box[2] > width + 1 or box[3] > height + 1
    ]
    if "results" in boxes and width < 900:
        del boxes["table sign"]  # small screens show the results in its place, until the player closes them
    kinds = list(boxes)
    for at, kind in enumerate(kinds):
        for other in kinds[at + 1 :]:
            if any(overlap(one, two) for one in boxes[kind] for two in boxes[other]):
                wrong.append(f"{kind} and {other} overlap: {boxes[kind]} {boxes[other]}")
    wrong += [f"{text.strip()!r} is cut off" for text in player.page.evaluate(CUT_OFF)]
    wrong += [f"{px} px of the list of results are in view" for px in player.page.evaluate(LINES) if px < LINE]
    names = player.page.evaluate(NAMES)
    wrong += [f"the name {name} has {size} px" for name, size, *_ in names if size < 12]
    wrong += [
        f"the names {one[0]} and {two[0]} overlap"
        for at, one in enumerate(names)
        for two in names[at + 1 :]
        if overlap(tuple(one[2:]), tuple(two[2:]))
    ]
    return wrong


def look(player: Player, phase: str) -> list[str]:
    """The faults of a phase on every screen."""
    wrong = []
    for size, (width, height) in SIZES.items():
        player.page.set_viewport_size({"width": width, "height": height})
        player.page.evaluate(AT_REST)
        wrong += [f"{phase} on a {size}: {fault}" for fault in faults(player, width, height)]
    player.page.set_viewport_size({"width": 1280, "height": 800})
    return wrong


def to_the_decision(player: Player, button: str) -> None:
    """Through late wagers, if the game has them, to a decision."""
    player.page.locator(f"{button}, button:has-text('Continue')").first.wait_for()
    if player.page.get_by_role("button", name="Continue").count():
        player.page.get_by_role("button", name="Continue").click()
    player.page.locator(button).first.wait_for()


def sit_on_more_spots(player: Player, more: int) -> None:
    for taken in range(2, 2 + more):
        player.page.locator("button.sit").first.click()
        expect(player.page.locator("section.spot.own")).to_have_count(taken)


def bet_everywhere(player: Player, wagers: list[str]) -> None:
    for wager in wagers:
        for circle in player.page.locator(f'section.own button[data-circle="{wager}"]').all():
            circle.click()


def own_cards(player: Player, number: int) -> None:
    expect(player.page.locator("section.own .hand [data-card]")).to_have_count(number)


def split_and_draw(player: Player, spots: int) -> None:
    """Every spot splits, its first hand draws to five cards."""
    cards = 2 * spots
    for _ in range(spots):
        to_the_decision(player, "button.act.split")
        player.does("split")
        cards += 1
        own_cards(player, cards)
        for _ in range(LONG_HAND):
            player.does("hit")
            cards += 1
            own_cards(player, cards)
        player.does("stay")
        cards += 1
        own_cards(player, cards)
        if cards < 7 * spots:  # the last hand is still to be looked at
            player.does("stay")


@pytest.mark.parametrize("spots", [1, 3])
@pytest.mark.parametrize("table", ROUNDS)
def test_what_a_player_needs_is_in_view_on_every_screen(table: str, spots: int, newcomer: Newcomer) -> None:
    name, wagers, _, _ = ROUNDS[table]
    ann = newcomer()
    ann.sit_down(table, name)
    sit_on_more_spots(ann, spots - 1)
    bet_everywhere(ann, wagers)
    wrong = look(ann, "betting")
    # Pairs and an ace up: insurance, then splits. The dealer has no blackjack.
    ann.stack(table, *PAIRS[0][:spots], "Ad", *PAIRS[1][:spots], "7d", *AFTER_A_SPLIT[:spots])
    ann.deal()
    to_the_decision(ann, "button.act.insure")
    wrong += look(ann, "insurance")
    for _ in range(spots):
        ann.does("insure")
    if spots == 1:
        to_the_decision(ann, "button.act.split")
        wrong += look(ann, "play before a split")  # with the most buttons
    split_and_draw(ann, spots)
    wrong += look(ann, "play")
    ann.does("stay")
    ann.page.locator("section.slips").wait_for()
    wrong += look(ann, "results")
    assert not wrong, "\n".join(wrong[:40])


def test_longer_words_of_another_language_fit_too(newcomer: Newcomer) -> None:
    """In Spanish the button that bets and deals again reached over the edge of a phone."""
    ann = newcomer(locale="es-US")
    ann.page.goto(f"{ann.address}/#/table/bet-bigger/sit")
    expect(ann.page.locator("section.spot.own")).to_be_visible()
    ann.stack("bet-bigger", "Ts 6d Tc Th 9d")
    bet_everywhere(ann, ["Ante", "Match the Dealer"])
    wrong = look(ann, "betting")
    ann.page.get_by_role("button", name="Repartir", exact=True).click()
    to_the_decision(ann, "button.act.split")
    wrong += look(ann, "play")
    ann.does("stay")
    ann.page.locator("section.slips").wait_for()
    wrong += look(ann, "results")
    assert not wrong, "\n".join(wrong[:40])
    ann.page.set_viewport_size({"width": 390, "height": 844})
    ann.page.get_by_role("button", name="Rondas").click()
    replay = ann.page.locator("tr[data-round] button").first
    expect(replay).to_be_in_viewport(ratio=1)
    ann.page.keyboard.press("Escape")
    ann.page.set_viewport_size({"width": 1280, "height": 800})
    ann.page.get_by_role("button", name="Ajustes").click()
    ann.page.get_by_label("Idioma").select_option("en")


def test_the_felt_does_not_move_when_a_notice_appears(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("the-brook", "The Brook")
    top: Callable[[], Any] = lambda: ann.circle("Ante").bounding_box()  # noqa: E731
    before = top()
    ann.circle("Bet Bigger 2").click()  # there is no Ante yet: a notice
    expect(ann.page.get_by_role("alert")).to_be_visible()
    assert top() == before


def test_cards_grow_with_the_screen(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("bet-bigger", "Bet Bigger")
    widths = []
    ann.bet("Ante")
    ann.stack("bet-bigger", "Ts 6d Tc Th 9d")
    ann.deal()
    ann.page.locator("button.act.stay").wait_for()
    for width, height in ((1280, 800), (1920, 1080)):
        ann.page.set_viewport_size({"width": width, "height": height})
        box = ann.page.locator("section.own [data-card]").first.bounding_box()
        assert box
        widths.append(box["width"])
    ann.does("stay")
    assert widths[1] > 1.3 * widths[0]
