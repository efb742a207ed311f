"""`upcard play`: the options. The table itself is in `cli/play`."""

from dataclasses import dataclass
from typing import Annotated

import typer

from upcard.cli.options import expand_options


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    layout: Annotated[str | None, typer.Option(help="One of the game's layouts; left out: its usual one.")] = None
    spots: Annotated[int, typer.Option(help="How many adjacent spots you play, 1 to 3.")] = 1
    bankroll: Annotated[str, typer.Option(help="What you sit down with.")] = "$1,000"
    seed: Annotated[
        str | None, typer.Option(metavar="HEXKEY", help="The key of the first shoe, for practice: 64 hex digits.")
    ] = None
    nonce: Annotated[str, typer.Option(metavar="WORD", help="A word of yours, mixed into every shuffle.")] = ""
    cut: Annotated[int | None, typer.Option(metavar="CARDS", help="Where you cut: cards from the front.")] = None


@expand_options
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game: its slug, its filing's number or its name.")],
    options: PlayOptions,
) -> None:
    """A table in the terminal, played by keyboard: every wager of the game, every slip explained."""
    from upcard.cli.play import play_game

    play_game(game, options)
