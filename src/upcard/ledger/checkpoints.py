"""Checkpoints compared: those the daily closes wrote into the journal, and those somebody kept outside."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from upcard.ledger.accounts import Account
from upcard.ledger.balances import Balance, after
from upcard.ledger.journal import Entry, digest
from upcard.ledger.raw import Finding, Journal, place_of

_SEALED = ("day", "heads", "balances", "warnings")


def compare_checkpoints(
    journal: Journal, closes: Sequence[Entry], outside: Sequence[Mapping[str, Any]]
) -> Iterator[Finding]:
    """Whether the journal still leads to every checkpoint."""
    sums: dict[Account, Balance] = {}
    reached: dict[str, int] = {}
    by_day: dict[str, Any] = {}
    for entry in closes:
        try:
            kept = json.loads(entry.answer)
            day = json.loads(entry.request)["day"]
            by_day[day] = kept
            yield from _compare(place_of(entry), kept, day, journal, sums, reached)
        except (ValueError, KeyError, TypeError, AttributeError):
            yield Finding(place_of(entry), "its checkpoint cannot be read")
    for kept in sorted(outside, key=lambda one: str(one.get("day"))):
        place = f"checkpoint of {kept.get('day')}"
        own = by_day.get(str(kept.get("day")))
        if own is None:
            yield Finding(place, "the journal has no close of this day: it was cut off, or is another book's")
        try:
            wrong = list(_compare(place, kept, kept["day"], journal, {}, {}))
            if not wrong and own is not None and kept != own:
                wrong = [Finding(place, "it is not the one the journal closed this day with")]
            yield from wrong
        except (ValueError, KeyError, TypeError, AttributeError):
            yield Finding(place, "it cannot be read as a checkpoint")


def _compare(
    place: str,
    kept: Mapping[str, Any],
    day: str,
    journal: Journal,
    sums: dict[Account, Balance],
    reached: dict[str, int],
) -> Iterator[Finding]:
    """One checkpoint: its own seal, the heads it names, and the balances of the journal up to them."""
    if kept["day"] != day or kept["seal"] != digest({name: kept[name] for name in _SEALED}):
        yield Finding(place, "its seal does not fit what it says")
        return
    if not kept["heads"]:
        yield Finding(place, "it names no chain")
        return
    for chain, (number, seal) in kept["heads"].items():
        if type(number) is not int or number < 1:
            yield Finding(place, f"the head of {chain} is at {number!r}, which is no entry")
            return
        entries = journal.chains.get(chain, [])
        if len(entries) < number:
            yield Finding(place, f"{chain} had {number} entries then, and has {len(entries)} now: it was cut off")
            return
        if entries[number - 1].hash != seal:
            yield Finding(place, f"entry {number} of {chain} is not the one that was sealed")
            return
        for entry in entries[reached.get(chain, 0) : number]:
            sums.update(after({one: sums.get(one, Balance()) for one in _touched(entry)}, entry.transfers))
        reached[chain] = number
    made = {
        str(account): [one.debits, one.credits, one.pending_debits, one.pending_credits]
        for account, one in sums.items()
        if one != Balance()
    }
    if made != kept["balances"]:
        yield Finding(place, "its balances are not what the entries up to it add up to")


def _touched(entry: Entry) -> set[Account]:
    return {account for one in entry.transfers for account in (one.debit, one.credit)}
