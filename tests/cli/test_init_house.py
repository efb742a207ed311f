"""`upcard init-house`: a house from a plan, ready to be served; every problem of a plan at once, nothing left over."""

import json
import re
from pathlib import Path

import pytest
from api.house import PASSWORD, running_house
from support.cli_runner import upcard
from support.empty_books import emptied

from upcard.people import Role


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plan(here: Path, **changes: str) -> str:
    """The example, with texts replaced."""
    text = upcard("init-house", "--example").out
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    (here / "plan.toml").write_text(text, encoding="utf-8")
    return "plan.toml"


def test_a_house_is_made_from_the_example_and_everybody_gets_in(here: Path) -> None:
    made = upcard("init-house", plan(here), "--links", "links.html", "--json")
    assert made.code == 0, made.err
    links = made.json["links"]
    assert list(links) == ["Flo", "Fay", "Dan", "Cass", "Jack"]
    assert all(link.startswith("http://localhost:8000/#/accept/") for link in links.values())
    page = (here / "links.html").read_text(encoding="utf-8")
    assert page.count("data:image/svg+xml") == len(links)
    assert all(link in page for link in links.values())
    for private in ("house.db", "house.db.key", "links.html", "upcard.toml"):
        assert (here / private).stat().st_mode & 0o077 == 0, private
    check = upcard("ledger", "check", "house.db")
    assert check.code == 0, check.out

    with running_house(here, tables=False, origins=["http://localhost:8000"]) as house:
        for name, link in links.items():
            token = link.rpartition("/")[2]
            answer = house.nobody().post("/api/accept", json={"token": token, "password": PASSWORD})
            assert answer.status_code == 200, answer.text
            assert house.server.people.find(name) is not None
        assert house.nobody().post("/api/accept", json={"token": token, "password": PASSWORD}).status_code != 200
        flo = house.server.people.find("Flo")
        assert flo is not None
        assert flo.roles == {Role.FLOOR}
        assert house.server.floor_log.house_name() == "The Lucky Fox"
        lines = {line["table"]: line for line in house.server.overview.whole()["tables"]}
        assert set(lines) == {"Brook 1", "Ladies 1"}
        assert lines["Ladies 1"]["by_hand"]
        jackpots = {line["jackpot"] for line in house.server.service.queries.jackpots()}
        assert jackpots == {"Climbing Ladies", "Climbing Three"}
        with house.server.service.desk.book.look() as clerk:
            accounts = {str(account): balance for account, balance in clerk.unit.balances().items()}
        assert any(account.startswith("deposited:Climbing Ladies") for account in accounts), sorted(accounts)


def test_every_problem_of_a_plan_is_listed_and_nothing_is_made(here: Path) -> None:
    wrong = plan(
        here,
        **{
            'zone = "America/New_York"': 'zone = "New York"',
            'address = "http://localhost:8000"': 'address = "localhost"',
            'layout = "the-brook"': 'layout = "the-book"',
            'name = "Fay"\nroles = ["floor"]': 'name = "flo"\nroles = ["floor", "dealer"]',
            'jackpot = "Climbing Ladies"': 'jackpot = "Climbing Lady"',
        },
    )
    answer = upcard("init-house", wrong)
    assert answer.code == 2
    for part in ("New York", "https://felt.example", "the-brook", "named 2 times", "did you mean Climbing Ladies"):
        assert part in answer.err, answer.err
    assert len(answer.err.strip().splitlines()) >= 5
    assert [file.name for file in here.iterdir()] == ["plan.toml"]


def test_a_house_that_the_book_refuses_leaves_no_half_of_it(here: Path) -> None:
    """More is deposited than the seed of the jackpot that is set aside."""
    answer = upcard("init-house", plan(here, **{"deposit = 10000": "deposit = 10000000"}))
    assert answer.code == 2
    assert re.search(r"at most \$", answer.err), answer.err
    assert [file.name for file in here.iterdir()] == ["plan.toml"]


def test_a_house_that_a_server_refuses_says_what_to_do_with_its_database(here: Path, server: str) -> None:
    book = emptied(server)
    on_server = {'book = "house.db"': f"book = {json.dumps(book)}"}
    refused = upcard("init-house", plan(here, **on_server, **{"deposit = 10000": "deposit = 10000000"}), "--key", "key")
    assert refused.code == 2
    for part in ("at most $", "holds a part of the house now", "dropdb, createdb"):
        assert part in refused.err, refused.err
    assert not (here / "upcard.toml").exists()

    mended = plan(here, **on_server)
    again = upcard("init-house", mended, "--key", "key")
    assert (again.code, "is a house already" in again.err) == (2, True), again.err
    emptied(server)
    made = upcard("init-house", mended, "--key", "key")
    assert made.code == 0, made.err
    check = upcard("ledger", "check", book, "--key", "key")
    assert check.code == 0, check.out
    emptied(server)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "init-house --example` prints one"),
        (("none.toml",), "none.toml"),
    ],
)
def test_what_is_missing_is_said_in_one_sentence(here: Path, words: tuple[str, ...], sentence: str) -> None:
    answer = upcard("init-house", *words)
    assert (answer.code, list(here.iterdir())) == (2, [])
    assert sentence in answer.err
    assert len(answer.err.splitlines()) == 1


def test_a_house_is_not_made_over_another(here: Path) -> None:
    assert upcard("init-house", plan(here)).code == 0
    before = (here / "house.db").read_bytes()
    again = upcard("init-house", "plan.toml")
    assert (again.code, again.err.strip()) == (2, "upcard: house.db exists already: a new house needs a new book")
    assert (here / "house.db").read_bytes() == before
