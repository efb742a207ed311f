"""Sums over the chunks of a run, in integers, so the order in which chunks arrive does not matter.

Complete chunks are added up; a last chunk of fewer rounds is kept separately, so that a run can be topped up later and
has exactly the same sums as one that was played in one go.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from upcard.sim.chunk import ROUNDS, ChunkResult
from upcard.sim.compile import Program
from upcard.sim.kernel import Ints


@dataclass(kw_only=True)
class Sums:
    rounds: int
    cells: Ints
    split_hands: Ints
    squares: list[int]  # they outgrow 64 bits
    blocks: Counter[int] = field(default_factory=Counter)  # how many blocks of rounds won so many cents

    @classmethod
    def empty(cls, program: Program) -> "Sums":
        wagers = program.nets.deal_wagers + program.nets.dealer_wagers + 3
        slots = program.spread.bins * program.spread.bets if len(program.game.seats) > 1 else 0
        return cls(
            rounds=0,
            cells=np.zeros(int(np.prod(program.cells)), np.int64),
            split_hands=np.zeros(program.spread.bets * 8, np.int64),
            squares=[0] * (slots * wagers),
        )

    def add(self, addend: "ChunkResult | Sums") -> None:
        """Adds a chunk, or other sums."""
        self.rounds += addend.rounds
        np.add(self.cells, addend.cells, out=self.cells, casting="unsafe")
        self.split_hands += addend.split_hands
        self.squares = [mine + int(theirs) for mine, theirs in zip(self.squares, addend.squares, strict=True)]
        if isinstance(addend.blocks, Counter):
            self.blocks.update(addend.blocks)
        elif len(addend.blocks):
            values, counts = np.unique(addend.blocks, return_counts=True)
            self.blocks.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))


@dataclass(kw_only=True)
class RunState:
    """The chunks of a run so far."""

    complete: Sums
    done: set[int] = field(default_factory=set)  # numbers of complete chunks
    tail: tuple[int, ChunkResult] | None = None  # the last chunk, when it is not complete
    series: dict[int, tuple[int, int]] = field(default_factory=dict)  # rounds and net cents of each chunk, for the plot

    @property
    def rounds(self) -> int:
        return self.complete.rounds + (self.tail[1].rounds if self.tail else 0)

    def add_chunk(self, number: int, result: ChunkResult, net: int) -> None:
        if result.rounds == ROUNDS:
            self.complete.add(result)
            self.done.add(number)
        else:
            if self.tail:
                self.series.pop(self.tail[0], None)
            self.tail = number, result
        self.series[number] = result.rounds, net

    def sums(self, program: Program) -> Sums:
        """All chunks together, the incomplete one included."""
        if not self.tail:
            return self.complete
        total = Sums.empty(program)
        total.add(self.complete)
        total.add(self.tail[1])
        return total

    def missing(self, rounds: int) -> Iterable[tuple[int, int]]:
        """The chunks, with their rounds, that a run of so many rounds still needs."""
        complete, rest = divmod(rounds, ROUNDS)
        for number in range(complete):
            if number not in self.done:
                yield number, ROUNDS
        if (
            rest
            and complete not in self.done
            and not (self.tail and self.tail[0] == complete and self.tail[1].rounds >= rest)
        ):
            yield complete, rest

    def trim(self, rounds: int) -> None:
        """Drops an incomplete last chunk that a longer run plays again."""
        if self.tail and (self.tail[0] * ROUNDS + self.tail[1].rounds < rounds):
            self.series.pop(self.tail[0], None)
            self.tail = None


def net_of(program: Program, result: ChunkResult) -> int:
    """The player's net cents of a chunk, all wagers and spots together."""
    plans, (_, dealers, deals, insured, results) = program.spread.bets, program.cells
    cells = result.cells.reshape(program.cells)
    nets = program.nets

    def of_plans(*axes: int) -> Ints:
        return np.asarray(program.by_bin_and_bet(cells.sum(axis=axes, dtype=np.int64)).sum(axis=0))

    main = nets.main.reshape(plans, results)
    insurance = nets.insurance.reshape(plans, 3)[:, :insured]
    deal = nets.deal.reshape(plans, deals, nets.deal_wagers).sum(axis=2)
    dealer = nets.dealer.reshape(plans, dealers, nets.dealer_wagers).sum(axis=2)
    return int(
        (of_plans(1, 2, 3) * main).sum()
        + (of_plans(1, 2, 4) * insurance).sum()
        + (of_plans(1, 3, 4) * deal).sum()
        + (of_plans(2, 3, 4) * dealer).sum()
    )
