"""What commands, sockets, tables and stored rounds cost, alone and with several processes on one PostgreSQL; and the
sums of it for a house of 300, 3,000 and 100,000 tables.

Prints the tables of docs/scaling.md; with `--markdown docs/scaling.md` puts them there. All of it takes less than six
minutes, `--quick` one (shorter runs, fewer arrangements of processes: enough to see that everything works).
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench import costs, processes
from bench.database import KINDS
from bench.sums import BEGIN, END, Found, markdown

PARTS = ("commands", "sockets", "tables", "commits", "processes")


def measured(parts: Sequence[str], *, quick: bool) -> Found:
    """One part after the other; how long each takes is told meanwhile."""
    scale = costs.QUICK if quick else costs.WHOLE
    found = Found(quick=quick, machine=machine())
    for part in parts:
        began = time.monotonic()
        match part:
            case "commands":
                found["commands"] = {kind: costs.command_costs(kind, scale) for kind in KINDS}
            case "sockets":
                found["sockets"] = costs.sockets(scale)
            case "tables":
                found["tables"] = {kind: costs.tables(kind, scale) for kind in KINDS}
            case "commits":
                found["commits"] = processes.commits(scale)
            case "processes":
                asked = {name: one for name, one in processes.ARRANGEMENTS.items() if one.quick or not quick}
                found["processes"] = {name: processes.arranged(one, scale) for name, one in asked.items()}
        print(f"{part}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return found


def machine() -> str:
    """The machine in a few words."""
    names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    model = names[0].partition(": ")[2] if names else platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores ({model}), {memory:.0f} GiB, Python {platform.python_version()}"


def put(path: Path, told: str) -> None:
    """In place of the tables that were there."""
    before, _, rest = path.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{BEGIN}\n\n{told}\n\n{END}{after}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=PARTS, action="append", help="this part, without the sums")
    parser.add_argument("--json", metavar="FILE", help="where the figures go")
    parser.add_argument("--read", metavar="FILE", help="figures of an earlier run: nothing is measured")
    parser.add_argument("--markdown", metavar="FILE", help="put the tables there, between their marks")
    told = parser.parse_args()
    if told.read:
        found: Found = json.loads(Path(told.read).read_text())
    else:
        found = measured(told.only or PARTS, quick=told.quick)
    if told.json:
        Path(told.json).write_text(json.dumps(found, indent=1))
    if told.markdown:
        put(Path(told.markdown), markdown(found))
    else:
        print(markdown(found))


if __name__ == "__main__":
    main()
