"""`upcard people way-back`: account recovery. The token is printed alone, so that it can be handed on."""

from typing import Annotated

import typer

from upcard.cli.commands.people.options import Name
from upcard.cli.options import Book, Key


def way_back(
    book: Book,
    name: Name,
    by: Annotated[
        str, typer.Option("--by", metavar="NAME", help="Who of the floor asks; without it, the operator.")
    ] = "",
    key: Key = None,
) -> None:
    """A one-time token for somebody who lost his password or authenticator, good for an hour."""
    from upcard.cli.commands.people.sign_in import open_people, signed_in
    from upcard.cli.output import write_lines

    with open_people(book, key) as people:
        if not by:
            write_lines(people.recovery_token(name, by=None))
            return
        with signed_in(people, by) as floor_member:
            write_lines(people.recovery_token(name, by=floor_member))
