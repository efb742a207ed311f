"""`upcard people`: a house set up, its people invited, listed and disabled."""

import secrets
from io import StringIO
from pathlib import Path

import pytest
from support.cli_runner import Result, upcard

from upcard.ledger.journal import utc_now
from upcard.ledger.keyring import key_file
from upcard.ledger.store import Store
from upcard.people import People, Role

PASSWORD = "seven red chairs by the door"


def test_a_house_is_set_up_and_people_are_invited(
    empty_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = tmp_path / "book.db"
    book.write_bytes(empty_file.read_bytes())
    store = Store.open(str(book), key_file(Path(f"{book}.key")))
    people = People(store, clock=utc_now, entropy=secrets.token_bytes)

    def with_password(*words: str, password: str = PASSWORD) -> Result:
        monkeypatch.setattr("sys.stdin", StringIO(f"{password}\n"))
        return upcard("people", *words)

    assert upcard("people", "list", str(book)).out == "0 people\n"
    people.set_up(upcard("people", "set-up", str(book)).out.strip(), "Flo", PASSWORD)
    again = upcard("people", "set-up", str(book))
    assert (again.code, again.out) == (2, "")
    assert "has been set up" in again.err
    invited = with_password("invite", str(book), "Dan", "--role", "dealer", "--role", "display", "--by", "Flo")
    assert people.accept(invited.out.strip(), PASSWORD).roles == {Role.DEALER, Role.DISPLAY}
    clash = with_password("invite", str(book), "Cy", "--role", "dealer", "--role", "cashier", "--by", "Flo")
    assert (clash.code, clash.out) == (2, "")
    assert "nobody may be both cashier and dealer" in clash.err
    unknown = upcard("people", "invite", str(book), "Cy", "--role", "boss", "--by", "Flo")
    assert unknown.code == 2
    assert "boss" in unknown.err
    wrong = with_password("disable", str(book), "Dan", "--by", "Flo", password="no")
    assert (wrong.code, wrong.err) == (2, "upcard: the name or the password is wrong\n")
    link = with_password("way-back", str(book), "Dan", "--by", "Flo").out.strip()
    assert people.accept(link, "another long password").name == "Dan"
    assert people.accept(upcard("people", "way-back", str(book), "Flo").out.strip(), PASSWORD).name == "Flo"
    nobody = upcard("people", "way-back", str(book), "Nan")
    assert (nobody.code, nobody.err) == (2, "upcard: there is nobody called Nan\n")
    assert with_password("disable", str(book), "Dan", "--by", "Flo").out == "Dan is disabled\n"
    assert upcard("people", "list", str(book), "--json").json == [
        {"name": "Dan", "roles": ["dealer", "display"], "guest": False, "disabled": True, "has_totp": False},
        {"name": "Flo", "roles": ["floor"], "guest": False, "disabled": False, "has_totp": False},
    ]
    assert "dealer, display" in upcard("people", "list", str(book)).out
    store.close()
