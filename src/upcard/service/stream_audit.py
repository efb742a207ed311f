"""One stream followed from its first record: hashes and numbers, what its events say of rounds and shoes, and every
record done again by the rules, as far as the keys of its shoes are known. Reads only; names the first thing wrong.
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
from upcard.ledger.requests import CountTray
from upcard.ledger.seals import Seals
from upcard.problems import BadRequest, UpcardError
from upcard.service import schema
from upcard.service.commands import OpenTable
from upcard.service.live_table import LiveTable, Rulesets, is_written_down, opened, snapshot
from upcard.service.records import Row, redo
from upcard.service.refusals import RecordBroken
from upcard.service.round_index import RoundIndex, read_events, sums_of
from upcard.service.table_draft import TableDraft


class Wrong(Exception):  # noqa: N818 - leaves a stream at the first thing wrong
    """Something wrong at a record."""


class Sealed(Exception):  # noqa: N818 - leaves the replay, not the check
    """The key of a shoe is not known here."""


@dataclass
class Keys:
    """The keys of a table's shoes: in clear where they are told, by the operator's key where it is here."""

    table: str
    rows: Mapping[int, Row]
    keyring: Keyring | None

    def __call__(self, table: str, number: int) -> bytes:
        """A shoe's key, which must be the one that was promised."""
        row = self.rows.get(number)
        if row is None or table != self.table:
            raise Wrong(f"the key of shoe {number} is missing")
        if row["key"] is not None:
            key = bytes.fromhex(row["key"])
        elif self.keyring is None:
            raise Sealed(f"the key of shoe {number} is encrypted, and the operator's key is not here")
        else:
            try:
                key = self.keyring.decrypt(row["encrypted_key"], f"shoe {number} of {table}")
            except BadRequest as wrong:
                raise Sealed(str(wrong)) from None
        if commitment(key) != row["commitment"]:
            raise Wrong(f"the key of shoe {number} is not the one that was promised")
        return key


@dataclass
class Follower:
    """A table's stream being followed."""

    rulesets: Rulesets
    table: str
    keys: Keys
    entries: Iterator[Row]  # the book's for this table, first parts only, in order
    opened_by: Mapping[str, set[str]]  # command -> the jackpots it opened
    stored: Row  # the stream's own row
    seals: Seals
    told: RoundIndex = field(default_factory=RoundIndex)
    live: LiveTable | None = None
    blocked: str = ""  # why it cannot be replayed now
    hash: str = GENESIS
    number: int = 0
    replayed: int = 0
    gaps: list[str] = field(default_factory=list)  # what could not be replayed
    rested: int = 0  # the last record after which the table was written down whole
    ahead: Row | None = None  # an entry of the book that was read and not used yet

    def follow(self, rows: Iterable[Row]) -> Iterator[Finding]:
        """The first thing wrong, if there is one."""
        try:
            for row in rows:
                self._record(row)
            self._end()
        except Wrong as wrong:
            yield Finding(f"table:{self.table} record {self.number}", str(wrong))
        except UNREADABLE as wrong:
            yield Finding(f"table:{self.table} record {self.number}", f"it cannot be read: {one_line(wrong)}")

    def _record(self, row: Row) -> None:
        self.number += 1
        self.hash = hash_of_row(row, self.number, self.hash, self.seals)
        events = formats.read("events", row["events"], row["format"])
        command = formats.read("command", row["command"], row["format"])
        turn = self._again(row, command)
        self._asked_of_the_book(row, turn, events)
        read_events(self.told, self.table, row, events)

    # --- the rules ------------------------------------------------------------------------------------------------

    def _again(self, row: Row, command: Mapping[str, Any]) -> TableDraft | None:
        if self.blocked and command.get("do") == "reset":
            self._gap(self.number - 1)
            self.live = self._after_a_gap()
        if self.blocked:
            return None
        try:
            known = set(command.get("jackpots", {}).values()) - self.opened_by.get(row["id"], set())
            turn = redo(self.rulesets, self.keys, self.live, row, known)
        except Sealed as sealed:
            self.blocked = str(sealed)
            return None
        except (RecordBroken, *UNREADABLE) as wrong:
            raise Wrong(one_line(wrong)) from None
        except UpcardError as wrong:
            raise Wrong(f"the rules do not allow it: {one_line(wrong)}") from None
        self.live, self.replayed = turn.live, self.replayed + 1
        self._snapshot(turn.live)
        return turn

    def _after_a_gap(self) -> LiveTable:
        """What a reset needs to know of the time before."""
        told = self.told
        rules = self.rulesets(told.rules)
        known = OpenTable(table=self.table, layout=rules.layout.slug)
        live = opened(rules, known, version=self.number - 1, rounds=told.round, shoe=told.shoe)
        return replace(live, table=replace(live.table, round=Round())) if told.running else live

    def _gap(self, last: int) -> None:
        first = self.replayed_to + 1
        self.gaps.append(f"{self.table}: records {first} to {last} could not be replayed: {self.blocked}")
        self.blocked = ""

    @property
    def replayed_to(self) -> int:
        """The last record that was done again."""
        return self.live.version if self.live is not None else 0

    def _snapshot(self, live: LiveTable) -> None:
        if not is_written_down(live, self.rested):
            return
        self.rested = live.version
        if live.version != self.stored["snapshot_version"]:
            return
        stored = orjson.loads(self.stored["snapshot"])
        today = {**orjson.loads(snapshot(live)), "format": stored["format"]}
        if formats.upcast("snapshot", stored, stored["format"]) != today:
            raise Wrong("its snapshot does not match its records")

    # --- the book -------------------------------------------------------------------------------------------------

    def _asked_of_the_book(self, row: Row, turn: TableDraft | None, events: list[Mapping[str, Any]]) -> None:
        """What a record asked of the book stands there, under its id, and nothing else does."""
        if turn is None:
            found = list(self._entries_of(row["id"]))
            self._settled(found, events)
            return
        chain = f"table:{self.table}"
        names = [(turn.request_id(number), one) for number, one in enumerate(turn.requests)]
        asked = [(name, one) for name, one in names if chain_of(one) == chain]
        entries = list(islice(self._read(), len(asked)))
        if len(entries) < len(asked):
            raise Wrong("the book has no entry for it")
        for (name, request), entry in zip(asked, entries, strict=True):
            if isinstance(request, CountTray):  # what was expected is the book's own knowledge
                request = request.model_copy(update={"expected": _request(entry)["expected"]})
            asked_then = formats.today("request", entry["request"], entry["format"])
            if (entry["command"], entry["actor"], asked_then) != (name, row["actor"], request_text(request)):
                raise Wrong(f"the book was asked for something else in its entry {entry['number']}")

    def _read(self) -> Iterator[Row]:
        while True:
            entry, self.ahead = self.ahead or next(self.entries, None), None
            if entry is None:
                return
            yield entry

    def _entries_of(self, name: str) -> Iterator[Row]:
        """The entries of a record that was not done again; a part of its requests may have gone to other chains."""
        for entry in self._read():
            owner, _, number = entry["command"].rpartition("//")
            if entry["command"] != name and not (owner == name and number.isdigit()):
                self.ahead = entry
                return
            yield entry

    def _settled(self, entries: list[Row], events: list[Mapping[str, Any]]) -> None:
        """Rounds that ended here are settled or void in the book, with the same sums for each player."""
        booked = [one for entry in entries if (one := _request(entry))["order"] in _ENDS]
        over = [event for event in events if event["event"] == "round-over"]
        ends = [one for one in booked if one.get("final", True)]  # others settle some stakes, and the round goes on
        if [(one["round"], one["order"] == "void-round") for one in ends] != [
            (event["round"], event["void"] is not None) for event in over
        ]:
            raise Wrong("the book ends other rounds than it does")
        slips = [slip for one in booked for slip in one.get("slips", ())]
        if sums_of(slips) != sums_of([event for event in events if event["event"] == "slip"]):
            raise Wrong("the book settles other sums than it does")

    # --- the end --------------------------------------------------------------------------------------------------

    def _end(self) -> None:
        if (self.stored["version"], self.stored["hash"]) != (self.number, self.hash):
            raise Wrong(f"it is not the last: the stream's row speaks of record {self.stored['version']}")
        left = self.ahead or next(self.entries, None)
        if left is not None:
            raise Wrong(f"entry {left['number']} of the book was asked for by no record")
        if self.blocked:
            if self.keys.keyring is not None:
                raise Wrong(self.blocked)
            self._gap(self.number)
            return
        if self.live is None:
            raise Wrong("it has no records")
        if self.stored["snapshot_version"] != self.rested or bool(self.stored["snapshot"]) != bool(self.rested):
            raise Wrong(f"the table was last written down after record {self.rested}, and not as its row says")
        if self.stored["due"] != self.live.due:
            raise Wrong(f"its next timer is due at {self.live.due}, not at {self.stored['due']}")


_ENDS = ("settle-round", "void-round")


def _request(entry: Row) -> Mapping[str, Any]:
    """What an entry of the book was asked, in today's form."""
    read: Mapping[str, Any] = formats.read("request", entry["request"], entry["format"])
    return read


def hash_of_row(row: Row, number: int, previous: str, seals: Seals) -> str:
    """The hash of the next record of a stream, which must fit what it says."""
    if row["number"] != number:
        raise Wrong(f"it is missing: record {row['number']} follows the one before")
    odd = mistyped(schema.history, row)
    if odd is not None:
        raise Wrong(odd)
    if row["hash"] != row_hash(previous, row):
        raise Wrong("it was changed: its hash does not fit")
    wrong = seals.wrong_in_chain("history", row["stream"], row)
    if wrong is not None:
        raise Wrong(wrong)
    return str(row["hash"])
