"""Measures the felt page in a browser: time to the first felt, size of the first page, frames shown while cards move.

Frames are compared with a page on which one square moves and nothing else happens: without a graphics card, or on a
busy machine, that page loses frames too, and only the difference counts. Run by `make bench`.
"""

import gzip
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
sys.path[0] = str(HERE / "tests")  # not bench/, whose api.py would hide tests/api

from browser.conftest import chromium, demo  # noqa: E402 - the tests' own player and server
from browser.player import Player  # noqa: E402 - found only once tests/ is on the path
from browser.test_speed import _loads  # noqa: E402 - found only once tests/ is on the path
from browser.tracing import traced  # noqa: E402 - found only once tests/ is on the path
from playwright.sync_api import Browser, expect, sync_playwright  # noqa: E402 - found only once tests/ is on the path

ROUNDS = 5
RUNS = 3  # of a round with six spots, of which the best counts
_SQUARE = """<style>@keyframes go { to { transform: translate(600px, 300px) } }
div { width: 80px; height: 112px; background: #fff; animation: go 1s infinite alternate }</style><div></div>"""


def frames_of_a_square(browser: Browser) -> tuple[int, float]:
    """Frames of the comparison page: the best this browser can do on this machine."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_content(_SQUARE)
    with traced(page) as trace:
        page.wait_for_timeout(5000)
    page.close()
    return len(trace.frames), trace.shown


def frames_of_the_felt(player: Player) -> tuple[int, float, float]:
    """Deals rounds with animation: frames in which a card moved, the share shown, and the longest task in ms."""
    count, shown, longest = 0, 0.0, 0.0
    for _ in range(ROUNDS):
        player.stack("bet-bigger", "Ts 9d 8c 8h")
        player.bet("Ante")
        with traced(player.page) as trace:
            player.deal()
            expect(player.page.locator("button.act.stay")).to_be_visible()
        player.does("stay")
        expect(player.slip("Ante")).to_be_visible()
        count, shown = count + len(trace.frames), shown + trace.shown * len(trace.frames)
        longest = max(longest, *trace.tasks())
    return count, shown / max(1, count), longest


_GAPS = """() => { let last = performance.now(); window.gaps = [];
const step = (now) => { window.gaps.push(now - last); last = now; requestAnimationFrame(step); };
requestAnimationFrame(step); }"""


def longest_frame_of_six_spots(player: Player) -> float:
    """A round with all six spots of the player's, from the deal to the last chip: the longest frame in ms."""
    page = player.page
    while page.locator("button.sit").count():
        taken = page.locator("section.spot.own").count()
        page.locator("button.sit").first.click()
        expect(page.locator("section.spot.own")).to_have_count(taken + 1)
    longest = []
    for _ in range(RUNS):
        player.stack("bet-bigger", "Kc Kd Kh Ks Qc Qd 9c 7c 7d 7h 7s 6c 6d 8d")
        for spot in page.locator("section.spot.own").all():
            if spot.locator("button.bet").count():
                spot.locator("button.bet").click()
            spot.locator('button[data-circle="Ante"]').click()
        page.evaluate(_GAPS)
        player.deal()
        while not page.locator("section.slips").count():
            page.locator("button.act.stay:enabled, section.slips").first.wait_for(timeout=30_000)
            if page.locator("button.act.stay:enabled").count():
                page.locator("button.act.stay").click(timeout=30_000)
        page.wait_for_timeout(600)  # until the last chip lies
        longest.append(float(max(page.evaluate("window.gaps.slice(2)"))))
    return min(longest)


def main() -> None:
    built = HERE / "src" / "upcard" / "web"
    first = [built / "index.html", *built.glob("assets/*.js"), *built.glob("assets/*.css")]
    size = sum(len(gzip.compress(file.read_bytes())) for file in first)
    sys.stdout.write(f"first page               {size / 1000:8.1f} kB gzipped (cards excluded)\n")
    with (
        tempfile.TemporaryDirectory() as folder,
        demo(Path(folder)) as serving,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"]) as browser,
    ):
        ann = Player(browser, serving.address, reduced_motion="no-preference")
        ann.sit_down("bet-bigger", "Bet Bigger")
        times = _loads(ann, f"{serving.address}/#/table/bet-bigger", ".felt section.spot.own button[data-circle]")
        sys.stdout.write(
            f"first felt drawn         {min(times):8.0f} ms, at most {max(times):.0f} (no cache, warm server)\n"
        )
        square, best = frames_of_a_square(browser)
        count, shown, longest = frames_of_the_felt(ann)
        sys.stdout.write(f"frames, one square       {best:8.1%} of {square} shown\n")
        sys.stdout.write(f"frames, moving cards     {shown:8.1%} of {count} shown; ratio {shown / best:.2f}\n")
        sys.stdout.write(f"longest task             {longest:8.1f} ms of processor time; a frame has {1000 / 60:.1f}\n")
        frame = longest_frame_of_six_spots(ann)
        sys.stdout.write(f"longest frame, six spots {frame:8.1f} ms, best of {RUNS} rounds; at most 100\n")
        ann.go_home()


if __name__ == "__main__":
    main()
