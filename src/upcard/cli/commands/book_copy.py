"""A copy of a book and its check; what `upcard backup` and `upcard restore` share."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from upcard.cli.book_access import open_book
from upcard.cli.output import write_json
from upcard.ledger.keyring import Keyring
from upcard.ledger.store import is_server
from upcard.problems import BadRequest
from upcard.service.whole_book_check import check_everything

ON_A_SERVER = "back up a book on PostgreSQL with pg_dump and restore it with pg_restore: see docs/operating.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyCheck:
    """What the full check found in a copy."""

    findings: tuple[str, ...]
    notes: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """For people, with the verdict last."""
        yield from (f"Not checked: {note}" for note in self.notes)
        yield f"Wrong: {self.findings[0]}" if self.findings else "The backup is sound."


def check_copy(copy: Path, keyring: Keyring | None) -> CopyCheck:
    with open_book(str(copy)) as unit:
        report = check_everything(unit, keyring)
    return CopyCheck(findings=tuple(map(str, report.findings)), notes=report.notes)


def write_copy_json(check: CopyCheck | None, **facts: object) -> None:
    checked = None if check is None else {"findings": check.findings, "notes": check.notes}
    sound = None if check is None else not check.findings
    write_json({**facts, "key_included": False, "sound": sound, "check": checked})


def book_and_copy(book: str, copy: str) -> tuple[Path, Path]:
    """The two files; refuses what cannot be copied as a file."""
    if is_server(book) or is_server(copy):
        raise BadRequest(ON_A_SERVER)
    if Path(book).exists() and Path(copy).exists() and Path(book).samefile(copy):
        raise BadRequest(f"{book} and {copy} are the same file")
    for name in (book, copy):
        if Path(name).is_dir():
            raise BadRequest(f"{name} is a folder, not a file")
    return Path(book), Path(copy)
