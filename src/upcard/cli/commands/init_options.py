"""`upcard init`: the options."""

from typing import Annotated

import typer


def init(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="The folder to make; it must be new or empty.")],
    start: Annotated[str, typer.Option("--from", metavar="GAME", help="The game to start from, such as 003.")] = "002",
) -> None:
    """Make a workspace: a game of your own with a kind of wager, a paytable and a layout, ready to change."""
    from upcard.cli.commands.init_run import make_workspace

    make_workspace(folder, start)
