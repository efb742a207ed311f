"""`upcard people`: a house set up, its people invited, listed and disabled."""

import secrets
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest
import sqlalchemy as sa
from support.accounts import CHEAP, add_account, code_of
from support.cli_runner import Result, upcard

from upcard.ledger import schema as ledger
from upcard.ledger.journal import utc_now
from upcard.ledger.keyring import new_key_file
from upcard.ledger.store import Store
from upcard.people import People, Role, schema
from upcard.people.register import Register

PASSWORD = "seven red chairs by the door"


Asked = Callable[..., Result]


@pytest.fixture
def book(empty_file: Path, tmp_path: Path) -> Path:
    path = tmp_path / "book.db"
    path.write_bytes(empty_file.read_bytes())
    return path


@pytest.fixture
def store(book: Path) -> Iterator[Store]:
    store = Store.open(str(book), new_key_file(Path(f"{book}.key")))
    yield store
    store.close()


@pytest.fixture
def people(store: Store) -> People:
    return People(store, clock=utc_now, entropy=secrets.token_bytes, cost=CHEAP)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Runs a command whose questions are answered by these lines; passwords cost little to hash."""
    monkeypatch.setattr("upcard.people.people.PasswordCost", lambda: CHEAP)

    def run(*words: str, lines: tuple[str, ...]) -> Result:
        monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))
        return upcard("people", *words)

    return run


def used_no_code(store: Store, name: str) -> tuple[str, str]:
    """What this person types: their password and a code. Codes of the last half minute may be typed again."""
    with store.transaction() as unit:
        register = Register(unit, utc_now(), store.keyring)
        register.change(schema.people, schema.people.c.name == name, totp_last_step=0)
        register.log(name, "signed-out", name)
        register.flush()
    return PASSWORD, code_of(name, utc_now())


def test_a_house_is_set_up_and_people_are_invited(book: Path, store: Store, people: People, asked: Asked) -> None:
    assert upcard("people", "list", str(book)).out == "0 people\n"
    people.set_up(upcard("people", "set-up", str(book)).out.strip(), "Fred", PASSWORD)
    again = upcard("people", "set-up", str(book))
    assert (again.code, again.out) == (2, "")
    assert "has been set up" in again.err
    early = asked("invite", str(book), "Dan", "--role", "dealer", "--by", "Fred", lines=(PASSWORD,))
    assert (early.code, early.out) == (2, "")
    assert "set up your authenticator first" in early.err
    add_account(store, utc_now(), "Flo", frozenset({Role.FLOOR}), PASSWORD)
    no_code = asked("invite", str(book), "Dan", "--role", "dealer", "--by", "Flo", lines=(PASSWORD,))
    assert (no_code.code, no_code.err) == (2, "upcard: enter the code of your authenticator too\n")
    roles = ("--role", "dealer", "--role", "display")
    invited = asked("invite", str(book), "Dan", *roles, "--by", "Flo", lines=used_no_code(store, "Flo"))
    assert people.accept(invited.out.strip(), PASSWORD).roles == {Role.DEALER, Role.DISPLAY}
    roles = ("--role", "dealer", "--role", "cashier")
    clash = asked("invite", str(book), "Cy", *roles, "--by", "Flo", lines=used_no_code(store, "Flo"))
    assert (clash.code, clash.out) == (2, "")
    assert "nobody may be both cashier and dealer" in clash.err
    unknown = upcard("people", "invite", str(book), "Cy", "--role", "boss", "--by", "Flo")
    assert unknown.code == 2
    assert "boss" in unknown.err
    wrong = asked("disable", str(book), "Dan", "--by", "Flo", lines=("no", code_of("Flo", utc_now())))
    assert (wrong.code, wrong.err) == (2, "upcard: the name or the password is wrong\n")
    assert people.accept(upcard("people", "recover", str(book), "Flo").out.strip(), PASSWORD).name == "Flo"
    earlier = upcard("people", "way-back", str(book), "Flo")
    assert people.accept(earlier.out.strip(), PASSWORD).name == "Flo", "the command's earlier name keeps working"
    assert "way-back" not in upcard("people", "--help").out
    nobody = upcard("people", "recover", str(book), "Nan")
    assert (nobody.code, nobody.err) == (2, "upcard: there is nobody called Nan\n")
    assert "dealer, display" in upcard("people", "list", str(book)).out
    listed = upcard("people", "list", str(book), "--json").json
    assert listed[0] == {
        "name": "Dan",
        "roles": ["dealer", "display"],
        "guest": False,
        "disabled": False,
        "has_totp": False,
    }


def test_the_command_line_asks_for_a_second_person_too(book: Path, store: Store, people: People, asked: Asked) -> None:
    """A table was opened: nobody makes staff alone, wherever they sit."""
    for name, role in (("Flo", Role.FLOOR), ("Fay", Role.FLOOR), ("Dan", Role.DEALER)):
        add_account(store, utc_now(), name, frozenset({role}), PASSWORD)
    with store.transaction() as unit:
        chain = {"chain": "table:T1", "number": 1, "format": 1, "hash": "", "at": "", "state": ""}
        unit.connection.execute(sa.insert(ledger.chains), chain)

    def by_flo(*words: str) -> Result:
        return asked(words[0], str(book), *words[1:], "--by", "Flo", lines=used_no_code(store, "Flo"))

    def by_two(*words: str) -> Result:
        lines = (*used_no_code(store, "Flo"), *used_no_code(store, "Fay"))
        return asked(words[0], str(book), *words[1:], "--by", "Flo", "--second", "Fay", lines=lines)

    assert by_flo("disable", "Dan").out == "Dan is disabled\n"
    for words in (
        ("invite", "Cy", "--role", "cashier"),
        ("enable", "Dan"),
        ("roles", "Dan", "--role", "floor"),
        ("recover", "Fay"),
    ):
        alone = by_flo(*words)
        assert (alone.code, alone.out) == (2, "")
        assert "--second" in alone.err
    link = by_two("invite", "Cy", "--role", "cashier").out.strip()
    assert people.accept(link, PASSWORD).roles == {Role.CASHIER}
    assert by_two("enable", "Dan").out == "Dan is enabled\n"
    assert by_two("roles", "Dan", "--role", "floor").out == "Dan is floor now\n"
    assert by_flo("roles", "Dan", "--role", "player").out == "Dan is player now\n"
    link = by_two("recover", "Cy").out.strip()
    assert people.accept(link, "another long password").name == "Cy"
    own = asked(
        "invite",
        str(book),
        "Eve",
        "--role",
        "dealer",
        "--by",
        "Flo",
        "--second",
        "Flo",
        lines=(*used_no_code(store, "Flo"), PASSWORD, code_of("Flo", utc_now())),
    )
    assert (own.code, own.out) == (2, "")
