"""Publishes files from the command line: by floor persons who sign in; in a house without accounts, by the operator."""

import json
import secrets
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from upcard.cli.catalog_in_use import catalog_in_use
from upcard.cli.commands.people.sign_in import signed_in
from upcard.cli.output import counted, write_lines
from upcard.ledger.store import Store
from upcard.people import People, PeopleRefusal, PeopleRefused, Role, Session
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service.catalog_changes import OPERATOR
from upcard.service.desk import Desk
from upcard.service.publishing import Proposal
from upcard.service.running import Service, serving

OPERATION = "publish-catalog"  # stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Publisher:
    """Who publishes, in which book, and what they say about it."""

    book: str
    key: str | None
    by: str
    second: str
    note: str
    restores: int = 0


def publish_proposal(publisher: Publisher, propose: Callable[[Desk], Proposal]) -> None:
    Store.open(publisher.book).close()  # refuses what is not a book, before a key is made for it
    key = None if publisher.key is None else Path(publisher.key)
    with serving(publisher.book, key=key, catalog=catalog_in_use()) as service, ExitStack() as stack:
        people = service.people(clock=None, cost=None)
        first = _floor_person(people, publisher.by, stack)
        proposal = propose(service.desk)
        for notice in proposal.report.notices:
            print(f"upcard: {notice}", file=sys.stderr)
        _send(service, people, publisher, first, proposal)
    write_lines(f"Revision {proposal.revision} is published: {counted(len(proposal.files), 'file')} changed.")
    for change in proposal.tables:
        keeps = "keeps its rules, because an open jackpot would be won by other hands"
        write_lines(f"{change['table']} {keeps if change['keeps_rules'] else 'takes it after its shoe'}.")


def _floor_person(people: People, name: str, stack: ExitStack) -> Session | None:
    """The session of a floor person; None in a house that has no accounts of the floor yet."""
    if not any(Role.FLOOR in person.roles for person in people.people()):
        return None
    session = stack.enter_context(signed_in(people, name))
    if Role.FLOOR not in session.person.roles:
        raise PeopleRefused(PeopleRefusal.NOT_ALLOWED, role=Role.FLOOR.value)
    return session


def _send(service: Service, people: People, publisher: Publisher, first: Session | None, proposal: Proposal) -> None:
    request = s.PublishCatalog(
        revision=proposal.revision, content=proposal.content, note=publisher.note, restores=publisher.restores
    )
    command, command_id = s.House(request=request), f"publish-{secrets.token_hex(8)}"
    if first is None:
        service.desk.do(command, id=command_id, actor=publisher.by, role=OPERATOR)
    elif not proposal.tables:
        service.desk.do(command, id=command_id, actor=first.person.name)
    else:
        if not publisher.second:
            tables = ", ".join(change["table"] for change in proposal.tables)
            raise BadRequest(f"this changes the layouts of {tables}: name a second floor person with --second")
        action = {"operation": OPERATION, "command": json.loads(s.command_json(command)), "id": command_id}
        asked = people.ask(first, json.dumps(action))
        with signed_in(people, publisher.second) as session:
            consent = people.consent(session, asked.id, allowed=[Role.FLOOR], command=command_id)
            service.desk.submit(command, id=command_id, actor=first.person.name, consent=consent).result()
