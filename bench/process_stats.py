"""Reads processor time, memory and bytes written of processes from /proc, and detects stalls of the machine."""

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
end = next(thread for thread in threading.enumerate() if thread.name == "end")
print("ready", flush=True)
longest = 0.0
while end.is_alive():
    before = time.perf_counter()
    time.sleep(0.005)
    longest = max(longest, time.perf_counter() - before - 0.005)
print(longest)
"""


def cpu_seconds(pid: int, *, ended_children: bool = False) -> float:
    """Processor time of a process so far; optionally with that of its ended children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if ended_children else 13])) / _TICK


def family_cpu_seconds(pid: int) -> float:
    """Processor time of a process and all its children, ended ones included."""
    used = cpu_seconds(pid, ended_children=True)
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(OSError):  # a child that has just ended
            used += cpu_seconds(int(child))
    return used


def resident_bytes(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def written_bytes() -> int:
    """Bytes that this process has written to the file system so far."""
    counters = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(counters["wchar"])


def waited_seconds(pid: int) -> float:
    """How long its threads were ready to run but had no core, because other programs used them."""
    waited = 0
    for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(OSError):  # a thread that has just ended
            waited += int(file.read_text().split()[1])
    return waited / 1e9


@contextmanager
def bare_timer() -> Iterator[list[float]]:
    """Measures the longest stall of a process that only sleeps: no server can be quicker than its machine.

    The list holds the figure, in seconds, when the block is over."""
    stalls: list[float] = []
    words = [sys.executable, "-S", "-c", _TIMER]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as timer:
        assert timer.stdout is not None
        timer.stdout.readline()
        try:
            yield stalls
        finally:
            output, _ = timer.communicate()
    stalls.append(float(output))
