"""The people of a house: who they are, what they may do, who is signed in, and who approved what."""

from upcard.service.people.door import People
from upcard.service.people.limits import Limits
from upcard.service.people.passwords import Cost
from upcard.service.people.person import Approval, Entry, Person, Session
from upcard.service.people.refusals import PeopleRefusal, PeopleRefused
from upcard.service.people.roles import FORBIDDEN, Role

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
