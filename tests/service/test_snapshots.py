"""A table is written down now and then, and resumed from there: in a few records, and exactly as it was."""

import sqlalchemy as sa
from service.conftest import NewEvening
from service.evening import Evening

from upcard.service import commands as s
from upcard.service import schema


def written_down(e: Evening) -> int:
    with e.service.desk.store.view() as unit:
        return int(unit.connection.execute(sa.select(schema.streams.c.snapshot_version).where(TABLE)).scalar_one())


TABLE = schema.streams.c.stream == "table:T1"


def test_a_table_is_resumed_from_within_a_shoe(evening: NewEvening) -> None:
    e = evening("the-brook")
    e.sit("Ann", "Ben")
    e.floor(s.NotifyFlatBet, player="Ben")
    first = e.live.shoe
    middle = set()
    for _ in range(12):
        e.bet("Ann", 1, 10_00)
        e.bet("Ben", 2, 10_00)
        e.floor(s.Deal)
        while e.live.table.round is not None:
            e.later(60)
        if e.live.shoe == first and written_down(e) > 10:
            middle.add(written_down(e))
        known = e.live
        e.restart()
        assert e.live == known
    assert len(middle) > 1, "the table was never written down within its shoe"
    assert e.live.version - max(middle) < 60
    assert e.live.table.first_wagers["Ben"]
    assert e.live.table.came_out


def test_a_snapshot_tells_no_card_that_is_not_out(evening: NewEvening) -> None:
    e = evening()
    e.sit("Ann")
    for _ in range(12):
        e.bet("Ann", 1, 10_00)
        while e.live.table.round is not None:
            e.later(60)
    with e.service.desk.store.view() as unit:
        text = unit.connection.execute(sa.select(schema.streams.c.snapshot).where(TABLE)).scalar_one()
    assert e.live.shuffle is not None
    assert '"dealt"' in text
    assert e.live.shuffle.key.hex() not in text
