"""Tells people why the first run is slow."""

import sys

from upcard.cli.output import Form
from upcard.odds.main.jit import must_compile


def announce_compiling(form: Form, *kernels: str) -> None:
    """Only people see this: programs get nothing but their data."""
    if form is Form.PEOPLE and must_compile(*kernels):
        print("upcard: compiling the odds, which takes about 20 seconds; this happens only once", file=sys.stderr)
