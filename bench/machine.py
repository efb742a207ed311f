"""What the machine says of processes: processor time, memory, bytes written; and whether it stood still meanwhile."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
_TIMER = """
import sys, threading, time
threading.Thread(target=sys.stdin.read, daemon=True, name="end").start()
end = next(one for one in threading.enumerate() if one.name == "end")
print("ready", flush=True)
longest = 0.0
while end.is_alive():
    before = time.perf_counter()
    time.sleep(0.005)
    longest = max(longest, time.perf_counter() - before - 0.005)
print(longest)
"""


def cpu_seconds(pid: int, *, ended_children: bool = False) -> float:
    """What a process has used so far; also what its children had used when they ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if ended_children else 13])) / _TICK


def family_cpu_seconds(pid: int) -> float:
    """What a process and all its children have used, those that ended included."""
    used = cpu_seconds(pid, ended_children=True)
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(OSError):  # one that has just ended
            used += cpu_seconds(int(child))
    return used


def resident_bytes(pid: int) -> int:
    """The memory a process occupies."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def written_bytes() -> int:
    """What this process has handed to the file system so far."""
    told = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(told["wchar"])


def waited_seconds(pid: int) -> float:
    """How long its threads were ready to run and had no core: what other programs of the machine took from it."""
    waited = 0
    for one in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(OSError):  # a thread that has just ended
            waited += int(one.read_text().split()[1])
    return waited / 1e9


@contextmanager
def bare_timer() -> Iterator[list[float]]:
    """The longest that a process which only sleeps was not woken: no server can be quicker than its machine.

    The figure, in seconds, is there when the block is over."""
    found: list[float] = []
    words = [sys.executable, "-S", "-c", _TIMER]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as timer:
        assert timer.stdout is not None
        timer.stdout.readline()
        try:
            yield found
        finally:
            told, _ = timer.communicate()
    found.append(float(told))
