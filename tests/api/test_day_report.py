"""The report of a gaming day over HTTP is the book's own, field by field."""

from dataclasses import asdict

from api.serving import House

from upcard.ledger.report import report
from upcard.people import Role


def test_the_report_of_today_says_what_the_book_says(house: House) -> None:
    house.player(chips=123_00)
    floor = house.somebody(Role.FLOOR)
    day = floor.get("/api/floor/days").json()["today"]
    answer = floor.get(f"/api/report/{day}")
    assert answer.status_code == 200, answer.text
    sent = answer.json()
    with house.server.service.desk.book.look() as reader:
        made = report(reader.unit, house.server.gaming_days.days().today)
    assert sent["day"] == day
    assert sent["tables"] == [asdict(one) for one in made.tables]
    assert sent["jackpots"] == [asdict(one) for one in made.jackpots]
    assert sent["checkpoint"] is None
    assert sum(one["buy_ins"] for one in sent["tables"]) == sum(one.buy_ins for one in made.tables) >= 123_00
