"""`upcard kinds`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options


@expand_options
def kinds(
    name: Annotated[str | None, typer.Argument(help="A wager kind.")] = None,
    *,
    output: OutputOptions,
) -> None:
    """The kinds of wager a paytable can be written for, and their events."""
    from upcard.cli.commands.kinds_view import show_kinds

    show_kinds(name, output.form)
