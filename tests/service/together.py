"""One of several processes that serve the same tables: it hands a script in, shuffled and partly twice."""

import json
import random
import sys
from pathlib import Path
from typing import Any

from service.nursery import told_answer, wish_of

from upcard.service.running import serving


def main() -> None:
    """`together.py ADDRESS KEY SCRIPT ANSWERS SEED`."""
    address, key, script, answers, seed = sys.argv[1:]
    chance = random.Random(seed)
    wishes = [wish_of(json.loads(line)) for line in Path(script).read_text().splitlines()]
    told: dict[str, Any] = {}
    with serving(address, key=Path(key)) as service:
        print("ready", flush=True)
        sys.stdin.readline()
        for start in range(0, len(wishes), 100):
            part = wishes[start : start + 100]
            chance.shuffle(part)
            part += chance.sample(part, len(part) // 5)
            futures = [
                (one.id, service.desk.submit(one.command, id=one.id, actor=one.actor, role=one.role)) for one in part
            ]
            for name, future in futures:
                answer = told_answer(future)
                assert told.setdefault(name, answer) == answer, name
    Path(answers).write_text(json.dumps(told))


if __name__ == "__main__":
    main()
