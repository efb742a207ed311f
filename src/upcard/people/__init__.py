"""The people of a house: who they are, what they may do, who is signed in, and who approved what."""

from upcard.people.limits import Limits
from upcard.people.passwords import Cost
from upcard.people.person import Approval, Entry, Person, Session
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.roles import FORBIDDEN, Role
from upcard.people.sign_in import People

__all__ = [
    "FORBIDDEN",
    "Approval",
    "Cost",
    "Entry",
    "Limits",
    "People",
    "PeopleRefusal",
    "PeopleRefused",
    "Person",
    "Role",
    "Session",
]
