"""Registers the commands. Each is declared in the file of its name in `cli/commands`."""

from typing import Annotated

import typer

from upcard.cli.commands.audit import audit
from upcard.cli.commands.backup import backup
from upcard.cli.commands.bots import bots
from upcard.cli.commands.check import check
from upcard.cli.commands.controls import controls
from upcard.cli.commands.doctor import doctor
from upcard.cli.commands.games import games
from upcard.cli.commands.jackpots import jackpots
from upcard.cli.commands.kinds import kinds
from upcard.cli.commands.ledger import app as ledger
from upcard.cli.commands.odds import odds
from upcard.cli.commands.paytables import paytables
from upcard.cli.commands.people import app as people
from upcard.cli.commands.play import play
from upcard.cli.commands.replay import replay
from upcard.cli.commands.restore import restore
from upcard.cli.commands.schema import schema
from upcard.cli.commands.serve import serve
from upcard.cli.commands.simulate import simulate
from upcard.cli.commands.strategy import strategy
from upcard.cli.commands.verify_shoe import verify_shoe

app = typer.Typer(
    name="upcard",
    help="Casino blackjack with its side wagers and jackpots, from filing to felt.",
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(flag: bool) -> None:
    if flag:
        from upcard import __version__

        typer.echo(f"upcard {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Casino blackjack with its side wagers and jackpots, from filing to felt."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command()(games)
app.command()(paytables)
app.command()(odds)
app.command()(strategy)
app.command()(simulate)
app.command()(audit)
app.command()(kinds)
app.command()(check)
app.command()(schema)
app.command()(replay)
app.command("verify-shoe")(verify_shoe)
app.command()(jackpots)
app.command()(controls)
app.command()(play)
app.command()(backup)
app.command()(restore)
app.command()(doctor)
app.command()(bots)
app.command()(serve)
app.add_typer(ledger)
app.add_typer(people)
