"""What `upcard ledger` shows: a book checked, read and renewed. A book is a file, or a server's address."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date
from pathlib import Path

from upcard.cli.output import Cell, counted, write_json, write_lines, write_table
from upcard.codes import sentence_of
from upcard.formats import LaterFormat
from upcard.ledger.accounts import Account
from upcard.ledger.chains import house_of
from upcard.ledger.gaming_day import day_of
from upcard.ledger.journal import HOUSE, instant_of, instant_text, utc_now
from upcard.ledger.keyring import Keyring, key_file
from upcard.ledger.keys import last_row
from upcard.ledger.raw import UNREADABLE
from upcard.ledger.report import DayReport
from upcard.ledger.report import report as report_day
from upcard.ledger.statement import statement as statement_of
from upcard.ledger.store import Store, is_server, shown
from upcard.ledger.titles import title_of
from upcard.ledger.unit import Unit
from upcard.problems import BadRequest, UnknownName
from upcard.service.checkpoint import Checkpoint, checkpoint, read_checkpoint
from upcard.service.key_rotation import rotate_key
from upcard.service.running import keyring_beside
from upcard.service.whole_check import WholeReport, check_everything
from upcard.units import dollars


def check(book: str, checkpoints: list[str], public_keys: list[str], key: str | None, *, as_json: bool) -> bool:
    """Shows what the whole check finds; tells whether the book is sound."""
    kept = [_checkpoint(file) for file in checkpoints]
    trusted = [_public_key(one) for one in public_keys]
    keyring = operators_keys(book, key)
    with reading(book) as unit:
        found = check_everything(unit, keyring, kept, trusted)
    if as_json:
        told = {**asdict(found.book), "findings": [asdict(one) for one in found.findings]}
        service = {name: value for name, value in asdict(found.records).items() if name != "findings"}
        people = {"people": found.people.people, "log_lines": found.people.log_lines}
        service["notes"] = found.notes
        write_json({**told, "service": service, "people": people, "seals": found.seals, "sound": found.sound})
    else:
        _tell(found)
    return found.sound


def write_checkpoint(book: str, key: str | None, out: str | None) -> None:
    """Prints a signed checkpoint of the whole book, or writes it to a file."""
    keyring = _needed_keys(book, key)
    with reading(book) as unit:
        made = checkpoint(unit, keyring, instant_text(utc_now()))
    if out is None:
        write_json(made)
        return
    Path(out).write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
    write_lines(f"{out}: {sum(map(len, made['heads'].values()))} chains, signed with key {made['key']}")


def rotate(book: str, key: str | None, by: str, *, lost: bool) -> None:
    """Takes a new operator's key into use."""
    path = None if key is None else Path(key)
    keyring = keyring_beside(book, path, replaced=True) if lost else _needed_keys(book, key)
    store = Store.open(book, keyring)
    try:
        new = rotate_key(store, utc_now(), by, lost=lost)
    finally:
        store.close()
    write_lines(f"Key {new['number']}, {new['id']}, seals {shown(book)} from now on; it is in {keyring.path}.")
    if lost:
        write_lines("Nothing the lost key sealed can be verified any more. Look through upcard people list, and reset")
        write_lines("the tables that are stopped: their shoes, and everybody's authenticators, were encrypted with it.")
    else:
        write_lines("Keep the old key in the file: it verifies what was written before.")
    write_lines(f"Give auditors the new public key: {new['public_key']}")


def show_public_key(book: str, key: str | None) -> None:
    """Prints the public key with which checkpoints are verified."""
    keyring = _needed_keys(book, key)
    with reading(book) as unit:
        row = last_row(unit.connection)
    if row is None or keyring.find(row["id"]) is None:
        raise BadRequest("this book is not sealed with a key of this file")
    write_lines(row["public_key"])


def _needed_keys(book: str, key: str | None) -> Keyring:
    keyring = operators_keys(book, key)
    if keyring is None:
        raise BadRequest("the operator's key is not here: name its file with --key")
    return keyring


def operators_keys(book: str, key: str | None) -> Keyring | None:
    """The operator's keys: the file that is named, which must be there, or the one beside the book if it is there."""
    if key is not None:
        if not Path(key).is_file():
            raise BadRequest(f"there is no operator's key {key}")
        return key_file(Path(key))
    beside = Path(f"{book}.key")
    return key_file(beside) if not is_server(book) and beside.is_file() else None


def statement(book: str, account: str, since: str | None, until: str | None, *, as_json: bool) -> None:
    """Shows an account line by line."""
    try:
        wanted = Account.parse(account)
    except ValueError as wrong:
        raise BadRequest(str(wrong)) from None
    first, last = day_or_none(since, "--since"), day_or_none(until, "--until")
    if first is not None and last is not None and first > last:
        raise BadRequest(f"--since {first} is after --until {last}: no day is between them")
    with reading(book) as unit:
        found = statement_of(unit, wanted, first, last)
        if not found.postings and not found.opening:
            _existing(unit, wanted)
    if as_json:
        lines = [asdict(one) for one in found.postings]
        write_json({"account": account, "opening": found.opening, "postings": lines, "closing": found.closing})
        return
    rows: list[dict[str, Cell]] = [
        {
            "day": one.day,
            "transfer": one.transfer,
            "reason": title_of(one.reason),
            "with": one.other,
            "amount": dollars(one.amount),
            "balance": dollars(one.balance),
        }
        for one in found.postings
    ]
    write_table(f"{account}, opening {dollars(found.opening)}", rows, right=["amount", "balance"])
    write_lines(f"Closing {dollars(found.closing)}")


def report(book: str, day: str | None, *, as_json: bool) -> None:
    """Shows a gaming day."""
    asked = day_or_none(day, "DAY")
    if asked == date.max:
        raise BadRequest(f"DAY: {asked} is the last day there is, and no gaming day that ends")
    with reading(book) as unit:
        wanted = asked or last_day(unit)
        found = report_day(unit, wanted)
    if as_json:
        tables = [{**asdict(one), "win_after_accrual": one.win_after_accrual} for one in found.tables]
        write_json({**asdict(found), "day": wanted.isoformat(), "tables": tables, "idle": found.idle})
    else:
        _show(found)


def migrate(book: str) -> None:
    """Brings a book to today's form."""
    store = Store.create(book)
    form = store.revision()
    store.close()
    write_lines(f"{book}: a book of form {form}")


@contextmanager
def reading(address: str) -> Iterator[Unit]:
    """One consistent look at a book."""
    store = Store.open(address)
    try:
        with store.view() as unit:
            yield unit
    except LaterFormat:
        raise
    except UNREADABLE:
        raise BadRequest(f"{shown(address)} has something in it that cannot be read: run upcard ledger check") from None
    finally:
        store.close()


def day_or_none(text: str | None, what: str) -> date | None:
    """A day, or a sentence about what it is not."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadRequest(f"{what}: {text!r} is not a day like 2026-03-08") from None


def last_day(unit: Unit) -> date:
    """The last day that was closed; before the first close, the day of the last entry."""
    state = house_of(unit.chain(HOUSE))
    if state.closed is not None:
        return state.closed
    if not state.hours:
        raise BadRequest("nothing is written in this book yet")
    return day_of(max(instant_of(one.at) for one in unit.chains().values()), state.hours)


def _existing(unit: Unit, account: Account) -> None:
    known = unit.balances()
    if account not in known:
        hint = "nothing ever moved on an account of this name"
        raise UnknownName(what="account", name=str(account), known=map(str, known), hint=hint)


def _checkpoint(file: str) -> Checkpoint:
    found = read_checkpoint(Path(file).read_bytes())
    if found is None:
        raise BadRequest(f"{file}: this is not a checkpoint")
    return found


def _public_key(text: str) -> str:
    """A public key: 64 hexadecimal digits, or a file that has them."""
    found = Path(text).read_text(encoding="utf-8").strip() if Path(text).is_file() else text
    if len(found) != 64 or not set(found) <= set("0123456789abcdef"):
        raise BadRequest(f"{text}: this is no public key of 64 hexadecimal digits, nor a file with one")
    return found


def _tell(whole: WholeReport) -> None:
    found, records = whole.book, whole.records
    write_lines(
        f"{found.entries} entries in {found.chains} chains, {found.transfers} transfers, {found.movements} movements "
        f"of meters, {found.closes} closes"
    )
    if records.streams:
        write_lines(
            f"{counted(records.records, 'record')} of tables and house, {records.replayed:,} done again; "
            f"{counted(records.rounds, 'round')}, {counted(records.shoes, 'shoe')}, "
            f"{counted(records.refused, 'refusal')}",
        )
    if whole.people.log_lines:
        people = counted(whole.people.people, "person", "people")
        write_lines(f"{people}, {counted(whole.people.log_lines, 'line')} in their log")
    write_lines(f"{counted(whole.seals, 'seal')} verified", *(f"Not checked: {note}" for note in whole.notes))
    if whole.sound:
        write_lines("The book is sound.")
        return
    first, *others = whole.findings
    write_lines(f"Wrong: {first}")
    if others:
        write_lines(f"and {len(others)} more that may follow from it")


def _show(found: DayReport) -> None:
    tables: list[dict[str, Cell]] = [
        {
            "table": one.table,
            "opener": dollars(one.opener),
            "fills": dollars(one.fills),
            "credits": dollars(one.credits),
            "buy-ins": dollars(one.buy_ins),
            "cash-outs": dollars(one.cash_outs),
            "over/short": dollars(one.counted),
            "closer": dollars(one.closer),
            "rounds": one.rounds,
            "win": dollars(one.win),
            "accrued": dollars(one.accrued),
            "win after": dollars(one.win_after_accrual),
        }
        for one in found.tables
    ]
    numbers = list(tables[0])[1:] if tables else []
    write_table(f"Gaming day {found.day}" + (": no activity" if found.idle else ""), tables, right=numbers)
    meters: list[dict[str, Cell]] = [
        {
            "jackpot": one.jackpot,
            "meter": one.meter,
            "plan": one.plan,
            "opening": dollars(one.opening),
            "moved": "; ".join(f"{title_of(reason)} {dollars(amount)}" for reason, amount in one.moves.items()),
            "closing": dollars(one.closing),
            "wagered": dollars(one.wagered),
            "paid": dollars(one.paid),
        }
        for one in found.jackpots
    ]
    if meters:
        write_table("Jackpots", meters, right=["opening", "closing", "wagered", "paid"])
    if found.checkpoint is None:
        write_lines("Not closed yet.")
    else:
        write_lines(f"Closed, hash {found.checkpoint['hash']}", *map(sentence_of, found.checkpoint["warnings"]))
