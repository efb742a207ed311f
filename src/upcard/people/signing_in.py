"""Signing in and out by name and password. A try is counted before it is looked at, and written down if it fails."""

from dataclasses import dataclass

from upcard.people import schema, sessions, throttle, totp
from upcard.people.person import Person, Session, key_of
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, person_of
from upcard.people.sessions import Means

_FROM_ONE_PLACE = 30  # wrong tries: a card room's tablets may share one address
_LONGEST = 200  # letters of a name that count; nobody has so many
_P = schema.people.c


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who says he is there, and from where, if that is known."""

    name: str
    source: str

    @property
    def by_name(self) -> str:
        """Under what wrong tries for this name are counted."""
        return f"name:{key_of(self.name[:_LONGEST])}"

    @property
    def by_source(self) -> str:
        """Under what wrong tries from this place are counted."""
        return f"source:{self.source}"


def count(register: Register, asked: Asked) -> Row | PeopleRefused | None:
    """Counts a try; gives whom it is for. A place that waits already cannot make a name wait, so it is first."""
    row = register.row(asked.name)
    counted = [(asked.by_source, _FROM_ONE_PLACE)] if asked.source else []
    for what, free in (*counted, (asked.by_name, throttle.FREE)):
        if wait := throttle.turned_away(register, what, free=free):
            register.log("", "sign-in-throttled", _known(row), seconds=wait)
            return PeopleRefused(PeopleRefusal.TOO_MANY_TRIES, seconds=wait)
    return row


def failed(register: Register, row: Row | None) -> PeopleRefused:
    """A wrong try."""
    register.log("", "sign-in-failed", _known(row), known=row is not None)
    return PeopleRefused(PeopleRefusal.WRONG_NAME_OR_PASSWORD)


def let_in(register: Register, means: Means, asked: Asked, kept: str, renewed: str) -> Session | PeopleRefused:
    """A right try; the password may be kept anew."""
    row = register.row(asked.name, hold=True)
    if row is None or row["disabled"] or row["password"] != kept:  # changed while the hash was made
        return failed(register, row)
    throttle.forgive(register, asked.by_name)
    if asked.source:
        throttle.take_back(register, asked.by_source)
    if renewed != kept:
        register.change(schema.people, _P.name_key == row["name_key"], password=renewed)
    register.log(row["name"], "signed-in", row["name"], rehashed=renewed != kept)
    return sessions.begin(register, means, person_of(row))


def let_guest_in(register: Register, means: Means, guest: Person) -> Session:
    """A guest needs no password, and nobody else goes without."""
    row = register.known(guest.name)
    if not row["guest"] or row["disabled"]:
        raise PeopleRefused(PeopleRefusal.WRONG_NAME_OR_PASSWORD)
    register.log(row["name"], "signed-in", row["name"])
    return sessions.begin(register, means, person_of(row))


def sign_out(register: Register, key: str) -> None:
    """Ends a session, if it is there."""
    if name := sessions.end(register, key):
        register.log(name, "signed-out", name)


def change_password(register: Register, means: Means, session: Session, row: Row, kept: str) -> None:
    """Another password, unless it was changed meanwhile; all other sessions end."""
    sessions.hold(register, means, session)
    if not register.change(
        schema.people, _P.name_key == row["name_key"], _P.password == row["password"], password=kept
    ):
        raise PeopleRefused(PeopleRefusal.WRONG_NAME_OR_PASSWORD)
    throttle.forgive(register, totp.tries_of(session))
    ended = sessions.end_all(register, row["name"], but=session.id)
    register.log(row["name"], "password-changed", row["name"], sessions_ended=ended)


def _known(row: Row | None) -> str:
    """The log has names we know only: somebody may have typed his password as his name."""
    return "" if row is None else str(row["name"])
