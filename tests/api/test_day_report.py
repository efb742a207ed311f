"""The report of a gaming day over HTTP is the book's own, field by field."""

from dataclasses import asdict

from api.house import House

from upcard.ledger.report import report
from upcard.people import Role


def test_the_report_of_today_says_what_the_book_says(house: House) -> None:
    house.player(chips=123_00)
    floor = house.somebody(Role.FLOOR)
    day = floor.get("/api/floor/days").json()["today"]
    answer = floor.get(f"/api/report/{day}")
    assert answer.status_code == 200, answer.text
    reply = answer.json()
    with house.server.service.desk.book.look() as reader:
        day_report = report(reader.unit, house.server.gaming_days.days().today)
    assert reply["day"] == day
    assert reply["tables"] == [asdict(table) for table in day_report.tables]
    assert reply["jackpots"] == [asdict(jackpot) for jackpot in day_report.jackpots]
    assert reply["checkpoint"] is None
    assert (
        sum(table["buy_ins"] for table in reply["tables"])
        == sum(table.buy_ins for table in day_report.tables)
        >= 123_00
    )
