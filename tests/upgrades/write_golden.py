"""Writes the golden book of today's format: `make golden`. Books of earlier formats stay as they are.

While a format is being developed, its book may be written again; once a version that writes the format is released, its
book is never changed.
"""

import json
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from upgrades.book_as_text import write_text
from upgrades.golden_books import GOLDEN
from upgrades.rare_records import write_rare_records
from upgrades.small_house import KEY, START, House, fill_book, leave_in_play

from upcard import formats
from upcard.ledger.keyring import Keyring
from upcard.ledger.migrations import head
from upcard.ledger.store import Store
from upcard.service.key_rotation import rotate_key


def write_golden(path: Path) -> None:
    """Plays the house with a key that is rotated on the way, and keeps rows, keys and clock."""
    with tempfile.TemporaryDirectory() as folder:
        keyring = Keyring([KEY])
        store = Store.create(f"{folder}/book.db", keyring, lambda: START)
        house = House(store)
        fill_book(house)
        write_rare_records(house, Path(folder) / "catalog")
        rotate_key(store, house.now, "Flo")
        leave_in_play(house)
        report = house.check()
        assert (report.findings, report.notes) == ((), ())
        write_text(store, path.with_suffix(".rows"))
        store.close()
    keys_and_clock = {
        "form": head(),
        "keys": [key.raw.hex() for key in keyring.keys],
        "now": (house.now + timedelta(minutes=1)).isoformat(),
    }
    path.with_suffix(".json").write_text(json.dumps(keys_and_clock, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    write_golden(GOLDEN / f"format-{formats.FORMAT}")
