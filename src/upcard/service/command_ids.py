"""Ids of commands: which a person may choose, and the answer to a command whose id was used before."""

from collections.abc import Mapping
from typing import Any

from upcard import formats
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.people.person import CLOCK
from upcard.service import commands as s
from upcard.service.pending import LONGEST, Answer, PendingCommand, answer_of
from upcard.service.records import command_of
from upcard.service.refusal_budget import COUNTED
from upcard.service.refusals import Refused, refusal
from upcard.service.rules_in_force import ACCRUE, NEW_DAY, RESTORED, RULES, TIMER


def earlier_outcome(row: Mapping[str, Any], pending: PendingCommand) -> Answer | Exception:
    """The earlier answer, if it was the same command."""
    is_same = bool(row["command"] == pending.text)
    if row["format"] != formats.FORMAT:
        is_same = command_of(row) == pending.command
    if row["actor"] != pending.actor or not is_same:
        return refusal(BookRefused(BookRefusal.ID_TAKEN, id=pending.id))
    if "code" in row:
        return Refused(row["code"], formats.read("refusal", row["details"], row["format"]), repeated=True)
    return answer_of(row)


def is_valid_id(pending: PendingCommand) -> bool:
    """Ids of automatic commands, and of the ledger requests of a command, are reserved."""
    name = pending.id
    if isinstance(pending.command, s.ByTheProgram) or pending.role == CLOCK:
        return True
    is_reserved = (
        "#" in name
        or "//" in name
        or name.startswith((TIMER, RULES, ACCRUE, NEW_DAY, RESTORED, COUNTED))
        or not name.isprintable()
    )
    return 0 < len(name) <= LONGEST and not is_reserved
