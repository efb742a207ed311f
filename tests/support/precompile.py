"""Compiles the simulator before a test waits for it in a low-priority process."""

from functools import cache

from upcard.catalog import shipped
from upcard.sim.chunk import play_chunk
from upcard.sim.single_wager import compile_single_wager


@cache
def compile_simulator() -> None:
    """Plays one round, so that the compiled code is in the cache on disk."""
    table = shipped().paytable("DA6/1")
    compiled, _ = compile_single_wager(table, table, 6, suit="hearts", stake=None)
    play_chunk(compiled.program, 1, 0, 1)
