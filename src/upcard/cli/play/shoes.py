"""Where a sitting's shoes come from: the operating system's chance, or a key given for practice and tests."""

import hashlib
from itertools import count

from upcard.cli.play.sitting import Shoes
from upcard.pit import Table
from upcard.pit.dealer import ShoeCards, shoe_cards


def fresh_shoe(table: Table) -> ShoeCards:
    """A shoe whose key nobody knows."""
    return shoe_cards(table)


def practice_shoes(key: bytes) -> Shoes:
    """The shoe of a given key, then those of keys that follow from it: the same sitting every time."""
    numbers = count()

    def next_shoe(table: Table) -> ShoeCards:
        number = next(numbers)
        return shoe_cards(table, key=hashlib.sha256(key + bytes([number % 256])).digest() if number else key)

    return next_shoe
