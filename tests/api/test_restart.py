"""A graceful restart: what was acknowledged is kept, sockets hear why they close, and the hand goes on."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from api.house import House, running_house
from api.server_process import Child, server_process
from support.cli_runner import upcard
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from upcard import client as client_module
from upcard.client import Client
from upcard.ledger.store import Store
from upcard.service import schema

TABLE = "the-brook"


def test_a_hand_continues_in_the_next_process(tmp_path: Path) -> None:
    book = tmp_path / "house.db"
    with server_process(book) as first:
        me = Client.guest(first.address)
        table = me.watch(TABLE)
        table.say("seat", player=me.name, spot=1)
        while table.state["round"] is None or table.state["round"]["phase"] != "play":
            if table.state["round"] is None:
                table.say("bet", spot=1, stakes={"Ante": 1000})
            table.say("ready", player=me.name)
            if any(choice["do"] == "decline-insurance" for choice in table.choices):
                table.say("decline-insurance", spot=1)
        before = table.state
        code, acknowledged = _stopped_under_load(first)
        assert code == 1012
        assert first.process.wait(20) in (0, -15)
    assert len(acknowledged) > 10
    with server_process(book, port=first.port):
        table.say("stay", spot=1)  # over a new connection, which the client makes by itself
        while table.my_turn() is not None:
            table.say("stay", spot=1)
        assert table.slips, "the hand was played to its end"
        assert table.state["round"] is None
        absent = [event for event in table.events if event["event"] in ("player-away", "player-back")]
        assert not absent, "nobody was away because of a restart"
        numbers = [event for event in table.events if event["event"] == "round-begun"]
        assert len(numbers) == before["round"]["round"]
        me.close()
    store = Store.open(str(book))
    with store.view() as unit:
        history = schema.history
        stored_numbers = {
            row.id: row.number for row in unit.connection.execute(sa.select(history.c.id, history.c.number))
        }
    store.close()
    assert {name: stored_numbers.get(name) for name in acknowledged} == acknowledged
    assert upcard("ledger", "check", str(book)).code == 0


def _stopped_under_load(child: Child) -> tuple[int, dict[str, int]]:
    """Stops it while another guest sends commands without a pause; tells the code and what was acknowledged."""
    guest = Client.guest(child.address)
    guest.post("/api/tables/lucky-ladies/seat", {"player": guest.name, "spot": 1})
    ticket = guest.post("/api/ticket", {})["ticket"]
    acknowledged: dict[str, int] = {}
    enough = threading.Event()
    codes: list[int] = []

    def send() -> None:
        where = f"ws{child.address.removeprefix('http')}/ws?ticket={ticket}"
        with connect(where, compression=None, proxy=None) as socket:
            try:
                for number in range(100_000):
                    body = {"do": "back", "table": "lucky-ladies", "player": guest.name}
                    socket.send(json.dumps({"type": "command", "id": f"t{number}", "command": body}))
                    if number >= 8:  # several are under way at any time
                        answer: Any = json.loads(socket.recv(timeout=10))
                        if answer["type"] == "answer":
                            acknowledged[f"{guest.name}:{answer['id']}"] = answer["number"]
                    if len(acknowledged) == 20:
                        enough.set()
            except ConnectionClosed as close_code:
                codes.append(close_code.rcvd.code if close_code.rcvd is not None else 0)

    sender = threading.Thread(target=send)
    sender.start()
    assert enough.wait(20)
    child.terminate()
    sender.join(20)
    guest.close()
    return codes[0], acknowledged


def test_the_example_of_the_python_client_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As it stands in its docstring, against a demo."""
    text = (client_module.__doc__ or "").partition("\n\n")[2]
    assert "Client.guest" in text
    with running_house(tmp_path, demo=True) as house:
        exec(compile(_at(house, text), "the example", "exec"), {})
    (slips,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("[{'event': 'slip'")]
    assert "'wager': 'Ante'" in slips


def _at(house: House, text: str) -> str:
    assert "http://localhost:8000" in text
    return text.replace("http://localhost:8000", house.address)


def test_a_stopped_table_does_not_keep_a_demo_from_starting(tmp_path: Path) -> None:
    with running_house(tmp_path, demo=True):
        pass
    store = Store.open(str(tmp_path / "house.db"))
    with store.engine.begin() as connection:
        connection.exec_driver_sql(f"DELETE FROM shoes WHERE table_name = '{TABLE}'")
        connection.exec_driver_sql(f"UPDATE streams SET snapshot_version = 0 WHERE stream = 'table:{TABLE}'")
    store.close()
    with running_house(tmp_path, demo=True) as house:
        guest = Client.guest(house.address)
        with pytest.raises(Exception, match=f"{TABLE} is stopped: the key of shoe 1 is missing"):
            guest.get(f"/api/tables/{TABLE}")
        assert guest.get("/api/tables/lucky-ladies")
        guest.close()
