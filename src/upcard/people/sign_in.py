"""Signing in and out by name and password. An attempt is counted before it is checked, and logged if it fails."""

from dataclasses import dataclass

from upcard.people import schema, sessions, throttle, totp
from upcard.people.person import Person, Session, name_key
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, person_of
from upcard.people.sessions import PeopleContext

_FREE_PER_SOURCE = 30  # wrong attempts: all tablets of a card room may share one address
_COUNTED_NAME_LENGTH = 200  # more characters than any name has
_P = schema.people.c


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInAttempt:
    """The name that was entered, and the network address it came from, if known."""

    name: str
    source: str

    @property
    def name_counter(self) -> str:
        """The throttle's counter of wrong attempts for this name."""
        return f"name:{name_key(self.name[:_COUNTED_NAME_LENGTH])}"

    @property
    def source_counter(self) -> str:
        """The throttle's counter of wrong attempts from this address."""
        return f"source:{self.source}"


def count_attempt(register: Register, attempt: SignInAttempt) -> Row | PeopleRefused | None:
    """Counts an attempt and gives the row of the person it is for.

    The address is counted first: one that must wait already cannot make a name wait too.
    """
    row = register.find_person(attempt.name)
    by_source = [(attempt.source_counter, _FREE_PER_SOURCE)] if attempt.source else []
    for counter, free in (*by_source, (attempt.name_counter, throttle.FREE_ATTEMPTS)):
        if wait := throttle.count_attempt(register, counter, free=free):
            register.log("", "sign-in-throttled", _name_in_log(row), seconds=wait)
            return PeopleRefused(PeopleRefusal.TOO_MANY_TRIES, seconds=wait)
    return row


def fail(register: Register, row: Row | None) -> PeopleRefused:
    """Logs a failed attempt."""
    register.log("", "sign-in-failed", _name_in_log(row), known=row is not None)
    return PeopleRefused(PeopleRefusal.WRONG_NAME_OR_PASSWORD)


def succeed(
    register: Register, context: PeopleContext, attempt: SignInAttempt, old_hash: str, new_hash: str
) -> Session | PeopleRefused:
    """Begins a session after the right password, whose hash may be renewed at today's cost."""
    row = register.find_person(attempt.name, lock=True)
    if row is None or row["disabled"] or row["password"] != old_hash:  # changed while the hash was computed
        return fail(register, row)
    throttle.reset(register, attempt.name_counter)
    if attempt.source:
        throttle.uncount_attempt(register, attempt.source_counter)
    if new_hash != old_hash:
        register.change(schema.people, _P.name_key == row["name_key"], password=new_hash)
    register.log(row["name"], "signed-in", row["name"], rehashed=new_hash != old_hash)
    return sessions.begin(register, context, person_of(row))


def sign_in_guest(register: Register, context: PeopleContext, guest: Person) -> Session:
    """Begins a session without a password, which only guests may."""
    row = register.person_row(guest.name)
    if not row["guest"] or row["disabled"]:
        raise PeopleRefused(PeopleRefusal.WRONG_NAME_OR_PASSWORD)
    register.log(row["name"], "signed-in", row["name"])
    return sessions.begin(register, context, person_of(row))


def sign_out(register: Register, session_id: str) -> None:
    """Ends a session, if it is there."""
    if name := sessions.end(register, session_id):
        register.log(name, "signed-out", name)


def change_password(register: Register, context: PeopleContext, session: Session, row: Row, password_hash: str) -> None:
    """Changes the password and ends all other sessions; refused if the password was changed in the meantime."""
    sessions.lock_session(register, context, session)
    if not register.change(
        schema.people, _P.name_key == row["name_key"], _P.password == row["password"], password=password_hash
    ):
        raise PeopleRefused(PeopleRefusal.WRONG_NAME_OR_PASSWORD)
    throttle.reset(register, totp.attempt_counter(session))
    ended = sessions.end_all(register, row["name"], except_id=session.id)
    register.log(row["name"], "password-changed", row["name"], sessions_ended=ended)


def _name_in_log(row: Row | None) -> str:
    """The name of an account, or nothing: somebody may have typed their password in place of their name."""
    return "" if row is None else str(row["name"])
