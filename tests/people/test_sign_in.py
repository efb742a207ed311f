"""Signing in: wrong names and passwords, waits after wrong attempts, and the cost of a hash; on both databases."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from people.house_of_people import PASSWORD, HouseOfPeople, refused

from upcard.people import PasswordCost, PeopleRefusal, PeopleRefused, schema


def test_a_wrong_name_and_a_wrong_password_are_refused_alike(house: HouseOfPeople) -> None:
    house.founder()
    wrong = refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in("Flo", "no"))
    nobody = refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in("Nobody", PASSWORD))
    strange = refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in("\0\ud800" * 999, "\ud800"))
    assert str(wrong) == str(nobody) == str(strange)
    assert house.people.sign_in("flo", PASSWORD).person.name == "Flo"
    assert house.logged()[-4:] == [
        ("", "sign-in-failed", "Flo"),
        ("", "sign-in-failed", ""),
        ("", "sign-in-failed", ""),
        ("Flo", "signed-in", "Flo"),
    ]


def test_signing_in_with_an_unknown_name_takes_as_long_as_with_a_known_one(
    house: HouseOfPeople, monkeypatch: pytest.MonkeyPatch
) -> None:
    from argon2 import PasswordHasher

    house.founder()
    verify, verified = PasswordHasher.verify, []

    def counted(self: PasswordHasher, stored_hash: str, password: bytes) -> bool:
        verified.append(stored_hash)
        return verify(self, stored_hash, password)

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    for name in ("Flo", "Nobody"):
        refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda name=name: house.people.sign_in(name, "no"))  # type: ignore[misc]  # a default binds the loop's own value
    assert len(verified) == 2
    assert verified[0].rsplit("$", 2)[0] == verified[1].rsplit("$", 2)[0]  # the same cost


@pytest.mark.parametrize("name", ["Flo", "Nobody"])
def test_each_wrong_password_doubles_the_wait(house: HouseOfPeople, name: str) -> None:
    """For unknown names too: the waits do not reveal which names exist."""
    house.founder()
    waits = []
    for _ in range(5):
        refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in(name, "no"))
    for _ in range(12):
        refusal = refused(PeopleRefusal.TOO_MANY_TRIES, lambda: house.people.sign_in(name, PASSWORD))
        waits.append(int(str(refusal).split()[-2]))
        house.later(seconds=waits[-1])
        refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in(name, "no"))
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]
    house.later(minutes=15)
    if name == "Flo":
        house.people.sign_in(name, PASSWORD)
        refused(PeopleRefusal.WRONG_NAME_OR_PASSWORD, lambda: house.people.sign_in(name, "no"))
        house.people.sign_in(name, PASSWORD)  # the count began again


def test_concurrent_password_guesses_do_not_bypass_the_throttle(house: HouseOfPeople) -> None:
    house.founder()

    def guess(_: int) -> PeopleRefusal:
        with pytest.raises(PeopleRefused) as caught:
            house.people.sign_in("Flo", "no")
        return caught.value.reason

    with ThreadPoolExecutor(8) as pool:
        reasons = list(pool.map(guess, range(16)))
    assert reasons.count(PeopleRefusal.WRONG_NAME_OR_PASSWORD) == 5


def test_an_address_that_tries_many_names_is_throttled_too(house: HouseOfPeople) -> None:
    house.founder()
    for number in range(30):
        refused(
            PeopleRefusal.WRONG_NAME_OR_PASSWORD,
            lambda number=number: house.people.sign_in(f"N{number}", "no", source="a"),  # type: ignore[misc]  # a default binds the loop's own value
        )
    refused(PeopleRefusal.TOO_MANY_TRIES, lambda: house.people.sign_in("Flo", PASSWORD, source="a"))
    house.people.sign_in("Flo", PASSWORD, source="b")


def test_a_password_is_hashed_again_when_the_cost_changes(house: HouseOfPeople) -> None:
    house.founder()
    (before,) = house.rows(schema.people)
    dearer = house.people_at_cost(PasswordCost(passes=2, memory_kib=64))
    dearer.sign_in("Flo", PASSWORD)
    (after,) = house.rows(schema.people)
    assert ("t=1" in before["password"], "t=2" in after["password"]) == (True, True)
    assert before["password"].startswith("$argon2id$")
    dearer.sign_in("Flo", PASSWORD)
    assert house.rows(schema.people) == [after]
