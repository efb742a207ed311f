"""`upcard controls`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Json, Jurisdiction, Key


def controls(
    source: Annotated[
        str, typer.Argument(metavar="LAYOUT|BOOK", help="A layout, its file, or a book: a file or postgresql://...")
    ],
    jurisdiction: Jurisdiction = None,
    key: Key = None,
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write to this file: FILE.md, FILE.html or FILE.json.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Export the internal controls: how each jackpot is set up, funded, verified, paid and reconciled, and by whom."""
    from upcard.cli.commands.controls_view import show_controls

    show_controls(source, jurisdiction=jurisdiction, key=key, out=out, as_json=as_json)
