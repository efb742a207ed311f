"""`upcard catalog`: a workspace published in a book, listed, compared, restored and exported; by two people where a
layout in use changes."""

import shutil
from io import StringIO
from pathlib import Path

import pytest
from people.test_people_cli import used_no_code
from service.own_workspace import LAYOUT, PAYTABLE, own_files, paying
from support.accounts import CHEAP, add_account
from support.cli_runner import Result, upcard
from support.empty_books import KEYRING, write_key

from upcard.catalog.workspace_files import files_in
from upcard.ledger.gaming_day import Hours
from upcard.ledger.journal import utc_now
from upcard.ledger.requests import SetHours
from upcard.ledger.store import Store
from upcard.people import Role
from upcard.service import commands as s
from upcard.service.running import bootstrap

PASSWORD = "seven red chairs by the door"


class CatalogBook:
    """A house with hours, whose key is beside its book, and a workspace."""

    def __init__(self, empty_file: Path, folder: Path) -> None:
        self.path, self.workspace = str(shutil.copy(empty_file, folder / "house.db")), folder / "mine"
        write_key(Path(f"{self.path}.key"))
        self.store = Store.open(self.path, KEYRING)
        self.desk = bootstrap(self.store).desk
        hours = Hours(since=utc_now().date(), zone="UTC", start=6)
        self.desk.do(s.House(request=SetHours(hours=hours)), id="hours", actor="Flo")

    def write(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            (self.workspace / path).parent.mkdir(parents=True, exist_ok=True)
            (self.workspace / path).write_text(text)

    def publish(self, *words: str) -> Result:
        return upcard("catalog", "publish", self.path, str(self.workspace), *words)


@pytest.fixture
def book(empty_file: Path, tmp_path: Path) -> CatalogBook:
    return CatalogBook(empty_file, tmp_path)


def test_a_workspace_is_published_listed_compared_restored_and_exported(book: CatalogBook, tmp_path: Path) -> None:
    files = own_files()
    assert "0 revisions" in upcard("catalog", "list", book.path).out
    assert "nothing was published" in upcard("catalog", "export", book.path, str(tmp_path / "out")).err
    book.write(files)
    assert "Revision 1 is published: 4 files changed." in book.publish("--by", "Ann", "--note", "first").out
    assert "REVISION" not in book.publish("--by", "Ann").out
    assert "these are the files of revision 1" in book.publish("--by", "Ann").err
    book.write(paying(files, 99))
    assert "Revision 2" in book.publish("--by", "Ann").out
    compared = upcard("catalog", "compare", book.path, "1").out
    assert f"{PAYTABLE}: changed" in compared
    assert "+pays = { three-nines = 99" in compared
    assert [change["path"] for change in upcard("catalog", "compare", book.path, "0", "1", "--json").json] == [*files]
    assert "Revision 3" in upcard("catalog", "restore", book.path, "1", "--by", "Bob").out
    lines = upcard("catalog", "list", book.path, "--json").json
    assert [(line["revision"], line["by"], line["restores"]) for line in lines] == [
        (3, "Bob", 1),
        (2, "Ann", 0),
        (1, "Ann", 0),
    ]
    assert "same files" in upcard("catalog", "compare", book.path, "1", "3").out
    assert upcard("catalog", "export", book.path, str(tmp_path / "out")).code == 0
    assert files_in(tmp_path / "out") == files
    assert upcard("catalog", "export", book.path, str(tmp_path / "out")).code == 2
    assert upcard("ledger", "check", book.path).code == 0
    assert "revision 3 of the catalog" in upcard("doctor", book.path).out


def test_bots_play_a_published_layout(book: CatalogBook) -> None:
    book.write(own_files())
    book.publish("--by", "Ann")
    played = upcard("bots", book.path, "--layout", LAYOUT, "--rounds", "20", "--players", "2", "--chart", "usual")
    assert "20 rounds at 1 table" in played.out, played.err
    assert upcard("ledger", "check", book.path).code == 0


def test_a_bad_workspace_is_refused_with_every_problem(book: CatalogBook, tmp_path: Path) -> None:
    book.write({"kinds/a.toml": "[[kind]]", "layouts/b.toml": 'game = "none"'})
    (tmp_path / "outside.toml").write_text("")
    (book.workspace / "layouts" / "link.toml").symlink_to(tmp_path / "outside.toml")
    (book.workspace / "layouts" / "latin.toml").write_bytes(b"name = '\xff'")
    refused = book.publish("--by", "Ann")
    assert refused.code == 2
    assert "link.toml: this leads out of the workspace" in refused.err
    assert "latin.toml: this is not utf-8 text" in refused.err
    (book.workspace / "layouts" / "link.toml").unlink()
    (book.workspace / "layouts" / "latin.toml").unlink()
    refused = book.publish("--by", "Ann")
    assert {"kinds/a.toml", "layouts/b.toml"} <= {line.split(": ")[1] for line in refused.err.splitlines()}
    assert "0 revisions" in upcard("catalog", "list", book.path).out


def test_people_of_the_floor_sign_in_and_two_of_them_change_a_layout_in_use(
    book: CatalogBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("upcard.people.people.PasswordCost", lambda: CHEAP)
    for name, role in (("Flo", Role.FLOOR), ("Fay", Role.FLOOR), ("Dan", Role.DEALER)):
        add_account(book.store, utc_now(), name, frozenset({role}), PASSWORD)

    def publish(by: str, second: str = "") -> Result:
        lines = [line for name in (by, second) if name for line in used_no_code(book.store, name)]
        monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))
        return book.publish("--by", by, *(["--second", second] if second else []))

    files = own_files()
    book.write(files)
    assert publish("Dan").code == 2
    assert publish("Flo").code == 0
    book.desk.do(s.OpenTable(table="Own", layout=LAYOUT), id="open", actor="Flo")
    book.write(paying(files, 90))
    assert "this changes the layouts of Own: name a second floor person with --second" in publish("Flo").err
    assert "Own takes it after its shoe" in publish("Flo", "Fay").out
    assert upcard("ledger", "check", book.path).code == 0
