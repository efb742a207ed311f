"""`upcard games`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import GameOption, OutputOptions, expand_options, one_game


@expand_options
def games(
    name: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game's slug or filing number, such as 002, or a file.")
    ] = None,
    *,
    game: GameOption = None,
    output: OutputOptions,
) -> None:
    """List the games, or show one: its wagers, limits, rules, readings and source."""
    from upcard.cli.commands.games_view import show_games

    show_games(one_game(name, game), output.form)
