"""One of several processes that serve the same tables: submits a script, shuffled and partly twice."""

import json
import random
import sys
from pathlib import Path
from typing import Any

from service.killable_server import answer_json, submission_of

from upcard.service.running import serving


def main() -> None:
    """`together.py ADDRESS KEY SCRIPT ANSWERS SEED`."""
    address, key, script, answers, seed = sys.argv[1:]
    chance = random.Random(seed)
    submissions = [submission_of(json.loads(line)) for line in Path(script).read_text().splitlines()]
    results: dict[str, Any] = {}
    with serving(address, key=Path(key)) as service:
        names = {player for each in submissions if (player := getattr(each.command, "player", ""))}
        service.people(clock=None, cost=None).add_players(sorted(names), actor="Dana")
        print("ready", flush=True)
        sys.stdin.readline()
        for start in range(0, len(submissions), 100):
            part = submissions[start : start + 100]
            chance.shuffle(part)
            part += chance.sample(part, len(part) // 5)
            futures = [
                (
                    submission.id,
                    service.desk.submit(
                        submission.command, id=submission.id, actor=submission.actor, role=submission.role
                    ),
                )
                for submission in part
            ]
            for name, future in futures:
                answer = answer_json(future)
                assert results.setdefault(name, answer) == answer, name
    Path(answers).write_text(json.dumps(results))


if __name__ == "__main__":
    main()
