"""The rows that a transaction adds to the service's tables, written in bulk at its end."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.bulk import Bulk, SendAhead
from upcard.ledger.journal import canonical
from upcard.service import schema
from upcard.service.live_table import LiveTable
from upcard.service.round_index import sums_of
from upcard.service.table_draft import TableDraft

NewRow = dict[str, str | int | None]

HISTORY, REFUSALS = Bulk(schema.history, "id"), Bulk(schema.refusals)
_SHOES, _ROUNDS, _PLAYER_ROUNDS = (Bulk(table) for table in (schema.shoes, schema.rounds, schema.player_rounds))
_OF_SHOE = sa.update(schema.shoes).where(
    schema.shoes.c.table_name == sa.bindparam("name"), schema.shoes.c.number == sa.bindparam("shoe")
)
_REVEAL_KEY = _OF_SHOE.values(key=sa.bindparam("revealed_key"))
_NAME_RULES = _OF_SHOE.values(rules=sa.bindparam("rules_hash"))


@dataclass
class NewRows:
    """New rows per database table, and changes to rows of shoes."""

    history: list[NewRow] = field(default_factory=list)
    refusals: list[NewRow] = field(default_factory=list)
    counted: list[NewRow] = field(default_factory=list)  # refusals beyond a person's budget, which get no row
    shoes: list[NewRow] = field(default_factory=list)
    begun: list[NewRow] = field(default_factory=list)
    revealed: list[NewRow] = field(default_factory=list)
    rounds: list[NewRow] = field(default_factory=list)
    player_rounds: list[NewRow] = field(default_factory=list)

    def cut_back(self, lengths: list[int]) -> None:
        """Drops the rows added since there were so many of each kind."""
        for rows, length in zip(vars(self).values(), lengths, strict=True):
            del rows[length:]

    def add_shoe(
        self, table: str, number: int, *, commitment: str = "", encrypted_key: str = "", rules: str | None = None
    ) -> None:
        """Adds a committed shoe, or a physical one."""
        row: NewRow = {"table_name": table, "number": number, "commitment": commitment}
        self.shoes.append({**row, "encrypted_key": encrypted_key, "key": None, "rules": rules})

    def add_table(self, draft: TableDraft) -> None:
        """Adds what a command did to a table's rounds and shoes."""
        live = draft.live
        for ended in draft.ended:
            day, void = draft.moment.day.isoformat(), None if ended.void is None else canonical(ended.void)
            row: NewRow = {"table_name": live.name, "round": ended.round, "format": formats.FORMAT}
            row |= {"shoe": ended.shoe, "at": live.at, "day": day, "first": ended.first, "last": live.version}
            self.rounds.append({**row, "rules": ended.rules, "void": void, "slips": canonical(ended.slips)})
            self._add_players(live, ended.round, sums_of(ended.slips))
        self.begun += [{"name": live.name, "shoe": shoe, "rules_hash": live.rules.hash} for shoe in draft.begun]
        for shoe in draft.placed:
            self.add_shoe(live.name, shoe, rules=live.rules.hash)
        self.revealed += [{"name": live.name, "shoe": shoe, "revealed_key": key.hex()} for shoe, key in draft.revealed]

    def _add_players(self, live: LiveTable, number: int, sums: Mapping[str, tuple[int, int]]) -> None:
        for player, (staked, returned) in sums.items():
            row: NewRow = {"player": player, "at": live.at, "table_name": live.name, "round": number}
            self.player_rounds.append({**row, "staked": staked, "returned": returned})

    def send(self, ahead: SendAhead) -> None:
        """Sends the records and rounds so far to a server, which stores them meanwhile."""
        for bulk, rows in ((HISTORY, self.history), (_ROUNDS, self.rounds), (_PLAYER_ROUNDS, self.player_rounds)):
            ahead.insert(bulk, rows)

    def flush(self, connection: sa.Connection) -> None:
        for bulk, rows in (
            (HISTORY, self.history),
            (REFUSALS, self.refusals),
            (_SHOES, self.shoes),
            (_ROUNDS, self.rounds),
            (_PLAYER_ROUNDS, self.player_rounds),
        ):
            if rows:
                bulk.insert(connection, rows)
        if self.begun:
            connection.execute(_NAME_RULES, self.begun)
        if self.revealed:
            connection.execute(_REVEAL_KEY, self.revealed)
