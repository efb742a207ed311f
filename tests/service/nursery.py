"""Serving processes to be killed: this one has everything loaded, and makes a new one in a moment for each line.

A line names an order in JSON. The process made for it writes what it hands in (`sent`) before, and what it was answered
after the answer came, each in one line to a file that the killer reads.
"""

import json
import os
import random
import sys
from collections import deque
from concurrent.futures import Future
from pathlib import Path
from typing import IO, Any

from service.crowd import Crowd, Wish

from upcard.catalog import shipped
from upcard.service import commands as s
from upcard.service.pending import Answer
from upcard.service.refusals import Refused, StoreFailed
from upcard.service.running import Service, serving

AT_ONCE = 12


def main() -> None:
    """Waits for orders; whoever made us ends us by closing our input."""
    shipped()
    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            os.close(0)
            _serve(**json.loads(line))
            os._exit(0)
        print(child, flush=True)
        print(os.waitpid(child, 0)[1], flush=True)


def _serve(address: str, key: str, seed: str, tables: list[str], again: list[dict[str, Any]], said: str) -> None:
    with Path(said).open("w", encoding="utf-8") as told, serving(address, key=Path(key)) as service:
        waiting = deque(_hand_in(service, told, wish_of(one)) for one in again)
        crowd, chance = Crowd(seed, prefix=f"{seed}-"), random.Random(seed)
        while True:
            live = service.desk.live(chance.choice(tables))
            waiting.append(_hand_in(service, told, crowd.wish(live)))
            while len(waiting) > chance.randint(0, AT_ONCE):
                _tell(told, *waiting.popleft())


def _hand_in(service: Service, told: IO[str], wish: Wish) -> "tuple[str, Future[Answer]]":
    _line(told, {"sent": told_wish(wish)})
    return wish.id, service.desk.submit(wish.command, id=wish.id, actor=wish.actor, role=wish.role)


def _tell(told: IO[str], name: str, future: "Future[Answer]") -> None:
    _line(told, {"id": name, "answer": told_answer(future)})


def _line(told: IO[str], value: dict[str, Any]) -> None:
    told.write(json.dumps(value) + "\n")
    told.flush()


def told_answer(future: "Future[Answer]") -> Any:
    """An answer as a line tells it."""
    try:
        answer = future.result()
    except Refused as refused:
        return ["refused", refused.reason, dict(refused.details)]
    except StoreFailed as wrong:
        return ["failed", str(wrong)]
    return ["done", answer.stream, answer.number, answer.events, answer.told]


def told_wish(wish: Wish) -> dict[str, Any]:
    """A wish as a line tells it."""
    command = json.loads(s.command_json(wish.command))
    return {"command": command, "id": wish.id, "actor": wish.actor, "role": wish.role}


def wish_of(told: dict[str, Any]) -> Wish:
    """The same wish again."""
    return Wish(s.COMMANDS.validate_python(told["command"]), told["id"], told["actor"], told["role"])


if __name__ == "__main__":
    main()
