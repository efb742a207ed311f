"""`upcard catalog`: a file for each of its commands."""

import typer

from upcard.cli.commands.catalog.compare import compare
from upcard.cli.commands.catalog.export import export
from upcard.cli.commands.catalog.list import list_revisions
from upcard.cli.commands.catalog.publish import publish
from upcard.cli.commands.catalog.restore import restore
from upcard.cli.options import with_catalog

app = typer.Typer(
    name="catalog", help="Publish, list, compare and restore the files of a house's games.", add_completion=False
)

app.command()(with_catalog(publish))
app.command("list")(with_catalog(list_revisions))
app.command()(with_catalog(compare))
app.command()(with_catalog(restore))
app.command()(with_catalog(export))
