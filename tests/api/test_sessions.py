"""Sessions, cookies, tickets and sockets: what a stranger, a forger or a leaver gets, which is nothing (S5-S8)."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from api.house import PASSWORD, TABLE, ApiUser, House, close_code, receive, running_house, send
from support.change_roles import change_roles

from upcard.api import server
from upcard.api.auth import CSRF_HEADER
from upcard.api.signed_in import COOKIE
from upcard.people import Role

ELSEWHERE = "https://elsewhere.example"


@pytest.fixture
def browser(house: House) -> Iterator[httpx.Client]:
    """Somebody's browser: it sends its cookie by itself. httpx keeps it back on plain HTTP, so it is set here."""
    player = house.player()
    with httpx.Client(base_url=house.address, trust_env=False, verify=False) as client:
        client.headers["Cookie"] = f"{COOKIE}={player.token}"
        yield client


def csrf_of(browser: httpx.Client) -> str:
    """What a page of ours reads first, and sends with every change."""
    return str(browser.get("/api/me").json()["csrf"])


def reason(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["Content-Type"] == "application/problem+json", answer.text
    return answer.status_code, answer.json()["reason"]


# --- cookies ------------------------------------------------------------------------------------------------------


def test_the_cookie_is_for_this_host_over_tls_and_no_script_reads_it(house: House) -> None:
    """S6: `__Host-`, Secure, HttpOnly, SameSite=Strict, Path=/, no Domain."""
    house.account("Cookie Ann", Role.PLAYER)
    answer = house.nobody().post("/api/sign-in", json={"name": "Cookie Ann", "password": PASSWORD})
    name, _, value = answer.headers["Set-Cookie"].partition("=")
    _, *attributes = (attribute.strip().lower() for attribute in value.split(";"))
    assert name == COOKIE == "__Host-upcard"
    assert sorted(attributes) == ["httponly", "path=/", "samesite=strict", "secure"]


def test_signing_out_takes_the_cookie_and_the_session_away(house: House) -> None:
    player = house.player()
    answer = player.post("/api/sign-out")
    assert 'upcard="";' in answer.headers["Set-Cookie"]
    assert "Max-Age=0" in answer.headers["Set-Cookie"]
    assert reason(player.get("/api/me")) == (401, "NOT_SIGNED_IN")
    assert answer.json() == {"signed_out": True}


def test_signing_in_makes_a_new_session_and_ends_the_browsers_old_one(browser: httpx.Client) -> None:
    """S5: a token that was known before signing in is worth nothing after it."""
    name = browser.get("/api/me").json()["name"]
    old = browser.headers["Cookie"]
    new = browser.post("/api/sign-in", json={"name": name, "password": PASSWORD}).json()["token"]
    assert new not in old
    assert reason(browser.get("/api/me")) == (401, "NOT_SIGNED_IN")
    browser.headers["Cookie"] = f"{COOKIE}={new}"
    assert browser.get("/api/me").json()["name"] == name


# --- forgery ------------------------------------------------------------------------------------------------------


def test_a_browser_request_needs_the_csrf_token_of_its_session(house: House, browser: httpx.Client) -> None:
    csrf, foreign = csrf_of(browser), house.player().csrf
    for headers in ({}, {CSRF_HEADER: "wrong"}, {CSRF_HEADER: foreign}, {CSRF_HEADER: csrf[:-1]}):
        assert reason(browser.post("/api/ticket", headers=headers)) == (403, "FORGED")
    assert browser.get("/api/me").status_code == 200, "reading needs none"
    assert browser.post("/api/ticket", headers={CSRF_HEADER: csrf}).status_code == 200


@pytest.mark.parametrize("path", ["/api/ticket", "/api/sign-in", "/api/guest", f"/api/tables/{TABLE}/ready"])
def test_a_page_of_another_site_is_refused(browser: httpx.Client, path: str) -> None:
    good = {CSRF_HEADER: csrf_of(browser)}
    for foreign in (ELSEWHERE, "null", f"{browser.base_url}".rstrip("/") + "0"):
        assert reason(browser.post(path, headers={**good, "Origin": foreign})) == (403, "FOREIGN_ORIGIN")
    assert reason(browser.post(path, headers={**good, "Sec-Fetch-Site": "cross-site"})) == (403, "FOREIGN_ORIGIN")


def test_a_page_of_our_own_origin_is_allowed(browser: httpx.Client) -> None:
    good = {CSRF_HEADER: csrf_of(browser), "Sec-Fetch-Site": "same-origin"}
    origin = str(browser.base_url).rstrip("/")
    assert browser.post("/api/ticket", headers={**good, "Origin": origin}).status_code == 200


def test_no_cors_header_allows_other_sites_to_read_answers(browser: httpx.Client) -> None:
    for method in ("GET", "OPTIONS"):
        answer = browser.request(method, "/api/me", headers={"Origin": ELSEWHERE, "Access-Control-Request-Method": "X"})
        assert not [name for name in answer.headers if name.startswith("access-control")]


# --- tickets and sockets ------------------------------------------------------------------------------------------


def refused(user: ApiUser, **options: Any) -> int:
    """The code that a socket is refused with; over HTTP no client would see one."""
    with user.socket(**options) as socket:
        return close_code(socket)


def test_a_page_from_another_origin_cannot_open_a_socket(house: House) -> None:
    player = house.player()
    assert refused(player, origin=ELSEWHERE) == 4403
    with player.socket(origin=house.address) as socket:
        send(socket, {"type": "ping"})
        receive(socket, "pong")


def test_a_ticket_opens_one_socket_once_and_soon(house: House) -> None:
    """S8: short-lived, for one use; a made-up one opens nothing."""
    player = house.player()
    ticket = player.ticket()
    with player.socket(ticket=ticket):
        assert refused(player, ticket=ticket) == 4401
    assert refused(player, ticket="0" * 64) == 4401
    late = player.ticket()
    house.later(seconds=31)
    assert refused(player, ticket=late) == 4401


def test_a_ticket_signs_in_its_owner_even_if_another_person_presents_it(house: House) -> None:
    """A stolen ticket opens a socket with the owner's name and rights, not the thief's."""
    player, display = house.player(), house.somebody(Role.DISPLAY)
    with player.socket(ticket=display.ticket()) as socket:
        command = {"do": "seat", "table": TABLE, "player": player.name, "spot": 1}
        send(socket, {"type": "command", "id": "1", "command": command})
        assert receive(socket, "refused")["reason"] == "NOT_ALLOWED"


def test_the_tickets_of_a_session_end_with_it(house: House) -> None:
    player = house.player()
    ticket = player.ticket()
    player.post("/api/sign-out")
    assert refused(player, ticket=ticket) == 4401


def test_signing_out_closes_the_sessions_sockets_at_once_and_no_others(house: House) -> None:
    player = house.player()
    elsewhere = house.sign_in(player.name)
    with player.socket() as first_socket, player.socket() as two, elsewhere.socket() as other:
        player.post("/api/sign-out")
        assert close_code(first_socket, seconds=0.5) == close_code(two, seconds=0.5) == 4401
        send(other, {"type": "ping"})
        receive(other, "pong")


def test_disabling_a_person_ends_their_sessions_and_sockets_at_once(house: House) -> None:
    floor, player = house.sign_in("Flo"), house.player()
    elsewhere, bystander = house.sign_in(player.name), house.player()
    floor.step_up()
    with player.socket() as player_socket, elsewhere.socket() as two, bystander.socket() as other:
        assert floor.post(f"/api/people/{player.name}/disable").json() == {"disabled": player.name}
        assert close_code(player_socket, seconds=0.5) == close_code(two, seconds=0.5) == 4401
        send(other, {"type": "ping"})
        receive(other, "pong")
    assert reason(player.get("/api/me")) == (401, "NOT_SIGNED_IN")
    answer = house.nobody().post("/api/sign-in", json={"name": player.name, "password": PASSWORD})
    assert reason(answer) == (401, "WRONG_NAME_OR_PASSWORD")


def test_a_role_change_applies_to_open_sockets(house: House) -> None:
    """S9: changes take effect while a socket is open."""
    dealer = house.somebody(Role.DEALER)
    command = {"do": "deal", "table": TABLE}
    with dealer.socket() as socket:
        change_roles(house.server.service.desk.store, house.clock(), dealer.name, Role.AUDITOR)
        until = time.monotonic() + 5
        reason = ""
        while reason != "NOT_ALLOWED" and time.monotonic() < until:
            send(socket, {"type": "command", "id": f"{time.monotonic():.6f}", "command": command})
            reason = receive(socket, "refused")["reason"]
            time.sleep(0.1)
        assert reason == "NOT_ALLOWED"


def test_an_idle_session_ends_early_and_a_used_one_at_its_time_limit(house: House) -> None:
    """S5: half an hour without a word; twelve hours whatever is said."""
    idle, busy = house.player(), house.player()
    for _ in range(25):
        house.later(minutes=29)
        status = busy.get("/api/me").status_code
        if status == 401:
            break
    assert reason(idle.get("/api/me")) == reason(busy.get("/api/me")) == (401, "NOT_SIGNED_IN")
    assert house.ahead.total_seconds() >= 12 * 3600


def test_a_session_that_runs_out_closes_its_sockets(house: House) -> None:
    player = house.player()
    with player.socket() as socket:
        house.later(hours=13)
        assert close_code(socket, seconds=5) == 4401


def test_the_number_of_sockets_per_person_is_limited(tmp_path: Path) -> None:
    with running_house(tmp_path, sockets_per_person=2) as house:
        player = house.player()
        with player.socket(), player.socket():
            assert refused(player) == 4429
        until = time.monotonic() + 5
        while house.server.sockets and time.monotonic() < until:
            time.sleep(0.01)
        with player.socket():
            pass


def test_a_socket_that_only_listens_does_not_keep_a_session_alive(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "RECHECK", 0.4)
    listening = house.player()
    with listening.socket() as socket:
        house.later(minutes=20)
        send(socket, {"type": "ping"})
        receive(socket, "pong")
        time.sleep(1)  # sessions are checked in the meantime
        house.later(minutes=11)
        assert close_code(socket) == 4401
    speaking = house.player()
    with speaking.socket() as socket:
        for number in range(2):
            house.later(minutes=20)
            command = {"do": "seat", "table": "nowhere", "player": speaking.name, "spot": 1}
            send(socket, {"type": "command", "id": f"s{number}", "command": command})
            receive(socket, "refused")
            time.sleep(1)  # sessions are checked in the meantime
        assert speaking.get("/api/me").status_code == 200
