"""`upcard people way-back`: account recovery. The token is printed alone, so that a script can pass it on."""

from typing import Annotated

import typer

from upcard.cli.commands.people.options import Name
from upcard.cli.options import Book, Key


def way_back(
    book: Book,
    name: Name,
    by: Annotated[
        str, typer.Option("--by", metavar="NAME", help="The floor member who does this (default: the operator).")
    ] = "",
    key: Key = None,
) -> None:
    """Print a one-time token, valid for an hour, for a person who lost their password or authenticator."""
    from upcard.cli.commands.people.sign_in import open_people, signed_in
    from upcard.cli.output import write_lines

    with open_people(book, key) as people:
        if not by:
            write_lines(people.recovery_token(name, by=None))
            return
        with signed_in(people, by) as floor_member:
            write_lines(people.recovery_token(name, by=floor_member))
