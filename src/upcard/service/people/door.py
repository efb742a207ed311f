"""The door: everything that can be asked about people, each in a transaction of its own.

Slow work (a password's hash) is done between two transactions, never inside one: tables write to the same book.
"""

import hmac
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

from upcard.ledger.store import Store
from upcard.service.people import approvals, codes, invitations, passwords, schema, sessions, throttle
from upcard.service.people import roles as duties
from upcard.service.people.limits import Limits
from upcard.service.people.passwords import Cost, Passwords
from upcard.service.people.person import Approval, Entropy, Entry, Person, Session, digest, key_of
from upcard.service.people.refusals import PeopleRefusal, PeopleRefused
from upcard.service.people.register import Register, Row, name_of, person_of
from upcard.service.people.roles import Role
from upcard.service.shoes import Seal

T = TypeVar("T")

_FROM_ONE_PLACE = 30  # wrong tries: a card room's tablets may share one address
_P = schema.people.c


class People:
    """Who may come in, and what for."""

    def __init__(
        self,
        store: Store,
        *,
        seal: Seal,
        clock: Callable[[], datetime],
        entropy: Entropy,
        cost: Cost | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._store, self._clock = store, clock
        self._means = sessions.Means(seal=seal, entropy=entropy, limits=limits or Limits())
        self._passwords = Passwords(cost or Cost(), entropy)

    def _do(self, work: Callable[[Register], T | PeopleRefused]) -> T:
        """A transaction. A refusal that is raised undoes it; one that is returned is kept, and raised then."""
        done = self._store.attempt(lambda unit: work(Register(unit, self._clock())))
        if isinstance(done, PeopleRefused):
            raise done
        return done

    def _see(self, work: Callable[[Register], T]) -> T:
        with self._store.view() as unit:
            return work(Register(unit, self._clock()))

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

    def accept(self, token: str, password: str) -> Person:
        """An invited person chooses a password."""
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
        row = self._do(lambda register: self._count(register, name, source))
        kept = row["password"] if row is not None and not row["disabled"] else None
        right = self._passwords.is_right(password, kept)  # also where there is nobody: it takes the same time
        if not right or kept is None:
            self._do(lambda register: _failed(register, row))
            raise PeopleRefused(PeopleRefusal.WRONG_NAME_OR_PASSWORD)
        renewed = self._passwords.kept(password) if self._passwords.is_old(kept) else kept
        return self._do(lambda register: self._let_in(register, kept, renewed, name, source))

    def sign_in_guest(self, guest: Person) -> Session:
        """The session of a guest who has just come in."""

        def begin(register: Register) -> Session:
            row = register.known(guest.name)
            if not row["guest"] or row["disabled"]:
                raise PeopleRefused(PeopleRefusal.WRONG_NAME_OR_PASSWORD)
            register.log(row["name"], "signed-in", row["name"])
            return sessions.begin(register, self._means, person_of(row))

        return self._do(begin)

    def _count(self, register: Register, name: str, source: str) -> Row | PeopleRefused | None:
        """Counts a try before it is looked at."""
        row = register.row(name)
        for what, free in _counted(name, source):
            if wait := throttle.turned_away(register, what, free=free):
                register.log("", "sign-in-turned-away", "" if row is None else row["name"], seconds=wait)
                return PeopleRefused(PeopleRefusal.TOO_MANY_TRIES, seconds=wait)
        return row

    def _let_in(self, register: Register, kept: str, renewed: str, name: str, source: str) -> Session | PeopleRefused:
        row = register.row(name, hold=True)
        if row is None or row["disabled"] or row["password"] != kept:  # changed while the hash was made
            return _failed(register, row)
        throttle.forgive(register, _by_name(name))
        if source:
            throttle.take_back(register, _by_source(source))
        if renewed != kept:
            register.change(schema.people, _P.key == row["key"], password=renewed)
        register.log(row["name"], "signed-in", row["name"], rehashed=renewed != kept)
        return sessions.begin(register, self._means, person_of(row))

    def session(self, token: str) -> Session | None:
        """Whose token it is; None: nobody's, or no longer."""
        return self._current(digest(token))

    def current(self, session: Session) -> Session | None:
        """A session as it is now, for connections that stay open; None: it is over."""
        return self._current(session.id)

    def _current(self, key: str) -> Session | None:
        found = self._see(lambda register: sessions.find(register, self._means, key))
        if found is None:
            return None
        if found.unseen_for >= self._means.limits.seen_every:
            self._do(lambda register: sessions.touch(register, key))
        return found.session

    def all_current(self, held: Iterable[Session]) -> dict[str, Session]:
        """Of many sessions those that still last, as they are now, by their ids."""
        keys = sorted({one.id for one in held})
        found = self._see(lambda register: sessions.find_all(register, self._means, keys))
        unseen = [one.session.id for one in found if one.unseen_for >= self._means.limits.seen_every]
        if unseen:
            self._do(lambda register: sessions.touch(register, *unseen))
        return {one.session.id: one.session for one in found}

    def sign_out(self, token: str) -> None:
        """Ends a session; twice does no harm."""

        def end(register: Register) -> None:
            if name := sessions.end(register, digest(token)):
                register.log(name, "signed-out", name)

        self._do(end)

    def sign_out_everywhere(self, name: str) -> int:
        """Ends all sessions of somebody; says how many."""

        def end(register: Register) -> int:
            row = register.known(name)
            ended = sessions.end_all(register, row["name"])
            register.log(row["name"], "signed-out-everywhere", row["name"], {"sessions": ended}, sessions=0)
            return ended

        return self._do(end)

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
        return self._do(lambda register: codes.offer(register, self._means, session))

    def confirm_totp(self, session: Session, code: str) -> Session:
        """The first code of the new secret; counts as a step up."""
        self._count_code(session)
        return self._do(lambda register: codes.confirm(register, self._means, session, code))

    def step_up(self, session: Session, code: str) -> Session:
        """A one-time code: for a few minutes this session may do what needs one."""
        self._count_code(session)
        return self._do(lambda register: codes.step_up(register, self._means, session, code))

    def stepped_up(self, session: Session) -> bool:
        """Whether this session has stepped up lately."""
        return codes.is_fresh(self._means, session, self._clock())

    def _count_code(self, session: Session) -> None:
        def count(register: Register) -> PeopleRefused | None:
            if wait := throttle.turned_away(register, codes.tries_of(session)):
                register.log(name_of(session), "code-turned-away", name_of(session), seconds=wait)
                return PeopleRefused(PeopleRefusal.TOO_MANY_TRIES, seconds=wait)
            return None

        self._do(count)

    # --- two persons ----------------------------------------------------------------------------------------------

    def ask_approval(self, session: Session, what: str, *, role: Role = Role.FLOOR) -> str:
        """Asks that somebody else with a role approve exactly this (a JSON object); says under which id."""
        return self._do(lambda register: approvals.ask(register, self._means, session, what, role))

    def approve(self, session: Session, id: str) -> Approval:  # noqa: A002 - the word for it
        """Approves what another asked for."""
        return self._do(lambda register: approvals.give(register, self._means, session, id))

    def use_approval(self, session: Session, id: str, what: str, *, command: str = "") -> Approval:  # noqa: A002
        """Uses an approval for exactly what was approved, once; to be called before it is done, with its id."""
        return self._do(lambda register: approvals.use(register, self._means, session, id, what, command))

    def approval(self, id: str) -> Approval | None:  # noqa: A002
        """What was asked under this id, and how far it is."""
        return self._see(lambda register: approvals.look(register, id))

    def waiting_approvals(self) -> list[Approval]:
        """What waits for a second person."""
        return self._see(approvals.waiting)

    # --- the staff ------------------------------------------------------------------------------------------------

    def people(self) -> list[Person]:
        """Everybody."""
        return self._see(lambda register: register.everybody())

    def person(self, name: str) -> Person | None:
        """Somebody by name."""
        row = self._see(lambda register: register.row(name))
        return None if row is None else person_of(row)

    def disable(self, by: Person, name: str) -> Person:
        """Nobody comes in under this name any more, and who is in is out."""
        return self._do(lambda register: self._set_disabled(register, by, name, to=True))

    def enable(self, by: Person, name: str) -> Person:
        """Takes it back."""
        return self._do(lambda register: self._set_disabled(register, by, name, to=False))

    def _set_disabled(self, register: Register, by: Person, name: str, *, to: bool) -> Person:
        floor = register.floor()
        who, row = register.may(by, Role.FLOOR), register.known(name, hold=True)
        if to:
            _keep_one(floor, row)
            sessions.end_all(register, row["name"])
        register.change(schema.people, _P.key == row["key"], disabled=to)
        what = "disabled" if to else "enabled"
        register.log(who.name, what, row["name"], {"disabled": row["disabled"]}, disabled=to)
        return person_of({**row, "disabled": to})

    def set_roles(self, by: Person, name: str, roles: Iterable[Role]) -> Person:
        """Other roles for somebody, from his next step on."""
        wanted = frozenset(roles)

        def change(register: Register) -> Person:
            invitations.check_roles(wanted)
            floor = register.floor()
            who, row = register.may(by, Role.FLOOR), register.known(name, hold=True)
            if row["guest"] and wanted != {Role.PLAYER}:
                raise PeopleRefused(PeopleRefusal.GUESTS_PLAY)
            if Role.FLOOR not in wanted:
                _keep_one(floor, row)
            before, after = duties.read(row["roles"]), duties.written(wanted)
            register.change(schema.people, _P.key == row["key"], roles=after)
            register.log(who.name, "roles", row["name"], {"roles": before}, roles=wanted)
            return person_of({**row, "roles": after})

        return self._do(change)

    def log(self, since: int = 0, most: int = 1000) -> list[Entry]:
        """Lines of the log after a number, oldest first."""
        return self._see(lambda register: register.entries(since, most))


def _by_name(name: str) -> str:
    return f"name:{key_of(name[:200])}"


def _by_source(source: str) -> str:
    return f"source:{source}"


def _counted(name: str, source: str) -> list[tuple[str, int]]:
    """What a try counts against: the name, and the place it comes from where that is known."""
    return [(_by_name(name), throttle.FREE), *([(_by_source(source), _FROM_ONE_PLACE)] if source else [])]


def _failed(register: Register, row: Row | None) -> PeopleRefused:
    """The log has names we know only: somebody may have typed his password as his name."""
    register.log("", "sign-in-failed", "" if row is None else row["name"], known=row is not None)
    return PeopleRefused(PeopleRefusal.WRONG_NAME_OR_PASSWORD)


def _keep_one(floor: list[Row], row: Row) -> None:
    if [one["key"] for one in floor] == [row["key"]]:
        raise PeopleRefused(PeopleRefusal.LAST_FLOOR, name=row["name"])
