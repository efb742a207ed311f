"""Checkpoints: the last row of every chain at one moment, signed, to be kept outside the book.

If rows are deleted from the end of a chain, or rewritten, the book no longer matches its checkpoints. Anybody with the
operator's public key can verify a checkpoint, and with it the book; no secret is needed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypedDict, cast

import sqlalchemy as sa

from upcard import formats
from upcard.ledger import schema as book
from upcard.ledger.findings import UNREADABLE, Finding
from upcard.ledger.journal import GENESIS, canonical, row_hash
from upcard.ledger.keyring import Keyring, verified
from upcard.ledger.sealing_key import last_row
from upcard.ledger.unit import Unit
from upcard.people import schema as people
from upcard.people.register import LOG
from upcard.problems import BadRequest
from upcard.service import schema

Hashes = Mapping[tuple[str, str, int], str]  # by table, chain and number
Heads = dict[str, dict[str, tuple[int, str]]]  # by table and chain: the number and hash of the last row


class Checkpoint(TypedDict):
    """A checkpoint as it is stored in a file; any field of a given file may be missing."""

    format: int
    book: str
    at: str
    heads: dict[str, dict[str, list[int | str]]]
    key: str
    public_key: str
    signature: str


_KEYS = "keys"
_NUMBERS_PER_QUERY = 500
# Each table with chained rows, and the column that names the chain; None: it is one chain.
_CHAINED: Mapping[str, tuple[sa.Table, str | None]] = {
    "entries": (book.entries, "chain"),
    "history": (schema.history, "stream"),
    "refusals": (schema.refusals, "chain"),
    "people_log": (people.people_log, None),
    "keys": (book.keys, None),
}


def heads_of(unit: Unit) -> Heads:
    """The last row of every chain."""
    chains, streams, logs = book.chains.c, schema.streams.c, book.logs.c
    last_of_logs = {row.log: (row.number, row.hash) for row in unit.connection.execute(sa.select(book.logs))}
    key = last_row(unit.connection)
    return {
        "entries": _heads(unit, sa.select(chains.chain, chains.number, chains.hash).where(chains.number > 0)),
        "history": _heads(unit, sa.select(streams.stream, streams.version, streams.hash).where(streams.version > 0)),
        "refusals": _heads(
            unit, sa.select(streams.stream, streams.refusals, streams.refusals_hash).where(streams.refusals > 0)
        )
        | _heads(unit, sa.select(logs.log, logs.number, logs.hash).where(logs.log != LOG)),
        "people_log": {LOG: last_of_logs[LOG]} if LOG in last_of_logs else {},
        "keys": {} if key is None else {_KEYS: (key["number"], key["hash"])},
    }


def _heads(unit: Unit, query: sa.Select[Any]) -> dict[str, tuple[int, str]]:
    return {name: (number, last) for name, number, last in unit.connection.execute(query)}


def checkpoint(unit: Unit, keyring: Keyring, at: str) -> Checkpoint:
    """A checkpoint of all chains now, signed with the key that seals the book."""
    row = last_row(unit.connection)
    if row is None:
        raise BadRequest("this book is still empty; there is nothing to sign")
    key = keyring.find(row["id"])
    if key is None:
        raise BadRequest(
            f"this book is sealed with key {row['id']}, which is not in this key file; use the newest key file"
        )
    content = {
        "format": formats.FORMAT,
        "book": _first_hash(unit),
        "at": at,
        "heads": heads_of(unit),
        "key": key.id,
        "public_key": key.public_key,
    }
    signed: Checkpoint = json.loads(canonical(content))
    signed["signature"] = key.sign(canonical(content))
    return signed


def read_checkpoint(content: bytes) -> Checkpoint | None:
    """Parses a checkpoint file without verifying it; None if it is not a JSON object."""
    try:
        found = json.loads(content.decode())
    except ValueError:
        return None
    return cast("Checkpoint", found) if isinstance(found, dict) else None


def _first_hash(unit: Unit) -> str:
    """The identity of a book: the hash of its first key's row."""
    return str(unit.connection.execute(sa.select(book.keys.c.hash).where(book.keys.c.number == 1)).scalar())


# --- comparison ---------------------------------------------------------------------------------------------------


@dataclass
class CheckpointReport:
    notes: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def compare_checkpoints(
    unit: Unit, checkpoints: Sequence[Checkpoint], public_keys: Sequence[str], keyring: Keyring | None
) -> CheckpointReport:
    """Compares the book with checkpoints; verifies signatures with the public keys given, or the operator's own."""
    comparison = CheckpointReport()
    if not checkpoints:
        return comparison
    trusted = _trusted(unit, public_keys, keyring)
    hashes = _hashes(unit, [checkpoint.get("heads") for checkpoint in checkpoints])
    for checkpoint in checkpoints:
        place = f"checkpoint of {checkpoint.get('at')}"
        try:
            read = formats.upcast("checkpoint", dict(checkpoint), checkpoint["format"])
            if not trusted:
                comparison.notes.append(
                    f"the signature of the {place}: give the operator's public key with --public-key"
                )
            comparison.findings += _compare(unit, place, checkpoint, read, trusted, hashes)
        except (*UNREADABLE, BadRequest):
            comparison.findings.append(Finding(place, "it cannot be read as a checkpoint"))
    return comparison


def _trusted(unit: Unit, public_keys: Sequence[str], keyring: Keyring | None) -> set[str]:
    """The public keys given, later ones that they vouch for (each key signed the next one), and the operator's own.

    A key that the operator has also vouches for those before it: its seal covers their rows. One of them may be lost.
    """
    trusted = {*public_keys, *(key.public_key for key in (keyring.keys if keyring else ()))}
    before, previous, earlier = "", GENESIS, list[str]()
    for row in unit.rows(book.keys, "number"):
        signature, public_key, last_hash = row["signature_by_previous"], str(row["public_key"]), str(row["hash"])
        in_place = last_hash == row_hash(previous, row)
        if before in trusted and in_place and signature is not None and verified(before, last_hash, str(signature)):
            trusted.add(public_key)
        earlier = [*earlier, public_key] if in_place else []
        key = None if keyring is None else keyring.find(str(row["id"]))
        if key is not None and in_place and row["mac_by_new"] == key.mac(last_hash):
            trusted.update(earlier)
        before, previous = public_key, last_hash
    return trusted


def _compare(
    unit: Unit, place: str, checkpoint: Checkpoint, read: Checkpoint, trusted: set[str], hashes: Hashes
) -> Iterator[Finding]:
    signed = canonical({name: value for name, value in checkpoint.items() if name != "signature"})
    if not verified(checkpoint["public_key"], signed, checkpoint["signature"]):
        yield Finding(place, "its signature does not match its content")
        return
    if trusted and checkpoint["public_key"] not in trusted:
        yield Finding(place, "it was not signed with the operator's key")
        return
    if read["book"] != _first_hash(unit):
        yield Finding(place, "it belongs to another book, or this book was rewritten from the start")
        return
    yield from _check_heads(place, read["heads"], hashes)


def compare_rotations(unit: Unit) -> Iterator[Finding]:
    """Whether the book still contains the chain heads of each key rotation."""
    heads = {f"key {row['number']}": json.loads(str(row["heads"])) for row in unit.rows(book.keys, "number")}
    hashes = _hashes(unit, list(heads.values()))
    for place, heads_then in heads.items():
        yield from _check_heads(place, heads_then, hashes)


def _check_heads(place: str, heads: Mapping[str, Mapping[str, Any]], hashes: Hashes) -> Iterator[Finding]:
    for table, chains in heads.items():
        for chain, (number, last) in chains.items():
            hash_now = hashes.get((table, chain, number))
            if hash_now is None:
                yield Finding(
                    place, f"row {number} of {title(table, chain)} is missing: rows were deleted from the end"
                )
            elif hash_now != last:
                yield Finding(place, f"row {number} of {title(table, chain)} was changed after it was signed")


def _hashes(unit: Unit, all_heads: Sequence[Any]) -> Hashes:
    """The hashes of all these rows, chain by chain: hundreds of checkpoints are compared in a few statements."""
    numbers: dict[tuple[str, str], set[int]] = {}
    for heads in all_heads:
        with suppress(*UNREADABLE):  # not a checkpoint: reported with its place
            for table, chains in heads.items():
                for chain, (number, _) in chains.items():
                    numbers.setdefault((table, chain), set()).add(int(number))
    hashes: dict[tuple[str, str, int], str] = {}
    for (table_name, chain), wanted in numbers.items():
        if table_name not in _CHAINED:
            continue
        (table, column), ordered = _CHAINED[table_name], sorted(wanted)
        query = sa.select(table.c.number, table.c.hash).where(*([] if column is None else [table.c[column] == chain]))
        for some in (
            ordered[start : start + _NUMBERS_PER_QUERY] for start in range(0, len(ordered), _NUMBERS_PER_QUERY)
        ):
            for number, hash_ in unit.connection.execute(query.where(table.c.number.in_(some))):
                hashes[table_name, chain, number] = hash_
    return hashes


def hash_at(unit: Unit, table_name: str, chain: str, number: int) -> str | None:
    """The hash of a row of a chain; None: there is no such row."""
    table, column = _CHAINED[table_name]
    of_chain = [] if column is None else [table.c[column] == chain]
    found: str | None = unit.connection.scalar(sa.select(table.c.hash).where(*of_chain, table.c.number == number))
    return found


def title(table_name: str, chain: str) -> str:
    """A chain's name in a sentence."""
    return table_name if _CHAINED[table_name][1] is None else f"{table_name} of {chain}"
