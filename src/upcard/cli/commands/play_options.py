"""`upcard play`: the options. The table itself is in `cli/play`."""

from dataclasses import dataclass
from typing import Annotated

import typer

from upcard.cli.options import GameOption, expand_options, one_game


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    layout: Annotated[
        str | None, typer.Option(help="One of the game's layouts, or a file of one (default: its usual one).")
    ] = None
    spots: Annotated[int, typer.Option(help="Number of adjacent spots to play, 1 to 3.")] = 1
    bankroll: Annotated[str, typer.Option(help="How much money you start with.")] = "$1,000"
    seed: Annotated[
        str | None, typer.Option(metavar="HEXKEY", help="For practice: the key of the first shoe, 64 hex digits.")
    ] = None
    nonce: Annotated[str, typer.Option(metavar="WORD", help="A word of your own that goes into every shuffle.")] = ""
    cut: Annotated[
        int | None, typer.Option(metavar="CARDS", help="Where you cut the shoe, in cards from the front.")
    ] = None


@expand_options
def play(
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game's slug, filing number or name, or a file of a game or a layout."),
    ] = None,
    *,
    game: GameOption = None,
    options: PlayOptions,
) -> None:
    """Play a game at a table in the terminal: all its wagers, with every result explained."""
    from upcard.cli.play import play_game

    play_game(one_game(name, game), options)
