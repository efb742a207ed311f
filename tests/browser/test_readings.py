"""Layouts of an operator in a real browser: other readings than the game's, and one of four wagers that stays small."""

import re
from collections.abc import Iterator

import pytest
from browser.catalogs import copied, edited
from browser.conftest import check_pages, demo
from browser.player import Player
from playwright.sync_api import Browser, expect

POSTED = "At most 4 wagers on a spot; of 4 wagers, one must be $5 or less."


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    check_pages()
    folder = tmp_path_factory.mktemp("readings")
    layouts = copied(folder) / "layouts"
    crowded = (layouts / "double-action-with-21-3.toml").read_text()
    (layouts / "double-action.toml").write_text(
        crowded.replace('slug = "double-action-with-21-3"', 'slug = "double-action"')
    )
    (layouts / "double-action-with-21-3.toml").unlink()
    edited(layouts / "lucky-ladies.toml", "\n[[wager]]", '\n[readings]\nR9 = "before-peek"\n\n[[wager]]')
    edited(layouts / "bet-bigger.toml", "\n[[wager]]", '\n[readings]\nR1 = "stand"\nR6 = "lost"\n\n[[wager]]')
    with demo(folder, "--catalog", str(folder / "catalog")) as serving:
        yield serving.address


@pytest.fixture
def ann(browser: Browser, address: str) -> Iterator[Player]:
    player = Player(browser, address)
    yield player
    player.go_home()
    assert not player.wrong


def test_the_limit_of_four_wagers_is_posted_on_the_felt_and_kept(ann: Player) -> None:
    """004-G3 to G5: the page says so before the table refuses."""
    ann.page.goto(ann.address)
    expect(ann.page.get_by_text(POSTED)).to_be_visible()  # in the lobby
    ann.sit_down("double-action", "Double Action")
    expect(ann.page.get_by_role("complementary", name="Table sign")).to_contain_text(POSTED)
    expect(ann.page.locator("svg.lettering")).to_contain_text(POSTED)
    ann.chip("$25")
    ann.bet("Blackjack", "Double Action", "21+3 Xtreme", "Top 3")
    expect(ann.page.get_by_text("Of 4 wagers on a spot, one must be $5 or less.")).to_be_visible()
    expect(ann.circle("Top 3")).to_have_attribute("aria-label", re.compile(r": \$5, \$1 to \$100"))
    ann.bet("Match Madness")
    expect(ann.page.get_by_text("At most 4 wagers may be made on one spot.")).to_be_visible()
    ann.stack("double-action", "Tc 9d Ts 8h")
    ann.deal()
    ann.does("stay")
    for wager in ("Blackjack", "Double Action", "21+3 Xtreme", "Top 3"):
        expect(ann.slip(wager)).to_have_count(1)


def test_bust_bonus_is_asked_for_before_the_dealer_peeks(ann: Player) -> None:
    """R9: a dealer blackjack takes it."""
    ann.sit_down("lucky-ladies", "Lucky Ladies")
    ann.stack("lucky-ladies", "Tc Kh 9d Ah")
    ann.bet("Blackjack")
    ann.deal()
    expect(ann.page.get_by_text("Before the peek: place late wagers, then continue.")).to_be_visible()
    ann.bet("Bust Bonus")
    ann.page.get_by_role("button", name="Continue").click()
    expect(ann.slip("Bust Bonus")).to_contain_text("-$5")


def test_a_break_bonus_goes_with_the_hand_and_the_felt_says_which_17_the_dealer_stands_on(ann: Player) -> None:
    """R1 and R6."""
    ann.sit_down("bet-bigger", "Bet Bigger")
    expect(ann.page.locator("svg.lettering")).to_contain_text("The dealer stands on all 17s and higher.")
    ann.stack("bet-bigger", "Tc 6h 6d Td Th Ts")
    ann.bet("Ante", "Break Bonus")
    ann.deal()
    ann.does("hit")
    expect(ann.slip("Break Bonus")).to_contain_text("Lost with the hand: -$5")
