"""One transaction of the desk: what it has read and locked, and what it will write, command by command."""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, get_args

import sqlalchemy as sa

from upcard import formats
from upcard.catalog.ruleset import ruleset_of
from upcard.engine import CommandRefused
from upcard.ledger.accounts import Kind
from upcard.ledger.book import Clerk
from upcard.ledger.chains import state_of
from upcard.ledger.jackpots.daily import DailyJackpot
from upcard.ledger.journal import FLOOR, HOUSE, canonical, instant_of, instant_text, jackpot_chain, new_row_hash
from upcard.ledger.opening_requests import jackpot_opening
from upcard.ledger.outcome import Answer as BookAnswer
from upcard.ledger.outcome import account
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import BuyIn, CashOut, PublishCatalog, SetHours, Tip
from upcard.ledger.table_state import TableState
from upcard.people import PeopleRefused
from upcard.people.person import CLOCK
from upcard.pit import PitRefused
from upcard.problems import BadRequest, UnknownName, UpcardError
from upcard.service import cage
from upcard.service import commands as s
from upcard.service.accruals import accrual, may_accrue
from upcard.service.catalog_changes import check_publishing
from upcard.service.command_ids import earlier_outcome, is_valid_id
from upcard.service.floor_log_checks import check_floor_log
from upcard.service.house_catalog import LoadedRevision
from upcard.service.house_dates import check_dates
from upcard.service.live_table import LiveTable, needs_snapshot, opened, opened_again, snapshot
from upcard.service.live_tables import LiveTables
from upcard.service.money_locks import jackpots_of, lock_money
from upcard.service.new_day_shoes import end_of_shoe
from upcard.service.new_rows import HISTORY, REFUSALS, NewRow, NewRows
from upcard.service.notices import Notice, send_notices
from upcard.service.pending import Answer, Context, PendingCommand, TableUpdate
from upcard.service.refusal_chains import keep_refusals
from upcard.service.refusals import RecordBroken, Refused, ServiceRefusal, ServiceRefused, refusal
from upcard.service.rules_in_force import rules_id, rules_to_open, rules_to_take
from upcard.service.shoe_keys import ShoeKeys
from upcard.service.streams import Stream, Streams
from upcard.service.table_draft import CommandMoment, TableDraft
from upcard.service.table_handler import carry_out
from upcard.service.transaction_parts import RecordContent, Savepoint
from upcard.units import Cents

_log = logging.getLogger(__name__)

_REFUSALS = (CommandRefused, PitRefused, BookRefused, ServiceRefused, UnknownName, BadRequest)
_JACKPOT = jackpot_chain("")  # the prefix of jackpots' chains
_BY_PLAYERS = frozenset(get_args(s.ByPlayers))
_CREATES_STREAM = s.OpenTable | s.House | s.OpenJackpot | s.FloorLogCommand  # may create a stream


class Transaction:
    """Commands of many tables, each carried out completely or not at all, stored together."""

    def __init__(self, context: Context, clerk: Clerk, now: datetime) -> None:
        self.context, self.clerk, self.now, self.now_text = context, clerk, now, instant_text(now)
        self.connection = clerk.unit.connection
        self.rows = NewRows()
        self.streams = Streams(self.connection)
        self.keys = ShoeKeys(context, self.connection, self.rows)
        self.lives = LiveTables(context.cache, self.connection, self.streams, self.keys)
        self.known: dict[str, Mapping[str, Any]] = {}  # commands already carried out or refused, by id
        self.updates: list[TableUpdate] = []
        self.plays_for_jackpots = False  # whether a command may change a jackpot
        self.jackpots: list[str] = []  # that changed, once everything is flushed
        self.published: list[int] = []  # the revision of the catalog; the house's commands go alone
        self.consents: list[Callable[[], None]] = []  # write the log of the approvals that were used up

    # --- locking --------------------------------------------------------------------------------------------------

    def hold(self, batch: Sequence[PendingCommand]) -> None:
        """Locks the streams of a batch in one order, then their money, and looks up ids that were used before."""
        commands = [pending.command for pending in batch]
        names = sorted({pending.stream for pending in batch})
        house = [HOUSE] if may_accrue(self.context.cache.memory, self.now, commands) else []
        founded = sorted({pending.stream for pending in batch if isinstance(pending.command, _CREATES_STREAM)})
        self.streams.hold([*house, *names], founded)
        ids = [pending.id for pending in batch]
        # Two processes may have refused and carried out different commands under one id: the one carried out counts.
        self.known = {str(row["id"]): row for bulk in (REFUSALS, HISTORY) for row in bulk.find(self.connection, ids)}
        lives = self.lives.find_locked(names)
        may_change_jackpots = lock_money(self.clerk.unit, lives, [p.command for p in batch if p.stream in lives])
        self.plays_for_jackpots = may_change_jackpots or len(lives) < len(names)  # a table may open, and be linked

    # --- carrying out ---------------------------------------------------------------------------------------------

    def outcome(self, pending: PendingCommand) -> Answer | Exception:
        """Carries out a command completely, or returns why it was not carried out."""
        if pending.consent is not None:
            try:
                self.consents.append(pending.consent(self.clerk.unit))
            except PeopleRefused as error:
                return error
        earlier, stream, new_day = self.known.get(pending.id), self.streams.get(pending.stream), False
        if earlier is not None:
            return earlier_outcome(earlier, pending)
        if not is_valid_id(pending):
            return refusal(ServiceRefused(ServiceRefusal.BAD_COMMAND_ID, id=pending.id))
        if (live := self.lives.get(pending.stream)) is not None:
            if live.shoe_day and live.table.round is None:
                new_day = self._end_shoe_of_day(pending, live)
                live = self.lives[pending.stream]
            if live.table.shoe_over:
                self._take_new_rules(pending, live)
            if self.plays_for_jackpots:
                self._accrue_days(pending)
        before = Savepoint(
            rows=[len(rows) for rows in vars(self.rows).values()],
            updates=len(self.updates),
            keys=len(self.keys.known),
            stream={} if stream is None else vars(stream).copy(),
            book=self.clerk.unit.savepoint(),
        )
        try:
            try:
                if pending.role == "player" and type(pending.command) not in _BY_PLAYERS:
                    raise ServiceRefused(ServiceRefusal.NOT_FOR_PLAYERS)
                if new_day and isinstance(pending.command, s.Bet | s.BetSpots):
                    raise ServiceRefused(ServiceRefusal.NEW_GAMING_DAY)  # the new shoe is committed to before any wager
                if type(pending.command) in cage.CHECKED:
                    cage.check(self.context, self.clerk.unit, pending.command)
                if isinstance(pending.command, s.House | s.OpenJackpot):
                    answer = self._house_command(pending, pending.command)
                elif isinstance(pending.command, s.FloorLogCommand):
                    answer = self._floor_log_command(pending, pending.command)
                else:
                    draft = self._draft(pending, pending.command, stream)
                    carry_out(draft, pending.command)
                    answer = self._store(pending, draft)
            except BaseException:
                self._roll_back(pending, before)
                raise
        except _REFUSALS as error:
            return self._record_refusal(pending, error)
        except RecordBroken as error:  # found only now, like a shoe's key that cannot be decrypted
            self.lives.stop(self.streams[pending.stream], error.coded)
            return self._record_refusal(pending, self.lives.stopped(pending.stream))
        except UpcardError as error:
            return error
        except sa.exc.SQLAlchemyError:
            raise
        except Exception as error:
            _log.exception("%s could not be carried out", pending.id)
            return error
        if (live := self.lives.get(pending.stream)) is not None and live.table.shoe_over:
            self._take_new_rules(pending, live)
        return answer

    def _roll_back(self, pending: PendingCommand, before: Savepoint) -> None:
        self.rows.cut_back(before.rows)
        del self.updates[before.updates :]
        for key in list(self.keys.known)[before.keys :]:
            del self.keys.known[key]
        self.known.pop(pending.id, None)
        if before.stream:
            vars(self.streams[pending.stream]).update(before.stream)
        self.clerk.unit.roll_back_to(before.book)

    def _end_shoe_of_day(self, pending: PendingCommand, live: LiveTable) -> bool:
        """Before the first round of a gaming day, ends the shoe of the day before, in a record of its own."""
        day = self.clerk.day_of(self.now, self.clerk.house().hours)
        is_due = live.shoe_day < day.isoformat() and not isinstance(pending.command, s.EndShoeOfDay | s.Reset)
        return is_due and isinstance(self.outcome(end_of_shoe(live.name, day)), Answer)

    def _take_new_rules(self, pending: PendingCommand, live: LiveTable) -> None:
        """Between two shoes, gives a table the rules now in its files, in a record of its own."""
        stream, refused = pending.stream, self.context.cache.refused_rules
        if isinstance(pending.command, s.OpenTable | s.Reset | s.ChangeRules):
            return
        rules = rules_to_take(self.context, self._catalog(), live)
        if rules is None or refused.get(stream) == rules.hash:
            return
        change = PendingCommand(s.ChangeRules(table=live.name), rules_id(live), actor=CLOCK, role=CLOCK)
        outcome = self.outcome(change)
        if isinstance(outcome, Refused):  # the new rules would change an open jackpot
            refused[stream] = rules.hash
            _log.warning("%s keeps its rules: %s", live.name, outcome)

    def _accrue_days(self, pending: PendingCommand) -> None:
        """Before a wager or a deal, adds past days' wagers to its 000 jackpots; nearly always the clock was faster."""
        chain = self.clerk.unit.chain(pending.stream)
        state = None if chain is None else state_of(chain)
        if not isinstance(state, TableState) or not state.links or not isinstance(pending.command, s.AtTable):
            return
        for jackpot in jackpots_of(state, pending.command):
            chain = self.clerk.unit.chain(jackpot_chain(jackpot))
            fund = None if chain is None else state_of(chain)
            if chain is None or not isinstance(fund, DailyJackpot) or not fund.wagered:
                continue
            at = self.now if chain.at <= self.now_text else instant_of(chain.at)
            for day in fund.due(self.clerk.day_of(at, self.clerk.house().hours)):
                if HOUSE not in self.streams:
                    self.streams.hold([HOUSE], [HOUSE])
                outcome = self.outcome(accrual(jackpot, day))
                if isinstance(outcome, Exception):
                    _log.warning("%s was not added to %s: %s", day, jackpot, outcome)

    def _draft(self, pending: PendingCommand, command: s.TableCommand, stream: Stream | None) -> TableDraft:
        """The draft of a table before a command, with what the command needs."""
        live = self.lives.find(pending.stream)
        if stream is not None and stream.version and live is None and pending.stream in self.context.cache.stopped:
            if not isinstance(command, s.Reset):
                raise self.lives.stopped(pending.stream)
            return self._reset_draft(pending, command, stream)
        if isinstance(command, s.Reset):
            raise ServiceRefused(ServiceRefusal.NOT_STOPPED, table=command.table)
        if live is None and (stream is None or not isinstance(command, s.OpenTable)):
            raise BookRefused(BookRefusal.TABLE_UNKNOWN, table=command.table)
        at = self.now if live is None or live.at <= self.now_text else instant_of(live.at)
        written = self.now_text if at is self.now else instant_text(at)
        day = self.clerk.day_of(at, self.clerk.house().hours)
        moment = CommandMoment(id=pending.id, at=at, text=written, day=day, actor=pending.actor, role=pending.role)
        if isinstance(command, s.OpenTable):
            rules, revision = rules_to_open(self._catalog(), command, live)
            draft = TableDraft(self.keys, moment, opened_again(rules, command, live), live, rules, revision)
            draft.jackpots = [name for name in command.jackpots.values() if self.clerk.unit.chain(jackpot_chain(name))]
        elif live is not None:
            draft = TableDraft(self.keys, moment, live, stopped_wagers=lambda: self.clerk.stopped_wagers(live.name))
        if isinstance(command, s.ChangeRules):
            current = self._catalog()
            draft.rules, draft.revision = ruleset_of(current.catalog, draft.live.layout), current.number
        elif isinstance(command, s.OpenTable | s.CloseTable):
            draft.tray = self.clerk.tray(command.table)
        return draft

    def _catalog(self) -> LoadedRevision:
        """The revision of the catalog that is in force in the book."""
        current = self.context.catalogs.in_force(self.connection, self.clerk.house())
        self.clerk.catalog = current.catalog
        return current

    def _reset_draft(self, pending: PendingCommand, command: s.Reset, stream: Stream) -> TableDraft:
        """The draft of a stopped table, from what the ledger knows of it."""
        book = self.clerk.table(command.table)
        running = book.open.round if book.open is not None else 0
        try:
            rules = self.lives.ruleset(book.rules)
        except RecordBroken:  # its last rules cannot be read
            rules = ruleset_of(self._catalog().catalog, book.layout)
        numbers = {"rounds": max(book.rounds, running), **self.keys.last_numbers(command.table)}
        live = opened(rules, command, version=stream.version, **numbers)
        day = self.clerk.day_of(self.now, self.clerk.house().hours)
        moment = CommandMoment(
            id=pending.id, at=self.now, text=self.now_text, day=day, actor=pending.actor, role=pending.role
        )
        return TableDraft(self.keys, moment, live, rules=rules, old_rules=book.rules, round_open=running)

    def _house_command(self, pending: PendingCommand, command: s.House | s.OpenJackpot) -> Answer:
        request: Record
        rules = None
        if isinstance(command, s.OpenJackpot):
            rules = ruleset_of(self._catalog().catalog, command.layout)
            request = jackpot_opening(rules, command.jackpot, command.wager)
        else:
            check_dates(request := command.request, self.clerk, self.now)
        if isinstance(request, PublishCatalog):
            check_publishing(self.context.catalogs, self.clerk, request, pending)
        receipt = self.clerk.carry_out(request, id=pending.id, at=self.now, actor=pending.actor)
        self.published += [request.revision] if isinstance(request, PublishCatalog) else []
        hours = (request.hours,) if isinstance(request, SetHours) else ()
        day = self.clerk.day_of(self.now, self.clerk.house().hours or hours)
        record = RecordContent(at=self.now_text, day=day, events=[], answers=receipt.answers, rules=rules)
        return self._record(pending, self.streams[HOUSE], record)

    def _floor_log_command(self, pending: PendingCommand, command: s.FloorLogCommand) -> Answer:
        check_floor_log(self.connection, command, pending.actor)
        day = self.clerk.day_of(self.now, self.clerk.house().hours)
        record = RecordContent(at=self.now_text, day=day, events=[], answers={}, rules=None)
        return self._record(pending, self.streams[FLOOR], record)

    # --- storing --------------------------------------------------------------------------------------------------

    def _store(self, pending: PendingCommand, draft: TableDraft) -> Answer:
        """Carries out the command's requests in the ledger, and adds its record."""
        live, moment, stream = draft.live, draft.moment, self.streams[pending.stream]
        answers: Mapping[str, BookAnswer] = {}
        for number, request in enumerate(draft.requests):
            receipt = self.clerk.carry_out(request, id=draft.request_id(number), at=moment.at, actor=moment.actor)
            answers = receipt.answers if len(draft.requests) == 1 else {}
        record = RecordContent(live.at, moment.day, draft.events, answers, draft.rules)
        answer = self._record(pending, stream, record)
        if draft.ended or draft.begun or draft.placed or draft.revealed:
            self.rows.add_table(draft)
        stream.due = min(live.timers.values(), default=None)
        if live.table.round is None and needs_snapshot(live, stream.snapshot_version):
            stream.snapshot, stream.snapshot_version = snapshot(live), live.version
        self.lives[stream.stream] = live
        bankrolls = self._bankrolls(draft) if draft.requests else {}  # money may have moved
        self.updates.append(TableUpdate(live=live, events=draft.events, bankrolls=bankrolls))
        if isinstance(pending.command, s.Reset):
            self.context.cache.stopped.pop(pending.stream, None)
        return answer

    def _bankrolls(self, draft: TableDraft) -> dict[str, Cents]:
        """What each player can stake at this table."""
        unit, live = self.clerk.unit, draft.live
        moved = (request.player for request in draft.requests if isinstance(request, BuyIn | CashOut | Tip))
        running = self.clerk.table(live.name).open if live.slips else None
        bankrolls = {}
        for player in {*live.table.seats.values(), *moved}:
            free = unit.balance(account(Kind.PLAYER, player)).free(Kind.PLAYER.side)
            winnings = running.winnings.get(player) if running is not None else None
            bankrolls[player] = Cents(free + winnings.held) if winnings is not None else free
        return bankrolls

    def _record(self, pending: PendingCommand, stream: Stream, record: RecordContent) -> Answer:
        unit = self.clerk.unit
        number = stream.version + 1
        row: NewRow = {
            "stream": stream.stream,
            "number": number,
            "format": formats.FORMAT,
            "id": pending.id,
            "at": record.at,
            "day": record.day.isoformat(),
            "actor": pending.actor,
            "role": pending.role,
            "command": pending.text,
            "events": canonical(record.events),
            "answer": canonical(record.answers),
            "rules": None if record.rules is None else record.rules.hash,
            "key": unit.key_number,
        }
        row["hash"] = new_hash = new_row_hash(stream.hash, row)
        row["mac"] = unit.mac(new_hash)
        self.rows.history.append(row)
        self.known[pending.id] = row
        stream.version, stream.hash, stream.changed = number, new_hash, True
        return Answer(id=pending.id, stream=stream.stream, number=number, events=record.events, told=record.answers)

    def _record_refusal(self, pending: PendingCommand, error: UpcardError) -> Refused:
        refused = refusal(error)
        if isinstance(pending.command, s.ByTheProgram) or pending.role == CLOCK:
            return refused  # nobody asked for it: a timer that came too late
        row: NewRow = {
            "id": pending.id,
            "stream": pending.stream,
            "format": formats.FORMAT,
            "at": self.now_text,
            "actor": pending.actor,
            "role": pending.role,
            "command": pending.text,
            "code": refused.reason,
            "details": canonical(refused.details),
        }
        self.rows.refusals.append(row)
        self.known[pending.id] = row
        return refused

    # --- writing --------------------------------------------------------------------------------------------------

    def send(self) -> None:
        """Sends what changed so far to a server, which stores it while the next commands are carried out."""
        if (ahead := self.clerk.unit.ahead) is not None:
            self.rows.send(ahead)
            self.streams.send(ahead)
            self.clerk.unit.send(ahead)

    def flush(self) -> None:
        """Writes the service's rows in a few statements; the ledger's follow."""
        if self.rows.refusals:
            keep_refusals(self.rows, self.context.refusal_budget, self.now, self.streams, self.clerk.unit)
        self.send()  # without waiting for each statement
        self.rows.flush(self.connection)
        self.streams.flush()
        for write_log in self.consents:  # last, since the log of people is one for all
            write_log()
        self.jackpots = [name.removeprefix(_JACKPOT) for name in self.clerk.unit.changed() if name.startswith(_JACKPOT)]
        if (self.updates or self.jackpots or self.published) and self.connection.dialect.name == "postgresql":
            tables = sorted({update.live.name for update in self.updates})
            notice = Notice(self.context.process, tables, sorted(self.jackpots), bool(self.published))
            send_notices(self.connection, notice)

    def remember(self) -> None:
        """After the commit, updates the cache."""
        self.context.cache.lives |= self.lives
        self.context.refusal_budget.count(self.rows.counted)
        if self.keys.known:
            self.keys.remember()
