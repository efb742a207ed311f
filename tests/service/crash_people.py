"""People in a simulated house: they sign in and out, ask for approvals, give them, withdraw them.

What was acknowledged to them is remembered; after a crash the book must agree.
"""

import json
import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime

from people.house_of_people import HouseOfPeople

from upcard.ledger.store import Store
from upcard.people import PeopleRefused, Role, Session

STAFF = ("Flo", "Fay")


@dataclass
class Acknowledged:
    """What people were told."""

    sessions: dict[str, Session] = field(default_factory=dict)  # of guests, by token: signed in
    ended: set[str] = field(default_factory=set)  # tokens of sessions that ended
    waiting: list[str] = field(default_factory=list)  # requests that were neither approved nor withdrawn
    used: set[str] = field(default_factory=set)
    withdrawn: set[str] = field(default_factory=set)


class CrashPeople:
    """The people of one life."""

    def __init__(self, store: Store, now: datetime, seed: int) -> None:
        self.house = HouseOfPeople(store)
        self.house.at, self.house.random = now, random.Random(f"people {seed}")
        self.chance = random.Random(f"what people do {seed}")
        self.told = Acknowledged()
        self.house.founder()
        self.staff = {name: self.house.stepped_up(name, Role.FLOOR) for name in STAFF}
        self.guests = [self.house.people.add_guest() for _ in range(3)]
        self.asked = 0

    def saved(self) -> Acknowledged:
        return deepcopy(self.told)

    def next_step(self, now: datetime) -> tuple[datetime, Callable[[], None]]:
        """Something that somebody does, and when. Done twice it is the same, so that it can be tried again."""
        self.house.at = max(now, self.house.at)
        if self.chance.random() < 0.5:
            guest = self.chance.choice(self.guests)
            if self.told.sessions and self.chance.random() < 0.5:
                token = self.chance.choice(sorted(self.told.sessions))
                return self.house.at, lambda: self._sign_out(token)
            return self.house.at, lambda: self._told_signed_in(self.house.people.sign_in_guest(guest))
        by = self.chance.choice(STAFF)
        self._renew_codes()
        if not self.told.waiting or self.chance.random() < 0.3:
            self.asked += 1
            action = json.dumps({"operation": "invite", "name": f"Dealer {self.asked}", "roles": ["dealer"]})
            return self.house.at, lambda: self._ask(by, action, f"key-{self.asked}")
        request = self.chance.choice(self.told.waiting)
        if self.chance.random() < 0.3:
            return self.house.at, lambda: self._withdraw(request)
        return self.house.at, lambda: self._approve(request)

    def _renew_codes(self) -> None:
        """Staff sign in again with a code, so that they may approve."""
        self.staff = {name: self.house.session(name) for name in STAFF}

    def _told_signed_in(self, session: Session) -> None:
        self.told.sessions[session.token] = session

    def _sign_out(self, token: str) -> None:
        self.house.people.sign_out(token)
        self.told.sessions.pop(token, None)
        self.told.ended.add(token)

    def _ask(self, by: str, action: str, key: str) -> None:
        asked = self.house.people.ask(self.staff[by], action, key=key)
        if asked.id not in self.told.waiting:
            self.told.waiting.append(asked.id)

    def _approve(self, request: str) -> None:
        requester = self.house.people.approval(request).requested_by
        other = next(name for name in STAFF if name != requester)
        try:
            self.house.people.approve(self.staff[other], request)
        except PeopleRefused:  # it was approved before the crash, or is too old
            state = self.house.people.approval_state(self.house.people.approval(request))
            assert state in ("approved", "withdrawn", "expired"), state
            if state != "approved":
                self._settled(request)
                return
        self.told.used.add(request)
        self._settled(request)

    def _withdraw(self, request: str) -> None:
        requester = self.house.people.approval(request).requested_by
        try:
            self.house.people.withdraw(self.staff[requester], request)
        except PeopleRefused:
            state = self.house.people.approval_state(self.house.people.approval(request))
            assert state in ("approved", "withdrawn", "expired"), state
            self._settled(request)
            return
        self.told.withdrawn.add(request)
        self._settled(request)

    def _settled(self, request: str) -> None:
        self.told.waiting = [other for other in self.told.waiting if other != request]

    def check(self) -> None:
        """Nobody is signed in who should not be, and no approval was used twice."""
        people = self.house.people
        for token in self.told.ended:
            assert people.session(token) is None, "somebody who signed out is signed in"
        for token, session in self.told.sessions.items():
            found = people.session(token)
            assert found is None or found.person.name == session.person.name, "a session is another person's"
        log = people.log(most=10_000)
        used = [entry.subject for entry in log if entry.action == "approval-used"]
        assert len(used) == len(set(used)), "an approval was used twice"
        assert self.told.used <= set(used), "an approval that was used is not"
        assert not self.told.withdrawn & set(used), "a request that was withdrawn was carried out"
        links = [entry.subject for entry in log if entry.action == "person-invited"]
        assert len(links) == len(set(links)), "an approval had two effects"
