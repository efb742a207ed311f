"""Vectors of compiled code: every operation does in each lane what NumPy does with one number."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from upcard.odds.main.jit import compiled
from upcard.sim import lockstep
from upcard.sim.kernel import as_int
from upcard.sim.lanes import (
    ahead,
    append,
    as_bytes,
    begin,
    bits,
    choose,
    count_bits,
    first_bit,
    gather,
    high_product,
    least_bytes,
    load,
    look_up,
    ratio,
    same,
    store,
)

Numbers = npt.NDArray[np.uint32]
LANES = 16  # the only count that the kernel uses
CASES = 50


def test_vectors_still_compile() -> None:
    assert lockstep.why_not() == "", (
        "numba or llvmlite no longer compiles sim/lanes.py, so the simulator has fallen back to the scalar kernel, "
        "three times slower. See what they changed (docs/decisions/066), adapt lanes.py, or pin the versions before."
    )


@compiled
def operators(left: Numbers, right: Numbers, found: Numbers) -> None:
    x, y, place = load(begin(left), 16), load(begin(right), 16), begin(found)
    store(place, x + y)
    store(ahead(place, 16), x - y)
    store(ahead(place, 32), x * y)
    store(ahead(place, 48), x & y)
    store(ahead(place, 64), x | y)
    store(ahead(place, 80), x ^ y)
    store(ahead(place, 96), x << (y & 31))
    store(ahead(place, 112), x >> (y & 31))
    store(ahead(place, 128), high_product(x, y))
    store(ahead(place, 144), least_bytes(x, 9))
    store(ahead(place, 160), same(x, 7) + choose(x > y, x, 5))
    store(ahead(place, 176), 1 << (y & 31))


def expected_operators(x: Numbers, y: Numbers) -> list[Numbers]:
    wide = x.astype(np.uint64) * y.astype(np.uint64)
    by = y & np.uint32(31)
    return [
        x + y,
        x - y,
        x * y,
        x & y,
        x | y,
        x ^ y,
        x << by,
        x >> by,
        (wide >> np.uint64(32)).astype(np.uint32),
        np.minimum(x.view(np.uint8), 9).view(np.uint32),
        np.uint32(7) + np.where(x > y, x, np.uint32(5)),
        np.uint32(1) << by,
    ]


@compiled
def masks(left: Numbers, right: Numbers) -> tuple[int, int, int, int, int, int]:
    x, y = load(begin(left), 16), load(begin(right), 16)
    return bits(x == y), bits(x != y), bits(x < y), bits(x >= y), bits(x > y), bits((x > y) | (x == 3))


@compiled
def looked_up(table: Numbers, index: Numbers, found: Numbers) -> None:
    places, x = begin(table), load(begin(index), 16)
    store(begin(found), look_up(places, x))
    store(ahead(begin(found), 16), gather(places, x & 15))
    store(ahead(begin(found), 32), gather(as_bytes(places), x & 31))


@compiled
def appended(values: Numbers, limit: int, found: Numbers) -> int:
    x = load(begin(values), 16)
    append(begin(found), x > limit, x)
    return as_int(count_bits(bits(x > limit)))


@compiled
def divided(above: Numbers, below: Numbers, found: Numbers) -> None:
    store(begin(found), ratio(load(begin(above), 16), load(begin(below), 16)))


@compiled
def lowest(number: int) -> int:
    return as_int(first_bit(number))


@pytest.fixture
def chance() -> np.random.Generator:
    return np.random.default_rng(26)


def numbers(chance: np.random.Generator, limit: int = 1 << 32) -> Numbers:
    return chance.integers(0, limit, LANES, dtype=np.uint32) if limit < 1 << 32 else chance.integers(
        0, limit, LANES, dtype=np.uint64
    ).astype(np.uint32)  # fmt: skip


def test_operators_are_those_of_numpy(chance: np.random.Generator) -> None:
    for limit in (4, 1 << 16, 1 << 32):
        for _ in range(CASES):
            x, y, found = numbers(chance, limit), numbers(chance, limit), np.zeros(12 * LANES, np.uint32)
            operators(x, y, found)
            assert found.reshape(12, LANES).tolist() == [row.tolist() for row in expected_operators(x, y)]


def test_comparisons_make_masks_with_lane_0_as_the_lowest_bit(chance: np.random.Generator) -> None:
    comparisons: list[Callable[[Numbers, Numbers], npt.NDArray[np.bool_]]] = [
        lambda x, y: x == y, lambda x, y: x != y, lambda x, y: x < y, lambda x, y: x >= y, lambda x, y: x > y,
        lambda x, y: (x > y) | (x == 3),
    ]  # fmt: skip
    for limit in (4, 1 << 32):
        for _ in range(CASES):
            x, y = numbers(chance, limit), numbers(chance, limit)
            expected = [sum(1 << lane for lane in np.flatnonzero(compare(x, y))) for compare in comparisons]
            assert list(masks(x, y)) == expected


def test_tables_are_read_by_lane(chance: np.random.Generator) -> None:
    for _ in range(CASES):
        table, index, found = numbers(chance), numbers(chance), np.zeros(3 * LANES, np.uint32)
        table = np.append(table, numbers(chance))
        looked_up(table, index, found)
        unaligned = [int.from_bytes(table.tobytes()[place : place + 4], "little") for place in index & 31]
        assert found.tolist() == [*table[index & 15], *table[index & 15], *unaligned]


def test_chosen_lanes_are_written_one_behind_the_other(chance: np.random.Generator) -> None:
    for limit in (0, 1 << 30, 1 << 31, (1 << 32) - 1):
        for _ in range(CASES):
            x, found = numbers(chance), np.zeros(2 * LANES, np.uint32)
            count = appended(x, limit, found)
            assert found[:count].tolist() == x[x > limit].tolist()


def test_a_ratio_is_rounded_down_like_whole_numbers(chance: np.random.Generator) -> None:
    """Also where it is as close to a whole number as can be, and beyond its ends."""
    for most_below in (53, 417, 1 << 15):
        for _ in range(CASES):
            below = chance.integers(1, most_below, LANES).astype(np.int64)
            near = below * chance.integers(-40, 40, LANES) + chance.integers(-1, 2, LANES)
            far = chance.integers(-(1 << 22), 1 << 22, LANES)
            for above in (near, far):
                found = np.zeros(LANES, np.uint32)
                divided(above.astype(np.int32).view(np.uint32), below.astype(np.uint32), found)
                assert found.tolist() == (np.clip((2 * above + 1) // (2 * below), -32, 32) + 32).tolist()


def test_the_lowest_bit_is_found() -> None:
    assert [lowest(1 << place) for place in range(40)] == list(range(40))
    assert lowest(0b1011000) == 3
