"""Counts the files, functions, calls and call depth of one bet, from the socket message to the watching sockets.

This shows how much code a reader must follow; it does not time anything. Each bet starts a round and has three wagers.
An earlier bet fills every cache. Code that does not run in every measured bet (timers, session checks) is left out.
"""

import argparse
import json
import socket
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType

import uvicorn

import upcard
from upcard.api.app import create_app
from upcard.api.settings import Settings
from upcard.cli.commands.serve_run import uvicorn_config
from upcard.client import Client

HOME = str(Path(upcard.__file__).parent)
BETS = 8
BEFORE_THE_DESK = ("api/", "client.py", "people/")


class Calls:
    """Records the calls while it is on, in all threads started after it was installed."""

    def __init__(self) -> None:
        self.on = False
        self.calls: Counter[tuple[str, str]] = Counter()
        self.depth = 0

    def watch(self, frame: FrameType, event: str, _argument: object) -> None:
        """A profile function."""
        if not self.on or event != "call" or not _is_ours(frame):
            return
        self.calls[frame.f_code.co_filename.removeprefix(f"{HOME}/"), frame.f_code.co_qualname] += 1
        depth, outer = 1, frame.f_back
        while outer is not None:
            depth, outer = depth + _is_ours(outer), outer.f_back
        self.depth = max(self.depth, depth)


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(HOME) and not frame.f_code.co_name.startswith("<")


def measure() -> tuple[Counter[tuple[str, str]], int]:
    """The calls of one bet over a socket, on SQLite, and their greatest depth."""
    calls = Calls()
    threading.setprofile(calls.watch)
    bets: list[Counter[tuple[str, str]]] = []
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listening:
        settings = Settings(book=f"{folder}/book.db", demo=True, demo_pace=60, hints=False)
        server = uvicorn.Server(uvicorn_config(settings, create_app(settings)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        with Client.guest(f"http://127.0.0.1:{listening.getsockname()[1]}") as me:
            table = me.watch("the-brook")
            spot = next(spot for spot in range(1, 7) if str(spot) not in table.state["seats"])
            others = [name for name in table.state["wagers"] if name != "Ante"]
            stakes = dict.fromkeys(("Ante", *others[:2]), 500)
            table.say("seat", player=me.name, spot=spot)
            for _ in range(BETS + 1):
                calls.calls, calls.on = Counter(), True
                table.say("bet", spot=spot, stakes=stakes)
                time.sleep(0.05)
                calls.on = False
                bets.append(calls.calls)
                if len(bets) == 1:
                    calls.depth = 0  # the first bet began a shoe
                table.say("clear", spot=spot)
        server.should_exit = True
        thread.join()
    path = bets[1]
    for bet in bets[2:]:
        path &= bet
    return path, calls.depth


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--list", action="store_true", help="print every function with its calls")
    options = arguments.parse_args()
    path, depth = measure()
    desk = Counter({place: calls for place, calls in path.items() if not place[0].startswith(BEFORE_THE_DESK)})
    for name, part in (("from the socket to the sockets", path), ("without the API", desk)):
        files = len({file for file, _ in part})
        print(json.dumps({"path": name, "files": files, "functions": len(part), "calls": part.total()}))
    print(json.dumps({"depth": depth}))
    if options.list:
        for (file, function), number in sorted(path.items()):
            print(f"{number:5} {file}: {function}")


if __name__ == "__main__":
    main()
