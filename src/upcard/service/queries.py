"""Questions to the service that change nothing: rounds, players' histories, the audit trail."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from upcard import formats
from upcard.catalog.ruleset import Ruleset
from upcard.ledger import rulesets
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.book import Book
from upcard.ledger.chains import state_of
from upcard.ledger.jackpots.state import JackpotState
from upcard.ledger.journal import jackpot_chain, table_chain
from upcard.ledger.tables import TableState
from upcard.service import schema
from upcard.service.refusals import RecordBroken, RecordProblem
from upcard.units import Cents

Row = Mapping[str, Any]
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

    def round(self, table: str, number: int) -> Row | None:
        """A finished round with its slips, and the records that tell it."""
        rounds = schema.rounds
        query = sa.select(rounds).where(rounds.c.table_name == table, rounds.c.round == number)
        found = self._mappings(query)
        if not found:
            return None
        void = found[0]["void"]
        row = {**_told(found[0]), "void": None if void is None else formats.read("void", void, found[0]["format"])}
        row["records"] = self.records(table, since=row["first"] - 1, most=row["last"] - row["first"] + 1)
        return row

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

    def records(self, table: str, *, since: int = 0, most: int = MOST) -> list[Row]:
        """A table's records after a number, events and all."""
        history = schema.history
        query = (
            sa.select(history)
            .where(history.c.stream == table_chain(table), history.c.number > since)
            .order_by(history.c.number)
            .limit(most)
        )
        return [_told(row) for row in self._mappings(query)]

    def stream(self, stream: str, *, since: int = 0, most: int = MOST) -> list[Row]:
        """The records of any stream, with who said what; the events of tables are in `records`."""
        history = schema.history
        names = ("number", "format", "id", "at", "day", "actor", "role", "command", "answer")
        query = (
            sa.select(*(history.c[name] for name in names))
            .where(history.c.stream == stream, history.c.number > since)
            .order_by(history.c.number)
            .limit(most)
        )
        return [_told(row) for row in self._mappings(query)]

    def jackpots(self) -> list[dict[str, Any]]:
        """Every jackpot: its meters, and the wins that wait."""
        with self.book.look() as clerk:
            chains = clerk.unit.chains()
            states = [state_of(chain) for name, chain in chains.items() if name.startswith("jackpot:") and chain.number]
        return [
            {
                "jackpot": state.jackpot,
                "plan": state.trigger.plan,
                "meters": dict(state.values()),
                "wins": {name: one.model_dump(mode="json") for name, one in state.wins.items()},
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

    def played_by(self, player: str, *, before: str = "~", most: int = 50) -> list[Row]:
        """A player's last rounds, the newest first; `before` is the moment to go on from."""
        rounds = schema.player_rounds
        query = (
            sa.select(*(column for column in rounds.c if column.name != "returned"), rounds.c.returned.label("back"))
            .where(rounds.c.player == player, rounds.c.at < before)
            .order_by(rounds.c.at.desc(), rounds.c.table_name, rounds.c.round.desc())
            .limit(min(most, MOST))
        )
        return [dict(row) for row in self._mappings(query)]

    def refused(self, stream: str, *, most: int = 50) -> list[Row]:
        """What was refused last, the newest first."""
        table = schema.refusals
        names = ("id", "stream", "format", "at", "actor", "role", "command", "details")
        query = (
            sa.select(*(table.c[name] for name in names), table.c.code.label("reason"))
            .where(table.c.stream == stream)
            .order_by(table.c.at.desc())
            .limit(min(most, MOST))
        )
        return [_told(row) for row in self._mappings(query)]

    def trail(self, *streams: str, before: str = "~", most: int = 50) -> list[Row]:
        """What was done and what was refused, the newest first, in these streams or in all there are.

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
        found: dict[tuple[str, str, bool], Row] = {}
        everywhere = streams or [str(row[0]) for row in self._rows(sa.select(schema.streams.c.stream))]
        for stream in everywhere:
            for query, of, newest in ((done, history, history.c.number), (not_done, refused, refused.c.at)):
                here = query.where(of.c.stream == stream, of.c.at < before).order_by(newest.desc()).limit(most)
                of_stream = list(self._mappings(here))
                if len(of_stream) == most:
                    of_stream += self._mappings(query.where(of.c.stream == stream, of.c.at == of_stream[-1]["at"]))
                found |= {(stream, row["id"], row["number"] is None): row for row in of_stream}
        rows = sorted(found.values(), key=lambda row: (row["at"], row["number"] or 0, row["id"]), reverse=True)
        last = rows[most - 1]["at"] if len(rows) > most else ""
        return [_told({**row, "details": row["details"] or "{}"}) for row in rows if row["at"] >= last]

    def shoes(self, table: str, *, most: int = 20) -> list[Row]:
        """A table's last shoes: what was promised, and the key of those that are over; never that of another."""
        shoes = schema.shoes
        columns = (shoes.c.number, shoes.c.commitment, shoes.c.key)
        query = sa.select(*columns).where(shoes.c.table_name == table).order_by(shoes.c.number.desc()).limit(most)
        return [dict(row) for row in self._mappings(query)]

    def due(self, now: str) -> list[str]:
        """The tables with a timer that has run out."""
        query = sa.select(schema.streams.c.stream).where(schema.streams.c.due <= now).order_by(schema.streams.c.due)
        return [str(row[0]).partition(":")[2] for row in self._rows(query)]

    def _rows(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        with self.book.store.view() as unit:
            return unit.connection.execute(query).all()

    def _mappings(self, query: sa.Select[Any]) -> Sequence[Row]:
        with self.book.store.view() as unit:
            return [row._asdict() for row in unit.connection.execute(query)]


def _told(row: Row) -> Row:
    """A record or a refusal with its texts read, in today's form."""
    texts = {name: formats.read(kind, row[name], row["format"]) for name, kind in _TEXTS.items() if name in row}
    return {name: value for name, value in row.items() if name != "format"} | texts


_TEXTS = {"command": "command", "events": "events", "answer": "record answer", "details": "refusal", "slips": "slips"}
