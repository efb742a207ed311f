"""Verifies the seals of records: each row's MAC must have been made with the key in use when it was written.

Anybody can compute hashes, so a row that was changed and hashed again is found only here. Seals that cannot be
verified, because their key is not in the key file, are counted and reported.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import cast

from upcard.ledger import schema
from upcard.ledger.findings import UNREADABLE, Finding, mistyped, one_line
from upcard.ledger.journal import GENESIS, row_hash
from upcard.ledger.keyring import Keyring, OperatorKey
from upcard.ledger.schema import Row
from upcard.ledger.sealing_key import Heads, KeyRow
from upcard.ledger.unit import Unit

NOT_SEALED = "its seal is wrong: it was not written with the operator's key"


class Seals:
    """The keys of a book, which verify the seals of its rows."""

    def __init__(self, unit: Unit, keyring: Keyring | None) -> None:
        self.keyring = keyring
        self.findings: list[Finding] = []
        self.verified = 0
        self._unverified: Counter[str] = Counter()  # by key id
        self._notes: list[str] = []
        self._ids: list[str] = []
        self._book = ""  # the hash of the first key's row, which is part of every seal
        self._keys: list[OperatorKey | None] = []
        self._heads: list[Heads] = []
        try:
            self.findings += self._read_keys(list(unit.rows(schema.keys, "number")))
        except UNREADABLE as error:
            self.findings.append(Finding("keys", f"cannot be read: {one_line(error)}"))

    @property
    def key_ids(self) -> frozenset[str]:
        """The ids of all keys the book was ever sealed with."""
        return frozenset(self._ids)

    # --- the keys -------------------------------------------------------------------------------------------------

    def _read_keys(self, rows: Sequence[Row]) -> Iterator[Finding]:
        previous = GENESIS
        for number, raw in enumerate(rows, 1):
            place = f"key {raw['number']}"
            wrong_type = mistyped(schema.keys, raw)
            if wrong_type is not None or raw["number"] != number or raw["hash"] != row_hash(previous, raw):
                yield Finding(place, wrong_type or "was changed, or a key before it is missing")
                return
            row = cast(KeyRow, raw)
            key = None if self.keyring is None else self.keyring.find(row["id"])
            if key is not None and (row["mac_by_new"] != key.mac(row["hash"]) or row["public_key"] != key.public_key):
                yield Finding(place, NOT_SEALED)
            yield from self._check_handover(place, row)
            self._book = self._book or row["hash"]
            previous = row["hash"]
            self._ids.append(row["id"])
            self._keys.append(key)
            self._heads.append(json.loads(row["heads"]))
        if self.keyring is not None and rows and self._keys[-1] is None:
            yield Finding(f"key {len(rows)}", "the book is sealed with a key that is not in the operator's key file")

    def _check_handover(self, place: str, row: KeyRow) -> Iterator[Finding]:
        """A new key is sealed by the key before it, unless that one was lost."""
        if not self._ids:
            if (row["previous_id"], row["mac_by_previous"], row["signature_by_previous"]) != (None, None, None):
                yield Finding(place, "the first key names a key before it")
            return
        if row["previous_id"] != self._ids[-1]:
            yield Finding(place, "does not name the key before it")
        before = self._keys[-1]
        if row["mac_by_previous"] is None:
            if before is not None:
                yield Finding(place, "began without the seal of the key before it, which is not lost")
            else:
                self._notes.append(
                    f"key {row['number']} began after the key before it was lost: no seal proves the change"
                )
        elif before is not None and (row["mac_by_previous"], row["signature_by_previous"]) != (
            before.mac(row["hash"]),
            before.sign(row["hash"]),
        ):
            yield Finding(place, "is not sealed by the key before it")

    # --- rows -----------------------------------------------------------------------------------------------------

    def wrong_in_chain(self, table: str, chain: str, row: Row) -> str | None:
        """What is wrong with the seal of a chained row; None: nothing, or its key is not in the key file."""
        number = int(row["number"] or 0)
        number_of_key = 1 + sum(number > heads.get(table, {}).get(chain, (0, ""))[0] for heads in self._heads[1:])
        return self._wrong(number_of_key, row, str(row["hash"]))

    def wrong_row(self, row: Row, text: str) -> str | None:
        """The same for a row outside of chains, which the newest key seals."""
        return self._wrong(len(self._ids), row, text)

    def _wrong(self, number: int, row: Row, text: str) -> str | None:
        if not self._ids:
            return "the key that sealed it is missing"
        if row["key"] != number:
            return f"is sealed with key {row['key']}, but key {number} was in use"
        key = self._keys[number - 1]
        if key is None:
            self._unverified[self._ids[number - 1]] += 1
            return None
        self.verified += 1
        return None if row["mac"] == key.mac(self._book + text) else NOT_SEALED

    @property
    def notes(self) -> list[str]:
        """What could not be verified, as sentences."""
        unverified = [
            f"the seals of {count:,} row{'s' * (count != 1)}: the operator's key {key_id} is not here"
            for key_id, count in self._unverified.items()
        ]
        return [*self._notes, *unverified]
