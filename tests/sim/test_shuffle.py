"""The shuffle: xoshiro256++ by its published recurrence, unbiased reduction, and no card lost."""

from collections import Counter

import numpy as np
import pytest
from support.compiled_games import compiled

from upcard.sim import kernel
from upcard.sim.chunk import new_shoe, seeds
from upcard.strategy.counting import parse_count
from upcard.strategy.player import Player

WORD = (1 << 64) - 1


class Xoshiro:
    """The recurrence as its authors write it, slowly."""

    def __init__(self, state: list[int]) -> None:
        self.state = state

    def word(self) -> int:
        s = self.state
        word = (self._turned((s[0] + s[3]) & WORD, 23) + s[0]) & WORD
        shifted = (s[1] << 17) & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = self._turned(s[3], 45)
        return word

    @staticmethod
    def _turned(value: int, by: int) -> int:
        return ((value << by) | (value >> (64 - by))) & WORD


def test_the_generator_is_the_published_one() -> None:
    """The first outputs from the state 1, 2, 3, 4, as other implementations print them."""
    generator = Xoshiro([1, 2, 3, 4])
    assert [generator.word() for _ in range(4)] == [41943041, 58720359, 3588806011781223, 3591011842654386]


@pytest.mark.parametrize("seed", range(5))
def test_the_compiled_shuffle_is_fisher_yates_over_that_generator(seed: int) -> None:
    program = compiled("bet-bigger", Player(count=parse_count("halves"))).program
    state = seeds(seed, 7)
    shoe = new_shoe(program, state.copy(), log=0)
    kernel.shuffle(shoe.cards, shoe.bytes, shoe.numbers, shoe.generator, 0, 100)
    generator, order = Xoshiro([int(number) for number in state]), program.cards.tolist()
    for place in range(0, 100, 2):
        word = generator.word()
        for target, half in ((place, word & 0xFFFFFFFF), (place + 1, word >> 32)):
            other = target + (half * (len(order) - target) >> 32)
            order[target], order[other] = order[other], order[target]
    assert shoe.bytes[: len(order)].tolist() == order
    counts = np.cumsum([program.tags[card] for card in order[:100]])
    assert shoe.numbers[kernel.RUNNING + 1 : kernel.RUNNING + 101].tolist() == counts.tolist()


def test_every_card_is_as_likely_in_every_place() -> None:
    program = compiled("lucky-ladies", decks=1).program
    shoe = new_shoe(program, seeds(1, 0), log=0)
    shoes, counts = 40_000, np.zeros((4, 52))
    for _ in range(shoes):
        kernel.shuffle(shoe.cards, shoe.bytes, shoe.numbers, shoe.generator, 0, 4)
        counts[range(4), shoe.bytes[:4]] += 1
    square = ((counts - shoes / 52) ** 2 / (shoes / 52)).sum(axis=1)  # 51 degrees of freedom
    assert square.max() < 100
    assert Counter(shoe.bytes[:52].tolist()) == Counter(range(52))


def test_chunks_have_the_seeds_that_numpy_spawns() -> None:
    for number, child in enumerate(np.random.SeedSequence(99).spawn(4)):
        assert np.array_equal(seeds(99, number), child.generate_state(4, np.uint64))
