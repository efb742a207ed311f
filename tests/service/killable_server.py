"""Starts server processes that tests kill: everything is loaded once, and each line forks a new server.

A line has the server's arguments in JSON. The server logs each command before it submits it (`sent`), and each answer
after it came, one line each, to a file that the test reads.
"""

import json
import os
import random
import sys
from collections import deque
from concurrent.futures import Future
from pathlib import Path
from typing import IO, Any

from service.random_commands import GUESTS, RandomCommands, Submission

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
    with Path(said).open("w", encoding="utf-8") as log, serving(address, key=Path(key)) as service:
        service.people(clock=None, cost=None).add_players(GUESTS, actor="Dana")
        waiting = deque(_hand_in(service, log, submission_of(data)) for data in again)
        random_commands, chance = RandomCommands(seed, prefix=f"{seed}-"), random.Random(seed)
        while True:
            live = service.desk.live(chance.choice(tables))
            waiting.append(_hand_in(service, log, random_commands.next_command(live)))
            while len(waiting) > chance.randint(0, AT_ONCE):
                _tell(log, *waiting.popleft())


def _hand_in(service: Service, log: IO[str], submission: Submission) -> "tuple[str, Future[Answer]]":
    _line(log, {"sent": submission_json(submission)})
    return submission.id, service.desk.submit(
        submission.command, id=submission.id, actor=submission.actor, role=submission.role
    )


def _tell(log: IO[str], name: str, future: "Future[Answer]") -> None:
    _line(log, {"id": name, "answer": answer_json(future)})


def _line(log: IO[str], value: dict[str, Any]) -> None:
    log.write(json.dumps(value) + "\n")
    log.flush()


def answer_json(future: "Future[Answer]") -> Any:
    """An answer as a line tells it."""
    try:
        answer = future.result()
    except Refused as refused:
        return ["refused", refused.reason, dict(refused.details)]
    except StoreFailed as error:
        return ["failed", str(error)]
    return ["done", answer.stream, answer.number, answer.events, answer.told]


def submission_json(submission: Submission) -> dict[str, Any]:
    """A wish as a line tells it."""
    command = json.loads(s.command_json(submission.command))
    return {"command": command, "id": submission.id, "actor": submission.actor, "role": submission.role}


def submission_of(data: dict[str, Any]) -> Submission:
    """The same wish again."""
    return Submission(s.COMMANDS.validate_python(data["command"]), data["id"], data["actor"], data["role"])


if __name__ == "__main__":
    main()
