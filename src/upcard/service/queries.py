"""Questions to the service that change nothing: rounds, players' histories, the audit trail."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

import sqlalchemy as sa

from upcard import formats
from upcard.catalog.ruleset import Ruleset
from upcard.ledger import rulesets
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.book import Book
from upcard.ledger.chains import state_of
from upcard.ledger.jackpots.state import JackpotState, Win
from upcard.ledger.journal import HOUSE, jackpot_chain, table_chain
from upcard.ledger.tables import TableState
from upcard.service import schema
from upcard.service.event_models import Event
from upcard.service.query_models import Audit, JackpotSent, PlayedRound, RecordSent, RoundSent, ShoeSent, Trace, WinSent
from upcard.service.refusals import RecordBroken, RecordProblem
from upcard.units import Cents

_Row = Mapping[str, Any]
MOST = 500


class Queries:
    """Looks at what was committed."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def tables(self) -> list[str]:
        """Every table there is, by name."""
        names = sa.select(schema.streams.c.stream).where(schema.streams.c.stream.like("table:%"))
        return sorted(str(row[0]).partition(":")[2] for row in self._rows(names.where(schema.streams.c.version > 0)))

    def bankroll(self, player: str) -> Cents:
        """What a player can still wager."""
        with self.book.look() as clerk:
            return clerk.balance(Account(Kind.PLAYER, player)).free(Kind.PLAYER.side)

    def round(self, table: str, number: int) -> RoundSent | None:
        """A finished round with its slips, and the records that tell it."""
        rounds = schema.rounds
        found = self._mappings(sa.select(rounds).where(rounds.c.table_name == table, rounds.c.round == number))
        if not found:
            return None
        row = found[0]
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
            "records": [{"number": one["number"], "events": one["events"]} for one in records],
            "titles": _titles(self.ruleset(row["rules"])),
        }

    def ruleset(self, name: str) -> Ruleset | None:
        """Stored rules by their hash."""
        with self.book.store.view() as unit:
            return rulesets.find(unit.connection, name)

    def stored_rules(self, name: str) -> Ruleset:
        """Stored rules that a round names: they are there."""
        found = self.ruleset(name)
        if found is None:
            raise RecordBroken(RecordProblem.RULES_MISSING, rules=name[:12])
        return found

    def records(self, table: str, *, since: int = 0, most: int = MOST) -> list[RecordSent]:
        """A table's records after a number."""
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
        """Every jackpot: its meters, and the wins that wait; who locked and verified them is told to the house."""
        with self.book.look() as clerk:
            chains = clerk.unit.chains()
            states = [state_of(chain) for name, chain in chains.items() if name.startswith("jackpot:") and chain.number]
        return [
            {
                "jackpot": state.jackpot,
                "plan": state.trigger.plan,
                "meters": dict(state.values()),
                "wins": {name: _win(one, to_the_house=to_the_house) for name, one in state.wins.items()},
                "stopped": None if (stopped := state.stopped()) is None else stopped.coded,
            }
            for state in states
            if isinstance(state, JackpotState)
        ]

    def meters(self, tables: Collection[str]) -> dict[str, dict[str, tuple[str, dict[str, int]]]]:
        """Of each table, by the wagers that play for one: the jackpot, and its meters as players see them."""
        told: dict[str, dict[str, tuple[str, dict[str, int]]]] = {}
        with self.book.look() as clerk:
            for table in tables:
                chain = clerk.unit.chain(table_chain(table))
                state = None if chain is None else state_of(chain)
                told[table] = {}
                for wager, jackpot in state.links.items() if isinstance(state, TableState) else ():
                    found = clerk.unit.chain(jackpot_chain(jackpot))
                    played = None if found is None else state_of(found)
                    if isinstance(played, JackpotState):
                        told[table][wager] = (jackpot, dict(played.values()))
        return told

    def played_by(self, player: str, *, before: str = "~", most: int = 50) -> list[PlayedRound]:
        """A player's last rounds, the newest first; `before` is the moment to go on from."""
        rounds = schema.player_rounds
        names = ("player", "at", "table_name", "round", "staked")
        query = (
            sa.select(*(rounds.c[name] for name in names), rounds.c.returned.label("back"))
            .where(rounds.c.player == player, rounds.c.at < before)
            .order_by(rounds.c.at.desc(), rounds.c.table_name, rounds.c.round.desc())
            .limit(min(most, MOST))
        )
        return cast("list[PlayedRound]", self._mappings(query))

    def audit(self, table: str | None, *, since: int = 0, most: int = MOST) -> Audit:
        """Who did what at a table (None: in the house) after a number, and what was refused there, the newest first;
        the events of tables are in `records`."""
        stream = HOUSE if table is None else table_chain(table)
        history, refusals = schema.history, schema.refusals
        names = ("number", "format", "id", "at", "day", "actor", "role", "command", "answer")
        done = sa.select(*(history.c[name] for name in names)).where(
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
                for row in self._mappings(done.order_by(history.c.number).limit(most))
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
                for row in self._mappings(refused.order_by(refusals.c.at.desc()).limit(min(most, MOST)))
            ],
        }

    def trail(self, table: str | None = None, *, house: bool = False, before: str = "~", most: int = 50) -> list[Trace]:
        """What was done and what was refused, the newest first: at a table, in the house's own name, or everywhere.

        All of one moment come together, even if they are more: whoever asks for what was before it misses nothing.
        """
        history, refused = schema.history, schema.refusals
        names = ("at", "stream", "format", "id", "actor", "role", "command")
        done = sa.select(
            *(history.c[name] for name in names),
            history.c.number,
            sa.null().label("refused"),
            sa.null().label("details"),
        )
        not_done = sa.select(
            *(refused.c[name] for name in names),
            sa.null().label("number"),
            refused.c.code.label("refused"),
            refused.c.details,
        )
        found: dict[tuple[str, str, bool], _Row] = {}
        asked = [HOUSE] * house + ([] if table is None else [table_chain(table)])
        for stream in asked or [str(row[0]) for row in self._rows(sa.select(schema.streams.c.stream))]:
            for query, of, newest in ((done, history, history.c.number), (not_done, refused, refused.c.at)):
                here = query.where(of.c.stream == stream, of.c.at < before).order_by(newest.desc()).limit(most)
                of_stream = list(self._mappings(here))
                if len(of_stream) == most:
                    of_stream += self._mappings(query.where(of.c.stream == stream, of.c.at == of_stream[-1]["at"]))
                found |= {(stream, row["id"], row["number"] is None): row for row in of_stream}
        rows = sorted(found.values(), key=lambda row: (row["at"], row["number"] or 0, row["id"]), reverse=True)
        last = rows[most - 1]["at"] if len(rows) > most else ""
        return [self._trace(row) for row in rows if row["at"] >= last]

    def _trace(self, row: _Row) -> Trace:
        command = formats.read("command", row["command"], row["format"])
        events: list[Event] = []
        if row["number"] is not None and command["do"] == "change-rules":
            records = self.records(command["table"], since=row["number"] - 1, most=1)
            events = [event for record in records for event in record["events"]]
        return {
            "at": row["at"],
            "stream": row["stream"],
            "number": row["number"],
            "id": row["id"],
            "actor": row["actor"],
            "role": row["role"],
            "command": command,
            "refused": row["refused"],
            "details": formats.read("refusal", row["details"] or "{}", row["format"]),
            "events": events,
        }

    def shoes(self, table: str, *, most: int = 20) -> list[ShoeSent]:
        """A table's last shoes: what was promised, and the key of those that are over; never that of another."""
        shoes = schema.shoes
        columns = (shoes.c.number, shoes.c.commitment, shoes.c.key)
        query = sa.select(*columns).where(shoes.c.table_name == table).order_by(shoes.c.number.desc()).limit(most)
        return cast("list[ShoeSent]", self._mappings(query))

    def due(self, now: str) -> list[str]:
        """The tables with a timer that has run out."""
        query = sa.select(schema.streams.c.stream).where(schema.streams.c.due <= now).order_by(schema.streams.c.due)
        return [str(row[0]).partition(":")[2] for row in self._rows(query)]

    def _rows(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        with self.book.store.view() as unit:
            return unit.connection.execute(query).all()

    def _mappings(self, query: sa.Select[Any]) -> Sequence[_Row]:
        with self.book.store.view() as unit:
            return [row._asdict() for row in unit.connection.execute(query)]


def _win(win: Win, *, to_the_house: bool) -> WinSent:
    return {
        "table": win.table,
        "round": win.round,
        "meter": win.meter,
        "day": win.day.isoformat(),
        "locked_by": win.locked_by if to_the_house else "",
        "awards": [
            {
                "spot": one.spot,
                "player": one.player,
                "share": str(one.share),
                "event": one.event,
                "amount": one.amount,
            }
            for one in win.awards
        ],
        "verified_by": win.verified_by if to_the_house else "",
    }


def _titles(rules: Ruleset | None) -> dict[str, dict[str, str]]:
    """What the events of a round's wagers are called, by wager."""
    if rules is None:
        return {}
    tables = {one.name: rules.catalog.paytables[one.paytable] for one in rules.layout.wager if one.paytable}
    return {name: {event: table.title(event) for event in table.lines} for name, table in tables.items()}
