"""Actions on accounts that two people take together: inviting and enabling staff, giving staff roles, recovery, and
resetting an authenticator.

The first person's request is stored as a JSON object that names the operation, as the access rules do. When the second
person approves it, exactly that is done. The token of a link is derived from the operator's key and the id of the
approval, so that the first person can read it afterwards and the database need not store it.
"""

import json
from collections.abc import Mapping
from typing import Any

from upcard.people import accounts, invitations, totp
from upcard.people.invitations import NewLink
from upcard.people.person import Approval, Person, name_key
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, person_of
from upcard.people.roles import Role
from upcard.people.sessions import PeopleContext

INVITE, ENABLE, CHANGE_ROLES, RECOVER = "invite", "enable", "change roles", "make a way back"  # stored: keep them
RESET = "reset authenticator"
OPERATIONS = (INVITE, ENABLE, CHANGE_ROLES, RECOVER, RESET)
ALLOWED = frozenset({Role.FLOOR})  # to ask for them


def check(register: Register, by: Person, action: Mapping[str, Any]) -> None:
    """Refuses now what would be refused when it is carried out."""
    match action["operation"]:
        case "invite":
            invitations.check_invitation(register, by, action["name"], _roles(action))
        case "enable":
            accounts.check_enabling(register, by, action["name"])
        case "change roles":
            accounts.check_role_change(register, by, action["name"], _roles(action))
        case "make a way back":
            invitations.check_recovery(register, by, action["name"])
        case "reset authenticator":
            totp.check_reset(register, by, action["name"])
        case other:
            raise ValueError(f"{other!r} is not an action on accounts")


def carry_out(register: Register, context: PeopleContext, approval: Approval) -> Person | None:
    """Carries out what was approved; returns the person whose sessions ended."""
    action, by = json.loads(approval.payload), person_of(register.person_row(approval.requested_by))
    name, approver = action["name"], approval.approved_by
    if approver is not None and name_key(name) == name_key(approver):
        raise PeopleRefused(PeopleRefusal.NOT_ALONE)
    match action["operation"]:
        case "invite":
            link = NewLink(token=link_token(context, approval), approved_by=approver)
            invitations.invite(register, context.limits, link, by=by, name=name, roles=_roles(action))
        case "enable":
            accounts.enable_account(register, by, name, approver)
        case "change roles":
            return accounts.change_roles(register, by, name, _roles(action), approver)
        case "make a way back":
            link = NewLink(token=link_token(context, approval), approved_by=approver)
            invitations.recover(register, context.limits, link, by=by, name=name)
        case "reset authenticator":
            return totp.reset(register, by, name, approver)
        case other:
            raise ValueError(f"{other!r} is not an action on accounts")
    return None


def link_token(context: PeopleContext, approval: Approval) -> str:
    """The token of the link that an approval makes."""
    return context.keyring.token(f"link:{approval.id}")


def _roles(action: Mapping[str, Any]) -> frozenset[Role]:
    return frozenset(map(Role, action["roles"]))
