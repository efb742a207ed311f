"""What the full check of a book finds."""

from dataclasses import asdict
from pathlib import Path

from upcard.cli.book_access import find_keyring, open_book
from upcard.cli.output import counted, write_json, write_lines
from upcard.problems import BadRequest
from upcard.service.checkpoint import Checkpoint, read_checkpoint
from upcard.service.checkpoint_files import read_folder
from upcard.service.whole_book_check import FullReport, check_everything


def show_ledger_check(
    book: str, checkpoint_files: list[str], public_keys: list[str], key: str | None, *, as_json: bool
) -> bool:
    """Shows the result; True: the book is sound."""
    checkpoints = [checkpoint for name in checkpoint_files for checkpoint in _read_checkpoints(Path(name))]
    trusted = [_read_public_key(text) for text in public_keys]
    keyring = find_keyring(book, key)
    with open_book(book) as unit:
        report = check_everything(unit, keyring, checkpoints, trusted)
    if as_json:
        write_json(_as_dict(report))
    else:
        _show_report(report)
    return report.sound


def _read_checkpoints(path: Path) -> list[Checkpoint]:
    """One file, or all in a folder."""
    if path.is_dir():
        stored = [checkpoint.content for checkpoint in read_folder(path)]
        if not stored:
            raise BadRequest(f"{path}: there is no checkpoint in this folder")
        return stored
    checkpoint = read_checkpoint(path.read_bytes())
    if checkpoint is None:
        raise BadRequest(f"{path}: this is not a checkpoint")
    return [checkpoint]


def _read_public_key(text: str) -> str:
    """A public key: 64 hexadecimal digits, or a file that has them."""
    key = Path(text).read_text(encoding="utf-8").strip() if Path(text).is_file() else text
    if len(key) != 64 or not set(key) <= set("0123456789abcdef"):
        raise BadRequest(f"{text}: not a public key of 64 hexadecimal digits, nor a file with one")
    return key


def _as_dict(report: FullReport) -> dict[str, object]:
    book = {**asdict(report.book), "findings": [asdict(finding) for finding in report.findings]}
    service = {name: value for name, value in asdict(report.records).items() if name != "findings"}
    service["notes"] = report.notes
    people = {"people": report.people.people, "log_lines": report.people.log_lines}
    return {**book, "service": service, "people": people, "seals": report.seals, "sound": report.sound}


def _show_report(report: FullReport) -> None:
    book, records = report.book, report.records
    write_lines(
        f"{book.entries} entries in {book.chains} chains, {book.transfers} transfers, {book.movements} meter "
        f"movements, {book.closes} closed days"
    )
    if records.streams:
        write_lines(
            f"{counted(records.records, 'record')} of tables and house, {records.replayed:,} replayed; "
            f"{counted(records.rounds, 'round')}, {counted(records.shoes, 'shoe')}, "
            f"{counted(records.refused, 'refusal')}",
        )
    if report.people.log_lines:
        people = counted(report.people.people, "person", "people")
        write_lines(f"{people}, {counted(report.people.log_lines, 'line')} in their log")
    write_lines(f"{counted(report.seals, 'seal')} verified", *(f"Not checked: {note}" for note in report.notes))
    if report.sound:
        write_lines("The book is sound.")
        return
    first, *others = report.findings
    write_lines(f"Wrong: {first}")
    if others:
        write_lines(f"and {len(others)} more, which may have the same cause")
