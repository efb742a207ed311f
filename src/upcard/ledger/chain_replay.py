"""Replays one chain: every request of the journal is carried out again, and compared with what was written.

So even a journal whose hashes were all recomputed must still follow the rules.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from upcard import formats
from upcard.ledger.chains import State, apply_to, chain_of, request_of, request_text
from upcard.ledger.daily_close import WholeBook
from upcard.ledger.findings import UNREADABLE, Finding, one_line
from upcard.ledger.gaming_day import Hours, day_of
from upcard.ledger.journal import Entry, MeterChange, canonical, instant_of
from upcard.ledger.journal_reader import place_of
from upcard.ledger.outcome import Moment, Outcome
from upcard.ledger.refusals import BookRefused
from upcard.ledger.requests import CloseDay, SetHours
from upcard.ledger.transfers import Transfer


@dataclass
class ChainReplay:
    """The state of a chain after its last entry, the requests it sent to other chains, and its first problem."""

    state: State | None = None
    onward: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # command -> chain and request
    finding: Finding | None = None


class _Mismatch(Exception):  # noqa: N818 - ends the replay of the chain at its first problem
    pass


def replay(entries: Sequence[Entry], hours: Sequence[Hours]) -> ChainReplay:
    """Replays a chain up to its first problem."""
    result = ChainReplay()
    transfers: dict[str, Transfer] = {}
    corrected: dict[str, int] = {}
    meters: dict[str, int] = {}
    last_time = ""
    for entry in entries:
        try:
            outcome = _carry_out(entry, result.state, hours, transfers, corrected)
            for sentence in _differences(entry, outcome, meters, last_time):
                raise _Mismatch(sentence)
        except (BookRefused, *UNREADABLE) as error:
            result.finding = Finding(place_of(entry), f"the rules do not allow it: {one_line(error)}")
            return result
        except _Mismatch as mismatch:
            result.finding = Finding(place_of(entry), str(mismatch))
            return result
        result.state, last_time = outcome.state, entry.at
        if outcome.onward:
            sent = ((chain_of(request), request_text(request)) for request in outcome.onward)
            result.onward[entry.command] = sorted(sent)
        for transfer in entry.transfers:
            transfers[transfer.id] = transfer
            if transfer.corrects is not None:
                corrected[transfer.corrects] = corrected.get(transfer.corrects, 0) + transfer.amount
    return result


def hours_of(entries: Sequence[Entry]) -> tuple[Hours, ...]:
    """The opening hours that a house has set, from its chain."""
    hours = []
    for entry in entries:
        try:
            request = request_of(entry.chain, entry.request, entry.format)
        except ValueError:
            break
        if isinstance(request, SetHours):
            hours.append(request.hours)
    return tuple(hours)


def _carry_out(
    entry: Entry,
    state: State | None,
    hours: Sequence[Hours],
    transfers: dict[str, Transfer],
    corrected: dict[str, int],
) -> Outcome[Any]:
    request = request_of(entry.chain, entry.request, entry.format)
    if chain_of(request) != entry.chain:
        raise _Mismatch(f"its request belongs to {chain_of(request)}")
    at = instant_of(entry.at)
    moment = Moment(
        command=entry.command,
        part=entry.part,
        at=at,
        day=date.fromisoformat(entry.day),
        actor=entry.actor,
        format=entry.format,
    )
    if not hours or moment.day != day_of(at, hours):
        raise _Mismatch(f"{entry.at} is not within the gaming day {entry.day}")
    if isinstance(request, CloseDay):  # daily_closes.py compares its heads and balances with the other chains
        return apply_to(state, request, moment, find=lambda _key: None, whole_book=WholeBook(heads={}, balances={}))
    return apply_to(
        state,
        request,
        moment,
        find=lambda key: (transfers[key], corrected.get(key, 0)) if key in transfers else None,
    )


def _differences(entry: Entry, outcome: Outcome[Any], meters: dict[str, int], last_time: str) -> Iterator[str]:
    """How an entry differs from what its request does."""
    if entry.at < last_time:
        yield "its time is before that of the entry before it"
    if entry.transfers != outcome.transfers:
        yield "its transfers are not those that its request makes"
    if entry.movements != outcome.movements:
        accruals = [movement for movement in outcome.movements if movement.reason is MeterChange.ACCRUED]
        if any(accrual not in entry.movements for accrual in accruals):
            yield "the daily accrual is missing before it"
        yield "its meter movements are not those that its request makes"
    answer = formats.today("answer", entry.answer, entry.format)
    if '"order":"close-day"' not in entry.request and answer != canonical(outcome.answer):
        yield "its answer is not the one that its request gets"
    for movement in entry.movements:
        if movement.before != meters.get(movement.meter, 0):
            yield f"{movement.meter} moves from {movement.before}, but it was at {meters.get(movement.meter, 0)}"
        meters[movement.meter] = movement.after
