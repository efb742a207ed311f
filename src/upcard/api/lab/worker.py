"""The lab's own process: questions come in as lines of JSON and go out answered, one after the other.

It gives way to everything else on the machine, and ends when nobody holds the other end of its input any longer.
"""

import json
import os
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from upcard.api.lab.figures import work_out
from upcard.problems import UpcardError

NICE = 10

Message = dict[str, Any]
Tell = Callable[[Message], None]


def main() -> None:
    """Answers until the input ends."""
    os.nice(NICE)
    waiting: SimpleQueue[Message | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(waiting,), daemon=True).start()
    while (asked := waiting.get()) is not None:
        _answer(asked)


def _listen(waiting: "SimpleQueue[Message | None]") -> None:
    for line in sys.stdin:
        waiting.put(json.loads(line))
    os._exit(0)  # whoever asked is gone: what is being worked out is for nobody


def _answer(asked: Message) -> None:
    def tell(said: Message) -> None:
        sys.stdout.write(json.dumps({"id": asked["id"], **said}) + "\n")
        sys.stdout.flush()

    try:
        tell({"say": "done", "text": work_out(asked["asking"])})
    except UpcardError as wrong:
        tell({"say": "refused", "why": str(wrong)})
    except Exception as wrong:  # a mistake of ours ends one answer, not the process
        tell({"say": "failed", "why": repr(wrong)})


if __name__ == "__main__":
    main()
