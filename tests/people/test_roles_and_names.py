"""Which roles may be held together, and which texts are names."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from people.house_of_people import HouseOfPeople

from upcard.people import FORBIDDEN, Role
from upcard.people.person import is_name, name_key
from upcard.people.roles import clash


def test_incompatible_duties_are_kept_apart() -> None:
    """W36: WAC 230-15-430."""
    pairs = {frozenset(pair) for pair in combinations(Role, 2) if Role.DISPLAY not in pair}
    assert pairs == FORBIDDEN
    assert clash({Role.DEALER, Role.DISPLAY}) == ""
    assert clash(Role) != ""


@given(st.frozensets(st.sampled_from(Role)))
def test_a_set_of_roles_is_refused_exactly_when_two_of_them_are_incompatible(roles: frozenset[Role]) -> None:
    assert bool(clash(roles)) == any(pair <= roles for pair in FORBIDDEN)


@given(st.text(max_size=90))
def test_a_name_is_one_name_in_every_spelling(name: str) -> None:
    if is_name(name):
        assert name_key(name) == name_key(name_key(name)) != ""
        assert not set(":#\n\0") & set(name)


def test_new_roles_apply_from_the_next_request(house: HouseOfPeople) -> None:
    house.founder()
    dan = house.session("Dan", Role.DEALER)
    house.change_roles("Dan", Role.CASHIER)
    current = house.people.session(dan.token)
    assert current is not None
    assert current.person.roles == {Role.CASHIER}
