"""What a crash can leave on the disk, made from the files before and after a transaction.

SQLite syncs the log at each commit, and the database at the end of a checkpoint. Until then a crash may leave any part
of what was being written: the first sectors, half of one, or some in any order. A log that was begun again is
overwritten from its start.
"""

import hashlib
import random
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

SECTOR = 512
HEADER = 32  # bytes at the start of the log


@dataclass(frozen=True)
class Disk:
    """A book's file and its log."""

    book: bytes
    log: bytes

    @classmethod
    def of(cls, path: Path) -> "Disk":
        log = Path(f"{path}-wal")
        return cls(path.read_bytes(), log.read_bytes() if log.exists() else b"")

    def write(self, path: Path) -> Path:
        """A copy as the next process finds it. The index of the log is no part of it: it does not outlive a crash."""
        Path(f"{path}-shm").unlink(missing_ok=True)
        path.write_bytes(self.book)
        Path(f"{path}-wal").write_bytes(self.log)
        return path


@dataclass(frozen=True)
class CrashImage:
    """A disk after a crash, and what happened to it."""

    disk: Disk
    how: str
    committed: bool  # whether the transaction had been synced before the crash


def crash_images(before: Disk, after: Disk, chance: random.Random, count: int) -> Iterator[CrashImage]:
    """Disks after crashes in the middle of a transaction, in the checkpoint that followed it, or after it."""
    yield CrashImage(after, "just after the commit", committed=True)
    for _ in range(count - 1):
        if before.book != after.book and chance.random() < 0.4:
            how, book = _torn(before.book, after.book, chance)
            yield CrashImage(Disk(book, after.log), f"in the checkpoint: {how}", committed=True)
        else:
            how, log = _torn(before.log, after.log, chance)
            yield CrashImage(Disk(before.book, log), f"in the log: {how}", committed=False)


def _torn(old: bytes, new: bytes, chance: random.Random) -> tuple[str, bytes]:
    """A file of which only a part of the changed sectors reached the disk."""
    changed = [at for at in range(0, len(new), SECTOR) if old[at : at + SECTOR] != new[at : at + SECTOR]]
    content = bytearray(old)
    if chance.random() < 0.2 and len(new) > len(old):  # the length is known, the content is not
        content += bytes(len(new) - len(old))
    way = chance.choice(("cut", "torn", "reordered", "garbled"))
    if way == "reordered":
        written = [at for at in changed if chance.random() < chance.choice((0.2, 0.5, 0.9))]
    else:
        written = changed[: chance.randint(0, len(changed))]
    if written and new[:HEADER] != old[:HEADER]:  # a log that begins again is synced after its header
        _put(content, 0, new[:HEADER])
    for at in written:
        _put(content, at, new[at : at + SECTOR])
    if way in ("torn", "garbled") and len(written) < len(changed):
        at = changed[len(written)]
        sector, there = new[at : at + SECTOR], old[at : at + SECTOR]
        first = next((i for i, byte in enumerate(sector) if there[i : i + 1] != bytes([byte])), 0)
        part = sector[first : chance.randint(first + 1, len(sector))]  # what a disk does not write stays as it was
        _put(content, at + first, part if way == "torn" else chance.randbytes(len(part)))
    return f"{way}, {len(written)} of {len(changed)} sectors", bytes(content)


def _put(content: bytearray, at: int, part: bytes) -> None:
    if len(content) < at:
        content += bytes(at - len(content))
    content[at : at + len(part)] = part


def contents(path: Path) -> str:
    """A digest of every row of every table, as SQLite reads them; the file must be intact."""
    digest = hashlib.blake2b()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("BEGIN")
        parts = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
        digest.update(repr(parts).encode())
        for name in (name for kind, name, _ in parts if kind == "table"):
            digest.update(repr(connection.execute(f"SELECT * FROM {name}").fetchall()).encode())
    return digest.hexdigest()


def is_intact(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@contextmanager
def full_disk(path: Path, room: int) -> Iterator[None]:
    """A disk on which the log can grow by so many bytes and no more: a write beyond is cut, or fails."""
    log = Path(f"{path}-wal")
    size = log.stat().st_size if log.exists() else 0
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (max(size + room, 1 << 16), hard))  # the log's index needs 32 kB
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
