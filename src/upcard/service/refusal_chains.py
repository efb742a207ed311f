"""Refusals are stored in chains: one per stream, and one for all streams that do not exist."""

from collections.abc import Sequence
from datetime import datetime

from upcard.ledger.journal import new_row_hash
from upcard.ledger.unit import Unit
from upcard.service.new_rows import NewRow, NewRows
from upcard.service.refusal_budget import RefusalBudget
from upcard.service.streams import Streams

NO_STREAM = "refusals"  # the chain of refusals without an existing stream


def chain_refusals(refusals: Sequence[NewRow], streams: Streams, unit: Unit) -> None:
    """Appends refusals to their chains. The chain without a stream is locked last, to avoid deadlocks."""
    without_stream: list[NewRow] = []
    for row in refusals:
        stream = streams.get(str(row["stream"]))
        if stream is None or not stream.version:
            without_stream.append(row)
            continue
        stream.refusals, stream.changed = stream.refusals + 1, True
        stream.refusals_hash = _chain(row, unit, stream.stream, stream.refusals, stream.refusals_hash)
    if without_stream:
        count, last = unit.lock_log(NO_STREAM)
        for number, row in enumerate(without_stream, start=count + 1):
            last = _chain(row, unit, NO_STREAM, number, last)
        unit.move_log(NO_STREAM, count + len(without_stream), last)


def keep_refusals(rows: NewRows, budget: RefusalBudget, now: datetime, streams: Streams, unit: Unit) -> None:
    """Appends the refusals of a transaction to their chains, except those beyond a person's budget."""
    rows.refusals, rows.counted = budget.keep(rows.refusals, now)
    for row in rows.counted:
        stream = streams.get(str(row["stream"]))
        row["chain"] = NO_STREAM if stream is None or not stream.version else stream.stream
    chain_refusals(rows.refusals, streams, unit)


def _chain(row: NewRow, unit: Unit, chain: str, number: int, previous: str) -> str:
    row |= {"chain": chain, "number": number, "key": unit.key_number}
    row["hash"] = new_hash = new_row_hash(previous, row)
    row["mac"] = unit.mac(new_hash)
    return new_hash
