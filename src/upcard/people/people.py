"""Everything that can be asked or done about people, each in a transaction of its own.

Slow work (the hash of a password) is done between two transactions, never inside one: tables write to the same book.
"""

import hmac
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import TypeVar

from sqlalchemy.exc import IntegrityError, OperationalError

from upcard.ledger.store import Store, is_write_conflict
from upcard.people import approvals, invitations, passwords, sessions, sign_in, totp
from upcard.people.disable_account import disable_account
from upcard.people.passwords import PasswordCost, Passwords
from upcard.people.person import Approval, Entropy, LogEntry, Person, Session, token_hash
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, all_people
from upcard.people.roles import Role
from upcard.people.time_limits import TimeLimits
from upcard.problems import BadRequest

T = TypeVar("T")

_ATTEMPTS = 8


class People:
    """The people of one book."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime],
        entropy: Entropy,
        cost: PasswordCost | None = None,
        limits: TimeLimits | None = None,
    ) -> None:
        if store.keyring is None:
            raise BadRequest("accounts need the operator's key")
        self._store, self._clock = store, clock
        self._context = sessions.PeopleContext(keyring=store.keyring, entropy=entropy, limits=limits or TimeLimits())
        self._passwords = Passwords(cost or PasswordCost(), entropy)

    def _write(self, work: Callable[[Register], T | PeopleRefused]) -> T:
        """Runs work in a transaction; tries again, a few times, if another writer was in the way.

        A refusal that the work raises rolls the transaction back. A refusal that it returns is raised after the
        commit, so that what was counted and logged stays.
        """
        for attempts_left in reversed(range(_ATTEMPTS)):
            try:
                with self._store.transaction() as unit:
                    register = Register(unit, self._clock(), self._store.keyring)
                    result = work(register)
                    register.flush()
                break
            except (IntegrityError, OperationalError) as error:
                if attempts_left == 0 or not is_write_conflict(error):
                    raise
        if isinstance(result, PeopleRefused):
            raise result
        return result

    def _read(self, work: Callable[[Register], T]) -> T:
        with self._store.view() as unit:
            return work(Register(unit, self._clock(), self._store.keyring))

    # --- accounts and guests --------------------------------------------------------------------------------------

    def setup_token(self) -> str | None:
        """A one-time token for the first account on the floor; None: there is one already."""
        context = self._context
        return self._write(lambda register: invitations.set_up_token(register, context.entropy, context.limits))

    def set_up(self, token: str, name: str, password: str) -> Person:
        """Creates the first account on the floor."""
        link = self._read(lambda register: invitations.valid_link(register, token))
        if not invitations.is_set_up(link):
            raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
        return self._accept(link, name, password)

    def invite(self, by: Person, name: str, roles: Iterable[Role]) -> str:
        """A one-time token for a new person; only the floor invites."""
        context, invited_roles = self._context, frozenset(roles)
        return self._write(
            lambda register: invitations.invite(
                register, context.entropy, context.limits, by=by, name=name, roles=invited_roles
            )
        )

    def recovery_token(self, name: str, *, by: Person | None) -> str:
        """A one-time token for somebody who lost their password or authenticator.

        Another person on the floor makes it, or the operator (`by` is None).
        """
        context = self._context
        return self._write(
            lambda register: invitations.recovery_token(register, context.entropy, context.limits, by=by, name=name)
        )

    def accept(self, token: str, password: str) -> Person:
        """Accepts an invitation or uses a recovery link: sets the password."""
        link = self._read(lambda register: invitations.valid_link(register, token))
        if invitations.is_set_up(link):
            raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
        return self._accept(link, link["name"], password)

    def _accept(self, link: Row, name: str, password: str) -> Person:
        passwords.check(password, name)
        password_hash = self._passwords.hash(password)
        return self._write(lambda register: invitations.accept(register, link, name, password_hash))

    def add_guest(self) -> Person:
        """Adds a player without a password, under a made-up name."""
        return self._write(lambda register: invitations.add_guest(register, self._context.entropy))

    # --- signing in and out ---------------------------------------------------------------------------------------

    def sign_in(self, name: str, password: str, *, source: str = "") -> Session:
        """A new session with its token. An unknown name is refused exactly like a wrong password."""
        attempt = sign_in.SignInAttempt(name=name, source=source)
        row = self._write(lambda register: sign_in.count_attempt(register, attempt))
        old_hash = row["password"] if row is not None and not row["disabled"] else None
        right = self._passwords.matches(password, old_hash)  # takes the same time when there is no such account
        if not right or old_hash is None:
            return self._write(lambda register: sign_in.fail(register, row))
        new_hash = self._passwords.hash(password) if self._passwords.needs_rehash(old_hash) else old_hash
        return self._write(lambda register: sign_in.succeed(register, self._context, attempt, old_hash, new_hash))

    def sign_in_guest(self, guest: Person) -> Session:
        """A session for a guest who was just added."""
        return self._write(lambda register: sign_in.sign_in_guest(register, self._context, guest))

    def session(self, token: str) -> Session | None:
        """The session of a token; None: there is none, or it is over."""
        key = token_hash(token)
        record = self._read(lambda register: sessions.find(register, self._context, key))
        if record is None:
            return None
        if record.unseen_for >= self._context.limits.last_seen_interval:
            self._write(lambda register: sessions.touch(register, key))
        return record.session

    def all_current(self, held: Iterable[Session], *, active: Collection[str] = ()) -> dict[str, Session]:
        """Those of many sessions that are not over, as they are now, by id. Only the active ones count as seen."""
        session_ids = sorted({session.id for session in held})
        records = self._read(lambda register: sessions.find_all(register, self._context, session_ids))
        interval = self._context.limits.last_seen_interval
        unseen = [record.session.id for record in records if record.unseen_for >= interval]
        to_touch = [session_id for session_id in unseen if session_id in active]
        if to_touch:
            self._write(lambda register: sessions.touch(register, *to_touch))
        return {record.session.id: record.session for record in records}

    def sign_out(self, token: str) -> None:
        """Ends a session, if it is there."""
        self._write(lambda register: sign_in.sign_out(register, token_hash(token)))

    def change_password(self, session: Session, old: str, new: str) -> None:
        """Changes the password; ends other sessions."""
        row = self._read(lambda register: register.person_row(session.person.name))
        if row["password"] is None:
            raise PeopleRefused(PeopleRefusal.NO_PASSWORD)
        self._count_attempt(session)
        if not self._passwords.matches(old, row["password"]):
            self._write(lambda register: sign_in.fail(register, row))
        passwords.check(new, row["name"])
        password_hash = self._passwords.hash(new)
        self._write(lambda register: sign_in.change_password(register, self._context, session, row, password_hash))

    # --- CSRF tokens and tickets ----------------------------------------------------------------------------------

    def is_csrf(self, session: Session, sent: str) -> bool:
        """Whether a request carried the CSRF token of its session."""
        return hmac.compare_digest(session.csrf.encode(), sent.encode("utf-8", "surrogatepass"))

    def ticket(self, session: Session, purpose: str) -> str:
        """A short-lived ticket that opens one connection for one purpose."""
        return self._write(lambda register: sessions.issue_ticket(register, self._context, session, purpose))

    def redeem(self, ticket: str, purpose: str) -> Session | None:
        """The session of a ticket; None: used, expired, for another purpose, or the session is over."""
        return self._write(lambda register: sessions.redeem_ticket(register, self._context, ticket, purpose))

    # --- one-time codes -------------------------------------------------------------------------------------------

    def enrol_totp(self, session: Session) -> tuple[str, str]:
        """A secret and its address for an authenticator app. Replacing an authenticator needs a recent step-up."""
        return self._write(lambda register: totp.enrol(register, self._context, session))

    def confirm_totp(self, session: Session, code: str) -> Session:
        """Confirms a new authenticator by its first code; counts as a step-up."""
        self._count_attempt(session)
        return self._write(lambda register: totp.confirm(register, self._context, session, code))

    def step_up(self, session: Session, code: str) -> Session:
        """Takes a one-time code: for a few minutes this session may do what needs one."""
        self._count_attempt(session)
        return self._write(lambda register: totp.step_up(register, self._context, session, code))

    def stepped_up(self, session: Session) -> bool:
        return totp.stepped_up_recently(self._context, session, self._clock())

    def _count_attempt(self, session: Session) -> None:
        self._write(lambda register: totp.count_attempt(register, session))

    # --- approvals by a second person -----------------------------------------------------------------------------

    def request_approval(self, session: Session, action: str, *, role: Role = Role.FLOOR) -> str:
        """Requests that somebody else with a role approve exactly this action (a JSON object); returns the id."""
        return self._write(lambda register: approvals.request(register, self._context, session, action, role))

    def approve(self, session: Session, id: str) -> Approval:  # noqa: A002 - the word for it
        """Approves what somebody else requested."""
        return self._write(lambda register: approvals.approve(register, self._context, session, id))

    def use_approval(self, session: Session, id: str, action: str, *, command: str = "") -> Approval:  # noqa: A002 - the word for it
        """Uses an approval up, for exactly the approved action. Call it before the action, with the command's id."""
        return self._write(lambda register: approvals.use(register, self._context, session, id, action, command))

    def approval(self, id: str) -> Approval | None:  # noqa: A002 - the word for it
        """The approval, or request for one, with this id."""
        return self._read(lambda register: approvals.find(register, id))

    def waiting_approvals(self) -> list[Approval]:
        """Requests that wait for a second person."""
        return self._read(approvals.waiting)

    # --- the house's list of people, and the log ------------------------------------------------------------------

    def people(self) -> list[Person]:
        return self._read(lambda register: all_people(register.unit))

    def disable(self, by: Person, name: str) -> Person:
        """Disables the account and ends its sessions."""
        return self._write(lambda register: disable_account(register, by, name))

    def log(self, since: int = 0, most: int = 1000) -> list[LogEntry]:
        """Entries of the log after a number, oldest first."""
        return self._read(lambda register: register.entries(since, most))
