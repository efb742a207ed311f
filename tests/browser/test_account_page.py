"""Everybody's own account: the password, the authenticator, the list of sessions, and signing out from every page."""

from collections.abc import Iterator

import httpx
import pytest
from api.house import PASSWORD, House, running_house
from browser.player import Player
from playwright.sync_api import Browser, expect

from upcard.people import Role

NEW = "eight blue chairs at the wall"


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running_house(tmp_path_factory.mktemp("account")) as house:
        yield house


def sign_in(house: House, browser: Browser, name: str, page: str, password: str = PASSWORD) -> Player:
    person = Player(browser, house.address.replace("127.0.0.1", "localhost"))
    person.page.goto(f"{person.address}/#/{page}")
    if not page:
        person.page.get_by_role("link", name="Sign in").click()
    person.page.get_by_label("Name").fill(name)
    person.page.get_by_label("Password").fill(password)
    person.page.get_by_role("button", name="Sign in").click()
    return person


def test_a_player_ends_a_session_they_do_not_know(open_house: House, browser: Browser) -> None:
    open_house.account("Ann", Role.PLAYER)
    stolen = open_house.sign_in("Ann")
    ann = sign_in(open_house, browser, "Ann", "")
    ann.page.get_by_role("link", name="Ann").click()
    lines = ann.page.locator("tr[data-session]")
    expect(lines).to_have_count(2)
    expect(ann.page.locator('tr[data-session="current"]')).to_contain_text("This session")
    expect(ann.page.locator('tr[data-session="other"]')).to_contain_text("127.0.0.1")
    assert ann.axe() == []
    end = ann.page.locator('tr[data-session="other"]').get_by_role("button", name="End")
    ann.page.get_by_label("Your password, to end sessions").fill("not this one")
    end.click()
    expect(ann.page.get_by_role("alert").last).to_contain_text("The name or the password is wrong")
    assert stolen.get("/api/me").status_code == 200
    ann.page.get_by_label("Your password, to end sessions").fill(PASSWORD)
    end.click()
    expect(ann.page.get_by_text("1 session was ended.")).to_be_visible()
    expect(ann.page.get_by_text("You are signed in nowhere else.")).to_be_visible()
    expect(lines).to_have_count(1)
    assert stolen.get("/api/me").status_code == 401
    ann.page.get_by_role("button", name="Sign out").click()
    expect(ann.page.get_by_role("link", name="Sign in")).to_be_visible()
    assert [error for error in ann.wrong if "status of 4" not in error] == []


def test_a_player_changes_their_password(open_house: House, browser: Browser) -> None:
    open_house.account("Bea", Role.PLAYER)
    bea = sign_in(open_house, browser, "Bea", "account")
    for new, told in (("Password1234!", "This password is too easy to guess"), (NEW, "Your password was changed")):
        bea.page.get_by_label("Your password now").fill(PASSWORD)
        bea.page.get_by_label("New password").fill(new)
        bea.page.get_by_role("button", name="Change the password").click()
        expect(bea.page.get_by_text(told)).to_be_visible()
    bea.page.get_by_role("button", name="Sign out").click()
    again = sign_in(open_house, browser, "Bea", "account", NEW)
    expect(again.page.get_by_role("heading", name="Your account")).to_be_visible()


def test_a_player_sets_up_an_authenticator_and_turns_it_off(open_house: House, browser: Browser) -> None:
    open_house.account("Cem", Role.PLAYER)
    cem = sign_in(open_house, browser, "Cem", "account")
    cem.page.get_by_role("button", name="Set it up").click()
    shown = cem.page.locator("code")
    expect(shown).not_to_be_empty()
    secret = str(shown.text_content())
    cem.page.get_by_label("Code").fill(open_house.code(secret))
    cem.page.get_by_role("button", name="Confirm").click()
    expect(cem.page.get_by_text("You sign in with your password and a code")).to_be_visible()
    body = {"name": "Cem", "password": PASSWORD}
    answer = httpx.post(f"{open_house.address}/api/sign-in", json=body, trust_env=False)
    assert answer.json()["reason"] == "CODE_NEEDED"
    cem.page.get_by_label("Code").fill("000000")
    cem.page.get_by_role("button", name="Turn it off").click()
    expect(cem.page.get_by_text("The code is wrong")).to_be_visible()
    open_house.later(seconds=30)
    cem.page.get_by_label("Code").fill(open_house.code(secret))
    cem.page.get_by_role("button", name="Turn it off").click()
    expect(cem.page.get_by_role("button", name="Set it up")).to_be_visible()


def test_staff_reach_their_account_and_keep_their_authenticator(open_house: House, browser: Browser) -> None:
    open_house.account("Fay", Role.FLOOR)
    fay = Player(browser, open_house.address.replace("127.0.0.1", "localhost"))
    fay.page.goto(f"{fay.address}/#/floor")
    fay.page.get_by_label("Name").fill("Fay")
    fay.page.get_by_label("Password").fill(PASSWORD)
    fay.page.get_by_role("button", name="Sign in").click()
    fay.page.get_by_label("Code").fill(open_house.new_code("Fay"))
    fay.page.get_by_role("button", name="Sign in").click()
    fay.page.get_by_role("link", name="Fay").click()
    expect(fay.page.get_by_role("button", name="Replace it")).to_be_visible()
    expect(fay.page.get_by_role("button", name="Turn it off")).to_have_count(0)
    expect(fay.page.locator("tr[data-session]")).to_have_count(1)


def test_a_player_signs_out_on_the_felt(open_house: House, browser: Browser) -> None:
    """ASVS 7.4.4. While a hand is in play it takes a second press."""
    dot = open_house.player(name="Dot")
    page = sign_in(open_house, browser, "Dot", "table/the-brook/sit").page
    expect(page.locator("section.spot.own")).to_be_visible()
    for _ in range(8):  # a blackjack ends a round at once
        page.locator('section.own button[data-circle="Ante"]').click()
        page.get_by_role("button", name="Deal", exact=True).click()
        expect(page.locator("button.act, [data-slip]").first).to_be_visible()
        if page.locator("button.act").count():
            break
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Sign out").click()
    sure = page.get_by_role("button", name="Your hand is in play: sign out all the same")
    expect(sure).to_be_visible()
    sure.click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    assert page.evaluate("fetch('/api/me').then(answer => answer.status)") == 401
    assert dot.get("/api/me").status_code == 200, "another session of theirs goes on"
