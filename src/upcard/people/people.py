"""Everything that can be asked or done about people, each in a transaction of its own.

Slow work (the hash of a password) is done between two transactions, never inside one: tables write to the same book.
"""

import hmac
import json
from collections.abc import Callable, Collection, Iterable
from datetime import datetime

from upcard.ledger.store import Store
from upcard.ledger.unit import Unit
from upcard.people import (
    accounts,
    approvals,
    invitations,
    own_sessions,
    passwords,
    sessions,
    sessions_after_restore,
    sign_in,
    throttle,
    totp,
    two_people,
)
from upcard.people.invitations import NewLink
from upcard.people.own_sessions import OwnSession
from upcard.people.passwords import PasswordCost, Passwords
from upcard.people.person import Approval, Entropy, LogEntry, Person, Session, new_token, token_hash
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, all_people, find_person
from upcard.people.roles import Role
from upcard.people.throttle import Attempt, Secret
from upcard.people.time_limits import TimeLimits
from upcard.people.transactions import PeopleTransactions

OPERATOR = "operator"  # who set the house up at its machine, as the records name them


class People(PeopleTransactions):
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
        super().__init__(store, clock)
        self._context = sessions.PeopleContext(keyring=self._keyring, entropy=entropy, limits=limits or TimeLimits())
        self._passwords = Passwords(cost or PasswordCost(), entropy)

    # --- accounts and guests --------------------------------------------------------------------------------------

    def setup_token(self, *, second: bool = False) -> str | None:
        """A one-time token for the first account on the floor, or the second; None: it is there already."""
        context = self._context
        return self._write(
            lambda register: invitations.set_up_token(register, context.entropy, context.limits, second=second)
        )

    def set_up(self, token: str, name: str, password: str, *, source: str = "") -> Person:
        """Creates an account on the floor from a set-up link."""
        link = self._valid_link(token, source)
        if not invitations.is_set_up(link):
            raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
        return self._accept(link, name, password)

    def invite(self, by: Person, name: str, roles: Iterable[Role]) -> str:
        """A one-time token for a new person; only the floor invites. For staff, two people do (`ask`), except during
        the first set-up."""
        context, invited_roles = self._context, frozenset(roles)

        def work(register: Register) -> str:
            link = NewLink(token=new_token(context.entropy))
            invitations.invite(register, context.limits, link, by=by, name=name, roles=invited_roles)
            accounts.check_needs_nobody_else(register, invited_roles)
            return link.token

        return self._write(work)

    def invite_first(self, name: str, roles: Iterable[Role]) -> str:
        """A one-time token for somebody of a new house, made by the operator, who counts as the second person."""

        def work(register: Register) -> str:
            link = NewLink(token=new_token(self._context.entropy), approved_by=OPERATOR)
            invitations.invite_first(register, self._context.limits, link, name, frozenset(roles))
            return link.token

        return self._write(work)

    def recovery_token(self, name: str) -> str:
        """A one-time token for somebody who lost their password or authenticator, made by the operator. Otherwise two
        people make it (`ask`)."""

        def work(register: Register) -> str:
            link = NewLink(token=new_token(self._context.entropy))
            invitations.recover(register, self._context.limits, link, by=None, name=name)
            return link.token

        return self._write(work)

    def accept(self, token: str, password: str, *, source: str = "") -> Person:
        """Accepts an invitation or uses a recovery link: sets the password."""
        link = self._valid_link(token, source)
        if invitations.is_set_up(link):
            raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
        return self._accept(link, link["name"], password)

    def _valid_link(self, token: str, source: str) -> Row:
        attempt = Attempt(secret=Secret.LINK, source=source)
        return self._write(lambda register: invitations.valid_link(register, token, attempt))

    def _accept(self, link: Row, name: str, password: str) -> Person:
        passwords.check(password, name)
        password_hash = self._passwords.hash(password)
        return self._write(lambda register: invitations.accept(register, link, name, password_hash))

    def add_guest(self) -> Person:
        """Adds a player without a password, under a made-up name."""
        return self._write(lambda register: invitations.add_guest(register, self._context.entropy))

    def open_walk_in(self, by: Person, name: str) -> Person:
        """A player whom the cage knows by name; they cannot sign in."""
        return self._write(lambda register: accounts.open_walk_in(register, by, name))

    def add_players(self, names: Iterable[str], *, actor: str) -> None:
        """Opens walk-ins for the program itself: bots, the demo. Names that are known already stay as they are."""

        def work(register: Register) -> None:
            for name in names:
                if register.find_person(name) is None:
                    accounts.add_walk_in(register, name, actor)

        self._write(work)

    # --- signing in and out ---------------------------------------------------------------------------------------

    def sign_in(self, name: str, password: str, code: str = "", *, source: str = "") -> Session:
        """A new session with its token. People who have an authenticator also enter a code.

        An unknown name is refused exactly like a wrong password.
        """
        attempt = sign_in.SignInAttempt(name=name, code=code, source=source)
        row = self._write(lambda register: sign_in.count_attempt(register, self._context, attempt))
        old_hash = row["password"] if row is not None and not row["disabled"] else None
        right = self._passwords.matches(password, old_hash)  # takes the same time when there is no such account
        if not right or old_hash is None:
            return self._write(lambda register: sign_in.fail(register, row, source))
        new_hash = self._passwords.hash(password) if self._passwords.needs_rehash(old_hash) else old_hash
        return self._write(lambda register: sign_in.succeed(register, self._context, attempt, old_hash, new_hash))

    def sign_in_guest(self, guest: Person, *, source: str = "") -> Session:
        """A session for a guest who was just added."""
        return self._write(lambda register: sign_in.sign_in_guest(register, self._context, guest, source))

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

    def change_password(self, session: Session, old: str, new: str, *, source: str = "") -> None:
        """Changes the password; ends other sessions."""
        row = self._confirm_password(session, old, source)
        passwords.check(new, row["name"])
        password_hash = self._passwords.hash(new)
        self._write(
            lambda register: sign_in.change_password(register, self._context, session, row, password_hash, source)
        )

    def _confirm_password(self, session: Session, password: str, source: str) -> Row:
        """The row of a person who is signed in and has entered their password again; wrong ones are counted."""
        row = self._read(lambda register: register.person_row(session.person.name))
        if row["password"] is None:
            raise PeopleRefused(PeopleRefusal.NO_PASSWORD)
        attempt = Attempt(secret=Secret.PASSWORD, name=row["name"], source=source)
        self._write(lambda register: sign_in.count_password_attempt(register, self._context, attempt))
        if not self._passwords.matches(password, row["password"]):
            self._write(lambda register: sign_in.fail(register, row, source))
        self._write(lambda register: throttle.succeed(register, attempt))
        return row

    def own_sessions(self, session: Session) -> list[OwnSession]:
        """The sessions of this session's person, the last used first."""
        return self._read(lambda register: own_sessions.listed(register, self._context, session))

    def end_own_sessions(self, session: Session, password: str, shown_id: str = "", *, source: str = "") -> list[str]:
        """Ends one of a person's other sessions, or all of them; they enter their password again. Returns the ids."""
        self._confirm_password(session, password, source)
        return self._write(lambda register: own_sessions.end(register, self._context, session, shown_id))

    def sessions_of(self, name: str) -> list[OwnSession]:
        return self._read(lambda register: own_sessions.of_person(register, self._context, name))

    def end_sessions_of(self, by: Person, name: str, shown_id: str = "") -> list[str]:
        """Ends one session of somebody else, or all of them; returns their ids."""
        return self._write(lambda register: own_sessions.end_of_person(register, self._context, by, name, shown_id))

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

    def remove_totp(self, session: Session) -> None:
        """Removes a player's authenticator; it needs a recent step-up."""
        self._write(lambda register: totp.remove(register, self._context, session))

    def confirm_totp(self, session: Session, code: str, *, source: str = "") -> Session:
        """Confirms a new authenticator by its first code; counts as a step-up."""
        return self._write(lambda register: totp.confirm(register, self._context, session, code, source))

    def step_up(self, session: Session, code: str, *, source: str = "") -> Session:
        """Takes a one-time code: for a few minutes this session may do what needs one."""
        return self._write(lambda register: totp.step_up(register, self._context, session, code, source))

    def stepped_up(self, session: Session) -> bool:
        return totp.stepped_up_recently(self._context, session, self._clock())

    def time_to_act(self, session: Session, last: datetime) -> datetime | None:
        """Now; None if somebody who last acted then must enter a code before they act again."""
        now, latest = self._clock(), max(last, session.stepped_up_at or last)
        return now if now - latest <= self._context.limits.staff_idle else None

    # --- approvals by a second person -----------------------------------------------------------------------------

    def ask(self, session: Session, action: str, *, key: str = "", role: Role = Role.FLOOR) -> Approval:
        """Asks somebody else with a role to approve exactly this action, a JSON object that names its `operation`.

        Asked again under the same key, it is the same request. What concerns accounts is checked at once.
        """

        def work(register: Register) -> Approval:
            def check(person: Person) -> None:
                value = json.loads(action)
                if value.get("operation") in two_people.OPERATIONS:
                    two_people.check(register, person, value)

            return approvals.request(register, self._context, session, action, key=key, role=role, check=check)

        return self._write(work)

    def approve(self, session: Session, id: str) -> tuple[Approval, Person | None]:  # noqa: A002 - the word for it
        """Approves what somebody else asked for and carries it out: an action on accounts.

        Returns also the person whose sessions ended by it.
        """

        def work(register: Register) -> tuple[Approval, Person | None]:
            approval = approvals.use(register, self._context, session, id, allowed=two_people.ALLOWED)
            return approval, two_people.carry_out(register, self._context, approval)

        return self._write(work)

    def consent(
        self,
        session: Session,
        id: str,  # noqa: A002 - the word for it
        *,
        allowed: Collection[Role],
        command: str,
    ) -> Callable[[Unit], Callable[[], None]]:
        """A second person's approval of a command, for the transaction that carries the command out.

        There it approves the request and uses it up, or refuses. It returns what writes the log: call that last in the
        transaction.
        """

        def use(unit: Unit) -> Callable[[], None]:
            register = Register(unit, self._clock(), self._store.keyring)
            approvals.use(register, self._context, session, id, allowed=allowed, command=command)
            return register.flush

        return use

    def withdraw(self, session: Session, id: str) -> None:  # noqa: A002 - the word for it
        """Takes back what this person asked for, before anybody approves it."""
        self._write(lambda register: approvals.withdraw(register, self._context, session, id))

    def approval(self, id: str) -> Approval:  # noqa: A002 - the word for it
        """The request for approval with this id."""
        return self._read(lambda register: approvals.find(register, id))

    def approval_state(self, approval: Approval) -> str:
        """`waiting`, `approved`, `withdrawn` or `expired`."""
        return approvals.state_of(approval, self._clock())

    def approved_link(self, approval: Approval) -> str | None:
        """The token of the link that an approval made; None: it made none, or the link was used or has expired."""
        token = two_people.link_token(self._context, approval)
        made = approval.approved_by is not None
        return token if made and self._read(lambda register: invitations.is_open(register, token)) else None

    def approvers(self, commands: Iterable[str]) -> dict[str, str]:
        """By the id of a command: the second person who approved it, if one did."""
        return self._read(lambda register: approvals.approvers(register, commands))

    def waiting_approvals(self) -> list[Approval]:
        """Requests that wait for a second person."""
        return self._read(approvals.waiting)

    def needs_second_person(self, roles: Collection[Role]) -> bool:
        """Whether giving these roles to somebody needs two people."""
        return self._read(lambda register: accounts.needs_second_person(register, frozenset(roles)))

    # --- the house's list of people, and the log ------------------------------------------------------------------

    def people(self) -> list[Person]:
        return self._read(lambda register: all_people(register.unit))

    def find(self, name: str) -> Person | None:
        """The person of this name, in any spelling of it; None: there is none."""
        with self._store.view() as unit:
            return find_person(unit, self._store.keyring, name)

    def disable(self, by: Person, name: str) -> Person:
        """Disables the account and ends its sessions."""
        return self._write(lambda register: accounts.disable_account(register, by, name))

    def enable(self, by: Person, name: str) -> Person:
        """Enables the account of a player; that of staff needs two people (`ask`), except during the first set-up."""
        return self._write(lambda register: accounts.enable_account(register, by, name))

    def change_roles(self, by: Person, name: str, roles: Iterable[Role]) -> Person:
        """Changes a person's roles and ends their sessions; giving staff roles needs two people (`ask`)."""
        new_roles = frozenset(roles)
        return self._write(lambda register: accounts.change_roles(register, by, name, new_roles))

    def end_after_restore(self) -> None:
        """After the book was restored: ends every session and every open request, and logs the restore."""
        self._write(sessions_after_restore.end_sessions_and_requests)

    def accept_restore(self, by: str, *, checkpoints: int, last: str) -> None:
        """Logs that somebody put aside the checkpoints that a restored book no longer matches."""
        self._write(
            lambda register: register.log(by, sessions_after_restore.ACCEPTED, "", checkpoints=checkpoints, last=last)
        )

    def restores(self) -> int:
        """How many restores the log has."""
        return self._read(sessions_after_restore.count)

    def log(self, since: int = 0, most: int = 1000) -> list[LogEntry]:
        """Entries of the log after a number, oldest first."""
        return self._read(lambda register: register.entries(since, most))
