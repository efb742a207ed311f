"""One chain done again: every request of the journal carried out by the same rules, and compared with what is written.

So even a journal whose seals were all made anew must still say what the rules say.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from upcard import formats
from upcard.ledger.chains import State, apply_to, chain_of, request_of, request_text
from upcard.ledger.gaming_day import Hours, day_of
from upcard.ledger.house import Sight
from upcard.ledger.journal import Entry, canonical, instant_of
from upcard.ledger.outcome import Moment, Outcome
from upcard.ledger.raw import UNREADABLE, Finding, one_line, place_of
from upcard.ledger.refusals import BookRefused
from upcard.ledger.requests import CloseDay, SetHours
from upcard.ledger.transfers import Transfer


@dataclass
class Replayed:
    """What a chain adds up to, what its commands brought to other chains, and the first thing wrong in it."""

    state: State | None = None
    onward: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # command -> chain and request
    finding: Finding | None = None


class _Odd(Exception):  # noqa: N818 - leaves the chain at the first thing wrong
    pass


def replay(entries: Sequence[Entry], hours: Sequence[Hours]) -> Replayed:
    """Does a chain again."""
    done = Replayed()
    transfers: dict[str, Transfer] = {}
    corrected: dict[str, int] = {}
    meters: dict[str, int] = {}
    clock = ""
    for entry in entries:
        try:
            outcome = _again(entry, done.state, hours, transfers, corrected)
            for sentence in _odds(entry, outcome, meters, clock):
                raise _Odd(sentence)
        except (BookRefused, *UNREADABLE) as wrong:
            done.finding = Finding(place_of(entry), f"the rules do not allow it: {one_line(wrong)}")
            return done
        except _Odd as wrong:
            done.finding = Finding(place_of(entry), str(wrong))
            return done
        done.state, clock = outcome.state, entry.at
        if outcome.onward:
            done.onward[entry.command] = sorted((chain_of(one), request_text(one)) for one in outcome.onward)
        for one in entry.transfers:
            transfers[one.id] = one
            if one.corrects is not None:
                corrected[one.corrects] = corrected.get(one.corrects, 0) + one.amount
    return done


def hours_of(entries: Sequence[Entry]) -> tuple[Hours, ...]:
    """The hours a house has set, as its chain says."""
    found = []
    for entry in entries:
        try:
            request = request_of(entry.chain, entry.request, entry.format)
        except ValueError:
            break
        if isinstance(request, SetHours):
            found.append(request.hours)
    return tuple(found)


def _again(
    entry: Entry,
    state: State | None,
    hours: Sequence[Hours],
    transfers: dict[str, Transfer],
    corrected: dict[str, int],
) -> Outcome[Any]:
    request = request_of(entry.chain, entry.request, entry.format)
    if chain_of(request) != entry.chain:
        raise _Odd(f"its request belongs to {chain_of(request)}")
    at = instant_of(entry.at)
    moment = Moment(command=entry.command, part=entry.part, at=at, day=date.fromisoformat(entry.day), actor=entry.actor)
    if not hours or moment.day != day_of(at, hours):
        raise _Odd(f"{entry.at} is not of the gaming day {entry.day}")
    if isinstance(request, CloseDay):  # what it saw is compared with the other chains, by the check of checkpoints
        return apply_to(state, request, moment, find=lambda _key: None, sight=Sight(heads={}, balances={}))
    return apply_to(
        state,
        request,
        moment,
        find=lambda key: (transfers[key], corrected.get(key, 0)) if key in transfers else None,
    )


def _odds(entry: Entry, outcome: Outcome[Any], meters: dict[str, int], clock: str) -> Iterator[str]:
    """Where an entry differs from what its request does."""
    if entry.at < clock:
        yield "its clock goes back"
    if entry.transfers != outcome.transfers:
        yield "its transfers are not what its request moves"
    if entry.movements != outcome.movements:
        yield "its meters are not what its request shows"
    told = formats.today("answer", entry.answer, entry.format)
    if '"order":"close-day"' not in entry.request and told != canonical(outcome.answer):
        yield "its answer is not what its request is answered"
    for one in entry.movements:
        if one.before != meters.get(one.meter, 0):
            yield f"{one.meter} moves from {one.before}, where it stood at {meters.get(one.meter, 0)}"
        meters[one.meter] = one.after
