"""The path of one bet, from the socket message to the answer: how many files and functions of Upcard it passes through,
how often they are called, and how deep the calls nest. Counted, not timed: it says how much there is to read.

The bet is the second of a shoe, with three wagers; the first one has filled every cache."""

import argparse
import json
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import uvicorn

import upcard
from upcard.api.app import create_app
from upcard.api.settings import Settings
from upcard.cli.serve import config_of
from upcard.client import Client

HOME = str(Path(upcard.__file__).parent)
NOT_NAMED = ("<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>", "<lambda>")


class Calls:
    """What was called while it is on, in all threads."""

    def __init__(self) -> None:
        self.on = False
        self.calls: Counter[tuple[str, str]] = Counter()
        self.depth = 0

    def watch(self, frame: FrameType, event: str, _argument: object) -> None:
        """A profile function: called at every call in every thread that began after it was installed."""
        if not self.on or event != "call" or not frame.f_code.co_filename.startswith(HOME):
            return
        name = frame.f_code.co_qualname
        if name.endswith(NOT_NAMED):
            return
        self.calls[frame.f_code.co_filename.removeprefix(f"{HOME}/"), name] += 1
        self.depth = max(self.depth, sum(1 for _ in _ours(frame)))


def _ours(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        if frame.f_code.co_filename.startswith(HOME) and not frame.f_code.co_name.startswith("<"):
            yield frame
        frame = frame.f_back


def measure() -> Calls:
    """The path of one bet over a socket, on SQLite."""
    path = Calls()
    threading.setprofile(path.watch)
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listening:
        settings = Settings(book=f"{folder}/book.db", demo=True, demo_pace=60, hints=False)
        server = uvicorn.Server(config_of(settings, create_app(settings)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        with Client.guest(f"http://127.0.0.1:{listening.getsockname()[1]}") as me:
            table = me.watch("the-brook")
            spot = next(spot for spot in range(1, 7) if str(spot) not in table.state["seats"])
            stakes = dict.fromkeys(("Ante", *[name for name in table.state["wagers"] if name != "Ante"][:2]), 500)
            table.say("seat", player=me.name, spot=spot)
            table.say("bet", spot=spot, stakes=stakes)
            table.say("clear", spot=spot)
            time.sleep(0.2)
            path.on = True
            table.say("bet", spot=spot, stakes=stakes)
            time.sleep(0.2)
            path.on = False
        server.should_exit = True
        thread.join()
    return path


def main() -> None:
    """Prints the counts, and with --list every function."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--list", action="store_true", help="print every function with its calls")
    asked = arguments.parse_args()
    path = measure()
    files = {file for file, _ in path.calls}
    told = {"files": len(files), "functions": len(path.calls), "calls": path.calls.total(), "depth": path.depth}
    print(json.dumps(told))
    if asked.list:
        for (file, name), calls in sorted(path.calls.items()):
            print(f"{calls:5} {file}: {name}")


if __name__ == "__main__":
    main()
