"""Jobs for tests of the pool: plain functions of a module, as every job is."""

import os
import time

from upcard.problems import BadRequest
from upcard.workers.worker import report_progress


def add(one: int, other: int) -> int:
    return one + other


def pid() -> int:
    return os.getpid()


def last(seconds: float) -> None:
    """Tells its process first."""
    report_progress({"pid": os.getpid()})
    time.sleep(seconds)


def count_to(most: int) -> str:
    for number in range(most):
        report_progress({"number": number})
    return "counted"


def refuse() -> None:
    raise BadRequest("not with these cards")


class UnspeakableError(Exception):
    """Cannot be pickled."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def fail() -> None:
    raise UnspeakableError(1, 2)


def give_up(*_: object) -> None:
    """What a worker begins with where none can begin."""
    os._exit(1)
