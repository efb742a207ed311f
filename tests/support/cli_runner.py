"""Runs the `upcard` command in this process, as a user would."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from typing import Any

from upcard.cli import main


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def upcard(*words: str) -> Result:
    """What `upcard WORDS...` prints, and its exit code."""
    with _streams() as (out, err):
        argv, sys.argv = sys.argv, ["upcard", *words]
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 0
        else:
            code = 0
        finally:
            sys.argv = argv
    return Result(code, out.getvalue(), err.getvalue())


@contextmanager
def _streams() -> Iterator[tuple[StringIO, StringIO]]:
    out, err = StringIO(), StringIO()
    original = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err
    try:
        yield out, err
    finally:
        sys.stdout, sys.stderr = original
