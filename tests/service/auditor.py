"""An auditor that trusts only committed records: it replays every record once, from the first one on."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from upcard.cards.shoe import commitment
from upcard.catalog.ruleset import Ruleset
from upcard.ledger import rulesets
from upcard.ledger.journal import GENESIS, HOUSE, row_hash
from upcard.ledger.keyring import Keyring
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.live_table import LiveTable
from upcard.service.records import replay

Row = Mapping[str, Any]


@dataclass
class Auditor:
    """The records read so far, and the state that the tables must have."""

    keyring: Keyring
    lives: dict[str, LiveTable | None] = field(default_factory=dict)  # by stream
    hashes: dict[str, str] = field(default_factory=dict)
    numbers: Counter[str] = field(default_factory=Counter)
    rows: dict[str, Row] = field(default_factory=dict)  # by id
    fired: Counter[tuple[str, str]] = field(default_factory=Counter)  # timers
    over: Counter[tuple[str, int]] = field(default_factory=Counter)  # rounds
    played: Counter[str] = field(default_factory=Counter)  # what each player won in the rounds that are over
    in_play: dict[str, Counter[str]] = field(default_factory=dict)  # by stream: the same of the round in progress
    revealed_keys: dict[tuple[str, int], str] = field(default_factory=dict)  # keys of shoes that are over
    owned: Counter[str] = field(default_factory=Counter)  # what each player must own, by the records alone

    def follow(self, connection: sa.Connection) -> None:
        """Reads new records; those read before must still be there."""
        streams = {row.stream: row for row in connection.execute(sa.select(schema.streams))}
        assert self.hashes.keys() <= streams.keys(), "a stream is gone"
        count = connection.execute(sa.select(sa.func.count()).select_from(schema.history)).scalar()
        for name, row in sorted(streams.items()):
            for record in () if count == self.numbers.total() else _records(connection, name, self.numbers[name]):
                self._read(connection, record)
            assert row.version == self.numbers[name], f"{name} is said to have {row.version} records"
            assert row.hash == self.hashes.get(name, GENESIS), f"{name} does not end with its last hash"
            live = self.lives.get(name)
            assert row.due == (live.due if live is not None else None), f"{name} is due at another time"

    def _read(self, connection: sa.Connection, row: Row) -> None:
        name = row["stream"]
        assert row["number"] == self.numbers[name] + 1, f"{name} has a gap before {row['number']}"
        assert row["hash"] == row_hash(self.hashes.get(name, GENESIS), row), (
            f"{name} {row['number']}: its hash does not fit"
        )
        assert row["id"] not in self.rows, f"{row['id']} was done twice"
        self.numbers[name], self.hashes[name], self.rows[row["id"]] = row["number"], row["hash"], row
        if name != HOUSE:
            keys = _Keys(connection, self.keyring)
            self.lives[name] = replay(lambda rules: _ruleset(connection, rules), keys, self.lives.get(name), row)
            self._count(name, row)

    def _count(self, name: str, row: Row) -> None:
        command = s.COMMANDS.validate_json(row["command"])
        match command:
            case s.BuyIn():
                self.owned[command.player] += command.amount
            case s.CashOut() | s.Tip():
                self.owned[command.player] -= command.amount
        for event in json.loads(row["events"]):
            match event["event"]:
                case "timer-expired":
                    self.fired[name, event["timer"]] += 1
                    assert self.fired[name, event["timer"]] == 1, f"the timer {event['timer']} of {name} fired twice"
                case "slip" | "slip-reversed":
                    won = event["paid"] + event["returned"] - event["stake"]
                    sign = 1 if event["event"] == "slip" else -1
                    self.owned[event["player"]] += sign * won
                    self.in_play.setdefault(name, Counter())[event["player"]] += sign * won
                case "shoe-revealed":
                    self.revealed_keys[name.partition(":")[2], event["shoe"]] = event["key"]
                case "round-over":
                    self.over[name, event["round"]] += 1
                    assert self.over[name, event["round"]] == 1, f"round {event['round']} of {name} ended twice"
                    settled = self.in_play.pop(name, Counter[str]())
                    if event["void"] is None:
                        self.played.update(settled)
                    else:
                        self.owned.subtract(settled)


def _ruleset(connection: sa.Connection, name: str) -> Ruleset:
    ruleset = rulesets.find(connection, name)
    assert ruleset is not None, f"the rules {name} are missing"
    return ruleset


class _Keys:
    def __init__(self, connection: sa.Connection, keyring: Keyring) -> None:
        self.connection, self.keyring = connection, keyring

    def __call__(self, table: str, number: int) -> bytes:
        shoes = schema.shoes
        query = sa.select(shoes).where(shoes.c.table_name == table, shoes.c.number == number)
        row = self.connection.execute(query).one()
        return self.keyring.decrypt(row.encrypted_key, f"shoe {number} of {table}")

    def commitment(self, table: str, number: int) -> str:
        return commitment(self(table, number))


def _records(connection: sa.Connection, stream: str, since: int) -> list[Row]:
    history = schema.history
    query = sa.select(history).where(history.c.stream == stream, history.c.number > since).order_by(history.c.number)
    return [row._asdict() for row in connection.execute(query)]
