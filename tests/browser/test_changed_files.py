"""What the felt prints comes from the files: another paytable, limit or set of wagers, and the felt is another."""

from pathlib import Path

from browser.catalogs import copied, edited
from browser.conftest import demo
from browser.player import Player
from playwright.sync_api import Browser, expect


def a_changed_catalog(folder: Path) -> Path:
    """Suited 20 pays 11 instead of 9; the table minimum is $6; Suited Royals is not offered."""
    files = copied(folder)
    layout = files / "layouts" / "the-brook.toml"
    edited(files / "paytables" / "000-the-brook.toml", "suited-20 = 9\n", "suited-20 = 11\n")
    edited(layout, 'posted_minimum = "$5"', 'posted_minimum = "$6"')
    edited(layout, '[[wager]]\nname = "Suited Royals"\npaytable = "000 Suited Royals"\n\n', "")
    return files


def printed(player: Player) -> dict[str, str]:
    """Every circle of the own spot, with its limits."""
    circles = player.page.locator("section.own button[data-circle]")
    return dict(circles.evaluate_all("all => all.map(circle => [circle.dataset.circle, circle.title])"))


def test_a_changed_file_changes_the_felt(browser: Browser, address: str, tmp_path: Path) -> None:
    ann = Player(browser, address)
    ann.sit_down("the-brook", "The Brook")
    shipped = printed(ann)
    assert "Suited Royals" in shipped
    ann.go_home()
    with demo(tmp_path, "--catalog", str(a_changed_catalog(tmp_path)), hints=False) as serving:
        bob = Player(browser, serving.address)
        bob.sit_down("the-brook", "The Brook")
        changed = printed(bob)
        assert shipped.keys() - changed.keys() == {"Suited Royals"}
        assert "$5" in shipped["Ante"]
        assert changed["Ante"] == shipped["Ante"].replace("$5", "$6")
        expect(bob.page.get_by_label("Table sign")).to_contain_text("$6")
        bob.page.get_by_role("button", name="Rules").click()
        rules = bob.page.get_by_role("dialog")
        rules.get_by_text("The rules as filed").click()
        expect(rules.get_by_role("row", name="Suited 20").get_by_role("cell")).to_have_text("11")
        expect(rules).to_contain_text("posted minimum $6")
        bob.page.keyboard.press("Escape")
        bob.stack("the-brook", "Kh 7d Qh Td")
        bob.chip("$10")
        bob.bet("Ante")
        bob.chip("$5")
        bob.bet("Lucky Ladies")
        bob.deal()
        expect(bob.page.locator("button.act.stay")).to_be_visible()
        expect(bob.page.get_by_role("button", name="Hint")).to_have_count(0)  # this house gives none
        bob.does("stay")
        expect(bob.slip("Lucky Ladies")).to_contain_text("Suited 20 pays 11 to 1: +$55")
        assert not bob.wrong
        bob.go_home()
