"""The simulator's compiled code, made ready before a test waits for it in a process that gives way to all others."""

from functools import cache

from upcard.catalog import shipped
from upcard.sim.alone import play_alone
from upcard.sim.chunk import play_chunk


@cache
def compile_simulator() -> None:
    """Plays one round; what is compiled is kept on this machine."""
    table = shipped().paytable("DA6/1")
    compiled, _ = play_alone(table, table, 6, suit="hearts", stake=None)
    play_chunk(compiled.program, 1, 0, 1)
