"""Somebody sets the machine's clock: no timer stops, no table is frozen, nobody is signed out; and it is reported."""

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from service.crash_simulation import EIGHTEEN_UTC
from service.desk_driver import KEY, DeskDriver
from support.cli_runner import upcard
from support.empty_books import NewAddress

from upcard.catalog import shipped
from upcard.ledger.gaming_day import Hours
from upcard.ledger.keyring import Keyring
from upcard.ledger.requests import CloseDay, SetHours
from upcard.ledger.store import Store, is_server
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service.check_results import Installation, Status
from upcard.service.desk import Desk
from upcard.service.doctor import examine
from upcard.service.queries import Queries
from upcard.service.steady_clock import ClockWatch, SteadyClock, clock_for, long_text, moved_clock, moved_file
from upcard.service.timers import fire_due

BET = {"Ante": 10_00}


class Machine:
    """A machine whose clock can be set; time passes only when the test says so."""

    def __init__(self, now: datetime = EIGHTEEN_UTC) -> None:
        self.set_to, self.seconds = now, 0.0

    def wall(self) -> datetime:
        return self.set_to + timedelta(seconds=self.seconds)

    def passed(self) -> float:
        return self.seconds

    def clock(self) -> SteadyClock:
        return SteadyClock(wall=self.wall, passed=self.passed)


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def driver(new_address: NewAddress, machine: Machine) -> Iterator[DeskDriver]:
    """A house whose desk has the steady clock of the machine, on both databases."""
    driver = DeskDriver(new_address())
    driver.desk.clock = machine.clock()
    driver.open(Brook="the-brook")
    driver.sit("Brook", "Ann", 1)
    yield driver
    driver.check()
    driver.store.close()


def acted_after_a_minute(driver: DeskDriver, machine: Machine) -> bool:
    """A wager, and a minute without anybody: the clock closes the betting and plays on."""
    driver.do(s.Bet(table="Brook", spot=1, stakes=BET), actor="Ann", role="player")
    machine.seconds += 60
    return bool(fire_due(driver.desk, driver.queries))


@pytest.mark.parametrize("hours", [-1, 72])
def test_a_clock_that_is_set_stops_no_timer(driver: DeskDriver, machine: Machine, hours: int) -> None:
    driver.do(s.Bet(table="Brook", spot=1, stakes=BET), actor="Ann", role="player")
    machine.set_to += timedelta(hours=hours)
    machine.seconds += 60
    assert fire_due(driver.desk, driver.queries)


def test_one_command_during_a_jump_of_three_days_does_not_freeze_the_table(
    driver: DeskDriver, machine: Machine
) -> None:
    machine.set_to += timedelta(days=3)
    driver.do(s.CallFloor(table="Brook", player="Ann"), actor="Ann", role="player")
    machine.set_to -= timedelta(days=3)
    assert acted_after_a_minute(driver, machine)
    assert driver.queries.records("Brook")[-1]["at"] < "2026-03-03"


def test_timers_are_due_at_wall_time(driver: DeskDriver) -> None:
    driver.do(s.Bet(table="Brook", spot=1, stakes=BET), actor="Ann", role="player")
    due = min(driver.desk.live("Brook").timers.values())
    assert due.startswith("2026-03-02T18:00:2")


def test_the_clock_never_goes_back_and_follows_the_time_that_passes(machine: Machine) -> None:
    clock = machine.clock()
    times = [clock()]
    for jump in (-3600, 259_200, -(10**7)):
        machine.set_to += timedelta(seconds=jump)
        machine.seconds += 10
        times.append(clock())
    assert times == [EIGHTEEN_UTC + timedelta(seconds=10 * number) for number in range(4)]


def test_a_moved_clock_is_reported_until_it_is_right_again(
    machine: Machine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key = tmp_path / "house.db.key"
    watch = ClockWatch(machine.clock(), key)
    machine.set_to += timedelta(minutes=4)
    watch.look()
    assert moved_clock(key) is None
    machine.set_to += timedelta(days=3)
    for _ in range(10):
        watch.look()
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "3 days ahead; the service keeps its own time" in caplog.text
    assert "3 days ahead" in str(moved_clock(key))
    assert moved_file(key).stat().st_mode & 0o077 == 0
    assert "restart the service" in str(moved_clock(key))
    machine.set_to -= timedelta(days=3)
    watch.look()
    assert moved_clock(key) is None


def test_the_doctor_reports_a_moved_clock(driver: DeskDriver, tmp_path: Path) -> None:
    key = tmp_path / "key"
    Path(f"{key}.clock").write_text(json.dumps({"seconds": -3600, "at": "2026-03-02T18:00:00Z"}))
    key.write_text(KEY.hex() + "\n")
    key.chmod(0o600)
    later = EIGHTEEN_UTC + timedelta(hours=1)
    installation = Installation(
        address=driver.address, store=driver.store, catalog=shipped(), key=key, clock=lambda: later
    )
    findings = [finding for finding in examine(installation) if finding.what == "clock"]
    assert findings[0].mark is Status.BAD
    assert "1 h 0 min behind" in findings[0].sentence


# --- the start ----------------------------------------------------------------------------------------------------


def test_a_service_does_not_start_with_a_clock_far_behind_the_last_record(new_address: NewAddress) -> None:
    """And with `--time-from-book` it continues from that record: no table waits for days."""
    ahead = datetime.now(UTC) + timedelta(days=3)
    driver = DeskDriver(new_address(), now=ahead)
    driver.open(Brook="the-brook")
    driver.sit("Brook", "Ann", 1)
    driver.do(s.Bet(table="Brook", spot=1, stakes=BET), actor="Ann", role="player")
    driver.store.close()
    store = Store.open(driver.address, Keyring([KEY]))
    with pytest.raises(BadRequest, match=r"is (3 days|2 days) behind the last record.*--time-from-book"):
        clock_for(store)
    clock = clock_for(store, from_book=True)
    assert clock() >= ahead
    assert clock.is_moved()
    waited = clock.limit  # the next timer is due long before
    desk = Desk(store, shipped(), clock=lambda: clock() + waited, entropy=lambda size: b"7" * size)
    assert fire_due(desk, Queries(desk.book))
    store.close()


def test_a_small_difference_at_the_start_is_no_reason_to_refuse(new_address: NewAddress) -> None:
    driver = DeskDriver(new_address(), now=datetime.now(UTC) + timedelta(minutes=4))
    driver.open(Brook="the-brook")
    clock = clock_for(driver.store)
    assert clock() >= driver.now  # but time does not go back
    assert not clock.is_moved()
    driver.store.close()


def test_a_machine_whose_clock_is_not_the_database_servers_does_not_serve(new_address: NewAddress) -> None:
    address = new_address()
    store = Store.open(address, Keyring([KEY]))
    wrong = datetime.now(UTC) + timedelta(days=3)
    if is_server(address):
        with pytest.raises(BadRequest, match=r"differs from the database server's by (3 days|2 days)"):
            clock_for(store, wall=lambda: wrong)
    else:
        assert clock_for(store, wall=lambda: wrong)() >= wrong  # a house may have been shut for as long
    store.close()


def test_serve_refuses_a_wrong_clock_in_one_sentence(empty_file: Path, tmp_path: Path) -> None:
    book = Path(shutil.copy(empty_file, tmp_path / "house.db"))
    key = Path(f"{book}.key")
    key.write_text(KEY.hex() + "\n")
    key.chmod(0o600)
    driver = DeskDriver(str(book), now=datetime.now(UTC) + timedelta(days=3))
    driver.open(Brook="the-brook")
    driver.store.close()
    answer = upcard("serve", "--book", str(book), "--port", "0")
    assert answer.code == 2
    assert "behind the last record" in answer.err
    assert len(answer.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("seconds", "text"), [(-90, "1 min 30 s"), (3900, "1 h 5 min"), (86_400, "1 day"), (-259_300, "3 days")]
)
def test_lengths_of_time_are_told_shortly(seconds: int, text: str) -> None:
    assert long_text(timedelta(seconds=seconds)) == text


# --- dates --------------------------------------------------------------------------------------------------------


def hours_since(since: date) -> s.House:
    return s.House(request=SetHours(hours=Hours(since=since, zone="America/New_York", start=6)))


@pytest.mark.parametrize("since", [date(9999, 12, 31), date(2062, 3, 2), date(1026, 3, 2), date(1, 1, 1)])
def test_absurd_first_hours_are_refused(new_address: NewAddress, since: date) -> None:
    """Later hours must begin later, so these could never be changed."""
    driver = DeskDriver(new_address())
    assert driver.refusal(hours_since(since)).reason == "HOURS_TOO_FAR"
    driver.do(hours_since(date(2026, 3, 2)))
    driver.store.close()


def test_absurd_later_hours_are_refused(desk_driver: DeskDriver) -> None:
    desk_driver.open(Brook="the-brook")
    refused = desk_driver.refusal(hours_since(date(2126, 3, 5)))
    assert str(refused) == "hours can begin between 2000-01-01 and 2027-03-03, not on 2126-03-05: check the year"
    desk_driver.do(hours_since(date(2026, 3, 5)))


def test_the_first_day_to_close_is_not_before_the_book(desk_driver: DeskDriver) -> None:
    """Days are closed one after the other: from 1926 on there would be 36,000."""
    desk_driver.open(Brook="the-brook")
    desk_driver.later(days=2)
    refused = desk_driver.refusal(s.House(request=CloseDay(day=date(1926, 3, 2))))
    assert (refused.reason, refused.details["first"]) == ("BEFORE_FIRST_DAY", "2026-03-02")
    desk_driver.do(s.House(request=CloseDay(day=date(2026, 3, 2))))
    desk_driver.do(s.House(request=CloseDay(day=date(2026, 3, 3))))
