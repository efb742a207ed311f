"""`upcard check`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Json, Jurisdiction


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="The files or workspaces to check.")],
    jurisdiction: Jurisdiction = None,
    as_json: Json = False,
) -> None:
    """Check game, layout and paytable files, and list every problem at once."""
    from upcard.cli.commands.check_run import show_check

    show_check(files, jurisdiction, as_json=as_json)
