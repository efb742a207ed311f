"""Measures what one request costs the book: alone in a transaction, and batched with those of 200 tables.

Runs on both databases. The promise is about the processor time of this process, because the database server is not our
code. The ratio compares with one transaction per request.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

from upcard.catalog import shipped
from upcard.catalog.ruleset import ruleset_of
from upcard.ledger import requests as r
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.batch_unit import BatchUnit, Memory
from upcard.ledger.book import Book
from upcard.ledger.gaming_day import Hours
from upcard.ledger.keyring import Keyring
from upcard.ledger.opening_requests import table_opening
from upcard.ledger.record import Record
from upcard.ledger.store import Store

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support.postgres_server import USER, postgres

TABLES, SPOTS, AT = 200, 6, datetime(2026, 3, 2, 18, tzinfo=UTC)
PROMISES = {"PlaceStake": 0.25, "LockRound": 0.25, "SettleRound": None}  # milliseconds


class Tables:
    """Tables with six players each, and the requests of their next round."""

    def __init__(self, address: str, tables: int) -> None:
        self.book, self.memory, self.count = Book(Store.create(address, Keyring([bytes(32)])), shipped()), Memory(), 0
        self.tables, self.round = [f"T{number}" for number in range(tables)], 1
        opening = table_opening(ruleset_of(shipped(), "bet-bigger"), "T")
        self.alone([r.SetHours(hours=Hours(since=date(2026, 3, 1), zone="America/Los_Angeles", start=6))])
        self.batched([opening.model_copy(update={"table": table}) for table in self.tables])
        self.batched(
            [r.BuyIn(table=table, player=player, amount=10**8) for table in self.tables for player in players(table)]
        )

    def stakes(self, spot: int) -> list[Record]:
        """A stake on one spot of every table."""
        at = {"round": self.round, "spot": spot, "wager": "Blackjack", "amount": 500}
        return [r.PlaceStake(table=table, player=players(table)[spot - 1], **at) for table in self.tables]

    def locks(self) -> list[Record]:
        """The deal of every table."""
        return [r.LockRound(table=table, round=self.round) for table in self.tables]

    def settlements(self) -> list[Record]:
        """The settlement of every table, with six slips."""
        return [r.SettleRound(table=table, round=self.round, slips=slips(table)) for table in self.tables]

    def play(self, carry_out: Callable[[Sequence[Record]], None]) -> dict[str, float]:
        """Plays a round; returns the processor time per request, in milliseconds."""
        spent = dict.fromkeys(PROMISES, 0.0)
        for requests in (*(self.stakes(spot) for spot in range(1, SPOTS + 1)), self.locks(), self.settlements()):
            start = time.process_time()
            carry_out(requests)
            spent[type(requests[0]).__name__] += time.process_time() - start
        self.round += 1
        counts = {name: len(self.tables) * (SPOTS if name == "PlaceStake" else 1) for name in spent}
        return {name: seconds * 1000 / counts[name] for name, seconds in spent.items()}

    def alone(self, requests: Sequence[Record]) -> None:
        """Carries out each request in its own transaction."""
        for request in requests:
            self.count += 1
            with self.book.batch(self.memory) as clerk:
                clerk.carry_out(request, id=f"c{self.count}", at=AT, actor="Dana")

    def batched(self, requests: Sequence[Record]) -> None:
        """Carries out all requests in one transaction."""
        with self.book.batch(self.memory) as clerk:
            if isinstance(clerk.unit, BatchUnit):
                chains = [f"table:{request.table}" for request in requests if isinstance(request, r.TableRequest)]
                clerk.unit.hold(chains, {account for request in requests for account in accounts(request)})
            for request in requests:
                self.count += 1
                clerk.carry_out(request, id=f"c{self.count}", at=AT, actor="Dana")


def players(table: str) -> list[str]:
    return [f"{table}-{spot}" for spot in range(1, SPOTS + 1)]


def slips(table: str) -> tuple[r.SlipLine, ...]:
    at = {"wager": "Blackjack", "stake": 500}
    won = [{"paid": 500, "returned": 500}, {}, {"returned": 500}]
    return tuple(
        r.SlipLine(spot=spot, player=player, **at, **won[spot % 3]) for spot, player in enumerate(players(table), 1)
    )


def accounts(request: Record) -> Iterator[Account]:
    match request:
        case r.PlaceStake():
            yield from (Account(Kind.PLAYER, request.player), Account(Kind.STAKES, request.table))
        case r.SettleRound():
            yield from (Account(Kind.STAKES, request.table), Account(Kind.WIN, request.table))
            yield from (Account(Kind.PLAYER, slip.player) for slip in request.slips)
        case r.BuyIn():
            yield from (Account(Kind.PLAYER, request.player), Account(Kind.TRAY, request.table))


@contextmanager
def addresses() -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder, postgres() as server:
        yield {"sqlite": f"{folder}/book.db", "postgresql": f"postgresql://{USER}@/postgres?host={server}"}


def main() -> int:
    broken = 0
    with addresses() as databases:
        for database, address in databases.items():
            tables = Tables(address, TABLES)
            tables.play(tables.batched)
            rounds = [tables.play(tables.batched) for _ in range(5)]
            alone = tables.play(tables.alone)
            for name, promise in PROMISES.items():
                took = min(costs[name] for costs in rounds)
                kept = promise is None or took <= promise
                broken += not kept
                verdict = "" if promise is None else f"  promise {promise} ms {'kept' if kept else 'BROKEN'}"
                print(f"{database:10} {name:11} {took:6.3f} ms  {alone[name] / took:5.1f} x less than alone{verdict}")
            tables.book.store.close()
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
