"""`upcard schema`: the options."""

from typing import Annotated

import typer


def schema(
    name: Annotated[str, typer.Argument(metavar="FORMAT", help="paytable, game, layout, readings or jurisdiction.")],
) -> None:
    """Print the JSON Schema of a file format, for use in an editor."""
    from upcard.cli.commands.schema_view import show_schema

    show_schema(name)
