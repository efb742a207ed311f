"""`upcard people recover`: a link for somebody who cannot sign in. Only the token is printed, for scripts."""

from typing import Annotated

import typer

from upcard.cli.commands.people.options import Name, Second
from upcard.cli.options import Book, Key


def recover(
    book: Book,
    name: Name,
    by: Annotated[
        str, typer.Option("--by", metavar="NAME", help="The floor person who does this (default: the operator).")
    ] = "",
    second: Second = "",
    key: Key = None,
) -> None:
    """Print a one-time token, valid for an hour, for a person who lost their password or authenticator. The operator
    makes it with the key file, or two floor people do."""
    from upcard.cli.commands.people.sign_in import done_by_two, open_people, signed_in
    from upcard.cli.output import write_lines

    with open_people(book, key) as people:
        if not by:
            write_lines(people.recovery_token(name))
            return
        with signed_in(people, by) as first:
            action: dict[str, object] = {"operation": "make a way back", "name": name}
            write_lines(people.approved_link(done_by_two(people, first, second, action)) or "")
