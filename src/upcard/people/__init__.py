"""The people of a house: who they are, what they may do, who is signed in, and who approved what."""

from upcard.people.passwords import PasswordCost
from upcard.people.people import People
from upcard.people.person import Approval, LogEntry, Person, Session
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.roles import FORBIDDEN, Role
from upcard.people.time_limits import TimeLimits

__all__ = [
    "FORBIDDEN",
    "Approval",
    "LogEntry",
    "PasswordCost",
    "People",
    "PeopleRefusal",
    "PeopleRefused",
    "Person",
    "Role",
    "Session",
    "TimeLimits",
]
