"""`upcard ledger`: a file for each of its commands."""

from collections.abc import Callable

import typer

from upcard.cli.commands.ledger.accept_restore import accept_restore
from upcard.cli.commands.ledger.check_options import check
from upcard.cli.commands.ledger.checkpoint import checkpoint
from upcard.cli.commands.ledger.grants import grants
from upcard.cli.commands.ledger.migrate import migrate
from upcard.cli.commands.ledger.public_key import public_key
from upcard.cli.commands.ledger.report_options import report
from upcard.cli.commands.ledger.rotate_key import rotate_key
from upcard.cli.commands.ledger.statement_options import statement
from upcard.cli.options import with_catalog

app = typer.Typer(name="ledger", help="Check, read and maintain a book.", add_completion=False)

COMMANDS: dict[str, Callable[..., None]] = {
    "check": check,
    "checkpoint": checkpoint,
    "accept-restore": accept_restore,
    "public-key": public_key,
    "rotate-key": rotate_key,
    "statement": statement,
    "report": report,
    "migrate": migrate,
    "grants": grants,
}
for name, command in COMMANDS.items():
    app.command(name)(with_catalog(command))
