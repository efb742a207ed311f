"""`upcard ledger check`, whole: the book, the records of tables and house, the people, all seals, and checkpoints."""

from collections.abc import Sequence
from dataclasses import dataclass

from upcard.ledger.check import Report
from upcard.ledger.check import check as check_book
from upcard.ledger.findings import UNREADABLE, Finding, one_line
from upcard.ledger.keyring import Keyring
from upcard.ledger.seals import Seals
from upcard.ledger.unit import Unit
from upcard.people.check import PeopleReport
from upcard.people.check import check as check_people
from upcard.service.check import Records
from upcard.service.check import check as check_records
from upcard.service.checkpoint import Checkpoint, Comparison, compare, compare_rotations


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeReport:
    """What was looked at, what could not be verified, and what is wrong."""

    book: Report
    records: Records
    people: PeopleReport
    seals: int  # that were verified
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def check_everything(
    unit: Unit,
    keyring: Keyring | None,
    checkpoints: Sequence[Checkpoint] = (),
    public_keys: Sequence[str] = (),
) -> WholeReport:
    """Checks all there is, as far as keys and checkpoints are at hand."""
    seals = Seals(unit, keyring)
    book = check_book(unit, seals)
    records = check_records(unit, keyring, seals)
    people = check_people(unit, seals)
    try:
        rotations = tuple(compare_rotations(unit))
        compared = compare(unit, checkpoints, public_keys, keyring)
    except UNREADABLE as wrong:
        rotations, compared = (Finding("keys", f"they cannot be read: {one_line(wrong)}"),), Comparison()
    return WholeReport(
        book=book,
        records=records,
        people=people,
        seals=seals.verified,
        notes=(*records.notes, *seals.notes, *compared.notes),
        findings=(*seals.findings, *book.findings, *records.findings, *people.findings, *rotations, *compared.findings),
    )
