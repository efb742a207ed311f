"""A worker's own side: how it begins, how it does a job, how it tells how far it is, and how it ends.

It takes what is left of the processor: whoever plays goes first.
"""

import os
import pickle
import signal
import threading
from collections.abc import Callable
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import TypeVar

from upcard.problems import UpcardError

T = TypeVar("T")
Progress = dict[str, float]  # how far a job is

MOST_PROGRESS_BYTES = (
    500  # bytes: so few are written at one stroke, and a worker that is killed leaves no half of a message
)

_pipe: Connection  # to the parent, and the number of the job at hand
_number: int


class Refused(Exception):  # noqa: N818 - casino English, not a traceback
    """The question has no answer as it was asked; the text says why."""


class JobFailed(Exception):  # noqa: N818 - what happened, not a mistake of the caller's
    """A mistake of ours: the same job would fail again."""


def begin(niceness: int, pipe: Connection) -> None:
    """Once in every worker, before its first job."""
    global _pipe
    _pipe = pipe
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # it keeps nothing, so it ends at once, compiling or not
    if hasattr(os, "nice"):
        os.nice(niceness)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def run(number: int, job: Callable[[], T]) -> T:
    """Does a job. What goes wrong is told in words: not every error can be pickled."""
    global _number
    _number = number
    try:
        return job()
    except UpcardError as wrong:
        raise Refused(str(wrong)) from None
    except Exception as wrong:
        raise JobFailed(repr(wrong)) from None


def report_progress(progress: Progress) -> None:
    """Sends progress to whoever waits for the job."""
    message = pickle.dumps((_number, progress))
    if len(message) > MOST_PROGRESS_BYTES:
        raise ValueError(f"a progress message of {len(message)} bytes is too long")
    _pipe.send_bytes(message)


def _end_with_parent() -> None:
    """However the parent ends; what is being worked out is for nobody then."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
