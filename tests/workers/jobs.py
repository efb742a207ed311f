"""Jobs for tests of the pool: plain functions of a module, as every job is."""

import os
import time

from upcard.problems import BadRequest
from upcard.workers.worker import report_progress


def add(first: int, second: int) -> int:
    return first + second


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

    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} and {second}")


def fail() -> None:
    raise UnspeakableError(1, 2)


def give_up(*_: object) -> None:
    """What a worker begins with where none can begin."""
    os._exit(1)
