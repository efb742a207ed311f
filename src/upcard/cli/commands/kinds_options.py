"""`upcard kinds`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options


@expand_options
def kinds(
    name: Annotated[
        str | None, typer.Argument(metavar="KIND", help="A kind of wager, such as 21+3, or a file of kinds.")
    ] = None,
    *,
    output: OutputOptions,
) -> None:
    """List the kinds of wager a paytable can be for, or show the events of one."""
    from upcard.cli.commands.kinds_view import show_kinds

    show_kinds(name, output.form)
