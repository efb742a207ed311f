"""Compiles the simulator before a test waits for it in a low-priority process."""

from functools import cache

from upcard.catalog import shipped
from upcard.sim.chunk import compile_kernels
from upcard.sim.single_wager import compile_single_wager


@cache
def compile_simulator() -> None:
    """Plays a few rounds, so that the compiled code is in the cache on disk."""
    table = shipped().paytable("DA6/1")
    compiled, _ = compile_single_wager(shipped(), table, table, 6, suit="hearts", stake=None)
    compile_kernels(compiled.program)
