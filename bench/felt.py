"""Measures the felt page in a browser: time to the first felt, size of the first page, frames shown while cards move.

Frames are compared with a page on which one square moves and nothing else happens: without a graphics card, or on a
busy machine, that page loses frames too, and only the difference counts. Run by `make bench`.
"""

import gzip
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE / "tests"))

from browser.conftest import chromium, demo  # noqa: E402 - the tests' own player and server
from browser.player import Player  # noqa: E402 - found only once tests/ is on the path
from browser.test_speed import _loads  # noqa: E402 - found only once tests/ is on the path
from browser.tracing import traced  # noqa: E402 - found only once tests/ is on the path
from playwright.sync_api import Browser, expect, sync_playwright  # noqa: E402 - found only once tests/ is on the path

ROUNDS = 5
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
        ann.go_home()


if __name__ == "__main__":
    main()
