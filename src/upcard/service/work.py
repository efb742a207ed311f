"""One transaction of the desk: what it has read and locked, what it is going to write, command by command."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from upcard import formats
from upcard.catalog.ruleset import Ruleset, ruleset_of
from upcard.codes import CodedError
from upcard.engine import CommandRefused
from upcard.ledger.accounts import Kind
from upcard.ledger.batch_unit import BatchUnit, Mark
from upcard.ledger.book import Clerk
from upcard.ledger.gaming_day import day_of
from upcard.ledger.journal import HOUSE, instant_of, instant_text, jackpot_chain, new_row_hash
from upcard.ledger.openings import jackpot_opening
from upcard.ledger.outcome import account
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import BuyIn, CashOut, SetHours, Tip
from upcard.ledger.tables import TableState
from upcard.people.person import CLOCK
from upcard.pit import PitRefused
from upcard.problems import BadRequest, UnknownName, UpcardError
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.at_table import Ended, Moment
from upcard.service.held import HEADS, HISTORY, PLAYER_ROUNDS, REFUSALS, ROUNDS, SHOES, STREAMS, Held, Stream
from upcard.service.live_table import LiveTable, is_written_down, opened, snapshot
from upcard.service.notices import send_notices
from upcard.service.pending import LONGEST, Answer, Context, PendingCommand, TableUpdate, answer_of
from upcard.service.records import blank, command_of
from upcard.service.refusals import RecordBroken, Refused, ServiceRefusal, ServiceRefused, unknown_name
from upcard.service.round_index import sums_of
from upcard.service.rules_in_force import RULES, TIMER, files_rules, rules_id, takes_rules_now
from upcard.service.stored_events import Json, text
from upcard.service.turn import Turn
from upcard.units import Cents

_REFUSALS = (CommandRefused, PitRefused, BookRefused, ServiceRefused, UnknownName, BadRequest)
_log = logging.getLogger(__name__)

NO_STREAM = "refusals"  # the log of what was refused to streams that do not exist


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a record says beside its command."""

    at: str
    day: date
    events: Sequence[Json] = field(default_factory=list)
    answer: Mapping[str, Any] = field(default_factory=dict)
    rules: Ruleset | None = None


class Before(NamedTuple):
    """How far things were before a command."""

    rows: list[int]
    moved: int
    keys: int
    stream: dict[str, Any]
    book: Mark | None


class Work(Held):
    """One transaction."""

    def __init__(self, means: Context, clerk: Clerk, now: datetime) -> None:
        super().__init__(means, clerk)
        self.now = now
        self.moved: list[TableUpdate] = []

    # --- doing ----------------------------------------------------------------------------------------------------

    def outcome(self, asked: PendingCommand) -> Answer | Exception:
        """What a command does, or why it does nothing."""
        known = self.known.get(asked.id)
        told = asked.told
        if known is not None:
            if known["actor"] != asked.actor or not _same_command(known, asked):
                return refusal(BookRefused(BookRefusal.ID_TAKEN, id=asked.id))
            if "code" in known:
                return Refused(known["code"], formats.read("refusal", known["details"], known["format"]), repeated=True)
            return answer_of(known)
        if not isinstance(asked.command, s.ByTheProgram) and not _is_id(asked.id):
            return refusal(ServiceRefused(ServiceRefusal.BAD_COMMAND_ID, id=asked.id))
        if self._may_take_rules(asked):
            self._take_new_rules(asked)
        outcome = self._attempt(asked, told)
        if isinstance(outcome, Answer) and self._may_take_rules(asked):
            self._take_new_rules(asked)
        return outcome

    def _attempt(self, asked: PendingCommand, told: str) -> Answer | Exception:
        """A command carried out, whole or not at all."""
        before = self._mark(asked)
        try:
            try:
                return self._do(asked, told)
            except BaseException:
                self._take_back(asked, before)
                raise
        except _REFUSALS as wrong:
            return self._refused(asked, told, wrong)
        except RecordBroken as wrong:  # found only now, like a shoe whose key cannot be opened: the table is stopped
            stream = self.streams[asked.stream]
            self.means.cache.stopped[asked.stream] = (stream.version, wrong.coded)
            self.lives.pop(asked.stream, None)
            return self._refused(asked, told, self._stopped(asked.stream))
        except UpcardError as wrong:
            return wrong
        except sa.exc.SQLAlchemyError:
            raise
        except Exception as wrong:
            _log.exception("%s could not be carried out", asked.id)
            return wrong

    def _may_take_rules(self, asked: PendingCommand) -> bool:
        """Whether the table is known to be between two shoes: asked twice for each command, so it must be quick."""
        live = self.lives.get(asked.stream)
        return live is not None and live.table.shoe_over

    def _take_new_rules(self, asked: PendingCommand) -> None:
        """Between two shoes a table takes the rules of its files as they are now, in a record of its own."""
        stream, live = asked.stream, self.lives[asked.stream]
        if isinstance(asked.command, s.OpenTable | s.Reset | s.ChangeRules) or not takes_rules_now(self.means, live):
            return
        rules = files_rules(self.means.catalog, live)
        if not isinstance(rules, Ruleset) or self.means.cache.refused_rules.get(stream) == rules.hash:
            return
        change = PendingCommand(s.ChangeRules(table=live.name), rules_id(live), actor=CLOCK, role=CLOCK)
        outcome = self._attempt(change, change.told)
        if isinstance(outcome, Refused):  # an open jackpot keeps its terms, and so its tables their rules
            self.means.cache.refused_rules[stream] = rules.hash
            _log.warning("%s keeps its rules: %s", live.name, outcome)

    def _mark(self, asked: PendingCommand) -> Before:
        """How things stand before a command, which is done whole or not at all."""
        stream = self.streams.get(asked.stream)
        return Before(
            rows=[len(one) for one in self.rows.lists],
            moved=len(self.moved),
            keys=len(self.keys),
            stream=vars(stream).copy() if stream is not None else {},
            book=self.clerk.unit.mark() if isinstance(self.clerk.unit, BatchUnit) else None,
        )

    def _take_back(self, asked: PendingCommand, before: Before) -> None:
        for rows, length in zip(self.rows.lists, before.rows, strict=True):
            del rows[length:]
        del self.moved[before.moved :]
        for key in list(self.keys)[before.keys :]:
            del self.keys[key]
        self.known.pop(asked.id, None)
        if before.stream:
            vars(self.streams[asked.stream]).update(before.stream)
        if before.book is not None and isinstance(self.clerk.unit, BatchUnit):
            self.clerk.unit.back_to(before.book)

    def _do(self, asked: PendingCommand, told: str) -> Answer:
        command = asked.command
        if asked.role == "player" and not isinstance(command, s.ByPlayers):
            raise ServiceRefused(ServiceRefusal.NOT_FOR_PLAYERS)
        if isinstance(command, s.OfTable):
            return self._at_table(asked, command, told)
        return self._in_the_house(asked, command, told)

    def _in_the_house(self, asked: PendingCommand, command: s.House | s.OpenJackpot, told: str) -> Answer:
        request: Record
        rules = None
        if isinstance(command, s.OpenJackpot):
            rules = ruleset_of(self.means.catalog, command.layout)
            request = jackpot_opening(rules, command.jackpot, command.wager)
        else:
            request = command.request
        stream = self.streams[HOUSE]
        receipt = self.clerk.carry_out(request, id=asked.id, at=self.now, actor=asked.actor)
        day = self._day(self.now, request)
        made = Recorded(at=instant_text(self.now), day=day, answer=dict(receipt.answers), rules=rules)
        return self._record(stream, asked, told, made)

    def _at_table(self, asked: PendingCommand, command: s.OfTable, told: str) -> Answer:
        name = asked.stream
        live = self._live(name)
        stream = self.streams.get(name)
        if name in self.means.cache.stopped and live is None and stream is not None and stream.version:
            if not isinstance(command, s.Reset):
                raise self._stopped(name)
            return self._reset(asked, command, stream, told)
        if isinstance(command, s.Reset):
            raise ServiceRefused(ServiceRefusal.NOT_STOPPED, table=command.table)
        if stream is None or (live is None and not isinstance(command, s.OpenTable)):
            raise BookRefused(BookRefusal.TABLE_UNKNOWN, table=command.table)
        at = max(self.now, instant_of(live.at)) if live is not None else self.now
        moment = Moment(id=asked.id, at=at, day=self._day(at), actor=asked.actor, role=asked.role)
        tray = self._tray(command.table) if isinstance(command, s.OpenTable | s.CloseTable) else 0
        rules = None
        if isinstance(command, s.OpenTable):
            rules = self._rules_to_open(command, live)
            turn = Turn(self._key, moment, blank(rules, command), tray)
            known = [one for one in command.jackpots.values() if self.clerk.unit.chain(jackpot_chain(one))]
            turn.open(command, live, known)
        elif isinstance(command, s.ChangeRules) and live is not None:
            rules = ruleset_of(self.means.catalog, live.layout)
            turn = Turn(self._key, moment, live)
            turn.change_rules(rules)
        elif isinstance(command, s.TableCommand) and live is not None:
            turn = Turn(self._key, moment, live, tray)
            turn.carry_out(command)
        else:
            raise TypeError(f"{type(command).__name__} is no command")
        return self._keep(asked, stream, turn, told, rules)

    def _rules_to_open(self, command: s.OpenTable, live: LiveTable | None) -> Ruleset:
        """Those of the files; for a table that opens again while its files cannot be used, its last ones."""
        try:
            return ruleset_of(self.means.catalog, command.layout)
        except UpcardError:
            if live is None or live.layout != command.layout:
                raise
            return live.rules

    def _bankrolls(self, turn: Turn) -> dict[str, Cents]:
        """What the players of a table can still wager, after their money moved."""
        players = {*turn.live.players, *(one.player for one in turn.requests if isinstance(one, BuyIn | CashOut | Tip))}
        return {player: self.clerk.balance(account(Kind.PLAYER, player)).free(Kind.PLAYER.side) for player in players}

    def _tray(self, table: str) -> int:
        return self.clerk.balance(account(Kind.TRAY, table)).own(Kind.TRAY.side)

    def _keep(self, asked: PendingCommand, stream: Stream, turn: Turn, told: str, rules: Ruleset | None) -> Answer:
        """Asks the book for what the turn costs, and writes its record; `rules` it brought to the table."""
        moment, answer = turn.moment, dict[str, Any]()
        for number, request in enumerate(turn.requests):
            receipt = self.clerk.carry_out(request, id=turn.request_id(number), at=moment.at, actor=asked.actor)
            if len(turn.requests) == 1 and not answer:
                answer = dict(receipt.answers)
        live = turn.live
        made = Recorded(at=live.at, day=moment.day, events=turn.events, answer=answer, rules=rules)
        found = self._record(stream, asked, told, made)
        for ended in turn.ended:
            self._ended(live, ended, moment)
        for shoe in turn.begun:
            self.rows.begun.append({"name": live.name, "shoe": shoe, "under": live.rules.hash})
        for shoe in turn.laid:
            told_of = {"table_name": live.name, "number": shoe, "commitment": "", "encrypted_key": ""}
            self.rows.shoes.append({**told_of, "key": None, "rules": live.rules.hash})
        for shoe, key in turn.revealed:
            self.rows.revealed.append({"name": live.name, "shoe": shoe, "told": key.hex()})
        stream.due = live.due
        if is_written_down(live, stream.snapshot_version):
            stream.snapshot, stream.snapshot_version = snapshot(live), live.version
        self.lives[stream.stream] = live
        moved = self._bankrolls(turn) if turn.requests else {}
        self.moved.append(TableUpdate(live=live, events=turn.events, bankrolls=moved))
        return found

    def _record(self, stream: Stream, asked: PendingCommand, told: str, made: Recorded) -> Answer:
        number = stream.version + 1
        row: dict[str, Any] = {
            "stream": stream.stream,
            "number": number,
            "format": formats.FORMAT,
            "id": asked.id,
            "at": made.at,
            "day": made.day.isoformat(),
            "actor": asked.actor,
            "role": asked.role,
            "command": told,
            "events": text(made.events),
            "answer": text(made.answer),
            "rules": None if made.rules is None else made.rules.hash,
            "key": self.clerk.unit.key_number,
        }
        row["hash"] = new_row_hash(stream.hash, row)
        row["mac"] = self.clerk.unit.mac(row["hash"])
        self.rows.history.append(row)
        self.known[asked.id] = row
        stream.version, stream.hash, stream.changed = number, row["hash"], True
        return Answer(id=asked.id, stream=stream.stream, number=number, events=made.events, told=made.answer)

    def _ended(self, live: LiveTable, ended: Ended, moment: Moment) -> None:
        self.rows.rounds.append(
            {
                "table_name": live.name,
                "round": ended.round,
                "format": formats.FORMAT,
                "shoe": ended.shoe,
                "at": live.at,
                "day": moment.day.isoformat(),
                "first": ended.first,
                "last": live.version,
                "rules": ended.rules,
                "void": None if ended.void is None else text(ended.void),
                "slips": text(ended.slips),
            }
        )
        for player, (staked, back) in sums_of(ended.slips).items():
            self.rows.player_rounds.append(
                {
                    "player": player,
                    "at": live.at,
                    "table_name": live.name,
                    "round": ended.round,
                    "staked": staked,
                    "returned": back,
                }
            )

    def _reset(self, asked: PendingCommand, command: s.Reset, stream: Stream, told: str) -> Answer:
        """A stopped table: what the book says of it is enough to begin anew."""
        book = self.clerk.table(command.table)
        shoe = self.connection.execute(_LAST_SHOE, {"name": command.table}).scalar() or 0
        running = book.open.round if book.open is not None else 0
        rules = self._rules_to_reset(book)
        live = opened(
            rules,
            command.table,
            command.pace,
            by_hand=command.by_hand,
            version=stream.version,
            rounds=max(book.rounds, running),
            shoe=shoe,
        )
        moment = Moment(id=asked.id, at=self.now, day=self._day(self.now), actor=asked.actor, role=asked.role)
        turn = Turn(self._key, moment, live)
        turn.reset(command, running, changed=rules.hash != book.rules)
        found = self._keep(asked, stream, turn, told, rules)
        self.means.cache.stopped.pop(stream.stream, None)
        return found

    def _rules_to_reset(self, book: TableState) -> Ruleset:
        """The table's last rules; its files', where those cannot be read."""
        try:
            return self._ruleset(book.rules)
        except RecordBroken:
            return ruleset_of(self.means.catalog, book.layout)

    def _refused(self, asked: PendingCommand, told: str, wrong: UpcardError) -> Refused:
        refused = refusal(wrong)
        if isinstance(asked.command, s.ByTheProgram):
            return refused  # a timer that came too late is nobody's request
        row = {
            "id": asked.id,
            "stream": asked.stream,
            "format": formats.FORMAT,
            "at": instant_text(self.now),
            "actor": asked.actor,
            "role": asked.role,
            "command": told,
            "code": refused.reason,
            "details": text(refused.details),
        }
        self.rows.refusals.append(row)
        self.known[asked.id] = row
        return refused

    def _day(self, at: datetime, request: Record | None = None) -> date:
        hours = self.clerk.house().hours
        if not hours and isinstance(request, SetHours):
            hours = (request.hours,)
        if not hours:
            raise BookRefused(BookRefusal.NO_HOURS)
        return day_of(at, hours)

    # --- writing --------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Everything of the service's own in a few statements; the book's follows."""
        rows = self.rows
        self._seal_refusals()
        for bulk, made in (
            (HISTORY, rows.history),
            (REFUSALS, rows.refusals),
            (SHOES, rows.shoes),
            (ROUNDS, rows.rounds),
            (PLAYER_ROUNDS, rows.player_rounds),
        ):
            bulk.insert(self.connection, made)
        if rows.begun:
            self.connection.execute(_TELL_RULES, rows.begun)
        if rows.revealed:
            self.connection.execute(_TELL_KEY, rows.revealed)
        for name in self.made:
            if not self.streams[name].changed:
                self.connection.execute(_DROP, {"name": name})
        if self.moved and self.connection.dialect.name == "postgresql":
            tables = sorted({one.live.name for one in self.moved})
            send_notices(self.connection, self.means.process, tables)
        changed = [one for one in self.streams.values() if one.changed]  # a new record, or a refusal
        HEADS.update(self.connection, [one.row() for one in changed if not one.snapshot])
        STREAMS.update(self.connection, [one.row() for one in changed if one.snapshot])

    def _seal_refusals(self) -> None:
        """Puts refusals at the end of their chains: of their stream's, or of one for all streams that do not exist.

        That one is locked last, so nobody waits for it with something in hand that others want."""
        without_stream: list[dict[str, Any]] = []
        for row in self.rows.refusals:
            stream = self.streams.get(row["stream"])
            if stream is None or not stream.version:
                without_stream.append(row)
                continue
            stream.refusals, stream.changed = stream.refusals + 1, True
            row["chain"] = stream.stream
            stream.refusals_hash = self._chain(row, stream.refusals, stream.refusals_hash)
        if without_stream:
            number, last = self.clerk.unit.lock_log(NO_STREAM)
            for row in without_stream:
                number += 1
                row["chain"] = NO_STREAM
                last = self._chain(row, number, last)
            self.clerk.unit.move_log(NO_STREAM, number, last)

    def _chain(self, row: dict[str, Any], number: int, previous: str) -> str:
        row |= {"number": number, "key": self.clerk.unit.key_number}
        row["hash"] = new_row_hash(previous, row)
        row["mac"] = self.clerk.unit.mac(row["hash"])
        return str(row["hash"])

    def remember(self) -> None:
        """After the commit: what we know now."""
        self.means.cache.lives |= self.lives
        for (table, number), key in sorted(self.keys.items()):
            self.means.cache.keys[table] = (number, key)  # of all a table ever had, the last is enough


def _is_id(name: str) -> bool:
    """Ids of timers, and of the parts a command has in the book, are not for others to use."""
    odd = "#" in name or "//" in name or name.startswith((TIMER, RULES)) or not name.isprintable()
    return 0 < len(name) <= LONGEST and not odd


def refusal(wrong: UpcardError) -> Refused:
    """What is answered for it."""
    if isinstance(wrong, UnknownName):
        wrong = unknown_name(wrong)
    if not isinstance(wrong, CodedError):
        _log.warning("refused: %s", wrong)
        wrong = ServiceRefused(ServiceRefusal.BAD_REQUEST)
    return Refused(wrong.reason.value, wrong.details)


def _same_command(known: Mapping[str, Any], asked: PendingCommand) -> bool:
    """Whether an id was used for this very command, also where the record is of an earlier format."""
    if known["format"] == formats.FORMAT:
        return bool(known["command"] == asked.told)
    return command_of(known) == asked.command


_LAST_SHOE = sa.select(sa.func.max(schema.shoes.c.number)).where(schema.shoes.c.table_name == sa.bindparam("name"))
_TELL_KEY = (
    sa.update(schema.shoes)
    .where(schema.shoes.c.table_name == sa.bindparam("name"), schema.shoes.c.number == sa.bindparam("shoe"))
    .values(key=sa.bindparam("told"))
)
_TELL_RULES = (
    sa.update(schema.shoes)
    .where(schema.shoes.c.table_name == sa.bindparam("name"), schema.shoes.c.number == sa.bindparam("shoe"))
    .values(rules=sa.bindparam("under"))
)
_DROP = sa.delete(schema.streams).where(schema.streams.c.stream == sa.bindparam("name"))
