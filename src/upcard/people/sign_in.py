"""Signing in and out: by name and password, and with a one-time code for everybody who has an authenticator.

An attempt is counted before it is checked, and logged with its source if it fails.
"""

from dataclasses import dataclass

from upcard.people import schema, sessions, throttle, totp
from upcard.people.person import Person, Session
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, person_of
from upcard.people.sessions import PeopleContext
from upcard.people.throttle import Attempt, Secret, Wait

_P = schema.people.c


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInAttempt:
    """The name and the code that were entered, and the network address they came from, if known."""

    name: str
    code: str = ""
    source: str = ""

    @property
    def at_password(self) -> Attempt:
        return Attempt(secret=Secret.SIGN_IN, name=self.name, source=self.source)

    @property
    def at_code(self) -> Attempt:
        return Attempt(secret=Secret.CODE, name=self.name, source=self.source, source_counted=True)


def count_attempt(register: Register, context: PeopleContext, attempt: SignInAttempt) -> Row | PeopleRefused | None:
    """Counts an attempt and gives the row of the person it is for."""
    row = register.find_person(attempt.name)
    if wait := throttle.count_attempt(register, attempt.at_password):
        return _refuse(register, context, wait, attempt.at_password, _name_in_log(row))
    return row


def count_password_attempt(register: Register, context: PeopleContext, attempt: Attempt) -> PeopleRefused | None:
    """Counts an attempt at the password of somebody who is signed in."""
    if wait := throttle.count_attempt(register, attempt):
        return _refuse(register, context, wait, attempt, attempt.name)
    return None


def _refuse(register: Register, context: PeopleContext, wait: Wait, attempt: Attempt, name: str) -> PeopleRefused:
    logged = context.logged_waits
    return throttle.refuse(register, logged, wait, attempt, actor="", action="sign-in-throttled", subject=name)


def fail(register: Register, row: Row | None, source: str) -> PeopleRefused:
    """Logs a failed attempt."""
    register.log("", "sign-in-failed", _name_in_log(row), known=row is not None, source=source or None)
    return PeopleRefused(PeopleRefusal.WRONG_NAME_OR_PASSWORD)


def succeed(
    register: Register, context: PeopleContext, attempt: SignInAttempt, old_hash: str, new_hash: str
) -> Session | PeopleRefused:
    """After the right password: asks for a code, or begins the session. The hash may be renewed at today's cost.

    A person without an authenticator gets a session, with which staff can do nothing but set one up.
    """
    row = register.find_person(attempt.name, lock=True)
    if row is None or row["disabled"] or row["password"] != old_hash:  # changed while the hash was computed
        return fail(register, row, attempt.source)
    person, by_code = person_of(row), False
    if person.has_totp:
        if not attempt.code:
            throttle.succeed(register, attempt.at_password)
            return PeopleRefused(PeopleRefusal.CODE_NEEDED)
        throttle.reset(register, attempt.at_password)  # the right password clears its own count and no other
        if (refused := totp.use_code(register, context, row, attempt.code, attempt.at_code)) is not None:
            return refused
        by_code = True
    throttle.succeed(register, attempt.at_password)
    if new_hash != old_hash:
        register.change(schema.people, _P.name_key == row["name_key"], password=new_hash)
    register.log(row["name"], "signed-in", row["name"], rehashed=new_hash != old_hash, source=attempt.source or None)
    return sessions.begin(register, context, person, by_code=by_code)


def sign_in_guest(register: Register, context: PeopleContext, guest: Person, source: str) -> Session:
    """Begins a session without a password, which only guests may."""
    row = register.person_row(guest.name)
    if not row["guest"] or row["disabled"]:
        raise PeopleRefused(PeopleRefusal.WRONG_NAME_OR_PASSWORD)
    register.log(row["name"], "signed-in", row["name"], source=source or None)
    return sessions.begin(register, context, person_of(row))


def sign_out(register: Register, session_id: str) -> None:
    """Ends a session, if it is there."""
    if name := sessions.end(register, session_id):
        register.log(name, "signed-out", name)


def change_password(
    register: Register, context: PeopleContext, session: Session, row: Row, password_hash: str, source: str
) -> None:
    """Changes the password and ends all other sessions; refused if the password was changed in the meantime."""
    sessions.lock_session(register, context, session)
    if not register.change(
        schema.people, _P.name_key == row["name_key"], _P.password == row["password"], password=password_hash
    ):
        raise PeopleRefused(PeopleRefusal.WRONG_NAME_OR_PASSWORD)
    ended = sessions.end_all(register, row["name"], except_id=session.id)
    register.log(row["name"], "password-changed", row["name"], sessions_ended=ended, source=source or None)


def _name_in_log(row: Row | None) -> str:
    """The name of an account, or nothing: somebody may have typed their password in place of their name."""
    return "" if row is None else str(row["name"])
