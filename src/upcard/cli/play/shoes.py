"""Where a sitting's shoes come from: a key of the operating system or of practice, the player's word and cut."""

import hashlib
from itertools import count

from upcard.cards.shoe import Shoe
from upcard.cli.play.sitting import Shoes
from upcard.pit import Table
from upcard.pit.dealer import table_shoe


def shoes_of(*, key: bytes | None = None, nonce: bytes = b"", cut: int | None = None) -> Shoes:
    """Shoe after shoe. With a key, the first has it and the next ones follow from it: the same sitting every time."""
    numbers = count()

    def next_shoe(table: Table) -> Shoe:
        number = next(numbers)
        if key is None or number == 0:
            return table_shoe(table, key=key, nonce=nonce, cut=cut)
        return table_shoe(table, key=hashlib.sha256(key + number.to_bytes(4, "big")).digest(), nonce=nonce, cut=cut)

    return next_shoe
