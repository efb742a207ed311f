"""The lab's own process: questions come in as lines of JSON and go out answered, one after the other.

It gives way to everything else on the machine. It ends when nobody has asked anything for a while, and at once when
nobody holds the other end of its input any longer.
"""

import json
import os
import sys
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from upcard.api.lab.figures import work_out
from upcard.api.lab.simulating import simulate
from upcard.problems import UpcardError

NICE = 10
IDLE = 600.0  # seconds after which it ends by itself

Message = dict[str, Any]


def main() -> None:
    """Answers until the input ends."""
    os.nice(NICE)
    waiting: SimpleQueue[Message] = SimpleQueue()
    cancelled: set[int] = set()
    threading.Thread(target=_listen, args=(waiting, cancelled), daemon=True).start()
    with suppress(Empty):  # idle: nobody is kept waiting by starting again
        while True:
            _answer(waiting.get(timeout=IDLE), cancelled)


def _listen(waiting: "SimpleQueue[Message]", cancelled: set[int]) -> None:
    for line in sys.stdin:
        said: Message = json.loads(line)
        if said["say"] == "cancel":
            cancelled.add(said["id"])
        else:
            waiting.put(said)
    os._exit(0)  # whoever asked is gone: what is being worked out is for nobody


def _answer(asked: Message, cancelled: set[int]) -> None:
    def tell(said: Message) -> None:
        sys.stdout.write(json.dumps({"id": asked["id"], **said}) + "\n")
        sys.stdout.flush()

    try:
        if asked["say"] == "simulate":
            asking = asked["asking"]
            ended = simulate(
                asking, lambda point: tell({"say": "point", "point": point}), lambda: asked["id"] in cancelled
            )
            tell({"say": "ended", "how": ended})
        else:
            tell({"say": "done", "text": work_out(asked["asking"])})
    except UpcardError as wrong:
        tell({"say": "refused", "why": str(wrong)})
    except Exception as wrong:  # a mistake of ours ends one answer, not the process
        tell({"say": "failed", "why": repr(wrong)})
    cancelled.discard(asked["id"])


if __name__ == "__main__":
    main()
