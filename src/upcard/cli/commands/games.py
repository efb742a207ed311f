"""`upcard games`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options


@expand_options
def games(
    name: Annotated[str | None, typer.Argument(help="A game: its slug or its filing's number.")] = None,
    *,
    output: OutputOptions,
) -> None:
    """The games: their wagers, limits, rules, readings and sources."""
    from upcard.cli.commands.games_view import show_games

    show_games(name, output.form)
