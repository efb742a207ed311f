"""`upcard bots`: the options."""

from dataclasses import dataclass, field
from typing import Annotated

import typer

from upcard.cli.options import Book, Json, Key, expand_options


@dataclass(frozen=True, slots=True, kw_only=True)
class BotsOptions:
    layout: Annotated[str, typer.Option(help="The layout of the tables, or a file of one.")] = "the-brook"
    tables: Annotated[int, typer.Option(help="Number of tables to play at; missing ones are opened.")] = 1
    table: Annotated[list[str], typer.Option(metavar="NAME", help="An existing table to play at; repeatable.")] = field(
        default_factory=list
    )
    players: Annotated[int, typer.Option(help="Number of bots at each table.")] = 2
    rounds: Annotated[int, typer.Option(help="Rounds to play at each table.")] = 50
    pace: Annotated[float, typer.Option(metavar="SECONDS", help="Pause between moves.")] = 0.0
    chart: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="Strategy chart: best (computed), one that ships, or a file.")
    ] = "usual"
    key: Key = None


@expand_options
def bots(book: Book, options: BotsOptions, as_json: Json = False) -> None:
    """Have bots play at a book's tables through the service; Ctrl-C stops them after the hand."""
    from upcard.cli.commands.bots_run import run_bots

    if not run_bots(book, options, as_json=as_json):
        raise typer.Exit(1)
