"""The high-water mark: how far the book had come, kept outside it, so that a restored book is noticed.

A mark is a small file beside the operator's key. It has a line for every chain of the book: the number and hash of the
last row that was seen there. The line of a stream of records is written after the commit and before anybody gets an
answer, the others within seconds; all of them reach the disk within seconds. So a mark is never ahead of its book,
unless the book went back; and whoever saw a card did so after the mark had passed it. Each process of a host has a file
of its own.
"""

import fcntl
import hashlib
import logging
import os
import threading
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from upcard.ledger.unit import Unit
from upcard.service import checkpoint

_log = logging.getLogger(__name__)

SLOT = 256  # bytes of a line: it never straddles two sectors of a disk
SECONDS = 5.0  # between two looks at what other processes wrote
_MOST_FILES = 64  # processes of one host
_PEOPLE = "log:people"  # the name of the people's log, which is no stream
_HISTORY, _PEOPLE_LOG = "history", "people_log"  # the tables of records, and of the people's log
_RESTORES = "restores"  # the line with the number of restores that this host knows of


Marks = dict[str, tuple[int, str]]  # by digest of a chain: the number and hash of the last row that was seen


class Head(NamedTuple):
    """The last row of a chain: of a stream of records, or of another chain under a name that no stream has."""

    stream: str
    number: int
    hash: str


class HighWaterMark:
    """The mark of one process, and what the marks of this host say together."""

    def __init__(self, key: Path, book: str) -> None:
        """`book` tells books that share a key apart."""
        self._book = book
        self._lock = threading.Lock()
        self._slots: dict[str, int] = {}  # by digest of the stream
        self._numbers: dict[str, int] = {}
        self._digests: dict[str, str] = {}  # by stream
        self._lines: Marks = {}  # of all files, as found at the start
        self._dirty = self._failed = False
        self._next_look = 0.0
        self._files = _files(key)
        self._descriptor: int | None = None
        try:
            self._descriptor = self._take_file()
        except OSError as error:
            self._fail(error)
        self._read()

    def _take_file(self) -> int:
        """The first file that no other process of this host has; its lock ends with the process."""
        for file in self._files:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                continue
            return descriptor
        raise OSError("too many processes")

    def _read(self) -> None:
        own = b"" if self._descriptor is None else os.pread(self._descriptor, os.fstat(self._descriptor).st_size, 0)
        for slot, digest, number, hash_ in _lines_of(own, self._book):
            self._slots[digest] = slot
            self._remember(digest, number, hash_)
        self._free_slot = -(-len(own) // SLOT)
        for file in self._files:
            if not file.exists():
                break
            for _, digest, number, hash_ in _lines_of(file.read_bytes(), self._book):
                self._remember(digest, number, hash_)

    def _remember(self, digest: str, number: int, hash_: str) -> None:
        if number > self._lines.get(digest, (-1, ""))[0]:
            self._lines[digest] = (number, hash_)

    # --- writing --------------------------------------------------------------------------------------------------

    def note(self, heads: Iterable[Head]) -> None:
        """Moves the mark up, after a commit."""
        with self._lock:
            for stream, number, hash_ in heads:
                digest = self._digests.get(stream)
                if digest is None:
                    digest = self._digests[stream] = _digest(stream)
                if number > self._numbers.get(digest, -1):
                    self._write(digest, number, hash_)

    def adopt(self, heads: Iterable[Head], restores: int) -> None:
        """Sets the mark to a book that was found as it should be, or was made ready after a restore."""
        with self._lock:
            self._lines, self._numbers = {}, {}
            known = set(self._slots)
            for head in (*heads, Head(_RESTORES, restores, "-")):
                digest = _digest(head.stream)
                self._write(digest, head.number, head.hash)
                known.discard(digest)
            for digest in known:  # streams that this book does not have any more
                self._write(digest, 0, "-")
            self._clear_files_of_ended_processes()
        self.sync()

    def _clear_files_of_ended_processes(self) -> None:
        """What they say is in the book, or in the mark of this process."""
        for file in self._files:
            if not file.exists():
                return
            descriptor = os.open(file, os.O_RDWR)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                for slot, digest, _, _ in _lines_of(file.read_bytes(), self._book):
                    os.pwrite(descriptor, self._text(digest, 0, "-"), slot * SLOT)
            except BlockingIOError:
                continue  # this process, or one that runs
            finally:
                os.close(descriptor)

    def _write(self, digest: str, number: int, hash_: str) -> None:
        self._numbers[digest] = number
        if self._descriptor is None:
            return
        slot = self._slots.get(digest)
        if slot is None:
            slot = self._slots[digest] = self._free_slot
            self._free_slot += 1
        try:
            os.pwrite(self._descriptor, self._text(digest, number, hash_), slot * SLOT)
        except OSError as error:
            self._fail(error)
        self._dirty = True

    def _text(self, digest: str, number: int, hash_: str) -> bytes:
        line = f"{self._book} {digest} {number} {hash_}".encode("ascii")
        return (b"%b %08x" % (line, zlib.crc32(line))).ljust(SLOT - 1) + b"\n"

    def _fail(self, error: OSError) -> None:
        if not self._failed:
            reason = (error.strerror or str(error)).lower()
            _log.error("the high-water mark %s cannot be written (%s): a restore may go unnoticed", self.path, reason)
        self._failed = True

    @property
    def path(self) -> Path:
        return self._files[0]

    def look(self, unit: Unit) -> None:
        """Moves the mark up to what other processes wrote, and in all other chains."""
        self.note(heads_of(unit))

    def is_due(self) -> bool:
        """Whether it is time to look at the whole book and to make the mark durable."""
        now = time.monotonic()
        if now < self._next_look:
            return False
        self._next_look = now + SECONDS
        return True

    def sync(self) -> None:
        if self._dirty and self._descriptor is not None:
            self._dirty = False
            try:
                os.fdatasync(self._descriptor)
            except OSError as error:
                self._fail(error)

    def close(self) -> None:
        self.sync()
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    # --- comparing ------------------------------------------------------------------------------------------------

    @property
    def restores(self) -> int:
        """How many restores this host knows of."""
        return self._lines.get(_digest(_RESTORES), (0, ""))[0]

    def is_ahead_of(self, unit: Unit) -> bool:
        """Whether the book lacks something that this host has seen in it: it went back to an earlier state."""
        return next(missing_rows(unit, self._lines), None) is not None


def read_marks(key: Path, book: str) -> Marks:
    """What the marks of this host say about a book, without taking part in them; empty: nothing.

    Read them before the book: a service that runs moves both on.
    """
    lines: Marks = {}
    for file in _files(key):
        if file.exists():
            for _, digest, number, hash_ in _lines_of(file.read_bytes(), book):
                if number > lines.get(digest, (-1, ""))[0]:
                    lines[digest] = number, hash_
    return lines


def marks_of(unit: Unit) -> Marks:
    """What a mark that has seen all of a book says."""
    return {_digest(head.stream): (head.number, head.hash) for head in heads_of(unit)}


def missing_rows(unit: Unit, lines: Marks) -> Iterator[str]:
    """What a book lacks of what a host has seen in it, in words."""
    heads = checkpoint.heads_of(unit)
    chains = {
        _digest(_name(table, chain)): (table, chain, number, hash_)
        for table, chains_of_table in heads.items()
        for chain, (number, hash_) in chains_of_table.items()
    }
    for digest, (number, hash_) in lines.items():
        if digest == _digest(_RESTORES) or not number:
            continue
        if digest not in chains:
            yield f"a chain of {number:,} rows"
            continue
        table, chain, last, last_hash = chains[digest]
        if last < number:
            yield f"row {number:,} of {checkpoint.title(table, chain)}; the last one is {last:,}"
        elif (last_hash if last == number else checkpoint.hash_at(unit, table, chain, number)) != hash_:
            yield f"row {number:,} of {checkpoint.title(table, chain)} as it was"


def _files(key: Path) -> list[Path]:
    return [Path(f"{key}.mark{'' if number == 1 else f'.{number}'}") for number in range(1, _MOST_FILES)]


def _lines_of(content: bytes, of_book: str) -> Iterator[tuple[int, str, int, str]]:
    """The readable lines of a book; a line that a power failure tore says nothing."""
    for slot in range(len(content) // SLOT):
        line, _, check = content[slot * SLOT : (slot + 1) * SLOT].rstrip(b"\n ").rpartition(b" ")
        if check != b"%08x" % zlib.crc32(line):
            continue
        book, digest, number, hash_ = line.decode("ascii").split(" ")
        if book == of_book:
            yield slot, digest, int(number), hash_


def heads_of(unit: Unit) -> list[Head]:
    """The last row of every chain."""
    return [
        Head(_name(table, chain), number, hash_)
        for table, chains in checkpoint.heads_of(unit).items()
        for chain, (number, hash_) in chains.items()
    ]


def _name(table: str, chain: str) -> str:
    """The name of a chain in a mark. A stream's is its own, and the commit of its records uses it too."""
    return chain if table == _HISTORY else _PEOPLE if table == _PEOPLE_LOG else f"{table}:{chain}"


def _digest(stream: str) -> str:
    return hashlib.sha256(stream.encode()).hexdigest()[:32]
