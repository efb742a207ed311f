"""Compares the journal with the checkpoint of every daily close in it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from upcard import formats
from upcard.ledger.accounts import Account
from upcard.ledger.findings import Finding
from upcard.ledger.journal import Entry, json_hash
from upcard.ledger.journal_reader import Journal, place_of
from upcard.ledger.transfers import Balance, after


def check_daily_closes(journal: Journal, closes: Sequence[Entry]) -> Iterator[Finding]:
    """Whether the journal still has what was in it at every daily close."""
    sums: dict[Account, Balance] = {}
    reached: dict[str, int] = {}
    for entry in closes:
        try:
            stored = orjson.loads(entry.answer)
            if stored["hash"] != json_hash({name: stored[name] for name in stored if name != "hash"}):
                yield Finding(place_of(entry), "the hash of its checkpoint does not match the checkpoint")
                return
            checkpoint = formats.upcast("answer", stored, entry.format)
            day = formats.read("request", entry.request, entry.format)["day"]
            yield from _compare(place_of(entry), checkpoint, day, journal, sums, reached)
        except (ValueError, KeyError, TypeError, AttributeError):
            yield Finding(place_of(entry), "its checkpoint cannot be read")


def _compare(
    place: str,
    checkpoint: Mapping[str, Any],
    day: str,
    journal: Journal,
    sums: dict[Account, Balance],
    reached: dict[str, int],
) -> Iterator[Finding]:
    """Compares one checkpoint: the heads it names, and the balances of the journal up to them."""
    if checkpoint["day"] != day:
        yield Finding(place, "its checkpoint is for another day")
        return
    if not checkpoint["heads"]:
        yield Finding(place, "its checkpoint names no chain")
        return
    for chain, (number, head) in checkpoint["heads"].items():
        if type(number) is not int or number < 1:
            yield Finding(place, f"its checkpoint has {chain} at entry {number!r}, which cannot exist")
            return
        entries = journal.chains.get(chain, [])
        if len(entries) < number:
            yield Finding(place, f"{chain} had {number} entries then, but has {len(entries)} now: it was cut off")
            return
        if entries[number - 1].hash != head:
            yield Finding(place, f"entry {number} of {chain} is not the one that the day was closed with")
            return
        for entry in entries[reached.get(chain, 0) : number]:
            sums |= after(sums, entry.transfers)
        reached[chain] = number
    balances = {account: list(balance) for account, balance in sums.items() if balance != Balance()}
    if balances != checkpoint["balances"]:
        yield Finding(place, "its balances are not the sums of the transfers up to it")
