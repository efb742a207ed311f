"""Tries every way to tamper with every table and column of a small book, and writes what finds it as a page.

The cases come from the schema, so a new table or column is tried without being named here. Each case is undone by a
rollback. `python tests/service/tamper_matrix.py` tries them all on SQLite and writes docs/tampering.md; the test tries
them on both databases.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import sqlalchemy as sa
from service.forger import CHAIN_OF, TABLES, Forgery, Row, other, small_house
from service.tampering_page import CELL_ACTS, CHAINED, PAGE, ROW_ACTS, Case, applies, page
from service.tamperings import KNOWN, Copies, Snapshot
from support.guards import set_guards_aside
from upgrades.small_house import open_house

from upcard.ledger.journal import instant_text
from upcard.ledger.keyring import Keyring
from upcard.ledger.sealing_key import book_id
from upcard.ledger.store import Store
from upcard.ledger.unit import Unit
from upcard.people.refusals import PeopleRefused
from upcard.service import commands as s
from upcard.service.checkpoint import Checkpoint, checkpoint, compare_checkpoints
from upcard.service.high_water import Marks, marks_of, missing_rows
from upcard.service.key_rotation import rotate_key

CHECK, MARK, CHECKPOINT, NOTHING = "check", "mark", "checkpoint", "nothing"


def cases() -> Iterator[Case]:
    """Every table and column with every act that makes sense for it."""
    for name, table in TABLES.items():
        for act in ROW_ACTS:
            if applies(name, "", act):
                yield Case(name, "", act)
        for column in (column.name for column in table.columns):
            yield from (Case(name, column, act) for act in CELL_ACTS if applies(name, column, act))


# --- the book that is tampered with -------------------------------------------------------------------------------


class Target:
    """A sound book without guards, with a checkpoint and a high-water mark. Rows were written after the checkpoint."""

    def __init__(self, address: str) -> None:
        Store.create(address).close()
        with open_house(address) as house:
            small_house(house)
            with house.store.view() as unit:
                before_checkpoint = Snapshot(unit)
            rotate_key(house.store, house.now, "Flo")
            house.refused(s.Hit(table="T1", spot=1), "T1 Ann", "player")
            keyring = house.store.keyring
            assert keyring is not None
            self.keyring: Keyring = keyring
            with house.store.view() as unit:
                self.signed: Checkpoint = checkpoint(unit, keyring, instant_text(house.now))
                self.copies = Copies(before_checkpoint, Snapshot(unit))
            house.play("T1", 1)
            house.refused(s.Deal(table="Nowhere"), "Flo", "floor")
            house.refused(s.Hit(table="T1", spot=1), "T1 Ann", "player")
            house.people.ticket(house.sign_in("Fay"), "socket")
            with suppress(PeopleRefused):
                house.people.sign_in("Fay", "a wrong password")
            with house.store.view() as unit:
                self.marks: Marks = marks_of(unit)
        self.store = Store.open(address, keyring)
        with self.store.engine.connect() as connection:
            self.refused = {name: ", ".join(_refused_acts(connection, name)) for name in TABLES}
        with self.store.engine.begin() as connection:
            set_guards_aside(connection)
        with self.forgery() as forger:
            assert self.finders(forger) == set()
            self.rows = {name: forger.rows(name) for name in TABLES}
        assert all(self.rows.values()), "the house must have a row of every kind"

    @contextmanager
    def forgery(self) -> Iterator[Forgery]:
        with self.store.engine.connect() as connection, connection.begin() as transaction:
            yield Forgery(Unit(connection, book_id(connection)), self.keyring, self.signed)
            transaction.rollback()

    def finders(self, forger: Forgery) -> set[str]:
        """What finds the tampering: the check alone, or what is kept outside the book."""
        if not forger.check().sound:
            return {CHECK}
        found = {MARK} if any(missing_rows(forger.unit, self.marks)) else set()
        differs = compare_checkpoints(forger.unit, [self.signed], [], self.keyring).findings
        return found | ({CHECKPOINT} if differs else set())

    def close(self) -> None:
        self.store.close()

    # --- trying ---------------------------------------------------------------------------------------------------

    def result(self, case: Case) -> str:
        """What finds a tampering with any of some rows."""
        found: list[set[str]] = []
        for row in self._chosen_rows(case):
            with self.forgery() as forger:
                _ACTS[case.act.partition(",")[0]](forger, case, row)
                if case.act.endswith(("hashed again", "heads moved")):
                    forger.rehash()
                elif case.act.endswith("sealed again"):
                    forger.reseal()
                found.append(self.finders(forger))
        return _words(found)

    def known_attacks(self) -> dict[str, str]:
        """What finds each attack that has a name."""
        found = {}
        for name, attack in KNOWN.items():
            with self.forgery() as forger:
                attack(forger, self.copies)
                found[name] = _words([self.finders(forger)])
        return found

    def _chosen_rows(self, case: Case) -> list[Row]:
        """The last row, which may be newer than the checkpoint, and the first; of chains, the end of the longest."""
        rows = [row for row in self.rows[case.table] if case.table != "balances" or any(_amounts(row))]
        if case.table in CHAIN_OF:
            last = max(rows, key=lambda row: (row["number"], str(row)))
            return [last] if case.act.startswith(("cut off", "insert")) else [last, rows[0]]
        return [rows[-1]] if case.act.startswith("insert") or len(rows) == 1 else [rows[-1], rows[0]]


def _amounts(row: Row) -> list[int]:
    return [row[name] for name in ("debits", "credits", "pending_debits", "pending_credits")]


def _words(found: list[set[str]]) -> str:
    """What finds it whichever row it is; for a row that the check finds, nothing else is asked."""
    without_check = [finders for finders in found if CHECK not in finders]
    if not without_check:
        return CHECK
    return ", ".join(sorted(set.intersection(*without_check), reverse=True)) or NOTHING


def _change(forger: Forgery, case: Case, row: Row) -> None:
    value = row[case.column]
    is_number = isinstance(value, int) and not isinstance(value, bool)
    forger.change(case.table, row, {case.column: value + 1000 if is_number else other(value)})


def _delete(forger: Forgery, case: Case, row: Row) -> None:
    if case.table == "entries" and case.act.startswith("cut off"):
        for table in ("transfers", "movements"):
            for part in forger.rows(table):
                if (part["chain"], part["number"]) == (row["chain"], row["number"]):
                    forger.delete(table, part)
    forger.delete(case.table, row)


def _insert(forger: Forgery, case: Case, row: Row) -> None:
    """Another row like the last one: the next of its chain, or under another key."""
    table, new = TABLES[case.table], dict(row)
    unique = {column.name for column in table.primary_key}
    for constraint in table.constraints:
        if isinstance(constraint, sa.UniqueConstraint):
            unique |= {column.name for column in constraint.columns}
    chain = {"chain", "stream", "position"} if case.table in CHAINED else set()
    for name in unique - chain:
        new[name] = other(new[name])
    if case.table == "movements":
        new["position"] += 1
    forger.insert(case.table, new)


_ACTS: dict[str, Callable[[Forgery, Case, Row], None]] = {
    "change": _change,
    "delete": _delete,
    "cut off": _delete,
    "insert": _insert,
}


def _refused_acts(connection: sa.Connection, name: str) -> Iterator[str]:
    """What the database refuses, tried with its guards in place."""
    column = TABLES[name].columns[0].name
    tries = {"change": f"UPDATE {name} SET {column} = {column}", "delete": f"DELETE FROM {name}"}
    if connection.dialect.name == "postgresql":
        tries["truncate"] = f"TRUNCATE {name}"
    else:
        tries["replace"] = f"INSERT OR REPLACE INTO {name} SELECT * FROM {name}"
    for act, statement in tries.items():
        with connection.begin() as transaction:
            try:
                connection.exec_driver_sql(statement)
            except sa.exc.DBAPIError:
                yield act
            transaction.rollback()


def main() -> None:
    with TemporaryDirectory() as folder:
        target = Target(f"{folder}/book.db")
        results = {case: target.result(case) for case in cases()}
        PAGE.write_text(page(target.known_attacks(), results), encoding="utf-8")
        target.close()


if __name__ == "__main__":
    main()
