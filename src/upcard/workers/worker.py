"""What runs inside a worker process: starting, running a job, reporting progress, ending.

Workers run at low priority: tables go first.
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
Progress = dict[str, float]  # of a job

MOST_PROGRESS_BYTES = 500  # few enough to be written atomically: a killed worker never leaves half a message

_pipe: Connection  # to the parent, and the number of the job at hand
_number: int


class JobRefused(Exception):  # noqa: N818 - casino English, not a traceback
    """The question cannot be answered; the text says why."""


class JobFailed(Exception):  # noqa: N818 - what happened, not a mistake of the caller's
    """A bug: the same job would fail again."""


def begin(niceness: int, pipe: Connection) -> None:
    """Runs once in every worker, before its first job."""
    global _pipe
    _pipe = pipe
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # it has no state to save, so it can end at once
    if hasattr(os, "nice"):
        os.nice(niceness)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def run(number: int, job: Callable[[], T]) -> T:
    """Runs a job. Errors are passed on as text: not every error can be pickled."""
    global _number
    _number = number
    try:
        return job()
    except UpcardError as error:
        raise JobRefused(str(error)) from None
    except Exception as error:
        raise JobFailed(repr(error)) from None


def report_progress(progress: Progress) -> None:
    """Sends progress to the parent."""
    message = pickle.dumps((_number, progress))
    if len(message) > MOST_PROGRESS_BYTES:
        raise ValueError(f"a progress message of {len(message)} bytes is too long")
    _pipe.send_bytes(message)


def _end_with_parent() -> None:
    """Ends the worker when the parent has ended, however that happened."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
