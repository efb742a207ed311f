"""A gaming day of a book."""

from dataclasses import asdict
from datetime import date

from upcard.cli.book_access import open_book
from upcard.cli.commands.ledger.day_argument import read_day
from upcard.cli.output import Cell, Form, write_data, write_lines, write_table
from upcard.codes import sentence_of
from upcard.ledger.chains import house_of
from upcard.ledger.gaming_day import day_of
from upcard.ledger.journal import HOUSE, instant_of
from upcard.ledger.reason_titles import title_of
from upcard.ledger.report import DayReport, JackpotDay, TableDay
from upcard.ledger.report import report as report_day
from upcard.ledger.unit import Unit
from upcard.problems import BadRequest
from upcard.serialize import dollars_cell
from upcard.units import dollars


def show_report(book: str, day_text: str | None, form: Form) -> None:
    typed = read_day(day_text, "DAY")
    if typed == date.max:
        raise BadRequest(f"DAY: {typed} is too late: no gaming day can end after it")
    with open_book(book) as unit:
        day = typed or _last_day(unit)
        report = report_day(unit, day)
    if not write_data(form, lambda: _as_dict(report), lambda: _csv_rows(report)):
        _show_day(report)


def _as_dict(report: DayReport) -> dict[str, object]:
    tables = [{**asdict(table), "win_after_accrual": table.win_after_accrual} for table in report.tables]
    return {**asdict(report), "day": report.day.isoformat(), "tables": tables, "idle": report.idle}


def _csv_rows(report: DayReport) -> list[dict[str, Cell]]:
    """A row for each table and for each meter; what one of them does not have is empty. Amounts are dollars."""
    rows = [
        *({"table": table.table, "rounds": table.rounds, **_amounts(table)} for table in report.tables),
        *(
            {"jackpot": meter.jackpot, "meter": meter.meter, "plan": meter.plan, **_amounts(meter)}
            for meter in report.jackpots
        ),
    ]
    columns = dict.fromkeys(["day", "table", "jackpot", "meter", "plan", *(key for row in rows for key in row)])
    day: dict[str, Cell] = {"day": report.day.isoformat()}
    return [{column: (day | row).get(column, "") for column in columns} for row in rows]


def _amounts(line: TableDay | JackpotDay) -> dict[str, Cell]:
    amounts: dict[str, Cell] = {
        key: dollars_cell(value) for key, value in asdict(line).items() if isinstance(value, int) and key != "rounds"
    }
    if isinstance(line, TableDay):
        return {**amounts, "win_after_accrual": dollars_cell(line.win_after_accrual)}
    return {**amounts, **{f"moved: {reason}": dollars_cell(amount) for reason, amount in line.moves.items()}}


def _last_day(unit: Unit) -> date:
    """The last day that was closed; before the first close, the day of the last entry."""
    house = house_of(unit.chain(HOUSE))
    if house.closed is not None:
        return house.closed
    if not house.hours:
        raise BadRequest("this book is empty: there is no gaming day to report")
    return day_of(max(instant_of(chain.at) for chain in unit.chains().values()), house.hours)


def _show_day(report: DayReport) -> None:
    tables: list[dict[str, Cell]] = [
        {
            "table": table.table,
            "opener": dollars(table.opener),
            "fills": dollars(table.fills),
            "credits": dollars(table.credits),
            "buy-ins": dollars(table.buy_ins),
            "cash-outs": dollars(table.cash_outs),
            "chips": dollars(table.chips),
            "over/short": dollars(table.counted),
            "closer": dollars(table.closer),
            "rounds": table.rounds,
            "win": dollars(table.win),
            "accrued": dollars(table.accrued),
            "win after": dollars(table.win_after_accrual),
        }
        for table in report.tables
    ]
    numbers = list(tables[0])[1:] if tables else []
    write_table(f"Gaming day {report.day}" + (": no activity" if report.idle else ""), tables, right=numbers)
    meters: list[dict[str, Cell]] = [
        {
            "jackpot": meter.jackpot,
            "meter": meter.meter,
            "plan": meter.plan,
            "opening": dollars(meter.opening),
            "moved": "; ".join(f"{title_of(reason)} {dollars(amount)}" for reason, amount in meter.moves.items()),
            "closing": dollars(meter.closing),
            "wagered": dollars(meter.wagered),
            "paid": dollars(meter.paid),
        }
        for meter in report.jackpots
    ]
    if meters:
        write_table("Jackpots", meters, right=["opening", "closing", "wagered", "paid"])
    if report.checkpoint is None:
        write_lines("Not closed yet.")
    else:
        write_lines(f"Closed, hash {report.checkpoint['hash']}", *map(sentence_of, report.checkpoint["warnings"]))
