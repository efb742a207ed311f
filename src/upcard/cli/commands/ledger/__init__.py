"""`upcard ledger`: a file for each of its commands."""

import typer

from upcard.cli.commands.ledger.check import check
from upcard.cli.commands.ledger.checkpoint import checkpoint
from upcard.cli.commands.ledger.migrate import migrate
from upcard.cli.commands.ledger.public_key import public_key
from upcard.cli.commands.ledger.report import report
from upcard.cli.commands.ledger.rotate_key import rotate_key
from upcard.cli.commands.ledger.statement import statement

app = typer.Typer(name="ledger", help="Check, read and maintain a book.", add_completion=False)

app.command()(check)
app.command()(checkpoint)
app.command("public-key")(public_key)
app.command("rotate-key")(rotate_key)
app.command()(statement)
app.command()(report)
app.command()(migrate)
