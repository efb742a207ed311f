"""A real process: the first start prints a link that works once, and no secret of a whole evening is in its log."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pyotp
import pytest
from api.house import PASSWORD
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from upcard.api.logs import redact
from upcard.api.settings import Settings
from upcard.cli.commands import serve_run
from upcard.problems import BadRequest

UPCARD = str(Path(sys.executable).with_name("upcard"))


class Process:
    """`upcard serve` as an operator starts it."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        command = [UPCARD, "serve", "--book", str(folder / "house.db"), "--port", "0", *options]
        self.log = (folder / "log").open("w+")
        env = {name: value for name, value in os.environ.items() if not name.startswith("UPCARD_")}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, text=True, cwd=folder, env=env
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        match = re.search(r"http://\S+", first)
        assert match is not None, first
        self.address = match.group().replace("localhost", "127.0.0.1")

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def stop(self) -> tuple[str, str]:
        """What it said and what it logged."""
        self.process.send_signal(signal.SIGTERM)
        out, _ = self.process.communicate(timeout=20)
        self.log.seek(0)
        logged = self.log.read()
        self.log.close()
        return out, logged


@contextmanager
def started(folder: Path, *options: str) -> Iterator[Process]:
    process = Process(folder, *options)
    try:
        yield process
    finally:
        if process.process.poll() is None:
            process.process.kill()
            process.process.communicate()
        process.log.close()


def test_the_first_link_works_once_and_no_secret_is_logged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """S3, S11: no account before, none by default; tokens, tickets, passwords, codes and keys stay out of the log."""
    secrets: dict[str, str] = {"password": PASSWORD}
    with started(tmp_path) as house:
        link = house.line()
        secrets["link"] = link.rsplit("/", 1)[1].strip()
        with httpx.Client(base_url=house.address, trust_env=False, verify=False, timeout=30) as client:
            secrets |= _an_evening(client, house.address, secrets["link"])
        out, logged = house.stop()
    assert "set-up" in link
    assert out == ""
    assert [word for word in ("started", "stopped") if word not in logged] == []
    assert "route=/api/sign-in" in logged
    requests = [line for line in logged.splitlines() if "route=" in line]
    assert [line for line in requests if "address=127.0.0.1" not in line] == [], "every line says where it came from"
    key = (tmp_path / "house.db.key").read_bytes()
    secrets |= {"key": key.hex(), "key as it is kept": key.decode("ascii", "replace").strip()}
    assert [name for name, secret in secrets.items() if secret in logged] == []
    assert re.findall(r"[0-9a-f]{48,}", logged) == []
    assert "alembic" not in logged
    assert "Uvicorn running" not in logged
    serve_run._announce(Settings(book=str(tmp_path / "house.db")), "http://localhost")
    assert "set-up" not in capsys.readouterr().out, "there is one of the floor now"


def _an_evening(client: httpx.Client, address: str, token: str) -> dict[str, str]:
    """Everything that has a secret in it, once; and all of them shown wrongly too."""
    body = {"token": token, "name": "Flo", "password": PASSWORD}
    assert client.post("/api/sign-in", json={"name": "admin", "password": "admin"}).status_code == 401
    signed = client.post("/api/set-up", json=body)
    assert signed.status_code == 200, signed.text
    second = client.post("/api/set-up", json={**body, "name": "Second"})
    assert second.status_code >= 400, "a link opens once"
    results = {"token": signed.json()["token"], "csrf": signed.json()["csrf"]}
    client.cookies.clear()
    client.headers["Authorization"] = f"Bearer {results['token']}"
    results["secret"] = client.post("/api/totp/enrol").json()["secret"]
    results["code"] = pyotp.TOTP(results["secret"]).now()
    assert client.post("/api/totp/confirm", json={"code": results["code"]}).status_code == 200
    invited = client.post("/api/people/invite", json={"name": "Ann", "roles": ["player"]})
    results["invitation"] = invited.json()["token"]
    client.post("/api/accept", json={"token": results["invitation"], "password": "x"})
    accepted = client.post("/api/accept", json={"token": results["invitation"], "password": PASSWORD})
    results["second token"] = accepted.json()["token"]
    results["ticket"] = client.post("/api/ticket").json()["ticket"]
    where = f"ws{address.removeprefix('http')}/ws?ticket={results['ticket']}"
    with connect(where, proxy=None) as socket:
        socket.send('{"type": "ping"}')
        socket.recv(timeout=5)
    with connect(where, proxy=None) as socket, pytest.raises(ConnectionClosed, match="4401"):
        socket.recv(timeout=5)
    client.get(f"/api/nothing?token={results['token']}")
    client.post(f"/api/sign-in?ticket={results['ticket']}", content=PASSWORD)
    client.post("/api/sign-out")
    return results


@pytest.mark.parametrize("times", [1, 2, 3])
def test_secrets_in_log_lines_are_redacted_once(times: int) -> None:
    line: dict[str, object] = {"event": 'GET "/ws?ticket=abc123&x=1" [accepted]', "token": "t", "shoe": "ab" * 32}
    for _ in range(times):
        redact(None, "", line)
    assert line == {
        "event": 'GET "/ws?ticket=(left out)&x=1" [accepted]',
        "token": "(left out)",
        "shoe": "(left out)",
    }


def test_a_setting_under_its_old_name_is_refused_with_its_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that was set must not be lost because its name has changed."""
    monkeypatch.setenv("UPCARD_REQUESTS_A_MINUTE", "5")
    with pytest.raises(BadRequest, match="requests_a_minute is now requests_per_minute, behind is now outbox_limit"):
        Settings.model_validate({"behind": 3})
