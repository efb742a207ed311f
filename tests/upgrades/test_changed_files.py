"""Files that change between two starts: a shoe finishes under its rules, the next one is dealt by the new file."""

import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest
from support.empty_books import NewAddress
from upgrades.small_house import House, jackpots_of
from upgrades.small_house import open_house as reopen_house
from upgrades.test_reworded_program import edit

from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.codes import sentence_of
from upcard.ledger.gaming_day import Hours
from upcard.ledger.requests import SetHours
from upcard.service import commands as s
from upcard.service.rules_in_force import rules_notice, take_new_rules
from upcard.service.wire_models import EventSent
from upcard.units import Cents


class Files:
    """A copy of the shipped files that can be edited between two starts."""

    def __init__(self, folder: Path) -> None:
        shutil.copytree(shipped().folder, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        self.folder = folder

    def edit(self, file: str, pattern: str, new: str) -> None:
        edit(self.folder / file, pattern, new)

    def read(self) -> Catalog:
        """As they stand now."""
        return Catalog(self.folder)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path / "catalog")


def open_house(house: House, **tables: str) -> None:
    house.do(s.House(request=SetHours(hours=Hours(since=date(2026, 3, 1), zone="UTC", start=6))))
    for table, layout in tables.items():
        house.do(s.OpenTable(table=table, layout=layout, tray=1_000_000, jackpots=jackpots_of(table, layout)))


def notice(house: House, table: str) -> str | None:
    """What the floor is told of a table's rules."""
    coded = rules_notice(house.service.desk.context, house.live(table))
    assert coded is None or sentence_of(coded)
    return None if coded is None else str(coded["code"])


def start(house: House) -> None:
    """What a service does first."""
    take_new_rules(house.service.desk, house.service.queries)


def changes(house: House, table: str) -> list[EventSent]:
    events = [event for record in house.service.queries.records(table) for event in record["events"]]
    return [event for event in events if event["event"] in ("rules-changed", "minimum-withdrawn", "spot-left")]


def sound(house: House) -> None:
    report = house.check()
    assert (report.findings, report.notes) == ((), ())


def test_a_shoe_finishes_under_its_rules_and_the_next_is_dealt_by_the_new_file(
    files: Files, new_address: NewAddress
) -> None:
    address = new_address()
    with reopen_house(address, catalog=files.read()) as house:
        open_house(house, T1="bet-bigger")
        house.play("T1", 1, into_a_hand=True)
        old = house.live("T1").rules.hash
        assert notice(house, "T1") is None
    files.edit("layouts/bet-bigger.toml", r'(?m)^posted_minimum = ".*"', 'posted_minimum = "$10"')
    with reopen_house(address, now=house.now, catalog=files.read()) as house:
        start(house)
        assert notice(house, "T1") == "rules/next-shoe"
        house.play("T1", 2)
        live = house.live("T1")
        assert (live.rules.hash, live.table.layout.posted_minimum) == (old, 500)
        house.do(s.Shuffle(table="T1"))
        live = house.live("T1")
        assert live.rules.hash != old
        assert live.table.layout.posted_minimum == 1_000
        assert notice(house, "T1") is None
        assert [(event["event"], event["before"]) for event in changes(house, "T1")] == [("rules-changed", old)]
        house.play("T1", 1)
        newest = house.service.queries.round("T1", house.live("T1").round)
        oldest = house.service.queries.round("T1", 1)
        assert newest is not None
        assert oldest is not None
        assert (oldest["rules"], newest["rules"]) == (old, live.rules.hash)
        sound(house)


def test_a_table_between_two_shoes_takes_new_rules_at_the_start(files: Files, new_address: NewAddress) -> None:
    """Two processes that start at once write one record."""
    address = new_address()
    with reopen_house(address, catalog=files.read()) as house:
        open_house(house, T1="bet-bigger")
        house.play("T1", 1)
        house.do(s.Shuffle(table="T1"))
    files.edit("layouts/bet-bigger.toml", r'(?m)^title = ".*"', 'title = "Another title"')
    with (
        reopen_house(address, now=house.now, catalog=files.read()) as first,
        reopen_house(address, now=house.now, catalog=files.read()) as second,
    ):
        start(first)
        start(second)
        assert first.live("T1").table.layout.title == second.live("T1").table.layout.title == "Another title"
        assert len(changes(first, "T1")) == 1
        sound(second)


def test_a_minimum_the_floor_posted_outlasts_shoes_and_files(files: Files, new_address: NewAddress) -> None:
    address = new_address()
    with reopen_house(address, catalog=files.read()) as house:
        open_house(house, T1="bet-bigger", T2="bet-bigger")
        house.do(s.PostMinimum(table="T1", amount=Cents(800)))
        for table in ("T1", "T2"):
            house.play(table, 1)
            house.do(s.Shuffle(table=table))
    files.edit("layouts/bet-bigger.toml", r'(?m)^posted_minimum = ".*"', 'posted_minimum = "$10"')
    with reopen_house(address, now=house.now, catalog=files.read()) as house:
        start(house)
        for table, least in (("T1", 800), ("T2", 1_000)):
            assert house.live(table).table.posted_minimum == least
            house.play(table, 1)
            assert house.live(table).table.posted_minimum == least
        sound(house)


def test_a_posted_minimum_that_new_rules_forbid_is_withdrawn_and_announced(
    files: Files, new_address: NewAddress
) -> None:
    address = new_address()
    with reopen_house(address, catalog=files.read()) as house:
        open_house(house, T1="bet-bigger")
        house.do(s.PostMinimum(table="T1", amount=Cents(800)))
        house.play("T1", 1)
        house.do(s.Shuffle(table="T1"))
    files.edit("layouts/bet-bigger.toml", r'(?m)^chip = ".*"', 'chip = "$2.50"')
    with reopen_house(address, now=house.now, catalog=files.read()) as house:
        start(house)
        assert [event["event"] for event in changes(house, "T1")] == ["rules-changed", "minimum-withdrawn"]
        assert house.live("T1").table.posted_minimum == 500
        house.play("T1", 1)
        sound(house)


def test_a_broken_or_missing_file_leaves_the_table_its_last_rules_and_tells_the_floor(
    files: Files, new_address: NewAddress
) -> None:
    address = new_address()
    layout = files.folder / "layouts/bet-bigger.toml"
    with reopen_house(address, catalog=files.read()) as house:
        open_house(house, T1="bet-bigger")
        house.play("T1", 1, into_a_hand=True)
        rules = house.live("T1").rules.hash
    for spoil, code in (
        (lambda: layout.write_text("decks = 'six'\n"), "rules/file-broken"),
        (lambda: layout.write_text("this is [no toml"), "rules/file-broken"),
        (layout.unlink, "rules/file-missing"),
    ):
        spoil()
        with reopen_house(address, now=house.now + timedelta(seconds=1), catalog=files.read()) as house:
            start(house)
            assert notice(house, "T1") == code
            house.play("T1", 1)
            house.do(s.Shuffle(table="T1"))
            house.play("T1", 1)
            assert house.live("T1").rules.hash == rules
            sound(house)


def test_an_open_jackpot_keeps_its_terms(files: Files, new_address: NewAddress) -> None:
    """Another contribution is for jackpots that open later: this one takes what its players were promised."""
    address, layout = new_address(), "layouts/lucky-ladies-progressive.toml"
    with reopen_house(address, catalog=files.read()) as house:
        open_house(house, T1="lucky-ladies-progressive")
        house.play("T1", 1)
        house.do(s.Shuffle(table="T1"))
        (first, _) = (sum(jackpot["meters"].values()) for jackpot in house.service.queries.jackpots())
    files.edit(layout, r'(?m)^rate = "15%"', 'rate = "20%"')
    with reopen_house(address, now=house.now, catalog=files.read()) as house:
        start(house)
        house.play("T1", 1)
        assert notice(house, "T1") is None
        (second, _) = (sum(jackpot["meters"].values()) for jackpot in house.service.queries.jackpots())
        assert second - first == 2 * 15  # of two players' dollars
        house.do(s.Shuffle(table="T1"))
        sound(house)


def test_rules_under_which_an_open_jackpot_would_be_won_otherwise_are_not_taken(
    files: Files, new_address: NewAddress
) -> None:
    address, layout = new_address(), "layouts/lucky-ladies-progressive.toml"
    with reopen_house(address, catalog=files.read()) as house:
        open_house(house, T1="lucky-ladies-progressive")
        house.play("T1", 1)
        house.do(s.Shuffle(table="T1"))
        rules = house.live("T1").rules.hash
    files.edit(layout, "PT-BJS-LL-34", "PT-BJS-LL-35")
    with reopen_house(address, now=house.now, catalog=files.read()) as house:
        start(house)
        assert notice(house, "T1") == "rules/jackpot"
        house.play("T1", 1)
        assert house.live("T1").rules.hash == rules
        assert changes(house, "T1") == []
        sound(house)


def test_a_player_at_a_removed_spot_leaves_it(files: Files, new_address: NewAddress) -> None:
    address = new_address()
    with reopen_house(address, catalog=files.read()) as house:
        open_house(house, T1="bet-bigger")
        house.do(s.Seat(table="T1", player="Ann", spot=6), "Ann", "player")
    files.edit("layouts/bet-bigger.toml", r"(?m)^spots = 6", "spots = 5")
    with reopen_house(address, now=house.now, catalog=files.read()) as house:
        start(house)
        assert house.live("T1").players == ()
        assert [event["event"] for event in changes(house, "T1")] == ["rules-changed", "spot-left"]
        sound(house)


def test_a_player_at_a_layout_with_fewer_spots_now_gives_up_the_last_ones(
    files: Files, new_address: NewAddress
) -> None:
    """Ann sits side by side at 4, 5 and 6; with four spots left she keeps the first of them."""
    address = new_address()
    with reopen_house(address, catalog=files.read()) as house:
        open_house(house, T1="bet-bigger")
        for spot in (4, 5, 6):
            house.do(s.Seat(table="T1", player="Ann", spot=spot), "Ann", "player")
    files.edit("layouts/bet-bigger.toml", r"(?m)^spots = 6", "spots = 4")
    with reopen_house(address, now=house.now, catalog=files.read()) as house:
        start(house)
        assert dict(house.live("T1").table.seats) == {4: "Ann"}
        sound(house)


def test_a_process_with_older_files_does_not_take_the_old_rules_again(files: Files, new_address: NewAddress) -> None:
    """During a restart one process after the other both serve the same tables."""
    address = new_address()
    with reopen_house(address, catalog=files.read()) as old:
        open_house(old, T1="bet-bigger")
        old.play("T1", 1)
        old.do(s.Shuffle(table="T1"))
        files.edit("layouts/bet-bigger.toml", r'(?m)^title = ".*"', 'title = "Another title"')
        with reopen_house(address, now=old.now + timedelta(seconds=1), catalog=files.read()) as new:
            start(new)
            for house in (old, new, old, new):
                house.now = new.now + timedelta(seconds=1)
                house.do(s.Fill(table="T1", amount=100))
            assert len(changes(new, "T1")) == 1
            assert (notice(old, "T1"), notice(new, "T1")) == (None, None)
            assert old.live("T1").table.layout.title == "Another title"
            sound(new)


def test_a_closed_table_opens_again_under_its_last_rules_while_its_file_is_broken(
    files: Files, new_address: NewAddress
) -> None:
    address = new_address()
    with reopen_house(address, catalog=files.read()) as house:
        open_house(house, T1="bet-bigger")
        house.do(s.CloseTable(table="T1", tray=1_000_000))
        rules = house.live("T1").rules.hash
    (files.folder / "layouts/bet-bigger.toml").unlink()
    with reopen_house(address, now=house.now + timedelta(seconds=1), catalog=files.read()) as house:
        house.do(s.OpenTable(table="T1", layout="bet-bigger", tray=1_000_000))
        house.play("T1", 1)
        assert house.live("T1").rules.hash == rules
        assert house.refused(s.OpenTable(table="T2", layout="bet-bigger"), "Flo", "floor") == "UNKNOWN_NAME"
        sound(house)
