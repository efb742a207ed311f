"""The first start, demos, proxies and limits of rate: how a house is opened, and who is kept waiting (S3, S10)."""

from pathlib import Path

import pytest
from api.house import PASSWORD, close_code, running_house
from fastapi import FastAPI
from websockets.sync.client import connect

from upcard.api.middleware import HEADERS
from upcard.api.settings import Settings
from upcard.api.token_buckets import Buckets
from upcard.cli.commands.serve_run import run_server, uvicorn_config
from upcard.people import Role
from upcard.problems import BadRequest

# --- limits of rate -----------------------------------------------------------------------------------------------


def test_requests_from_one_address_are_rate_limited(tmp_path: Path) -> None:
    """429 with Retry-After, as a problem, with its headers; sockets are asked for like anything else."""
    with running_house(tmp_path, requests_per_minute=60, sign_ins_per_minute=3) as house:
        nobody = house.nobody()
        responses = [nobody.post("/api/sign-in", json={"name": "Ann", "password": "wrong"}) for _ in range(4)]
        assert [response.status_code for response in responses] == [401, 401, 401, 429]
        responses += [nobody.get("/api/games") for _ in range(30)]
        late = [response for response in responses if response.status_code == 429]
        assert len(late) >= 10
        for response, reason in ((late[0], "TOO_MANY_SIGN_INS"), (late[-1], "TOO_MANY_REQUESTS")):
            assert response.headers["Content-Type"] == "application/problem+json"
            assert response.json()["reason"] == reason
            assert int(response.headers["Retry-After"]) >= 1
            assert {name: response.headers.get(name) for name in HEADERS} == HEADERS
        with connect(f"ws{house.address.removeprefix('http')}/ws", proxy=None) as socket:
            assert close_code(socket) == 4429


def test_wrong_passwords_are_throttled_per_name(tmp_path: Path) -> None:
    """S3: longer and longer, told when to come back; nobody is locked out for good."""
    with running_house(tmp_path) as house:
        house.account("Ann", Role.PLAYER)
        nobody = house.nobody()
        responses = [nobody.post("/api/sign-in", json={"name": "Ann", "password": "wrong"}) for _ in range(8)]
        assert responses[-1].status_code == 429
        assert responses[-1].json()["reason"] == "TOO_MANY_TRIES"
        assert int(responses[-1].headers["Retry-After"]) >= 1
        assert responses[-1].json()["details"] == {"seconds": int(responses[-1].headers["Retry-After"])}
        house.later(minutes=16)
        assert nobody.post("/api/sign-in", json={"name": "Ann", "password": PASSWORD}).status_code == 200


def test_the_memory_of_the_rate_limits_is_bounded() -> None:
    buckets = Buckets(1, 1, most=100)
    for number in range(1_000):
        buckets.take(f"{number}")
    assert len(buckets._buckets) == 100


@pytest.mark.parametrize(("proxies", "kept_apart"), [((), False), (("127.0.0.1",), True)])
def test_forwarded_addresses_are_trusted_only_from_named_proxies(
    tmp_path: Path, proxies: tuple[str, ...], *, kept_apart: bool
) -> None:
    """Otherwise anybody could be somebody else each time, and no limit would hold."""
    with running_house(tmp_path, proxies=proxies, sign_ins_per_minute=1) as house:
        body = {"name": "Nobody", "password": "wrong"}
        first, second = (
            house.nobody().post("/api/sign-in", json=body, headers={"X-Forwarded-For": address})
            for address in ("192.0.2.1", "192.0.2.2")
        )
        assert first.status_code == 401
        assert (second.status_code == 401) == kept_apart


# --- demos --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.org"])
def test_a_demo_is_for_this_machine_only(tmp_path: Path, host: str) -> None:
    with pytest.raises(BadRequest, match="this machine only"):
        run_server({"demo": True, "host": host, "book": str(tmp_path / "demo.db")})


def test_a_demo_admits_guests_sends_no_hsts_and_answers_to_localhost_only(tmp_path: Path) -> None:
    """Refusing other host names blocks DNS rebinding."""
    with running_house(tmp_path, demo=True) as house:
        nobody = house.nobody()
        answer = nobody.post("/api/guest")
        assert answer.json()["bankroll"] == house.settings.demo_chips
        assert "Strict-Transport-Security" not in answer.headers
        foreign = nobody.post("/api/guest", headers={"Host": "elsewhere.example", "Origin": "http://elsewhere.example"})
        assert (foreign.status_code, foreign.json()["reason"]) == (403, "FOREIGN_HOST")


def test_only_a_demo_admits_guests(tmp_path: Path) -> None:
    with running_house(tmp_path) as house:
        answer = house.nobody().post("/api/guest")
        assert (answer.status_code, answer.json()["reason"]) == (403, "NO_GUESTS")


def test_only_configured_origins_are_allowed(tmp_path: Path) -> None:
    with running_house(tmp_path, origins=("https://felt.example",)) as house:
        body = {"name": "Nobody", "password": "wrong"}
        for origin, status in (("https://felt.example", 401), (house.address, 403), ("http://felt.example", 403)):
            assert house.nobody().post("/api/sign-in", json=body, headers={"Origin": origin}).status_code == status


def test_uvicorn_trusts_no_forwarded_headers_and_sends_no_server_header(tmp_path: Path) -> None:
    config = uvicorn_config(Settings(book=str(tmp_path / "x.db")), FastAPI())
    assert not config.proxy_headers
    assert not config.server_header
    assert not config.access_log
