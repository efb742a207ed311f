"""Revisions of the house's catalog: published into the book, taken by tables between shoes, restored, checked."""

from typing import Any

import pytest
import sqlalchemy as sa
from service.conftest import NewDriver
from service.own_workspace import LAYOUT, PAYTABLE, WAGER, own_files, paying
from service.table_driver import TableDriver
from support.empty_books import KEYRING

from upcard.ledger.check import check as check_book
from upcard.people import PeopleRefusal, PeopleRefused
from upcard.problems import BadFile, BadRequest
from upcard.service import commands as s
from upcard.service.catalog_changes import compare, files_of, published
from upcard.service.history_check import check as check_records
from upcard.service.publishing import Proposal, propose, propose_restoring
from upcard.service.refusals import Refused


def publish(driver: TableDriver, files: dict[str, str], *, two: bool = False, note: str = "") -> Proposal:
    proposal = propose(driver.service.desk, files)
    send(driver, proposal, two=two, note=note)
    return proposal


def send(driver: TableDriver, proposal: Proposal, *, two: bool = False, note: str = "", restores: int = 0) -> None:
    request = s.PublishCatalog(revision=proposal.revision, content=proposal.content, note=note, restores=restores)
    driver.do(s.House(request=request), role="operator" if two else "floor")


def play_a_round(driver: TableDriver, table: str = "Own") -> list[dict[str, Any]]:
    """One round on the own wager, to the slip."""
    if "Ann" not in driver.service.desk.live(table).players:
        driver.do(s.BuyIn(table=table, player="Ann", amount=1000_00))
        driver.do(s.Seat(table=table, player="Ann", spot=1), actor="Ann", role="player")
    stakes = {"Ante": 10_00, WAGER: 5_00}
    events = list(driver.do(s.Bet(table=table, spot=1, stakes=stakes), actor="Ann", role="player").events)
    events += driver.do(s.Deal(table=table)).events
    while driver.service.desk.live(table).table.round is not None:
        for command in (s.DeclineInsurance(table=table, spot=1), s.Stay(table=table, spot=1), s.Deal(table=table)):
            try:
                events += driver.do(command).events
            except Refused:
                continue
    return [dict(event) for event in events]


def checked(driver: TableDriver) -> None:
    with driver.service.desk.book.look() as reader:
        assert check_book(reader.unit).findings == ()
        assert check_records(reader.unit, KEYRING).findings == []


def test_a_published_layout_with_a_kind_of_its_own_is_opened_and_played_to_the_slip(
    new_driver_any_database: NewDriver,
) -> None:
    driver = new_driver_any_database()
    assert "UNKNOWN_NAME" in driver.refused_do(s.OpenTable(table="Own", layout=LAYOUT))
    proposal = publish(driver, own_files(), note="our nines")
    assert proposal.tables == ()
    assert {change["change"] for change in proposal.files} == {"added"}
    assert proposal.report.kinds == ("lucky-nines",)
    driver.do(s.OpenTable(table="Own", layout=LAYOUT, tray=1_000_000))
    events = play_a_round(driver)
    assert [event["revision"] for event in events if event["event"] == "shoe-of-revision"] == [1]
    assert WAGER in {event["wager"] for event in events if event["event"] == "slip"}
    driver.restart()
    assert driver.service.desk.live("Own").revision == 1
    checked(driver)


def test_a_table_keeps_its_rules_until_its_shoe_ends_and_then_takes_the_new_revision(
    new_driver_any_database: NewDriver,
) -> None:
    driver = new_driver_any_database()
    files = own_files()
    publish(driver, files)
    driver.do(s.OpenTable(table="Own", layout=LAYOUT, tray=1_000_000))
    play_a_round(driver)
    before = driver.service.desk.live("Own").rules.hash
    publish(driver, paying(files, 90), two=True)
    assert driver.service.desk.live("Own").rules.hash == before
    answer = driver.do(s.Shuffle(table="Own"))
    live = driver.service.desk.live("Own")
    assert live.revision == 2, answer.events
    assert live.rules.hash != before
    checked(driver)


def test_a_table_whose_rules_stay_the_same_names_the_new_revision_too(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.floor(s.Void, why="test")
    before = driver.service.desk.live("T1").rules
    publish(driver, own_files())
    answer = driver.floor(s.Shuffle)
    assert driver.service.desk.live("T1").rules is before
    assert driver.service.desk.live("T1").revision == 1, answer
    checked(driver)


def test_another_process_sees_a_new_revision_without_a_restart(new_driver_any_database: NewDriver) -> None:
    driver = new_driver_any_database()
    second, first = driver.another_service(), driver.service
    files = own_files()
    publish(driver, files)
    assert LAYOUT not in second.desk.catalog.layouts
    second.desk.do(s.OpenTable(table="Own", layout=LAYOUT), id="open-there", actor="Dana")
    assert LAYOUT in second.desk.catalog.layouts
    publish(driver, paying(files, 80), two=True)
    second.desk.do(s.AnnounceClosing(table="Own"), id="any-command", actor="Dana")
    assert second.desk.live("Own").revision == first.desk.live("Own").revision == 2
    checked(driver)


def test_a_layout_in_use_is_changed_by_two_people_only(new_driver: NewDriver) -> None:
    driver = new_driver()
    files = own_files()
    publish(driver, files)
    driver.do(s.OpenTable(table="Own", layout=LAYOUT))
    proposal = propose(driver.service.desk, paying(files, 90))
    assert [(change["table"], change["change"]) for change in proposal.tables] == [("Own", "changed")]
    with pytest.raises(Refused, match="this changes the layouts of Own: a second person must approve it"):
        send(driver, proposal)
    removed = propose(driver.service.desk, {})
    assert [(change["table"], change["change"]) for change in removed.tables] == [("Own", "removed")]
    unused = propose(
        driver.service.desk, {**files, "paytables/more.toml": files[PAYTABLE].replace("Nines 1", "Nines 2")}
    )
    assert unused.tables == ()
    send(driver, unused)
    with driver.service.desk.book.look() as reader:
        assert [revision.number for revision in published(reader.unit)] == [2, 1]


def test_an_approval_that_fails_publishes_nothing(new_driver: NewDriver) -> None:
    driver = new_driver()
    proposal = propose(driver.service.desk, own_files())

    def lapsed(_unit: object) -> None:
        raise PeopleRefused(PeopleRefusal.APPROVAL_EXPIRED)

    request = s.PublishCatalog(revision=1, content=proposal.content)
    driver.service.desk.start()
    future = driver.service.desk.submit(s.House(request=request), id="two", actor="Dana", consent=lapsed)  # type: ignore[arg-type]
    with pytest.raises(PeopleRefused):
        future.result(30)
    driver.service.desk.stop()
    assert driver.service.desk.refresh_catalog().number == 0


def test_revisions_are_listed_compared_and_restored(new_driver_any_database: NewDriver) -> None:
    driver = new_driver_any_database()
    files = own_files()
    publish(driver, files, note="first")
    publish(driver, paying(files, 90), note="fewer nines")
    with driver.service.desk.book.look() as reader:
        (change,) = compare(files_of(reader.unit, 1), files_of(reader.unit, 2))
        assert (change["path"], change["change"]) == (PAYTABLE, "changed")
        assert "-pays = { three-nines = 100" in change["diff"]
        assert "+pays = { three-nines = 90" in change["diff"]
        with pytest.raises(BadRequest, match="no revision 7"):
            files_of(reader.unit, 7)
    send(driver, propose_restoring(driver.service.desk, 1), restores=1)
    with driver.service.desk.book.look() as reader:
        revisions = published(reader.unit)
        assert [(revision.number, revision.note, revision.restores) for revision in revisions] == [
            (3, "", 1),
            (2, "fewer nines", 0),
            (1, "first", 0),
        ]
        assert revisions[0].content == revisions[2].content
        assert files_of(reader.unit, 3) == files
    checked(driver)


def test_revisions_are_numbered_without_a_gap_and_name_files_that_the_book_has(new_driver: NewDriver) -> None:
    driver = new_driver()
    files = own_files()
    first = publish(driver, files)
    second = propose(driver.service.desk, paying(files, 90))
    refusals = {
        s.PublishCatalog(revision=1, content=second.content): "REVISION_NOT_NEXT",
        s.PublishCatalog(revision=3, content=second.content): "REVISION_NOT_NEXT",
        s.PublishCatalog(revision=2, content=first.content): "REVISION_UNCHANGED",
        s.PublishCatalog(revision=2, content="0" * 64): "FILES_UNKNOWN",
        s.PublishCatalog(revision=2, content=second.content, restores=1): "REVISION_UNKNOWN",
    }
    for request, reason in refusals.items():
        assert driver.refused_do(s.House(request=request))[0] == reason


def test_a_bad_upload_is_refused_with_every_problem_and_nothing_is_stored(new_driver: NewDriver) -> None:
    driver = new_driver()
    bad = {
        **own_files(),
        "kinds/broken.toml": "[[kind]]\nname = ",
        "../outside.toml": "",
        "layouts/none.toml": 'game = "no-such-game"',
        "games/big.toml": "#" * 1_000_001,
    }
    with pytest.raises(BadFile) as refused:
        propose(driver.service.desk, bad)
    files = {problem.file for problem in refused.value.problems}
    assert files == {"kinds/broken.toml", "../outside.toml", "layouts/none.toml", "games/big.toml"}
    with driver.service.desk.book.look() as reader:
        assert reader.unit.connection.scalar(sa.text("SELECT count(*) FROM workspaces")) == 0
    assert driver.service.desk.refresh_catalog().number == 0


@pytest.mark.parametrize("change", ["UPDATE workspaces SET text = '{\"files\":{}}'", "DELETE FROM workspaces"])
def test_changed_or_lost_files_are_found_and_stop_no_table(new_driver: NewDriver, change: str) -> None:
    driver = new_driver()
    publish(driver, own_files())
    driver.do(s.OpenTable(table="Own", layout=LAYOUT, tray=1_000_000))
    with driver.service.desk.store.engine.begin() as connection:
        for trigger in ("workspaces_no_update", "workspaces_no_delete"):
            connection.execute(sa.text(f"DROP TRIGGER {trigger}"))
        connection.execute(sa.text(change))
    driver.spoiled = True
    driver.restart()
    with driver.service.desk.book.look() as reader:
        assert any("files" in str(finding) for finding in check_book(reader.unit).findings)
    play_a_round(driver)  # by its own rules, which the book has
    driver.do(s.Shuffle(table="Own"))
    play_a_round(driver)
