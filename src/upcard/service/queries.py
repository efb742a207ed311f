"""Read-only queries: tables, rounds, players' histories, jackpots, the audit trail."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

import sqlalchemy as sa

from upcard import formats
from upcard.catalog.ruleset import Ruleset
from upcard.ledger import rulesets
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.book import Book
from upcard.ledger.chains import state_of
from upcard.ledger.jackpots.jackpot_state import JackpotState, Win
from upcard.ledger.journal import HOUSE, table_chain
from upcard.pit.jackpot_sign import JackpotSign
from upcard.service import schema
from upcard.service.jackpot_lines import QueuedValues
from upcard.service.jackpot_signs import read_jackpots, read_signs, sign_of
from upcard.service.meters import last_accrual, queued_values
from upcard.service.new_rows import HISTORY, REFUSALS
from upcard.service.pending import Answer, answer_of
from upcard.service.query_models import (
    Audit,
    JackpotSent,
    PlayedRound,
    PlayedSlips,
    RecordSent,
    RoundSent,
    ShoeSent,
    StoredShoe,
    WinSent,
)
from upcard.service.refusals import RecordBroken, RecordProblem, Refused
from upcard.units import Cents

_Row = Mapping[str, Any]
MOST = 500


class Queries:
    """Reads committed data."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def tables(self) -> list[str]:
        """The names of all tables, sorted."""
        names = sa.select(schema.streams.c.stream).where(schema.streams.c.stream.like("table:%"))
        return sorted(str(row[0]).partition(":")[2] for row in self._rows(names.where(schema.streams.c.version > 0)))

    def bankroll(self, player: str) -> Cents:
        """A player's chips that are not on the felt, in cents, with what they won in rounds that go on."""
        with self.book.look() as clerk:
            free = clerk.balance(Account(Kind.PLAYER, player)).free(Kind.PLAYER.side)
            return Cents(free + clerk.unit.winnings_held(player))

    def round(self, table: str, number: int) -> RoundSent | None:
        """A finished round with its slips and records."""
        rounds = schema.rounds
        matches = self._mappings(sa.select(rounds).where(rounds.c.table_name == table, rounds.c.round == number))
        if not matches:
            return None
        row = matches[0]
        void, first = row["void"], row["first"]
        records = self.records(table, since=first - 1, most=row["last"] - first + 1)
        return {
            "round": number,
            "shoe": row["shoe"],
            "at": row["at"],
            "day": row["day"],
            "rules": row["rules"],
            "void": None if void is None else formats.read("void", void, row["format"]),
            "slips": formats.read("slips", row["slips"], row["format"]),
            "records": [{"number": record["number"], "events": record["events"]} for record in records],
            "titles": _titles(self.ruleset(row["rules"])),
        }

    def win_amount(self, jackpot: str, win: str) -> int:
        """The amount of a win that waits; 0: there is none."""
        with self.book.look() as clerk:
            wins = [state.wins.get(win) for state in read_jackpots(clerk, [jackpot])]
        return sum(waiting.amount for waiting in wins if waiting is not None)

    def ruleset(self, name: str) -> Ruleset | None:
        """Stored rules, by their hash."""
        with self.book.store.view() as unit:
            return rulesets.find(unit.connection, name)

    def stored_rules(self, name: str) -> Ruleset:
        """Stored rules that must exist, because a round names them."""
        ruleset = self.ruleset(name)
        if ruleset is None:
            raise RecordBroken(RecordProblem.RULES_MISSING, rules=name[:12])
        return ruleset

    def records(self, table: str, *, since: int = 0, most: int = MOST) -> list[RecordSent]:
        """A table's records after a record number."""
        history = schema.history
        query = (
            sa.select(history.c.number, history.c.at, history.c.format, history.c.events)
            .where(history.c.stream == table_chain(table), history.c.number > since)
            .order_by(history.c.number)
            .limit(most)
        )
        return [
            {
                "number": row["number"],
                "at": row["at"],
                "events": formats.read("events", row["events"], row["format"]),
            }
            for row in self._mappings(query)
        ]

    def jackpots(self, *, to_the_house: bool = True) -> list[JackpotSent]:
        """Every jackpot: its meters and pending wins. `to_the_house`: with the names of staff."""
        with self.book.look() as clerk:
            states = [state_of(chain) for chain in clerk.unit.jackpot_chains()]
        return [
            {
                "jackpot": sign.jackpot,
                "plan": state.trigger.plan,
                "meters": dict(sign.meters),
                "wins": {name: _win(win, to_the_house=to_the_house) for name, win in state.wins.items()},
                "stopped": sign.stopped,
                "notice": sign.notice,
                "queued": _queued(state, to_the_house=to_the_house),
                "accrued": last_accrual(state),
            }
            for state in states
            if isinstance(state, JackpotState)
            for sign in [sign_of(state)]
        ]

    def signs(self, tables: Collection[str]) -> dict[str, dict[str, JackpotSign]]:
        """The jackpot signs of tables, by table and wager."""
        with self.book.look() as clerk:
            return read_signs(clerk, tables)

    def jackpot_signs(self, jackpots: Collection[str]) -> dict[str, JackpotSign]:
        """The signs of jackpots, by jackpot."""
        with self.book.look() as clerk:
            return {state.jackpot: sign_of(state) for state in read_jackpots(clerk, jackpots)}

    def linked_tables(self, jackpots: Collection[str]) -> set[str]:
        """The tables that play for any of these jackpots."""
        with self.book.look() as clerk:
            return {table for state in read_jackpots(clerk, jackpots) for table in state.tables}

    def played_by(self, player: str, *, before: str = "~", most: int = 50) -> list[PlayedRound]:
        """A player's latest rounds, newest first; `before` is the time to continue from."""
        rounds = schema.player_rounds
        names = ("player", "at", "table_name", "round", "staked")
        query = (
            sa.select(*(rounds.c[name] for name in names), rounds.c.returned.label("back"))
            .where(rounds.c.player == player, rounds.c.at < before)
            .order_by(rounds.c.at.desc(), rounds.c.table_name, rounds.c.round.desc())
            .limit(min(most, MOST))
        )
        return cast("list[PlayedRound]", self._mappings(query))

    def slips_of(self, player: str, *, before: str, since: str, most: int) -> list[PlayedSlips]:
        """A player's rounds with the slips of everybody, newest first."""
        played, rounds = schema.player_rounds, schema.rounds
        same = sa.and_(rounds.c.table_name == played.c.table_name, rounds.c.round == played.c.round)
        query = (
            sa.select(
                *(played.c[name] for name in ("table_name", "round", "at", "staked")),
                played.c.returned.label("back"),
                *(rounds.c[name] for name in ("first", "last", "rules", "slips", "format")),
            )
            .select_from(played.join(rounds, same))
            .where(played.c.player == player, played.c.at >= since, played.c.at < before)
            .order_by(played.c.at.desc(), played.c.table_name, played.c.round.desc())
            .limit(most)
        )
        rows = self._mappings(query)
        return [
            cast("PlayedSlips", {**row, "slips": formats.read("slips", row["slips"], row["format"])}) for row in rows
        ]

    def audit(self, table: str | None, *, since: int = 0, most: int = MOST) -> Audit:
        """Commands of a table (None: of the house) after a record number, and its refusals, newest first.

        The events are in `records`."""
        stream = HOUSE if table is None else table_chain(table)
        history, refusals = schema.history, schema.refusals
        names = ("number", "format", "id", "at", "day", "actor", "role", "command", "answer")
        carried_out = sa.select(*(history.c[name] for name in names)).where(
            history.c.stream == stream, history.c.number > since
        )
        refused = sa.select(refusals).where(refusals.c.stream == stream)
        return {
            "done": [
                {
                    "number": row["number"],
                    "id": row["id"],
                    "at": row["at"],
                    "day": row["day"],
                    "actor": row["actor"],
                    "role": row["role"],
                    "command": formats.read("command", row["command"], row["format"]),
                    "answer": formats.read("record answer", row["answer"], row["format"]),
                }
                for row in self._mappings(carried_out.order_by(history.c.number).limit(most))
            ],
            "refused": [
                {
                    "id": row["id"],
                    "stream": row["stream"],
                    "at": row["at"],
                    "actor": row["actor"],
                    "role": row["role"],
                    "command": formats.read("command", row["command"], row["format"]),
                    "details": formats.read("refusal", row["details"], row["format"]),
                    "reason": row["code"],
                }
                for row in self._mappings(
                    refused.order_by(refusals.c.at.desc(), refusals.c.number.desc()).limit(min(most, MOST))
                )
            ],
        }

    def outcome(self, id: str) -> Answer | Refused | None:  # noqa: A002 - the word for it
        """What became of the command with this id; None: nothing yet."""
        with self.book.look() as clerk:
            for bulk in (HISTORY, REFUSALS):
                for row in bulk.find(clerk.unit.connection, [id]):
                    if bulk is HISTORY:
                        return answer_of(row)
                    stored: Mapping[str, Any] = row
                    details = formats.read("refusal", stored["details"], stored["format"])
                    return Refused(stored["code"], details, repeated=True)
        return None

    def shoes(self, table: str, *, most: int = 20) -> list[ShoeSent]:
        """A table's latest shoes: their commitments, and the keys of finished shoes only."""
        shoes = schema.shoes
        columns = (shoes.c.number, shoes.c.commitment, shoes.c.key)
        query = sa.select(*columns).where(shoes.c.table_name == table).order_by(shoes.c.number.desc()).limit(most)
        return cast("list[ShoeSent]", self._mappings(query))

    def stored_shoe(self, table: str, number: int) -> StoredShoe | None:
        """A shoe of the service; None if there is none with this number."""
        shoes = schema.shoes
        query = sa.select(shoes.c.commitment, shoes.c.key, shoes.c.encrypted_key, shoes.c.rules).where(
            shoes.c.table_name == table, shoes.c.number == number, shoes.c.commitment != ""
        )
        return next(iter(cast("list[StoredShoe]", self._mappings(query))), None)

    def number_of(self, query: sa.Select[tuple[int]]) -> int | None:
        """The one number that a query asks for."""
        rows = self._rows(query)
        return None if not rows or rows[0][0] is None else int(rows[0][0])

    def due(self, now: str) -> list[str]:
        """The tables with a timer that is due."""
        query = sa.select(schema.streams.c.stream).where(schema.streams.c.due <= now).order_by(schema.streams.c.due)
        return [str(row[0]).partition(":")[2] for row in self._rows(query)]

    def _rows(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        with self.book.store.view() as unit:
            return unit.connection.execute(query).all()

    def _mappings(self, query: sa.Select[Any]) -> Sequence[_Row]:
        with self.book.store.view() as unit:
            return [row._asdict() for row in unit.connection.execute(query)]


def _queued(state: JackpotState, *, to_the_house: bool) -> QueuedValues | None:
    queued = queued_values(state)
    return queued if queued is None or to_the_house else {**queued, "by": ""}


def _win(win: Win, *, to_the_house: bool) -> WinSent:
    return {
        "table": win.table,
        "round": win.round,
        "meter": win.meter,
        "day": win.day.isoformat(),
        "locked_by": win.locked_by if to_the_house else "",
        "awards": [
            {
                "spot": award.spot,
                "player": award.player,
                "share": str(award.share),
                "event": award.event,
                "amount": award.amount,
            }
            for award in win.awards
        ],
        "verified_by": win.verified_by if to_the_house else "",
    }


def _titles(rules: Ruleset | None) -> dict[str, dict[str, str]]:
    """The titles of events, by wager."""
    if rules is None:
        return {}
    tables = {wager.name: rules.catalog.paytables[wager.paytable] for wager in rules.layout.wager if wager.paytable}
    return {name: {event: table.title(event) for event in table.lines} for name, table in tables.items()}
