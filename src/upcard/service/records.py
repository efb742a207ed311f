"""Replays a table from its records, and checks their hashes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from pydantic import ValidationError

from upcard import formats
from upcard.codes import Coded
from upcard.ledger.journal import GENESIS, canonical, instant_of, row_hash
from upcard.service import commands as s
from upcard.service.betting_closing import STOPPED_AT_THE_DEAL
from upcard.service.live_table import Keys, LiveTable, Rulesets, opened_again
from upcard.service.refusals import RecordBroken, RecordProblem
from upcard.service.table_draft import CommandMoment, TableDraft
from upcard.service.table_handler import carry_out
from upcard.service.table_openings import REVISION_TAKEN

Row = Mapping[str, Any]


def replay(rulesets: Rulesets, keys: Keys, live: LiveTable | None, row: Row) -> LiveTable:
    """The table after one more record; raises RecordBroken if the rules contradict the record."""
    return redo(rulesets, keys, live, row).live


def redo(
    rulesets: Rulesets, keys: Keys, live: LiveTable | None, row: Row, open_jackpots: Collection[str] = ()
) -> TableDraft:
    """Carries out a record's command again, with its requests to the ledger; `open_jackpots` were open before it."""
    if row["format"] > formats.FORMAT:
        raise RecordBroken(RecordProblem.LATER_FORMAT)
    command = command_of(row)
    moment = CommandMoment(
        id=row["id"],
        at=instant_of(row["at"]),
        text=row["at"],
        day=date.fromisoformat(row["day"]),
        actor=row["actor"],
        role=row["role"],
        format=row["format"],
    )
    if not isinstance(command, s.TableCommand):
        raise RecordBroken(RecordProblem.NOT_OF_A_TABLE, number=row["number"])
    draft = _draft(rulesets, keys, live, moment, command, row)
    draft.jackpots = open_jackpots
    draft.stopped_wagers = lambda: _stopped_wagers(row)
    carry_out(draft, command)
    if canonical(draft.events) != formats.today("events", row["events"], row["format"]):
        raise RecordBroken(RecordProblem.EVENTS_DIFFER, number=row["number"])
    if draft.live.version != row["number"] or draft.live.at != row["at"]:
        raise RecordBroken(RecordProblem.WRONG_PLACE, number=row["number"])
    return draft


def _draft(
    rulesets: Rulesets, keys: Keys, live: LiveTable | None, moment: CommandMoment, command: s.TableCommand, row: Row
) -> TableDraft:
    """The draft in which a record's command is carried out again."""
    if isinstance(command, s.OpenTable):
        rules = rulesets(row["rules"])
        return TableDraft(keys, moment, opened_again(rules, command, live), live, rules, _revision(row))
    if live is None:
        raise RecordBroken(RecordProblem.NOT_OF_A_TABLE, number=row["number"])
    if isinstance(command, s.Reset):
        rules, running = rulesets(row["rules"]), live.round if live.table.round is not None else 0
        reopened = opened_again(rules, command, live)
        draft = TableDraft(keys, moment, reopened, rules=rules, old_rules=live.rules.hash, round_open=running)
        draft.revision = _revision(row)
        return draft
    if isinstance(command, s.ChangeRules):
        return TableDraft(keys, moment, live, rules=rulesets(row["rules"]), revision=_revision(row))
    return TableDraft(keys, moment, live)


def _stopped_wagers(row: Row) -> dict[str, Coded]:
    """The wagers whose jackpots were stopped when a record was made: only the book knew, and the record says so."""
    if not any(name in row["events"] for name in STOPPED_AT_THE_DEAL):
        return {}
    events = formats.read("events", row["events"], row["format"])
    return {event["wager"]: event["stopped"] for event in events if event["event"] in STOPPED_AT_THE_DEAL}


def _revision(row: Row) -> int:
    """The revision of the house's catalog whose rules a table took: only the book knew, and the record says so."""
    if REVISION_TAKEN not in row["events"]:
        return 0
    events = formats.read("events", row["events"], row["format"])
    return next((event["revision"] for event in events if event["event"] == REVISION_TAKEN), 0)


def command_of(row: Row) -> s.Command:
    """The command of a record or a refusal. An unknown one was added by a later version: a new command does not raise
    the format's number."""
    try:
        if row["format"] == formats.FORMAT:
            return s.COMMANDS.validate_json(row["command"])
        return s.COMMANDS.validate_python(formats.read("command", row["command"], row["format"]))
    except ValidationError as error:
        if error.errors()[0]["type"] == "union_tag_invalid":
            raise RecordBroken(RecordProblem.LATER_FORMAT) from None
        raise


def replay_all(rulesets: Rulesets, keys: Keys, live: LiveTable | None, rows: Iterable[Row]) -> LiveTable | None:
    for row in rows:
        live = replay(rulesets, keys, live, row)
    return live


def check_hashes(rows: Sequence[Row], previous: str = GENESIS) -> str:
    """Checks the hashes of consecutive records; returns the last."""
    for row in rows:
        if row["hash"] != row_hash(previous, row):
            raise RecordBroken(RecordProblem.HASH_BROKEN, number=row["number"])
        previous = row["hash"]
    return previous
