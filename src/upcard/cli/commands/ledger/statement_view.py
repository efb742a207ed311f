"""An account's statement, line by line."""

from dataclasses import asdict

from upcard.cli.book_access import open_book
from upcard.cli.commands.ledger.day_argument import read_day
from upcard.cli.output import Cell, write_json, write_lines, write_table
from upcard.ledger.accounts import Account
from upcard.ledger.reason_titles import title_of
from upcard.ledger.statement import statement
from upcard.ledger.unit import Unit
from upcard.problems import BadRequest, UnknownName
from upcard.units import dollars


def show_statement(book: str, account_name: str, since: str | None, until: str | None, *, as_json: bool) -> None:
    try:
        account = Account.parse(account_name)
    except ValueError as error:
        raise BadRequest(str(error)) from None
    first, last = read_day(since, "--since"), read_day(until, "--until")
    if first is not None and last is not None and first > last:
        raise BadRequest(f"--since {first} is after --until {last}")
    with open_book(book) as unit:
        lines = statement(unit, account, first, last)
        if not lines.postings and not lines.opening:
            _refuse_unknown(unit, account)
    if as_json:
        postings = [asdict(posting) for posting in lines.postings]
        write_json({"account": account_name, "opening": lines.opening, "postings": postings, "closing": lines.closing})
        return
    rows: list[dict[str, Cell]] = [
        {
            "day": posting.day,
            "transfer": posting.transfer,
            "reason": title_of(posting.reason),
            "with": posting.other,
            "amount": dollars(posting.amount),
            "balance": dollars(posting.balance),
        }
        for posting in lines.postings
    ]
    write_table(f"{account_name}, opening {dollars(lines.opening)}", rows, right=["amount", "balance"])
    write_lines(f"Closing {dollars(lines.closing)}")


def _refuse_unknown(unit: Unit, account: Account) -> None:
    accounts = unit.balances()
    if account not in accounts:
        hint = "no money ever moved on an account of this name"
        raise UnknownName(what="account", name=str(account), known=map(str, accounts), hint=hint)
