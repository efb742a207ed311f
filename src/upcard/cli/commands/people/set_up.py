"""`upcard people set-up`: a token for the first account. It is printed alone, so that a script can pass it on."""

from typing import Annotated

import typer

from upcard.cli.options import Book, Key


def set_up(
    book: Book,
    second: Annotated[
        bool, typer.Option("--second", help="Make a second floor account while the floor has only one person.")
    ] = False,
    key: Key = None,
) -> None:
    """Print a one-time token for the first floor account; it is valid for a day and replaces any earlier one."""
    from upcard.cli.commands.people.sign_in import open_people
    from upcard.cli.output import write_lines
    from upcard.problems import BadRequest

    with open_people(book, key) as people:
        token = people.setup_token(second=second)
    if token is None:
        raise BadRequest("this house has been set up: ask the floor for an invitation")
    write_lines(token)
