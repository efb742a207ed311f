"""Fast enough to forget about: the first felt is there at once, and cards move without a frame's work too much."""

from collections.abc import Callable

from browser.player import Player
from browser.tracing import FRAME, traced
from playwright.sync_api import Page, expect

Newcomer = Callable[..., Player]
WHOLE_BROWSER = True
DRAWN = 1500  # ms, from the address to a felt that can be played on


def _drawn(page: Page, wanted: str) -> float:
    """From the beginning of the navigation until this many of them were painted, by the page's own clock."""
    told: float = page.evaluate(
        """selector => new Promise(done => {
            const look = () => document.querySelector(selector)
                ? requestAnimationFrame(() => setTimeout(() => done(performance.now())))
                : requestAnimationFrame(look);
            look();
        })""",
        wanted,
    )
    return told


def _loads(player: Player, address: str, wanted: str, *, enough: float = 0) -> list[float]:
    """Times of three loads with nothing in the browser's cache; fewer, once one was faster than enough."""
    session = player.context.new_cdp_session(player.page)
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    times: list[float] = []
    while len(times) < 3 and min(times, default=enough) >= enough:
        player.page.goto("about:blank")
        player.page.goto(address, wait_until="commit")
        times.append(_drawn(player.page, wanted))
    session.detach()
    return times


def test_the_first_felt_is_drawn_at_once(newcomer: Newcomer) -> None:
    """The best of three, for the machine does other things too."""
    ann = newcomer()
    ann.sit_down("the-brook", "The Brook")
    felt = _loads(ann, f"{ann.address}/#/table/the-brook", ".felt section.spot.own button[data-circle]", enough=DRAWN)
    assert min(felt) < DRAWN, felt
    lobby = _loads(ann, ann.address, ".games li:nth-child(5) svg", enough=DRAWN)
    assert min(lobby) < DRAWN, lobby
    ann.sit_down("the-brook", "The Brook")


def test_cards_move_without_losing_frames(newcomer: Newcomer) -> None:
    """Only what the compositor moves by itself is animated, and the page's own work leaves it the time it needs.

    A machine that runs other tests beside this one loses some frames anyhow: bench/felt.py has the ratio to the best.
    """
    ann = newcomer(reduced_motion="no-preference")
    ann.page.add_init_script(
        """window.animated = new Set();
        document.addEventListener("animationstart", () => {
            for (const one of document.getAnimations())
                for (const frame of one.effect?.getKeyframes() ?? [])
                    for (const name of Object.keys(frame)) window.animated.add(name);
        });"""
    )
    ann.sit_down("bet-bigger", "Bet Bigger")
    ann.stack("bet-bigger", "Ts 9d 8c 8h")
    ann.bet("Ante", "Break Bonus")
    expect(ann.circle("Break Bonus").locator(".chip").first).to_be_visible()
    with traced(ann.page) as trace:
        ann.deal()
        expect(ann.page.locator("button.act.stay")).to_be_visible()
    assert len(trace.frames) > 20
    assert trace.shown > 0.8, trace.shown
    assert max(trace.tasks()) < 2 * FRAME, sorted(trace.tasks())[-5:]
    assert sum(trace.tasks()) < len(trace.frames) * FRAME / 2
    moved = set(ann.page.evaluate("[...window.animated]"))
    assert moved - {"offset", "computedOffset", "easing", "composite"} == {"transform", "opacity"}
    ann.does("stay")
    expect(ann.slip("Ante")).to_contain_text("18 wins")
