"""Measures what commands, sockets, tables and stored rounds cost, with one process and with several on one PostgreSQL,
and projects the figures to houses of 300, 3,000 and 100,000 tables.

Prints the tables of docs/scaling.md; `--markdown docs/scaling.md` writes them there. A full run takes less than six
minutes. `--quick` takes one: shorter runs and fewer arrangements, enough to see that everything works.
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
from bench import processes, unit_costs
from bench.database import KINDS
from bench.scaling_report import BEGIN, END, Results, markdown

PARTS = ("commands", "sockets", "tables", "commits", "processes")


def measure_parts(parts: Sequence[str], *, quick: bool) -> Results:
    """Measures one part after the other and prints how long each takes."""
    scale = unit_costs.QUICK if quick else unit_costs.FULL
    results = Results(quick=quick, machine=machine())
    for part in parts:
        began = time.monotonic()
        match part:
            case "commands":
                results["commands"] = {kind: unit_costs.command_costs(kind, scale) for kind in KINDS}
            case "sockets":
                results["sockets"] = unit_costs.sockets(scale)
            case "tables":
                results["tables"] = {kind: unit_costs.tables(kind, scale) for kind in KINDS}
            case "commits":
                results["commits"] = processes.commits(scale)
            case "processes":
                for name, arrangement in processes.ARRANGEMENTS.items():
                    if arrangement.quick or not quick:
                        results.setdefault("processes", {})[name] = processes.measure_arrangement(arrangement, scale)
        print(f"{part}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return results


def machine() -> str:
    """The machine in one line."""
    names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    model = names[0].partition(": ")[2] if names else platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores ({model}), {memory:.0f} GiB, Python {platform.python_version()}"


def replace_tables(path: Path, tables: str) -> None:
    """Replaces the tables between the marks."""
    before, _, rest = path.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=PARTS, action="append", help="only this part, without the projections")
    parser.add_argument("--json", metavar="FILE", help="save the figures")
    parser.add_argument("--read", metavar="FILE", help="use the figures of an earlier run; nothing is measured")
    parser.add_argument("--markdown", metavar="FILE", help="write the tables into this file, between the marks")
    options = parser.parse_args()
    if options.read:
        results: Results = json.loads(Path(options.read).read_text())
    else:
        results = measure_parts(options.only or PARTS, quick=options.quick)
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1))
    if options.markdown:
        replace_tables(Path(options.markdown), markdown(results))
    else:
        print(markdown(results))


if __name__ == "__main__":
    main()
