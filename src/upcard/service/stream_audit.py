"""Audits one table's stream from its first record: numbers, hashes and seals, the ledger entries it requested, and a
replay by the rules as far as its shoes' keys are available. Reads only; reports the first problem.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import orjson

from upcard import formats
from upcard.cards.shoe import commitment
from upcard.engine import Round
from upcard.ledger.chains import chain_of, request_text
from upcard.ledger.findings import UNREADABLE, Finding, mistyped, one_line
from upcard.ledger.journal import GENESIS, row_hash
from upcard.ledger.keyring import Keyring
from upcard.ledger.requests import CountTray, SetDealing
from upcard.ledger.seals import Seals
from upcard.problems import BadRequest, UpcardError
from upcard.service import schema
from upcard.service.commands import OpenTable
from upcard.service.live_table import LiveTable, Rulesets, needs_snapshot, opened, snapshot
from upcard.service.records import Row, redo
from upcard.service.refusals import RecordBroken
from upcard.service.round_index import RoundIndex, sums_of, update_index
from upcard.service.table_draft import TableDraft


class AuditProblem(Exception):  # noqa: N818 - ends the audit of a stream
    """A problem at a record."""


class ShoeKeyUnavailable(Exception):  # noqa: N818 - leaves the replay, not the check
    """A shoe's key cannot be decrypted here."""


@dataclass
class AuditKeys:
    """The keys of a table's shoes: revealed ones, or decrypted with the operator's key if it is available."""

    table: str
    rows: Mapping[int, Row]
    keyring: Keyring | None

    def __call__(self, table: str, number: int) -> bytes:
        """A shoe's key, checked against its commitment."""
        row = self.rows.get(number)
        if row is None or table != self.table:
            raise AuditProblem(f"the key of shoe {number} is missing")
        if row["key"] is not None:
            key = bytes.fromhex(row["key"])
        elif self.keyring is None:
            raise ShoeKeyUnavailable(f"the key of shoe {number} is encrypted, and the operator's key is not available")
        else:
            try:
                key = self.keyring.decrypt(row["encrypted_key"], f"shoe {number} of {table}")
            except BadRequest as error:
                raise ShoeKeyUnavailable(str(error)) from None
        if commitment(key) != row["commitment"]:
            raise AuditProblem(f"the key of shoe {number} does not match its commitment")
        return key

    def commitment(self, table: str, number: int) -> str:
        """The commitment in a shoe's row; its events must say the same."""
        row = self.rows.get(number)
        if row is None or table != self.table:
            raise AuditProblem(f"shoe {number} is missing")
        return str(row["commitment"])


@dataclass
class StreamAudit:
    rulesets: Rulesets
    table: str
    keys: AuditKeys
    entries: Iterator[Row]  # the ledger's entries of this table, in order, without continuation parts
    opened_by: Mapping[str, set[str]]  # by command id: the jackpots it opened
    stored: Row  # the stream's own row
    seals: Seals
    index: RoundIndex = field(default_factory=RoundIndex)
    live: LiveTable | None = None
    blocked: str = ""  # why it cannot be replayed now
    hash: str = GENESIS
    number: int = 0
    replayed: int = 0
    gaps: list[str] = field(default_factory=list)  # notes on records that could not be replayed
    last_snapshot: int = 0  # the number of the record of the last snapshot
    unread_entry: Row | None = None  # an entry that was read ahead

    def run(self, rows: Iterable[Row]) -> Iterator[Finding]:
        """The first problem, if there is one."""
        try:
            for row in rows:
                self._check_record(row)
            self._check_end()
        except AuditProblem as error:
            yield Finding(f"table:{self.table} record {self.number}", str(error))
        except UNREADABLE as error:
            yield Finding(f"table:{self.table} record {self.number}", f"it cannot be read: {one_line(error)}")

    def _check_record(self, row: Row) -> None:
        self.number += 1
        self.hash = checked_hash(row, self.number, self.hash, self.seals)
        events = formats.read("events", row["events"], row["format"])
        command = formats.read("command", row["command"], row["format"])
        draft = self._replay(row, command)
        self._check_entries(row, draft, events)
        update_index(self.index, self.table, row, events)

    # --- the rules ------------------------------------------------------------------------------------------------

    def _replay(self, row: Row, command: Mapping[str, Any]) -> TableDraft | None:
        if self.blocked and command.get("do") == "reset":
            self._note_gap(self.number - 1)
            self.live = self._state_before_reset()
        if self.blocked:
            return None
        try:
            open_jackpots = set(command.get("jackpots", {}).values()) - self.opened_by.get(row["id"], set())
            draft = redo(self.rulesets, self.keys, self.live, row, open_jackpots)
        except ShoeKeyUnavailable as sealed:
            self.blocked = str(sealed)
            return None
        except (RecordBroken, *UNREADABLE) as error:
            raise AuditProblem(one_line(error)) from None
        except UpcardError as error:
            raise AuditProblem(f"the rules do not allow it: {one_line(error)}") from None
        self.live, self.replayed = draft.live, self.replayed + 1
        self._check_snapshot(draft.live)
        return draft

    def _state_before_reset(self) -> LiveTable:
        """A table's state before a reset, as far as the events tell it."""
        index = self.index
        rules = self.rulesets(index.rules)
        opening = OpenTable(table=self.table, layout=rules.layout.slug)
        numbers = {"rounds": index.round, "shoe": index.shoe, "promised": max(index.shoes, default=0)}
        live = opened(rules, opening, version=self.number - 1, **numbers)
        return replace(live, table=replace(live.table, round=Round())) if index.running else live

    def _note_gap(self, last: int) -> None:
        first = self.replayed_to + 1
        self.gaps.append(f"{self.table}: records {first} to {last} could not be replayed: {self.blocked}")
        self.blocked = ""

    @property
    def replayed_to(self) -> int:
        """The last record that was replayed."""
        return self.live.version if self.live is not None else 0

    def _check_snapshot(self, live: LiveTable) -> None:
        if not needs_snapshot(live, self.last_snapshot):
            return
        self.last_snapshot = live.version
        if live.version != self.stored["snapshot_version"]:
            return
        stored = orjson.loads(self.stored["snapshot"])
        today = {**orjson.loads(snapshot(live)), "format": stored["format"]}
        if formats.upcast("snapshot", stored, stored["format"]) != today:
            raise AuditProblem("its snapshot does not match its records")

    # --- the book -------------------------------------------------------------------------------------------------

    def _check_entries(self, row: Row, draft: TableDraft | None, events: list[Mapping[str, Any]]) -> None:
        """The ledger has exactly the entries that a record requested, under its id."""
        if draft is None:
            found = list(self._entries_of(row["id"]))
            self._check_settlement(found, events)
            return
        chain = f"table:{self.table}"
        names = [(draft.request_id(number), request) for number, request in enumerate(draft.requests)]
        requests = [(name, request) for name, request in names if chain_of(request) == chain]
        entries = list(islice(self._read_entries(), len(requests)))
        if len(entries) < len(requests):
            raise AuditProblem("the ledger has no entry for it")
        for (name, request), entry in zip(requests, entries, strict=True):
            if computed := _COMPUTED.get(type(request)):  # by the ledger, when it carried the request out
                request = request.model_copy(update={computed: _request_of(entry)[computed]})
            asked_then = formats.today("request", entry["request"], entry["format"])
            if (entry["command"], entry["actor"], asked_then) != (name, row["actor"], request_text(request)):
                raise AuditProblem(f"entry {entry['number']} of the ledger is for another request")

    def _read_entries(self) -> Iterator[Row]:
        while True:
            entry, self.unread_entry = self.unread_entry or next(self.entries, None), None
            if entry is None:
                return
            yield entry

    def _entries_of(self, name: str) -> Iterator[Row]:
        """The entries of a record that was not replayed; some of its requests may be in other chains."""
        for entry in self._read_entries():
            owner, _, number = entry["command"].rpartition("//")
            if entry["command"] != name and not (owner == name and number.isdigit()):
                self.unread_entry = entry
                return
            yield entry

    def _check_settlement(self, entries: list[Row], events: list[Mapping[str, Any]]) -> None:
        """Rounds that ended with a record are settled or voided in the ledger, with the same sums per player."""
        endings = [request for entry in entries if (request := _request_of(entry))["order"] in _ENDS]
        rounds_over = [event for event in events if event["event"] == "round-over"]
        ends = [request for request in endings if request.get("final", True)]  # others settle only some stakes
        if [(request["round"], request["order"] == "void-round") for request in ends] != [
            (event["round"], event["void"] is not None) for event in rounds_over
        ]:
            raise AuditProblem("the ledger ends other rounds than this record")
        slips = [slip for request in endings for slip in request.get("slips", ())]
        if sums_of(slips) != sums_of([event for event in events if event["event"] == "slip"]):
            raise AuditProblem("the ledger settles other amounts than this record")

    # --- the end --------------------------------------------------------------------------------------------------

    def _check_end(self) -> None:
        if (self.stored["version"], self.stored["hash"]) != (self.number, self.hash):
            raise AuditProblem(
                f"it is the last record found, but the stream's row names record {self.stored['version']}"
            )
        unused = self.unread_entry or next(self.entries, None)
        if unused is not None:
            raise AuditProblem(f"entry {unused['number']} of the ledger belongs to no record")
        if self.blocked:
            if self.keys.keyring is not None:
                raise AuditProblem(self.blocked)
            self._note_gap(self.number)
            return
        if self.live is None:
            raise AuditProblem("it has no records")
        if self.stored["snapshot_version"] != self.last_snapshot or bool(self.stored["snapshot"]) != bool(
            self.last_snapshot
        ):
            raise AuditProblem(f"the last snapshot is of record {self.last_snapshot}, which its row does not match")
        if self.stored["due"] != self.live.due:
            raise AuditProblem(f"its next timer is due at {self.live.due}, not at {self.stored['due']}")


_ENDS = ("settle-round", "void-round")
_COMPUTED: Mapping[type, str] = {CountTray: "expected", SetDealing: "tray"}  # a field that the ledger fills in


def _request_of(entry: Row) -> Mapping[str, Any]:
    """An entry's request in the current format."""
    read: Mapping[str, Any] = formats.read("request", entry["request"], entry["format"])
    return read


def checked_hash(row: Row, number: int, previous: str, seals: Seals) -> str:
    """The hash of a stream's next record, after checking its number, types, hash and seal."""
    if row["number"] != number:
        raise AuditProblem(f"it is missing: record {row['number']} comes next")
    type_error = mistyped(schema.history, row)
    if type_error is not None:
        raise AuditProblem(type_error)
    if row["hash"] != row_hash(previous, row):
        raise AuditProblem("it was changed: its hash does not match")
    problem = seals.wrong_in_chain("history", row["stream"], row)
    if problem is not None:
        raise AuditProblem(problem)
    return str(row["hash"])
