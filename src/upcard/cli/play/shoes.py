"""The shoes of a sitting: from a random key or a practice key, with the player's word and cut."""

import hashlib
from itertools import count

from upcard.cards.shoe import Shoe
from upcard.cli.play.sitting import Shoes
from upcard.pit import Table
from upcard.pit.dealer import table_shoe


def shoes_of(*, key: bytes | None = None, nonce: bytes = b"", cut: int | None = None) -> Shoes:
    """Makes shoe after shoe; a key is the first shoe's, and the others are derived from it."""
    numbers = count()

    def next_shoe(table: Table) -> Shoe:
        number = next(numbers)
        if key is None or number == 0:
            return table_shoe(table, key=key, nonce=nonce, cut=cut)
        return table_shoe(table, key=hashlib.sha256(key + number.to_bytes(4, "big")).digest(), nonce=nonce, cut=cut)

    return next_shoe
