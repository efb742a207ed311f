"""A table's records: how they are hashed, and how a table is made again from them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from upcard import formats
from upcard.catalog.ruleset import Ruleset
from upcard.ledger.journal import GENESIS, instant_of, row_hash
from upcard.service import commands as s
from upcard.service.at_table import Moment
from upcard.service.live_table import Keys, LiveTable, Rulesets, opened
from upcard.service.refusals import RecordBroken, RecordProblem
from upcard.service.stored_events import text
from upcard.service.turn import Turn

Row = Mapping[str, Any]


def replay(rulesets: Rulesets, keys: Keys, live: LiveTable | None, row: Row) -> LiveTable:
    """The table after one more record; RecordBroken where the rules say something else than the record."""
    return redo(rulesets, keys, live, row).live


def redo(rulesets: Rulesets, keys: Keys, live: LiveTable | None, row: Row, known: Collection[str] = ()) -> Turn:
    """A record's command carried out again, with what it asks of the book; `known` jackpots were open before it."""
    if row["format"] > formats.FORMAT:
        raise RecordBroken(RecordProblem.LATER_FORMAT)
    command = command_of(row)
    moment = Moment(
        id=row["id"],
        at=instant_of(row["at"]),
        day=date.fromisoformat(row["day"]),
        actor=row["actor"],
        role=row["role"],
        format=row["format"],
    )
    if isinstance(command, s.OpenTable):
        turn = Turn(keys, moment, blank(rulesets(row["rules"]), command))
        turn.open(command, live, known)
    elif isinstance(command, s.Reset) and live is not None:
        turn = Turn(keys, moment, begun_anew(rulesets(row["rules"]), live, command))
        changed = turn.live.rules.hash != live.rules.hash
        turn.reset(command, live.round if live.table.round is not None else 0, changed=changed)
    elif isinstance(command, s.ChangeRules) and live is not None:
        turn = Turn(keys, moment, live)
        turn.change_rules(rulesets(row["rules"]))
    elif isinstance(command, s.TableCommand) and live is not None:
        turn = Turn(keys, moment, live)
        turn.carry_out(command)
    else:
        raise RecordBroken(RecordProblem.NOT_OF_A_TABLE, number=row["number"])
    if text(turn.events) != formats.today("events", row["events"], row["format"]):
        raise RecordBroken(RecordProblem.EVENTS_DIFFER, number=row["number"])
    if turn.live.version != row["number"] or turn.live.at != row["at"]:
        raise RecordBroken(RecordProblem.WRONG_PLACE, number=row["number"])
    return turn


def command_of(row: Row) -> s.Command:
    """The command of a record or a refusal."""
    if row["format"] == formats.FORMAT:
        return s.COMMANDS.validate_json(row["command"])
    return s.COMMANDS.validate_python(formats.read("command", row["command"], row["format"]))


def begun_anew(rules: Ruleset, live: LiveTable, command: s.Reset) -> LiveTable:
    """A table that is reset: it keeps its numbers and nothing else."""
    past = {"version": live.version, "rounds": live.round, "shoe": live.shoe}
    return opened(rules, live.name, command.pace, by_hand=command.by_hand, **past)


def blank(rules: Ruleset, command: s.OpenTable) -> LiveTable:
    """A table before its first record, or before it opens again."""
    return opened(rules, command.table, command.pace, by_hand=command.by_hand)


def replay_all(rulesets: Rulesets, keys: Keys, live: LiveTable | None, rows: Iterable[Row]) -> LiveTable | None:
    """The table after some more records."""
    for row in rows:
        live = replay(rulesets, keys, live, row)
    return live


def check_hashes(rows: Sequence[Row], previous: str = GENESIS) -> str:
    """Follows the hashes of records; gives the last."""
    for row in rows:
        if row["hash"] != row_hash(previous, row):
            raise RecordBroken(RecordProblem.HASH_BROKEN, number=row["number"])
        previous = row["hash"]
    return previous
