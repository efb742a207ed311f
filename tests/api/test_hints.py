"""Hints over the API: exact, for the player who is asked and nobody else, and never in anybody's way."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from api.house import ApiUser, House, running_house
from support.precompile import compile_simulator
from workers.jobs import give_up

from upcard.odds.main.action_values import action_values
from upcard.odds.main.hint_question import hint_question
from upcard.workers.pool import WorkerKind

TABLE = "double-action"


@pytest.fixture
def decision(house: House) -> Iterator[tuple[ApiUser, int]]:
    """A player with a hand to decide, and their spot; the round is played out afterwards."""
    ann = house.player()
    free = min(set(range(1, 7)) - set(house.server.service.desk.live(TABLE).table.seats))
    assert ann.say(TABLE, "seat", player=ann.name, spot=free).status_code == 200
    while True:
        assert ann.say(TABLE, "bet", spot=free, stakes={"Blackjack": 1000}).status_code == 200
        assert ann.say(TABLE, "ready", player=ann.name).status_code == 200
        if _choices(ann):
            break
    yield ann, free
    while _choices(ann):
        choice = next(name for name in ("decline-insurance", "stay", "ready") if name in _choices(ann))
        ann.say(TABLE, choice, **({"player": ann.name} if choice == "ready" else {"spot": free}))
    ann.say(TABLE, "leave", player=ann.name)


def _choices(player: ApiUser) -> set[str]:
    return {choice["do"] for choice in player.get(f"/api/tables/{TABLE}").json()["mine"]["choices"]}


def _hint(player: ApiUser, spot: int, table: str = TABLE) -> Any:
    return player.get(f"/api/tables/{table}/hint", spot=spot)


def test_a_hint_shows_the_solvers_values_in_percent_and_cents(house: House, decision: tuple[ApiUser, int]) -> None:
    ann, spot = decision
    reply = _hint(ann, spot).json()
    live = house.server.service.desk.live(TABLE)
    assert live.table.round is not None
    assert live.table.terms is not None
    hint_parts = hint_question(live.table.round, live.table.terms, spot)
    assert hint_parts is not None
    exact = action_values(hint_parts[0])
    assert {action["do"]: action["worth"] for action in reply["actions"]} == pytest.approx(exact)
    assert {action["do"]: action["cents"] for action in reply["actions"]} == pytest.approx(
        {do: 1000 * w for do, w in exact.items()}
    )
    assert [action["worth"] for action in reply["actions"]] == sorted(exact.values(), reverse=True)
    assert reply["number"] == live.version
    assert set(exact) == _choices(ann)


def test_a_player_gets_hints_for_their_own_hand_on_their_turn_only(house: House, decision: tuple[ApiUser, int]) -> None:
    ann, spot = decision
    bob = house.player()
    assert _hint(bob, spot).json()["reason"] == "NOT_YOUR_SPOT"
    assert _hint(ann, 6 if spot != 6 else 5).json()["reason"] == "NOT_YOUR_SPOT"
    assert bob.say("bet-bigger", "seat", player=bob.name, spot=1).status_code == 200
    response = _hint(bob, 1, "bet-bigger")
    assert (response.status_code, response.json()["detail"]) == (
        409,
        "it is not your turn; there is no decision to make",
    )
    assert _hint(ann, 1, "nowhere").status_code == 404
    bob.say("bet-bigger", "leave", player=bob.name)


def test_tables_are_served_while_hints_are_prepared(house: House, decision: tuple[ApiUser, int]) -> None:
    """The worker is taken away: the next question starts another, and everybody else is served meanwhile."""
    ann, spot = decision
    _hint(ann, spot)
    os.kill(house.server.workers.submit(WorkerKind.HINTS, os.getpid).result(60), signal.SIGKILL)
    house.server.hint_worker._cache.clear()
    slowest, other = 0.0, house.nobody()
    with ThreadPoolExecutor(1) as aside:
        answer = aside.submit(_hint, ann, spot)
        while not answer.done():
            started = time.monotonic()
            assert other.get("/healthz").status_code == 200
            slowest = max(slowest, time.monotonic() - started)
    assert answer.result().status_code == 200
    assert slowest < 2  # on a machine that does other things too: it answers, and does not wait for the hint


def test_hints_are_answered_while_the_lab_simulates(house: House, decision: tuple[ApiUser, int]) -> None:
    """One worker is for hints alone."""
    ann, spot = decision
    compile_simulator()
    long = {"paytable": "pt-flt-bb-01", "decks": 6, "rounds": 100_000_000}
    card = ann.http.post("/api/lab/simulations", json=long).json()
    house.server.hint_worker._cache.clear()
    assert _hint(ann, spot).status_code == 200
    playing = next(
        simulation
        for simulation in ann.http.get("/api/lab/simulations").json()
        if simulation["number"] == card["number"]
    )
    assert playing["state"] == "running"
    ann.http.post(f"/api/lab/simulations/{card['number']}/cancel", json={})


def test_a_hint_whose_worker_was_killed_is_refused_with_a_sentence_and_the_next_is_answered(
    house: House, decision: tuple[ApiUser, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, spot = decision
    house.server.hint_worker._cache.clear()
    with monkeypatch.context() as killed:
        killed.setattr("upcard.workers.hints.compute", signal.raise_signal)
        killed.setattr("upcard.api.hint_worker.partial", lambda job, _: partial(job, signal.SIGKILL))
        response = _hint(ann, spot)
    assert (response.status_code, response.json()["reason"]) == (503, "NO_HINTS_NOW")
    assert _hint(ann, spot).status_code == 200


def test_a_full_hint_queue_asks_the_player_to_try_again(
    house: House, decision: tuple[ApiUser, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    house.server.hint_worker._cache.clear()
    monkeypatch.setattr("upcard.api.hint_worker.MAX_WAITING", 0)
    response = _hint(*decision)
    assert (response.status_code, response.json()["reason"]) == (503, "HINTS_BUSY")


def test_asking_for_a_hint_prepares_the_solver(house: House) -> None:
    ann = house.player()
    until = time.monotonic() + 60
    while not ann.get("/api/hints").json()["ready"]:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_worker_pool_that_cannot_start_is_reported_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("upcard.workers.pool.begin", give_up)
    with running_house(tmp_path) as house:
        ann = house.player()
        ann.say(TABLE, "seat", player=ann.name, spot=2)
        while not _choices(ann):
            ann.say(TABLE, "bet", spot=2, stakes={"Blackjack": 1000})
            ann.say(TABLE, "ready", player=ann.name)
        response = _hint(ann, 2)
        assert (response.status_code, response.json()["reason"]) == (503, "NO_HINTS_NOW")
        assert ann.get("/api/hints").json() == {"given": True, "ready": False}


def test_hints_can_be_switched_off(tmp_path: Path) -> None:
    with running_house(tmp_path, hints=False) as house:
        ann = house.player()
        assert ann.get("/api/hints").json() == {"given": False, "ready": False}
        response = _hint(ann, 2)
        assert (response.status_code, response.json()["detail"]) == (403, "hints are switched off here")
        assert house.server.hint_worker._ready is None
