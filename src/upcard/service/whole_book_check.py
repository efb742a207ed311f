"""The complete `upcard ledger check`: ledger, records of tables and house, people, seals and checkpoints."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from upcard.ledger import schema as book_schema
from upcard.ledger.append_only_triggers import foreign_triggers
from upcard.ledger.check import Report
from upcard.ledger.check import check as check_book
from upcard.ledger.findings import UNREADABLE, Finding, one_line
from upcard.ledger.keyring import Keyring
from upcard.ledger.seals import Seals
from upcard.ledger.unit import Unit
from upcard.people import schema as people_schema
from upcard.people.check import PeopleReport
from upcard.people.check import check as check_people
from upcard.service import schema
from upcard.service.checkpoint import Checkpoint, CheckpointReport, compare_checkpoints, compare_rotations
from upcard.service.history_check import RecordsReport
from upcard.service.history_check import check as check_records

_APPEND_ONLY = (*book_schema.APPEND_ONLY, *schema.APPEND_ONLY, *people_schema.APPEND_ONLY)


@dataclass(frozen=True, slots=True, kw_only=True)
class FullReport:
    """What was checked, what could not be verified, and the findings."""

    book: Report
    records: RecordsReport
    people: PeopleReport
    seals: int  # verified
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        return not self.findings


def check_everything(
    unit: Unit,
    keyring: Keyring | None,
    checkpoints: Sequence[Checkpoint] = (),
    public_keys: Sequence[str] = (),
) -> FullReport:
    """Checks everything, as far as keys and checkpoints are given."""
    seals = Seals(unit, keyring)
    book = check_book(unit, seals)
    records = check_records(unit, keyring, seals)
    people = check_people(unit, seals)
    try:
        rotations = (*_foreign_triggers(unit), *compare_rotations(unit))
        compared = compare_checkpoints(unit, checkpoints, public_keys, keyring)
    except UNREADABLE as error:
        rotations, compared = (Finding("keys", f"they cannot be read: {one_line(error)}"),), CheckpointReport()
    return FullReport(
        book=book,
        records=records,
        people=people,
        seals=seals.verified,
        notes=(*records.notes, *seals.notes, *compared.notes),
        findings=(*seals.findings, *book.findings, *records.findings, *people.findings, *rotations, *compared.findings),
    )


def _foreign_triggers(unit: Unit) -> Iterator[Finding]:
    for foreign in foreign_triggers(unit.connection, _APPEND_ONLY):
        yield Finding("triggers of the database", f"there is {foreign}, which is not Upcard's")
