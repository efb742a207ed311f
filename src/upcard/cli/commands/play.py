"""`upcard play`: the options. The table itself is in `cli/play`."""

from dataclasses import dataclass
from typing import Annotated

import typer

from upcard.cli.options import expand_options


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    layout: Annotated[str | None, typer.Option(help="One of the game's layouts (default: its usual one).")] = None
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
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's slug, filing number or name.")],
    options: PlayOptions,
) -> None:
    """Play a game at a table in the terminal: all its wagers, with every result explained."""
    from upcard.cli.play import play_game

    play_game(game, options)
