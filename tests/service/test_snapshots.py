"""A table is written down now and then, and resumed from there: in a few records, and exactly as it was."""

import sqlalchemy as sa
from service.conftest import NewDriver
from service.table_driver import TableDriver

from upcard.service import commands as s
from upcard.service import schema


def written_down(driver: TableDriver) -> int:
    with driver.service.desk.store.view() as unit:
        return int(unit.connection.execute(sa.select(schema.streams.c.snapshot_version).where(TABLE)).scalar_one())


TABLE = schema.streams.c.stream == "table:T1"


def test_a_table_is_resumed_from_within_a_shoe(new_driver: NewDriver) -> None:
    driver = new_driver("the-brook")
    driver.sit("Ann", "Ben")
    driver.floor(s.NotifyFlatBet, player="Ben")
    first = driver.live.shoe
    middle = set()
    for _ in range(12):
        driver.bet("Ann", 1, 10_00)
        driver.bet("Ben", 2, 10_00)
        driver.floor(s.Deal)
        while driver.live.table.round is not None:
            driver.later(60)
        if driver.live.shoe == first and written_down(driver) > 10:
            middle.add(written_down(driver))
        table_before = driver.live
        driver.restart()
        assert driver.live == table_before
    assert len(middle) > 1, "the table was never written down within its shoe"
    assert driver.live.version - max(middle) < 60
    assert driver.live.table.first_wagers["Ben"]
    assert driver.live.table.came_out


def test_a_snapshot_contains_no_undealt_card(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann")
    for _ in range(12):
        driver.bet("Ann", 1, 10_00)
        while driver.live.table.round is not None:
            driver.later(60)
    with driver.service.desk.store.view() as unit:
        text = unit.connection.execute(sa.select(schema.streams.c.snapshot).where(TABLE)).scalar_one()
    assert driver.live.shuffle is not None
    assert '"dealt"' in text
    assert driver.live.shuffle.key.hex() not in text
