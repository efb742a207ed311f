"""Telling people why the very first answer takes its time."""

import sys

from upcard.cli.output import Form
from upcard.odds.main.jit import must_compile


def announce(form: Form, *kernels: str) -> None:
    """Tells people, and not programs, why the very first answer takes its time."""
    if form is Form.PEOPLE and must_compile(*kernels):
        print("upcard: compiling once, which takes some 20 seconds; later runs start at once", file=sys.stderr)
