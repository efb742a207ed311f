"""Approvals by a second person: one use, one payload, one requester, in time; on both databases."""

import json
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from people.house_of_people import PASSWORD, HouseOfPeople, refused

from upcard.people import Approval, PeopleRefusal, PeopleRefused, Person, Role, Session, schema
from upcard.people.approvals import canonical

ACTION = '{"operation":"pay-win","win":"W1","amount":500000}'
JACKPOTS = frozenset({Role.JACKPOTS})


def use(
    house: HouseOfPeople, session: Session, approval: Approval | str, *, allowed: frozenset[Role] = JACKPOTS
) -> None:
    """Approves a command, as the transaction that carries it out does."""
    approval_id = approval if isinstance(approval, str) else approval.id
    consent = house.people.consent(session, approval_id, allowed=allowed, command="Jack:1")
    with house.store.transaction() as unit:
        consent(unit)()


def test_an_approval_by_another_person_is_good_for_one_action_once(house: HouseOfPeople) -> None:
    """S10: large amounts need a second person."""
    house.founder()
    jack, fay = house.session("Jack", Role.JACKPOTS), house.stepped_up("Fay", Role.FLOOR)
    asked = house.people.ask(jack, ACTION, key="1")
    assert house.people.waiting_approvals() == [asked]
    assert house.people.ask(jack, ACTION.replace(",", " ,  "), key="1") == asked
    other = ACTION.replace("500000", "900000")
    refused(PeopleRefusal.APPROVAL_OTHER, lambda: house.people.ask(jack, other, key="1"))
    assert house.people.ask(fay, ACTION, key="1").id != asked.id, "the same key of another person is another request"
    use(house, fay, asked)
    approval = house.people.approval(asked.id)
    assert (approval.requested_by, approval.approved_by, approval.payload) == ("Jack", "Fay", canonical(ACTION))
    assert approval.used_at == approval.approved_at == house.at
    refused(PeopleRefusal.APPROVAL_GIVEN, lambda: use(house, fay, asked))
    assert asked.id not in [waiting.id for waiting in house.people.waiting_approvals()]


def test_requests_without_a_key_of_their_own_are_different_requests(house: HouseOfPeople) -> None:
    """One empty id was one approval, good for many uses."""
    house.founder()
    jack, fay = house.session("Jack", Role.JACKPOTS), house.stepped_up("Fay", Role.FLOOR)
    first, second = house.people.ask(jack, ACTION), house.people.ask(jack, ACTION)
    assert first.id != second.id
    use(house, fay, first)
    assert house.people.approval_state(house.people.approval(second.id)) == "waiting"


def test_approving_needs_another_person_the_role_and_a_code(house: HouseOfPeople) -> None:
    house.founder()
    flo, fay, dan = house.stepped_up("Flo"), house.session("Fay", Role.FLOOR), house.stepped_up("Dan", Role.DEALER)
    asked = house.people.ask(flo, ACTION)
    refused(PeopleRefusal.APPROVAL_OWN, lambda: use(house, flo, asked))
    refused(PeopleRefusal.NOT_ALLOWED, lambda: use(house, dan, asked))
    refused(PeopleRefusal.STEP_UP_FIRST, lambda: use(house, fay, asked))
    for unknown in ("none", "", "\0"):
        refused(PeopleRefusal.APPROVAL_UNKNOWN, lambda unknown=unknown: use(house, flo, unknown))  # type: ignore[misc]  # a default binds the loop's own value
        refused(PeopleRefusal.APPROVAL_UNKNOWN, lambda unknown=unknown: house.people.approval(unknown))  # type: ignore[misc]  # a default binds the loop's own value
    assert house.people.approval(asked.id).approved_by is None


def test_an_approval_expires_after_fifteen_minutes(house: HouseOfPeople) -> None:
    house.founder()
    jack, fay = house.session("Jack", Role.JACKPOTS), house.stepped_up("Fay", Role.FLOOR)
    asked = house.people.ask(jack, ACTION)
    house.later(minutes=15, seconds=1)
    fay = house.stepped_up("Fay")
    refused(PeopleRefusal.APPROVAL_EXPIRED, lambda: use(house, fay, asked))
    assert house.people.approval_state(asked) == "expired"


def test_a_request_lapses_once_its_requester_may_no_longer_do_it(house: HouseOfPeople) -> None:
    house.founder()
    jack, fay = house.session("Jack", Role.JACKPOTS), house.stepped_up("Fay", Role.FLOOR)
    asked = house.people.ask(jack, ACTION)
    refused(PeopleRefusal.APPROVAL_LAPSED, lambda: use(house, fay, asked, allowed=frozenset({Role.CASHIER})))
    house.change_roles("Jack", Role.DEALER)
    refused(PeopleRefusal.APPROVAL_LAPSED, lambda: use(house, fay, asked))


@pytest.mark.parametrize("how", ["disabled", "recovered"])
def test_what_an_account_asked_for_is_withdrawn_when_it_is_disabled_or_recovered(
    house: HouseOfPeople, how: str
) -> None:
    """It may have been somebody else who asked, and enabling the account must not bring it back."""
    flo = house.founder()
    jack, fay = house.session("Jack", Role.JACKPOTS), house.stepped_up("Fay", Role.FLOOR)
    asked = house.people.ask(jack, ACTION)
    if how == "disabled":
        house.people.disable(flo, "Jack")
        house.people.enable(flo, "Jack")
    else:
        house.people.accept(house.people.recovery_token("Jack"), PASSWORD)
    refused(PeopleRefusal.APPROVAL_WITHDRAWN, lambda: use(house, fay, asked))
    by = "Flo" if how == "disabled" else "Jack"
    assert (by, "approval-withdrawn", asked.id) in house.logged()


def test_one_person_cannot_bury_the_requests_of_others(house: HouseOfPeople) -> None:
    house.founder()
    jack, june = house.session("Jack", Role.JACKPOTS), house.session("June", Role.JACKPOTS)
    asked = [house.people.ask(jack, ACTION, key=str(number)) for number in range(20)]
    refused(PeopleRefusal.APPROVALS_TOO_MANY, lambda: house.people.ask(jack, ACTION))
    assert house.people.ask(jack, ACTION, key="3") == asked[3], "the same request again is no other"
    house.people.ask(june, ACTION)
    house.people.withdraw(jack, asked[0].id)
    house.people.ask(jack, ACTION)
    assert len(house.people.waiting_approvals()) == 21


def test_an_approver_who_lost_the_role_cannot_approve(house: HouseOfPeople) -> None:
    house.founder()
    jack, fay = house.session("Jack", Role.JACKPOTS), house.stepped_up("Fay", Role.FLOOR)
    asked = house.people.ask(jack, ACTION)
    house.change_roles("Fay", Role.DEALER)
    refused(PeopleRefusal.NOT_ALLOWED, lambda: use(house, fay, asked))


def test_only_its_requester_withdraws_a_request(house: HouseOfPeople) -> None:
    house.founder()
    jack, fay = house.session("Jack", Role.JACKPOTS), house.stepped_up("Fay", Role.FLOOR)
    asked = house.people.ask(jack, ACTION)
    refused(PeopleRefusal.APPROVAL_NOT_YOURS, lambda: house.people.withdraw(fay, asked.id))
    house.people.withdraw(jack, asked.id)
    refused(PeopleRefusal.APPROVAL_WITHDRAWN, lambda: house.people.withdraw(jack, asked.id))
    refused(PeopleRefusal.APPROVAL_WITHDRAWN, lambda: use(house, fay, asked))
    assert house.people.approval_state(house.people.approval(asked.id)) == "withdrawn"
    assert house.people.waiting_approvals() == []
    assert house.logged()[-1] == ("Jack", "approval-withdrawn", asked.id)


def test_an_approval_used_by_many_threads_at_once_works_once(house: HouseOfPeople) -> None:
    house.founder()
    jack, fay = house.session("Jack", Role.JACKPOTS), house.stepped_up("Fay", Role.FLOOR)
    asked = house.people.ask(jack, ACTION)

    def attempt(_: int) -> bool:
        try:
            use(house, fay, asked)
        except PeopleRefused:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(attempt, range(4))) == 1


@pytest.mark.parametrize("text", ["", "pay", "[1]", '{"a":1,"a":2}', '{"a":NaN}', "[" * 100_000, "null"])
def test_only_a_json_object_can_be_approved(text: str) -> None:
    refused(PeopleRefusal.NOT_JSON, lambda: canonical(text))


@pytest.mark.parametrize("seed", range(3))
def test_no_sequence_of_steps_makes_two_effects_of_one_request(house: HouseOfPeople, seed: int) -> None:
    """The law of approvals: ask, approve, use again, withdraw, expire, disable, in any order.

    An effect is a link that can be used. It needs an approval in time, by another person who was on the floor and
    enabled; and what was withdrawn, or has expired, has none ever after.
    """
    chance, people = random.Random(seed), house.people
    founder = house.founder()  # who disables and enables the others
    names = ("Fay", "Gil", "Hal")
    sessions = {name: house.stepped_up(name, Role.FLOOR) for name in names}
    house.person("Dan", Role.DEALER)
    asked: list[Approval] = []
    made: list[str] = []  # requests whose approval succeeded
    ended: set[str] = set()  # requests that were withdrawn or have expired
    for step in range(80):
        name = chance.choice(names)
        request = chance.choice(asked[-4:]) if asked else None
        with suppress(PeopleRefused):
            match chance.choice(("ask", "ask again", *["approve"] * 4, "withdraw", "later", "disable", "enable")):
                case "ask":
                    action = {"operation": "make a way back", "name": "Dan", "step": step}
                    asked.append(people.ask(sessions[name], json.dumps(action), key=str(step)))
                case "ask again" if request is not None:
                    key = str(json.loads(request.payload)["step"])
                    assert people.ask(sessions[request.requested_by], request.payload, key=key).id == request.id
                case "approve" if request is not None:
                    people.approve(sessions[name], request.id)
                    assert request.id not in {*made, *ended}
                    assert name != request.requested_by
                    assert house.at <= request.expires_at
                    disabled = {person.name for person in people.people() if person.disabled}
                    assert not {name, request.requested_by} & disabled
                    made.append(request.id)
                case "withdraw" if request is not None:
                    people.withdraw(sessions[name], request.id)
                    assert name == request.requested_by
                    assert request.id not in {*made, *ended}
                    ended.add(request.id)
                case "later":
                    house.later(minutes=chance.choice((1, 2, 16)))
                    ended |= {each.id for each in asked if each.expires_at < house.at and each.id not in made}
                    sessions |= {each.name: house.stepped_up(each.name) for each in people.people() if on_duty(each)}
                case "disable":
                    people.disable(founder, name)
                case "enable":
                    people.enable(founder, name)
                    sessions[name] = house.stepped_up(name)
    links = [entry for entry in house.logged() if entry[1] == "recovery-link-created"]
    assert len(made) == len(set(made)) == len(links) > 0
    used = {row["id"] for row in house.rows(schema.approvals) if row["approved_by"] is not None}
    assert used == set(made)


def on_duty(person: Person) -> bool:
    return person.has_totp and not person.disabled
