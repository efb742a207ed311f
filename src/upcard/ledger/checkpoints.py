"""The checkpoints that daily closes wrote into the journal, compared with it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from upcard import formats
from upcard.ledger.accounts import Account
from upcard.ledger.journal import Entry, digest
from upcard.ledger.raw import Finding, Journal, place_of
from upcard.ledger.transfers import Balance, after


def compare_checkpoints(journal: Journal, closes: Sequence[Entry]) -> Iterator[Finding]:
    """Whether the journal still leads to the checkpoint of every daily close."""
    sums: dict[Account, Balance] = {}
    reached: dict[str, int] = {}
    for entry in closes:
        try:
            stored = orjson.loads(entry.answer)
            if stored["hash"] != digest({name: stored[name] for name in stored if name != "hash"}):
                yield Finding(place_of(entry), "its hash does not fit what it says")
                return
            kept = formats.upcast("answer", stored, entry.format)
            day = formats.read("request", entry.request, entry.format)["day"]
            yield from _compare(place_of(entry), kept, day, journal, sums, reached)
        except (ValueError, KeyError, TypeError, AttributeError):
            yield Finding(place_of(entry), "its checkpoint cannot be read")


def _compare(
    place: str,
    kept: Mapping[str, Any],
    day: str,
    journal: Journal,
    sums: dict[Account, Balance],
    reached: dict[str, int],
) -> Iterator[Finding]:
    """One checkpoint: the heads it names, and the balances of the journal up to them."""
    if kept["day"] != day:
        yield Finding(place, "it is the checkpoint of another day")
        return
    if not kept["heads"]:
        yield Finding(place, "it names no chain")
        return
    for chain, (number, head) in kept["heads"].items():
        if type(number) is not int or number < 1:
            yield Finding(place, f"the head of {chain} is at {number!r}, which is no entry")
            return
        entries = journal.chains.get(chain, [])
        if len(entries) < number:
            yield Finding(place, f"{chain} had {number} entries then, and has {len(entries)} now: it was cut off")
            return
        if entries[number - 1].hash != head:
            yield Finding(place, f"entry {number} of {chain} is not the one it was closed with")
            return
        for entry in entries[reached.get(chain, 0) : number]:
            sums |= after(sums, entry.transfers)
        reached[chain] = number
    made = {account: list(one) for account, one in sums.items() if one != Balance()}
    if made != kept["balances"]:
        yield Finding(place, "its balances are not what the entries up to it add up to")
