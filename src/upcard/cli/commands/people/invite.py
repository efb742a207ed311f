"""`upcard people invite`: a token for a new person. It is printed alone, so that a script can pass it on."""

from typing import TYPE_CHECKING, Annotated

import typer

from upcard.cli.commands.people.options import By, Name
from upcard.cli.options import Book, Key

if TYPE_CHECKING:
    from upcard.people import Role


def invite(
    book: Book,
    name: Name,
    by: By,
    role: Annotated[list[str], typer.Option("--role", help="A role, such as dealer; repeatable.")],
    key: Key = None,
) -> None:
    """Print a one-time token for a new person, who chooses a password with it."""
    from upcard.cli.commands.people.sign_in import open_people, signed_in
    from upcard.cli.output import write_lines

    roles = [_read_role(text) for text in role]
    with open_people(book, key) as people, signed_in(people, by) as floor_member:
        write_lines(people.invite(floor_member, name, roles))


def _read_role(name: str) -> "Role":
    from upcard.people import Role
    from upcard.problems import UnknownName

    try:
        return Role(name)
    except ValueError:
        raise UnknownName(what="role", name=name, known=Role, hint=f"roles are {', '.join(Role)}") from None
