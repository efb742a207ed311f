"""The door: everything that can be asked about people, each in a transaction of its own.

Slow work (a password's hash) is done between two transactions, never inside one: tables write to the same book.
"""

import hmac
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import TypeVar

from sqlalchemy.exc import IntegrityError, OperationalError

from upcard.ledger.store import Store, in_the_way
from upcard.people import approvals, invitations, passwords, sessions, signing_in, staff, totp
from upcard.people.limits import Limits
from upcard.people.passwords import Cost, Passwords
from upcard.people.person import Approval, Entropy, Entry, Person, Session, digest
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, everybody, person_of
from upcard.people.roles import Role
from upcard.problems import BadRequest

T = TypeVar("T")

_ATTEMPTS = 8


class People:
    """Who may come in, and what for."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime],
        entropy: Entropy,
        cost: Cost | None = None,
        limits: Limits | None = None,
    ) -> None:
        if store.keyring is None:
            raise BadRequest("the people of a house need the operator's key")
        self._store, self._clock = store, clock
        self._means = sessions.Means(keyring=store.keyring, entropy=entropy, limits=limits or Limits())
        self._passwords = Passwords(cost or Cost(), entropy)

    def _do(self, work: Callable[[Register], T | PeopleRefused]) -> T:
        """A transaction, tried again when another writer stood in the way; not for ever. A refusal that is raised
        undoes it; one that is returned is kept, and raised then."""
        for left in reversed(range(_ATTEMPTS)):
            try:
                with self._store.transaction() as unit:
                    register = Register(unit, self._clock(), self._store.keyring)
                    done = work(register)
                    register.flush()
                break
            except (IntegrityError, OperationalError) as wrong:
                if left == 0 or not in_the_way(wrong):
                    raise
        if isinstance(done, PeopleRefused):
            raise done
        return done

    def _see(self, work: Callable[[Register], T]) -> T:
        with self._store.view() as unit:
            return work(Register(unit, self._clock(), self._store.keyring))

    # --- coming in ------------------------------------------------------------------------------------------------

    def setup_token(self) -> str | None:
        """A one-time token for the first account of the floor; None: there is one."""
        means = self._means
        return self._do(lambda register: invitations.set_up_token(register, means.entropy, means.limits))

    def set_up(self, token: str, name: str, password: str) -> Person:
        """The first account of the floor."""
        offered = self._see(lambda register: invitations.offered(register, token))
        if not invitations.is_set_up(offered):
            raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
        return self._enter(offered, name, password)

    def invite(self, by: Person, name: str, roles: Iterable[Role]) -> str:
        """A one-time token with which a new person comes in; for the floor only."""
        means, wanted = self._means, frozenset(roles)
        return self._do(
            lambda register: invitations.invite(register, means.entropy, means.limits, by=by, name=name, roles=wanted)
        )

    def account_recovery(self, name: str, *, by: Person | None) -> str:
        """A one-time token for somebody who lost his password or authenticator; by another of the floor, or by the
        operator himself."""
        means = self._means
        return self._do(
            lambda register: invitations.account_recovery(register, means.entropy, means.limits, by=by, name=name)
        )

    def accept(self, token: str, password: str) -> Person:
        """Somebody who was invited, or comes back, chooses a password."""
        offered = self._see(lambda register: invitations.offered(register, token))
        if invitations.is_set_up(offered):
            raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
        return self._enter(offered, offered["name"], password)

    def _enter(self, offered: Row, name: str, password: str) -> Person:
        passwords.check(password, name)
        kept = self._passwords.kept(password)
        return self._do(lambda register: invitations.enter(register, offered, name, kept))

    def add_guest(self) -> Person:
        """A player without a password, under a name that is made up."""
        return self._do(lambda register: invitations.admit(register, self._means.entropy))

    # --- signing in and out ---------------------------------------------------------------------------------------

    def sign_in(self, name: str, password: str, *, source: str = "") -> Session:
        """A new session, its token told here only. Whoever is not there is refused like a wrong password."""
        asked = signing_in.Asked(name=name, source=source)
        row = self._do(lambda register: signing_in.count(register, asked))
        kept = row["password"] if row is not None and not row["disabled"] else None
        right = self._passwords.is_right(password, kept)  # also where there is nobody: it takes the same time
        if not right or kept is None:
            return self._do(lambda register: signing_in.failed(register, row))
        renewed = self._passwords.kept(password) if self._passwords.is_old(kept) else kept
        return self._do(lambda register: signing_in.let_in(register, self._means, asked, kept, renewed))

    def sign_in_guest(self, guest: Person) -> Session:
        """The session of a guest who has just come in."""
        return self._do(lambda register: signing_in.let_guest_in(register, self._means, guest))

    def session(self, token: str) -> Session | None:
        """Whose token it is; None: nobody's, or no longer."""
        return self._current(digest(token), active=True)

    def current(self, session: Session, *, active: bool = False) -> Session | None:
        """A session as it is now, for connections that stay open; None: it is over. Only who is active is not idle."""
        return self._current(session.id, active=active)

    def _current(self, key: str, *, active: bool) -> Session | None:
        found = self._see(lambda register: sessions.find(register, self._means, key))
        if found is None:
            return None
        if active and found.unseen_for >= self._means.limits.seen_every:
            self._do(lambda register: sessions.touch(register, key))
        return found.session

    def all_current(self, held: Iterable[Session], *, active: Collection[str] = ()) -> dict[str, Session]:
        """Of many sessions those that still last, as they are now, by their ids; only the active ones count as seen."""
        keys = sorted({one.id for one in held})
        found = self._see(lambda register: sessions.find_all(register, self._means, keys))
        unseen = [one.session.id for one in found if one.unseen_for >= self._means.limits.seen_every]
        unseen = [key for key in unseen if key in active]
        if unseen:
            self._do(lambda register: sessions.touch(register, *unseen))
        return {one.session.id: one.session for one in found}

    def sign_out(self, token: str) -> None:
        """Ends a session; twice does no harm."""
        self._do(lambda register: signing_in.sign_out(register, digest(token)))

    def sign_out_everywhere(self, name: str, *, by: Person | None = None) -> int:
        """Ends all sessions of somebody, who asks for it himself unless one of the floor does; says how many."""
        return self._do(lambda register: staff.sign_out_everywhere(register, by, name))

    def change_password(self, session: Session, old: str, new: str) -> None:
        """Another password for who knows the old one; all his other sessions end."""
        row = self._see(lambda register: register.known(session.person.name))
        if row["password"] is None:
            raise PeopleRefused(PeopleRefusal.NO_PASSWORD)
        self._count_try(session)
        if not self._passwords.is_right(old, row["password"]):
            self._do(lambda register: signing_in.failed(register, row))
        passwords.check(new, row["name"])
        kept = self._passwords.kept(new)
        self._do(lambda register: signing_in.change_password(register, self._means, session, row, kept))

    # --- forgery and sockets --------------------------------------------------------------------------------------

    def csrf(self, session: Session) -> str:
        """What a form of this session must carry."""
        return session.csrf

    def is_csrf(self, session: Session, given: str) -> bool:
        """Whether a form carried it."""
        return hmac.compare_digest(session.csrf.encode(), given.encode("utf-8", "surrogatepass"))

    def ticket(self, session: Session, purpose: str) -> str:
        """A ticket that opens one connection for one purpose, soon."""
        return self._do(lambda register: sessions.issue(register, self._means, session, purpose))

    def redeem(self, ticket: str, purpose: str) -> Session | None:
        """Whose ticket it is; None: used, too old, for something else, or its session is over."""
        return self._do(lambda register: sessions.redeem(register, self._means, ticket, purpose))

    # --- one-time codes -------------------------------------------------------------------------------------------

    def enrol_totp(self, session: Session) -> tuple[str, str]:
        """A secret and its address for a telephone; who has codes already must have stepped up."""
        return self._do(lambda register: totp.offer(register, self._means, session))

    def confirm_totp(self, session: Session, code: str) -> Session:
        """The first code of the new secret; counts as a step up."""
        self._count_try(session)
        return self._do(lambda register: totp.confirm(register, self._means, session, code))

    def step_up(self, session: Session, code: str) -> Session:
        """A one-time code: for a few minutes this session may do what needs one."""
        self._count_try(session)
        return self._do(lambda register: totp.step_up(register, self._means, session, code))

    def stepped_up(self, session: Session) -> bool:
        """Whether this session has stepped up lately."""
        return totp.is_fresh(self._means, session, self._clock())

    def _count_try(self, session: Session) -> None:
        self._do(lambda register: totp.count(register, session))

    # --- two persons ----------------------------------------------------------------------------------------------

    def ask_approval(self, session: Session, what: str, *, role: Role = Role.FLOOR) -> str:
        """Asks that somebody else with a role approve exactly this (a JSON object); says under which id."""
        return self._do(lambda register: approvals.ask(register, self._means, session, what, role))

    def approve(self, session: Session, id: str) -> Approval:  # noqa: A002 - the word for it
        """Approves what another asked for."""
        return self._do(lambda register: approvals.give(register, self._means, session, id))

    def use_approval(self, session: Session, id: str, what: str, *, command: str = "") -> Approval:  # noqa: A002 - the word for it
        """Uses an approval for exactly what was approved, once; to be called before it is done, with its id."""
        return self._do(lambda register: approvals.use(register, self._means, session, id, what, command))

    def approval(self, id: str) -> Approval | None:  # noqa: A002 - the word for it
        """What was asked under this id, and how far it is."""
        return self._see(lambda register: approvals.look(register, id))

    def waiting_approvals(self) -> list[Approval]:
        """What waits for a second person."""
        return self._see(approvals.waiting)

    # --- the staff ------------------------------------------------------------------------------------------------

    def people(self) -> list[Person]:
        """Everybody."""
        return self._see(lambda register: everybody(register.unit))

    def person(self, name: str) -> Person | None:
        """Somebody by name."""
        row = self._see(lambda register: register.row(name))
        return None if row is None else person_of(row)

    def disable(self, by: Person, name: str) -> Person:
        """Nobody comes in under this name any more, and who is in is out."""
        return self._do(lambda register: staff.set_disabled(register, by, name, to=True))

    def enable(self, by: Person, name: str) -> Person:
        """Takes it back."""
        return self._do(lambda register: staff.set_disabled(register, by, name, to=False))

    def set_roles(self, by: Person, name: str, roles: Iterable[Role]) -> Person:
        """Other roles for somebody, from his next step on."""
        return self._do(lambda register: staff.set_roles(register, by, name, frozenset(roles)))

    def log(self, since: int = 0, most: int = 1000) -> list[Entry]:
        """Lines of the log after a number, oldest first."""
        return self._see(lambda register: register.entries(since, most))
