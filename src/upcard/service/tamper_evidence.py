"""The doctor's checks of what is kept outside the book: the high-water mark beside the key, and the checkpoints.

Both tell that rows were cut off, rewritten with the key, or that the whole book went back to an earlier state. The book
itself cannot tell.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

import sqlalchemy as sa

from upcard.ledger import schema as book
from upcard.ledger.journal import instant_of
from upcard.ledger.sealing_key import book_id
from upcard.ledger.unit import Unit
from upcard.service import schema
from upcard.service.check_results import CheckResult, Installation, Status
from upcard.service.checkpoint_files import EVERY, differences, folder_beside, read_folder
from upcard.service.high_water import missing_rows, read_marks

_LATE = 2 * EVERY
_IF_RESTORED = "if you restored it, start the service, which makes it ready for play"
_OTHERWISE = (
    "otherwise somebody deleted records or put an old copy back: keep the book as it is, and the files beside it"
)


def restores(unit: Unit, installation: Installation) -> Iterator[CheckResult]:
    """Whether the book has everything that this host has seen in it."""
    if installation.key is None:
        return
    marks = read_marks(installation.key, book_id(unit.connection))
    if not marks:
        sentence = "not checked: this machine has no high-water mark of this book, because it has not served it"
        yield CheckResult(Status.OK, "restores", sentence)
        return
    with installation.store.view() as later:
        missing = list(missing_rows(later, marks))
    if missing:
        more = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
        sentence = f"the book lacks {missing[0]}{more}, which this machine has seen; {_IF_RESTORED}; {_OTHERWISE}"
        yield CheckResult(Status.BAD, "restores", sentence)
    else:
        yield CheckResult(Status.OK, "restores", "the book has everything that this machine has seen in it")


def checkpoints(unit: Unit, installation: Installation) -> Iterator[CheckResult]:
    """Whether the book matches the checkpoints in their folder, and how old the last one is."""
    keyring, folder = installation.store.keyring, installation.checkpoints
    if folder is None and installation.key is not None:
        folder = folder_beside(installation.key)
    name = book_id(unit.connection)
    if folder is None or not name:
        return
    stored = read_folder(folder, name)
    if not stored:
        others = " (but some of another book)" if any(folder.glob("*.json")) else ""
        sentence = f"there are none in {folder}{others}; a running service writes one every hour"
        yield CheckResult(Status.WARN, "checkpoints", sentence)
        return
    problems = differences(unit, stored, keyring)
    if problems:
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        remedy = "if you restored the book, run upcard ledger accept-restore"
        yield CheckResult(Status.BAD, "checkpoints", f"{problems[0]}{more}; {remedy}; {_OTHERWISE}")
        return
    last, newest_record = stored[-1].at, _last_record(unit)
    summary = f"the book matches all {len(stored)} in {folder}; the last is {_age(installation.now - last)} old"
    if newest_record is not None and newest_record - last > _LATE:
        late = "the service should write one every hour: see its log"
        yield CheckResult(Status.WARN, "checkpoints", f"{summary}, and records are newer; {late}")
    else:
        yield CheckResult(Status.OK, "checkpoints", summary)


def _last_record(unit: Unit) -> datetime | None:
    columns = (book.chains.c.at, schema.history.c.at)
    moments = [moment for column in columns if (moment := unit.connection.scalar(sa.select(sa.func.max(column))))]
    return instant_of(max(moments)) if moments else None


def _age(age: timedelta) -> str:
    minutes = max(0, round(age / timedelta(minutes=1)))
    if minutes < 120:
        return f"{minutes} minute{'s' * (minutes != 1)}"
    hours = round(age / timedelta(hours=1))
    return f"{hours} hours" if hours < 48 else f"{age.days} days"
