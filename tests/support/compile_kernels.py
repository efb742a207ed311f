"""Compiles the solver and the simulator as most tests use them, so that the test workers do not all do it.

The simulator is compiled for one spot in lockstep, for several spots, for blocks of rounds, and for runs that are
written down card by card.
"""

from support.compiled_games import compiled

from upcard.sim.chunk import compile_kernels, play_chunk, trace_chunk


def main() -> None:
    for spots in (1, 3):
        program = compiled("bet-bigger", spots=spots).program
        compile_kernels(program)
        play_chunk(program, 1, 0, 100, 10)
        trace_chunk(program, 1, 0, 100)


if __name__ == "__main__":
    main()
