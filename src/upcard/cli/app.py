"""Registers the commands. Each is declared in `cli/commands/NAME_options.py`."""

from typing import Annotated

import typer

from upcard.cli.commands.audit_options import audit
from upcard.cli.commands.backup_options import backup
from upcard.cli.commands.bots_options import bots
from upcard.cli.commands.catalog import app as catalogs
from upcard.cli.commands.check_options import check
from upcard.cli.commands.controls_options import controls
from upcard.cli.commands.doctor_options import doctor
from upcard.cli.commands.games_options import games
from upcard.cli.commands.init_house_options import init_house
from upcard.cli.commands.init_options import init
from upcard.cli.commands.jackpots_options import jackpots
from upcard.cli.commands.kinds_options import kinds
from upcard.cli.commands.ledger import app as ledger
from upcard.cli.commands.odds_options import odds
from upcard.cli.commands.paytables_options import paytables
from upcard.cli.commands.people import app as people
from upcard.cli.commands.play_options import play
from upcard.cli.commands.replay_options import replay
from upcard.cli.commands.restore_options import restore
from upcard.cli.commands.schema_options import schema
from upcard.cli.commands.serve_options import serve
from upcard.cli.commands.simulate_options import simulate
from upcard.cli.commands.strategy_options import strategy
from upcard.cli.commands.verify_shoe_options import verify_shoe
from upcard.cli.options import Workspaces, with_catalog

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
    catalog: Workspaces = [],  # noqa: ARG001, B006 - the commands ask for it; Typer copies the default
) -> None:
    """Casino blackjack with its side wagers and jackpots, from filing to felt."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command()(with_catalog(games))
app.command()(with_catalog(paytables))
app.command()(with_catalog(odds))
app.command()(with_catalog(strategy))
app.command()(with_catalog(simulate))
app.command()(with_catalog(audit))
app.command()(with_catalog(kinds))
app.command()(with_catalog(check))
app.command()(with_catalog(init))
app.command()(with_catalog(schema))
app.command()(with_catalog(replay))
app.command("verify-shoe")(with_catalog(verify_shoe))
app.command()(with_catalog(jackpots))
app.command()(with_catalog(controls))
app.command()(with_catalog(play))
app.command("init-house")(with_catalog(init_house))
app.command()(with_catalog(backup))
app.command()(with_catalog(restore))
app.command()(with_catalog(doctor))
app.command()(with_catalog(bots))
app.command()(with_catalog(serve))
app.add_typer(catalogs)
app.add_typer(ledger)
app.add_typer(people)
