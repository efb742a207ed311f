"""The lab over HTTP says what `upcard odds` says, to the letter, and at once; nobody at a table waits for it."""

import json
import os
import shlex
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
from api.house import TABLE, ApiUser, House, running_house
from structlog.testing import capture_logs
from support.cli_runner import upcard
from support.precompile import compile_simulator

from upcard.catalog import shipped
from upcard.workers.pool import WorkerKind

Json = dict[str, Any]
SOON = 0.1  # seconds: an edited pay shows its edge at once


@pytest.fixture(scope="module")
def anybody(house: House) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{house.address}/api/lab", timeout=60, trust_env=False, verify=False) as client:
        yield client


@pytest.fixture(scope="module", autouse=True)
def quiet() -> Iterator[None]:
    """The server's log would stand among what the command prints: both are in this process."""
    with capture_logs():
        yield


def get_json(anybody: httpx.Client, path: str, **params: Any) -> Any:
    answer = anybody.get(path, params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_every_table_at_every_deck_count_is_priced_as_on_the_command_line(anybody: httpx.Client) -> None:
    cli_odds = {(row["paytable"], row["decks"]): row for row in upcard("odds", "--all", "--json").json}
    tables = get_json(anybody, "/paytables")
    assert len(tables) == 85
    lab_odds = {
        (table["name"], row["decks"]): row for table in tables for row in get_json(anybody, f"/odds/{table['slug']}")
    }
    assert lab_odds == cli_odds


def test_the_lab_and_the_command_line_give_the_same_figures(anybody: httpx.Client) -> None:
    cli_odds = {(row["paytable"], row["decks"]): row for row in upcard("odds", "--all", "--json").json}
    for table in shipped().paytables.values():
        page = get_json(anybody, f"/wagers/{table.slug}", decks=table.decks[0])
        assert page["odds"] == cli_odds[table.name, table.decks[0]]
        permitted = {row["decks"]: row["edge"] for row in page["by_decks"] if row["permitted"]}
        assert permitted == {decks: cli_odds[table.name, decks]["edge"] for decks in table.decks}
        assert len(page["by_decks"]) == 8
        assert set(page["by_meter"]) == set(table.jackpots)
        if len(table.jackpots) == 1:
            even = cli_odds[table.name, table.decks[0]]["break_even_meter"]
            (line,) = page["by_meter"].values()
            assert line["break_even"] == pytest.approx(as_number(even))


def as_number(fraction: str) -> float:
    over, under = fraction.split("/")
    return int(over) / int(under)


@pytest.mark.parametrize(
    ("slug", "params"),
    [
        ("da6-1", {"decks": 6, "pay": ["straight=7.5", "match=none"]}),
        ("da6-1", {"decks": 3, "any_decks": "true"}),
        ("001-lucky-ladies", {"decks": 8, "meter": ["MEGA=$25,000", "MINOR=$900"], "wager": "$5"}),
        ("pt-bjs-ll-34", {"decks": 6, "suit": "spades", "pay": "suited-20=25% of MEGA"}),
    ],
)
def test_the_command_shown_beside_a_price_gives_that_price(
    anybody: httpx.Client, slug: str, params: dict[str, Any]
) -> None:
    page = get_json(anybody, f"/wagers/{slug}", **params)
    command = shlex.split(page["command"])
    assert command[0] == "upcard"
    assert upcard(*command[1:], "--json").json == page["odds"]
    for form in ("json", "csv"):
        file = anybody.get(f"/odds/{slug}", params={**params, "form": form})
        assert file.text == upcard(*command[1:], f"--{form}").out
        assert file.headers["Content-Disposition"] == f'attachment; filename="odds-{slug}.{form}"'


def test_an_edited_pay_is_answered_within_a_tenth_of_a_second(anybody: httpx.Client) -> None:
    """Every kind of wager; in the time of a processor, which client and server spend together, however busy it is."""
    for table in {paytable.kind.name: paytable for paytable in shipped().paytables.values()}.values():
        line = list(table.lines)[-1]
        took = []
        for pay in range(6):
            start = time.process_time()
            page = get_json(anybody, f"/wagers/{table.slug}", decks=table.decks[-1], pay=f"{line}={pay + 2.5}")
            took.append(time.process_time() - start)
            assert page["odds"]["paytable"] == f"{table.name}, edited"
        assert sorted(took[1:])[2] < SOON, table.name  # the first fills what is kept


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (("removal", "da6-1"), ("odds", "DA6/1", "--removal", "--decks", "6")),
        (("count", "da6-1"), ("odds", "DA6/1", "--count", "hilo", "--decks", "6")),
        (("strategy", "bet-bigger"), ("strategy", "--game", "002", "--decks", "6")),
    ],
)
@pytest.mark.parametrize("form", ["json", "csv"])
def test_slow_lab_queries_agree_with_the_command_line_too(
    anybody: httpx.Client, path: tuple[str, str], words: tuple[str, ...], form: str
) -> None:
    answer = anybody.get("/".join(path), params={"decks": 6, "form": form})
    assert answer.status_code == 200, answer.text
    assert answer.text == upcard(*words, f"--{form}").out


def test_the_lab_and_the_command_line_give_the_main_game_the_same_value(anybody: httpx.Client) -> None:
    odds = get_json(anybody, "/main/bet-bigger", decks=6, set="soft17=stand")
    words = ("odds", "main", "--game", "002", "--decks", "6", "--set", "soft17=stand", "--json")
    assert {**odds, "seconds": 0} == {**upcard(*words).json, "seconds": 0}


def test_tables_are_served_while_the_lab_works(house: House, anybody: httpx.Client) -> None:
    """The worst case of the by-count figures takes a second; a player's command does not wait for it."""
    player = house.player()
    assert player.say(TABLE, "seat", player=player.name, spot=1).status_code == 200
    with ThreadPoolExecutor(1) as aside:
        working = aside.submit(get_json, anybody, "/count/pt-flt-bb-01", decks=8, count="best")
        took: list[float] = []
        while not working.done() or len(took) < 4:
            start = time.perf_counter()
            assert player.say(TABLE, "bet", spot=1, stakes={"Ante": 500}).status_code == 200
            assert player.say(TABLE, "clear", spot=1).status_code == 200
            took.append(time.perf_counter() - start)
        assert working.result()["points"]
    assert sorted(took)[len(took) // 2] < 0.5


@pytest.mark.parametrize(
    ("path", "params", "status", "sentence"),
    [
        ("/wagers/da6-11", {}, 404, "there is no paytable 'da6-11'; did you mean"),
        ("/wagers/da6-1", {"decks": 4}, 400, "DA6/1 is for 6 decks, not 4"),
        ("/wagers/da6-1", {"decks": 6, "wager": "much"}, 400, "wager: 'much' is not an amount of money"),
        ("/wagers/da6-1", {"decks": 6, "meter": "$5"}, 400, "DA6/1 pays no jackpot, so meter does not apply"),
        ("/wagers/da6-1", {"decks": 6, "pay": "straight"}, 400, "write a pay as event=pay"),
        ("/wagers/da6-1", {"decks": 6, "pay": "straight=-3"}, 400, "straight: a pay cannot be negative: -3"),
        ("/wagers/da6-1", {"decks": 6, "pay": "straight=1e999"}, 400, "a pay may be at most"),
        ("/wagers/da6-1", {"decks": 6, "suit": "swords"}, 404, "there is no suit 'swords'"),
        ("/wagers/da6-1", {"decks": 9}, 422, "query.decks"),
        ("/removal/da6-1", {"decks": 6, "pay": "sraight=3"}, 400, "did you mean straight"),
        ("/count/mm4-1", {"decks": 4, "count": "best"}, 400, "no single card changes the price of MM4/1"),
        ("/count/da6-1", {"decks": 6, "gone": 312}, 400, "the cards gone must be from 1 to 309, not 312"),
        ("/main/bet-biger", {"decks": 6}, 404, "did you mean bet-bigger"),
        ("/main/bet-bigger", {"decks": 6, "set": "soft17=never"}, 400, "soft17 must be hit or stand or until_hard"),
    ],
)
def test_a_lab_query_that_cannot_be_answered_is_refused_with_a_sentence(
    anybody: httpx.Client, path: str, params: dict[str, Any], status: int, sentence: str
) -> None:
    answer = anybody.get(path, params=params)
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert sentence in answer.json()["detail"]
    assert "Traceback" not in json.dumps(answer.json())


# --- simulations --------------------------------------------------------------------------------------------------

DA6: Json = {"paytable": "da6-1", "decks": 6, "rounds": 300_000}
LONG: Json = {"paytable": "pt-flt-bb-01", "decks": 6, "rounds": 100_000_000}


def started(user: ApiUser, body: Json) -> Json:
    compile_simulator()
    answer = user.http.post("/api/lab/simulations", json=body)
    assert answer.status_code == 200, answer.text
    card: Json = answer.json()
    return card


def events(user: ApiUser, number: int, *, until: str = "") -> Iterator[tuple[str, Json]]:
    """What the stream says, to its end."""
    name = ""
    with user.http.stream("GET", f"/api/lab/simulations/{number}/events", timeout=120) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            kind, _, value = line.partition(": ")
            if kind == "event":
                name = value
            elif kind == "data":
                yield name, json.loads(value)
                if name == until:
                    return


def test_a_simulation_converges_on_the_exact_edge_of_the_edited_table(house: House) -> None:
    player = house.player()
    card = started(player, {**DA6, "pays": ["straight=7"], "seed": 5})
    stream = list(events(player, card["number"]))
    points = [data for name, data in stream if name == "point"]
    assert stream[-1] == ("state", {"state": "done", "why": "", "before": 0})
    assert len(points) > 5
    last = points[-1]
    exact = upcard("odds", "DA6/1", "--decks", "6", "--pay", "straight=7", "--json").json["edge_percent"]
    assert last["rounds"] == 300_000
    assert last["exact_percent"] == exact
    assert abs(last["edge_percent"] - exact) < 4 * last["standard_error_percent"]
    assert last["low_percent"] < last["edge_percent"] < last["high_percent"]
    second = started(player, {**DA6, "pays": ["straight=7"], "seed": 5})
    (*_, (_, same), _) = events(player, second["number"])
    assert {**same, "seconds": 0} == {**last, "seconds": 0}  # the same seed plays the same rounds


def test_simulations_wait_their_turn_and_are_cancelled_at_once(house: House) -> None:
    ann, bob = house.player(), house.player()
    first, second = started(ann, LONG), started(bob, DA6)
    assert (second["state"], second["before"]) == ("waiting", 1)
    list(events(ann, first["number"], until="point"))
    start = time.perf_counter()
    assert ann.http.post(f"/api/lab/simulations/{first['number']}/cancel", json={}).status_code == 200
    stream = list(events(ann, first["number"]))
    assert stream[-1][1]["state"] == "cancelled"
    assert time.perf_counter() - start < 5
    assert list(events(bob, second["number"]))[-1][1]["state"] == "done"
    states = {simulation["number"]: simulation["state"] for simulation in ann.http.get("/api/lab/simulations").json()}
    assert states == {first["number"]: "cancelled"}


def test_a_waiting_simulation_can_be_cancelled_and_limits_have_sentences(house: House) -> None:
    player = house.player()
    first, second = started(player, LONG), started(player, LONG)
    third = player.http.post("/api/lab/simulations", json=DA6)
    assert third.status_code == 429
    assert third.json()["detail"] == "you have 2 simulations waiting or running; cancel one, or wait until it is done"
    for card in (second, first):
        player.http.post(f"/api/lab/simulations/{card['number']}/cancel", json={})
        assert list(events(player, card["number"]))[-1][1]["state"] == "cancelled"
    too_many = player.http.post("/api/lab/simulations", json={**DA6, "rounds": 100_000_001})
    assert too_many.status_code == 400
    assert too_many.json()["detail"] == "a simulation can have at most 100,000,000 rounds"
    bad = player.http.post("/api/lab/simulations", json={**DA6, "pays": ["straigt=7"]})
    assert "did you mean straight" in bad.json()["detail"]


def test_a_simulation_has_only_so_much_time(tmp_path: Path) -> None:
    with running_house(tmp_path, lab_seconds=1) as house:
        player = house.player()
        stream = list(events(player, started(player, LONG)["number"]))
        assert stream[-1][1]["state"] == "out of time"
        assert 0 < [data for name, data in stream if name == "point"][-1]["rounds"] < LONG["rounds"]


def test_a_simulation_can_be_read_only_by_the_person_who_started_it(house: House) -> None:
    ann, bob = house.player(), house.player()
    number = started(ann, DA6)["number"]
    for method, path in (("GET", "events"), ("POST", "cancel")):
        answer = bob.http.request(method, f"/api/lab/simulations/{number}/{path}", json={})
        assert answer.status_code == 404
        assert answer.json()["detail"] == f"you have no simulation {number}"
    assert bob.http.get("/api/lab/simulations").json() == []
    assert house.nobody().post("/api/lab/simulations", json=DA6).json()["reason"] == "NOT_SIGNED_IN"
    list(events(ann, number))


def playing_in(house: House) -> int:
    """The worker for all that takes long: asked in the turn that a simulation leaves to others."""
    return house.server.workers.submit(WorkerKind.LONG, os.getpid).result(60)


def test_odds_are_computed_while_a_simulation_runs(house: House, anybody: httpx.Client) -> None:
    """There is one worker for both: a simulation lets others have their turn, and goes on where it was."""
    player = house.player()
    card = started(player, LONG)
    list(events(player, card["number"], until="point"))
    for decks in (5, 7):
        assert get_json(anybody, "/removal/da6-1", decks=decks, any_decks="true")
    (now,) = player.http.get("/api/lab/simulations").json()
    assert now["state"] == "running"
    player.http.post(f"/api/lab/simulations/{card['number']}/cancel", json={})
    points = [data for name, data in events(player, card["number"]) if name == "point"]
    assert [point["rounds"] for point in points] == sorted({point["rounds"] for point in points})
    assert [point["seconds"] for point in points] == sorted(point["seconds"] for point in points)


def test_a_worker_that_dies_is_reported_and_replaced(house: House) -> None:
    player = house.player()
    card = started(player, LONG)
    list(events(player, card["number"], until="point"))
    process = playing_in(house)
    time.sleep(0.3)  # it plays again by now, and for a second
    os.kill(process, signal.SIGKILL)
    assert list(events(player, card["number"]))[-1][1] == {
        "state": "failed",
        "why": "the simulation was lost; start it again",
        "before": 0,
    }
    assert list(events(player, started(player, DA6)["number"]))[-1][1]["state"] == "done"


def test_the_labs_processes_give_way_to_the_tables(house: House) -> None:
    player = house.player()
    card = started(player, LONG)
    list(events(player, card["number"], until="point"))
    assert os.getpriority(os.PRIO_PROCESS, playing_in(house)) >= os.getpriority(os.PRIO_PROCESS, 0) + 10
    player.http.post(f"/api/lab/simulations/{card['number']}/cancel", json={})


def test_a_waiting_lab_query_is_answered_when_the_service_stops(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as waiting, running_house(tmp_path) as house:
        server, figuring = house.server, house.server.lab_jobs
        figuring._workers = Mock(submit=Mock(return_value=Future()))  # which never answers
        request = waiting.submit(
            httpx.get, f"{house.address}/api/lab/removal/da6-1?decks=6", trust_env=False, verify=False
        )
        while figuring._working is None:
            time.sleep(0.01)
        assert server.loop is not None
        server.loop.call_soon_threadsafe(server.restart_sockets)
        answer = request.result()
    assert (answer.status_code, answer.json()["reason"]) == (503, "RESTARTING")
