"""One transaction of the desk: what it has read and locked, what it is going to write, command by command."""

import logging
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from upcard.engine import CommandRefused
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.book import Clerk
from upcard.ledger.gaming_day import day_of
from upcard.ledger.gathering import Gathering, Mark
from upcard.ledger.journal import HOUSE, instant_of, instant_text, jackpot_chain
from upcard.ledger.openings import jackpot_opening
from upcard.ledger.outcome import account
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import BuyIn, CashOut, SetHours, Tip
from upcard.pit import PitRefused
from upcard.problems import BadRequest, UnknownName, UpcardError
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.asking import LONGEST, Answer, Asked, Means, Moved, answer_of
from upcard.service.at_table import Ended, Moment
from upcard.service.held import HEADS, HISTORY, PLAYER_ROUNDS, REFUSED, ROUNDS, SHOES, STREAMS, Held, Stream
from upcard.service.live import Live, is_written_down, opened, snapshot
from upcard.service.notices import send_notices
from upcard.service.records import blank, seal_of
from upcard.service.refusals import Refused, ServiceRefusal, ServiceRefused
from upcard.service.turn import Turn
from upcard.service.wire import Json, slip_json, text
from upcard.units import Cents

_REFUSALS = (CommandRefused, PitRefused, BookRefused, ServiceRefused, UnknownName, BadRequest)
_log = logging.getLogger(__name__)

TIMER = "timer:"


class Before(NamedTuple):
    """How far things were before a command."""

    rows: list[int]
    moved: int
    keys: int
    stream: dict[str, Any]
    book: Mark | None


class Work(Held):
    """One transaction."""

    def __init__(self, means: Means, clerk: Clerk, now: datetime) -> None:
        super().__init__(means, clerk)
        self.now = now
        self.moved: list[Moved] = []

    # --- doing ----------------------------------------------------------------------------------------------------

    def outcome(self, asked: Asked) -> Answer | Exception:
        """What a command does, or why it does nothing."""
        known = self.known.get(asked.id)
        told = asked.told
        if known is not None:
            if (known["command"], known["actor"]) != (told, asked.actor):
                return refusal(ServiceRefused(ServiceRefusal.ID_TAKEN, id=asked.id))
            if "reason" in known:
                return Refused(known["reason"], known["sentence"], repeated=True)
            return answer_of(known)
        if not isinstance(asked.command, s.Timeout) and not _is_id(asked.id):
            return refusal(ServiceRefused(ServiceRefusal.BAD_ID, id=asked.id))
        before = self._mark(asked)
        try:
            try:
                return self._do(asked, told)
            except BaseException:
                self._take_back(asked, before)
                raise
        except _REFUSALS as wrong:
            return self._refused(asked, told, wrong)
        except UpcardError as wrong:
            return wrong
        except sa.exc.SQLAlchemyError:
            raise
        except Exception as wrong:
            _log.exception("%s could not be carried out", asked.id)
            return wrong

    def _mark(self, asked: Asked) -> Before:
        """How things stand before a command, which is done whole or not at all."""
        stream = self.streams.get(asked.stream)
        return Before(
            rows=[len(one) for one in self.rows.lists],
            moved=len(self.moved),
            keys=len(self.keys),
            stream=vars(stream).copy() if stream is not None else {},
            book=self.clerk.unit.mark() if isinstance(self.clerk.unit, Gathering) else None,
        )

    def _take_back(self, asked: Asked, before: Before) -> None:
        for rows, length in zip(self.rows.lists, before.rows, strict=True):
            del rows[length:]
        del self.moved[before.moved :]
        for key in list(self.keys)[before.keys :]:
            del self.keys[key]
        self.known.pop(asked.id, None)
        if before.stream:
            vars(self.streams[asked.stream]).update(before.stream)
        if before.book is not None and isinstance(self.clerk.unit, Gathering):
            self.clerk.unit.back_to(before.book)

    def _do(self, asked: Asked, told: str) -> Answer:
        command = asked.command
        if asked.role == "player" and not isinstance(command, s.ByPlayers):
            raise ServiceRefused(ServiceRefusal.NOT_FOR_PLAYERS)
        if isinstance(command, s.OfTable):
            return self._at_table(asked, command, told)
        return self._in_the_house(asked, command, told)

    def _in_the_house(self, asked: Asked, command: s.House | s.OpenJackpot, told: str) -> Answer:
        request: Record
        if isinstance(command, s.OpenJackpot):
            request = jackpot_opening(self.means.catalog, command.jackpot, command.layout, command.wager)
        else:
            request = command.request
        stream = self.streams[HOUSE]
        receipt = self.clerk.carry_out(request, id=asked.id, at=self.now, actor=asked.actor)
        day = self._day(self.now, request)
        return self._record(stream, asked, told, instant_text(self.now), day, [], dict(receipt.answers))

    def _at_table(self, asked: Asked, command: s.OfTable, told: str) -> Answer:
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
            raise ServiceRefused(ServiceRefusal.TABLE_UNKNOWN, table=command.table)
        at = max(self.now, instant_of(live.at)) if live is not None else self.now
        moment = Moment(id=asked.id, at=at, day=self._day(at), actor=asked.actor, role=asked.role)
        tray = self._tray(command.table) if isinstance(command, s.OpenTable | s.CloseTable) else 0
        if isinstance(command, s.OpenTable):
            turn = Turn(self.means.catalog, self._key, moment, live or blank(self.means.catalog, command), tray)
            known = [one for one in command.jackpots.values() if self.clerk.unit.chain(jackpot_chain(one))]
            turn.open(command, live, known)
        elif isinstance(command, s.TableCommand) and live is not None:
            turn = Turn(self.means.catalog, self._key, moment, live, tray)
            turn.carry_out(command)
        else:
            raise TypeError(f"{type(command).__name__} is no command")
        return self._keep(asked, stream, turn, told, {})

    def _bankrolls(self, turn: Turn) -> dict[str, Cents]:
        """What the players of a table can still wager, after their money moved."""
        players = {*turn.live.players, *(one.player for one in turn.requests if isinstance(one, BuyIn | CashOut | Tip))}
        return {player: self.clerk.balance(account(Kind.PLAYER, player)).free(Kind.PLAYER.side) for player in players}

    def _tray(self, table: str) -> int:
        return self.clerk.balance(account(Kind.TRAY, table)).own(Kind.TRAY.side)

    def _keep(self, asked: Asked, stream: Stream, turn: Turn, told: str, answer: dict[str, Any]) -> Answer:
        """Asks the book for what the turn costs, and writes its record."""
        moment = turn.moment
        for number, request in enumerate(turn.requests):
            receipt = self.clerk.carry_out(request, id=turn.request_id(number), at=moment.at, actor=asked.actor)
            if len(turn.requests) == 1 and not answer:
                answer = dict(receipt.answers)
        live = turn.live
        found = self._record(stream, asked, told, live.at, moment.day, turn.events, answer)
        for ended in turn.ended:
            self._ended(live, ended, moment)
        for shoe in turn.laid:
            told_of = {"table_name": live.name, "number": shoe, "commitment": "", "sealed": "", "key": None}
            self.rows.shoes.append(told_of)
        for shoe, key in turn.revealed:
            self.rows.revealed.append({"name": live.name, "shoe": shoe, "told": key.hex()})
        stream.due = live.due
        if is_written_down(live, stream.snapshot_version):
            stream.snapshot, stream.snapshot_version = snapshot(live), live.version
        self.lives[stream.stream] = live
        moved = self._bankrolls(turn) if turn.requests else {}
        self.moved.append(Moved(live=live, events=turn.events, bankrolls=moved))
        return found

    def _record(
        self,
        stream: Stream,
        asked: Asked,
        told: str,
        at: str,
        day: date,
        events: Sequence[Json],
        answer: Mapping[str, Any],
    ) -> Answer:
        number = stream.version + 1
        row: dict[str, Any] = {
            "stream": stream.stream,
            "number": number,
            "id": asked.id,
            "at": at,
            "day": day.isoformat(),
            "actor": asked.actor,
            "role": asked.role,
            "command": told,
            "events": text(events),
            "answer": text(answer),
        }
        row["seal"] = seal_of(stream.seal, row)
        self.rows.history.append(row)
        self.known[asked.id] = row
        stream.version, stream.seal, stream.changed = number, row["seal"], True
        return Answer(id=asked.id, stream=stream.stream, number=number, events=events, told=answer)

    def _ended(self, live: Live, ended: Ended, moment: Moment) -> None:
        slips = [slip_json(slip) for slip in ended.slips]
        self.rows.rounds.append(
            {
                "table_name": live.name,
                "round": ended.round,
                "shoe": ended.shoe,
                "at": live.at,
                "day": moment.day.isoformat(),
                "first": ended.first,
                "last": live.version,
                "rules": ended.rules,
                "void": ended.void,
                "slips": text(slips),
            }
        )
        sums: dict[str, list[int]] = {}
        for slip in ended.slips:
            total = sums.setdefault(slip.player, [0, 0])
            total[0] += slip.stake
            total[1] += slip.returned + slip.paid
        for player, (staked, back) in sums.items():
            self.rows.player_rounds.append(
                {
                    "player": player,
                    "at": live.at,
                    "table_name": live.name,
                    "round": ended.round,
                    "staked": staked,
                    "back": back,
                }
            )

    def _reset(self, asked: Asked, command: s.Reset, stream: Stream, told: str) -> Answer:
        """A stopped table: what the book says of it is enough to begin anew."""
        book = self.clerk.table(command.table)
        shoe = self.connection.execute(_LAST_SHOE, {"name": command.table}).scalar() or 0
        pace = s.Pace()
        layout = self.means.catalog.layout(book.layout)
        running = book.open.round if book.open is not None else 0
        live = opened(
            self.means.catalog,
            command.table,
            layout,
            pace,
            by_hand=command.by_hand,
            version=stream.version,
            rounds=max(book.rounds, running),
            shoe=shoe,
        )
        moment = Moment(id=asked.id, at=self.now, day=self._day(self.now), actor=asked.actor, role=asked.role)
        turn = Turn(self.means.catalog, self._key, moment, live)
        turn.reset(command, running)
        found = self._keep(asked, stream, turn, told, {})
        self.means.cache.stopped.pop(stream.stream, None)
        return found

    def _refused(self, asked: Asked, told: str, wrong: UpcardError) -> Refused:
        refused = refusal(wrong)
        if isinstance(asked.command, s.Timeout):
            return refused  # a timer that came too late is nobody's request
        row = {
            "id": asked.id,
            "stream": asked.stream,
            "at": instant_text(self.now),
            "actor": asked.actor,
            "role": asked.role,
            "command": told,
            "reason": refused.reason,
            "sentence": refused.sentence,
        }
        self.rows.refused.append(row)
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
        for bulk, made in (
            (HISTORY, rows.history),
            (REFUSED, rows.refused),
            (SHOES, rows.shoes),
            (ROUNDS, rows.rounds),
            (PLAYER_ROUNDS, rows.player_rounds),
        ):
            bulk.insert(self.connection, made)
        if rows.revealed:
            self.connection.execute(_TELL_KEY, rows.revealed)
        for name in self.made:
            if not self.streams[name].changed:
                self.connection.execute(_DROP, {"name": name})
        if self.moved and self.connection.dialect.name == "postgresql":
            tables = sorted({one.live.name for one in self.moved})
            send_notices(self.connection, self.means.process, tables)
        changed = [one for one in self.streams.values() if one.changed]
        HEADS.update(self.connection, [one.row() for one in changed if not one.snapshot])
        STREAMS.update(self.connection, [one.row() for one in changed if one.snapshot])

    def remember(self) -> None:
        """After the commit: what we know now."""
        self.means.cache.lives |= self.lives
        for (table, number), key in sorted(self.keys.items()):
            self.means.cache.keys[table] = (number, key)  # of all a table ever had, the last is enough


def _is_id(name: str) -> bool:
    """Ids of timers, and of the parts a command has in the book, are not for others to use."""
    odd = "#" in name or "//" in name or name.startswith(TIMER) or not name.isprintable()
    return 0 < len(name) <= LONGEST and not odd


def refusal(wrong: UpcardError) -> Refused:
    """What is answered for it."""
    if isinstance(wrong, CommandRefused):
        reason = wrong.refused.reason.name
    elif isinstance(wrong, PitRefused | BookRefused | ServiceRefused):
        reason = wrong.reason.name
    else:
        reason = "UNKNOWN_NAME" if isinstance(wrong, UnknownName) else "BAD_REQUEST"
    return Refused(reason, _in_words(wrong))


def _in_words(wrong: UpcardError) -> str:
    """What a player is told: of his chips, not of an account."""
    if isinstance(wrong, BookRefused) and wrong.reason is BookRefusal.NOT_ENOUGH:
        account, short = wrong.details["account"], wrong.details["short"]
        if isinstance(account, Account) and account.kind is Kind.PLAYER:
            return f"{account.owner}'s chips do not cover this: {short} are missing"
    return str(wrong)


_LAST_SHOE = sa.select(sa.func.max(schema.shoes.c.number)).where(schema.shoes.c.table_name == sa.bindparam("name"))
_TELL_KEY = (
    sa.update(schema.shoes)
    .where(schema.shoes.c.table_name == sa.bindparam("name"), schema.shoes.c.number == sa.bindparam("shoe"))
    .values(key=sa.bindparam("told"))
)
_DROP = sa.delete(schema.streams).where(schema.streams.c.stream == sa.bindparam("name"))
