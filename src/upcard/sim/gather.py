"""Chunks gathered into one tally. Sums are whole numbers, so the order in which chunks arrive does not matter.

Complete chunks are added up; a last chunk of fewer rounds is kept apart, so that a run can be topped up later and hold
the very integers of one that was played at once.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from upcard.sim.chunk import ROUNDS, Tallied
from upcard.sim.compile import Program
from upcard.sim.kernel import Ints


@dataclass(kw_only=True)
class Sums:
    """Everything counted, in whole numbers."""

    rounds: int
    cells: Ints
    split_hands: Ints
    squares: list[int]  # they outgrow 64 bits
    blocks: Counter[int] = field(default_factory=Counter)  # how often so many rounds together brought so many cents

    @classmethod
    def nothing(cls, program: Program) -> "Sums":
        """Before the first chunk."""
        wagers = program.nets.deal_wagers + program.nets.dealer_wagers + 3
        slots = program.bets.bins * program.bets.plans if len(program.house.seats) > 1 else 0
        return cls(
            rounds=0,
            cells=np.zeros(int(np.prod(program.cells)), np.int64),
            split_hands=np.zeros(program.bets.plans * 8, np.int64),
            squares=[0] * (slots * wagers),
        )

    def add(self, one: "Tallied | Sums") -> None:
        """Counts a chunk, or other sums, in."""
        self.rounds += one.rounds
        np.add(self.cells, one.cells, out=self.cells, casting="unsafe")
        self.split_hands += one.split_hands
        self.squares = [mine + int(other) for mine, other in zip(self.squares, one.squares, strict=True)]
        if isinstance(one.blocks, Counter):
            self.blocks.update(one.blocks)
        elif len(one.blocks):
            values, counts = np.unique(one.blocks, return_counts=True)
            self.blocks.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))


@dataclass(kw_only=True)
class Gathered:
    """What a run holds so far."""

    whole: Sums
    done: set[int] = field(default_factory=set)  # numbers of complete chunks
    tail: tuple[int, Tallied] | None = None  # the last chunk, when it is not complete
    series: dict[int, tuple[int, int]] = field(default_factory=dict)  # by chunk: its rounds and net cents, for the plot

    @property
    def rounds(self) -> int:
        """The rounds of all chunks."""
        return self.whole.rounds + (self.tail[1].rounds if self.tail else 0)

    def take(self, number: int, one: Tallied, net: int) -> None:
        """Takes a finished chunk in."""
        if one.rounds == ROUNDS:
            self.whole.add(one)
            self.done.add(number)
        else:
            if self.tail:
                self.series.pop(self.tail[0], None)
            self.tail = number, one
        self.series[number] = one.rounds, net

    def sums(self, program: Program) -> Sums:
        """Everything together, to be read."""
        if not self.tail:
            return self.whole
        total = Sums.nothing(program)
        total.add(self.whole)
        total.add(self.tail[1])
        return total

    def wanted(self, rounds: int) -> Iterable[tuple[int, int]]:
        """The chunks, with their rounds, that a run of so many rounds still needs."""
        whole, rest = divmod(rounds, ROUNDS)
        for number in range(whole):
            if number not in self.done:
                yield number, ROUNDS
        if (
            rest
            and whole not in self.done
            and not (self.tail and self.tail[0] == whole and self.tail[1].rounds >= rest)
        ):
            yield whole, rest

    def trim(self, rounds: int) -> None:
        """Forgets a last chunk that a longer run plays anew."""
        if self.tail and (self.tail[0] * ROUNDS + self.tail[1].rounds < rounds):
            self.series.pop(self.tail[0], None)
            self.tail = None


def net_of(program: Program, one: Tallied) -> int:
    """The player's cents of a chunk, all wagers and spots together."""
    plans, (_, dealers, deals, insured, results) = program.bets.plans, program.cells
    cells = one.cells.reshape(program.cells)
    nets = program.nets

    def of_plans(*axes: int) -> Ints:
        return np.asarray(program.spread(cells.sum(axis=axes, dtype=np.int64)).sum(axis=0))

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
