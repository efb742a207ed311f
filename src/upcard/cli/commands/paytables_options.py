"""`upcard paytables`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options


@expand_options
def paytables(
    name: Annotated[
        str | None, typer.Argument(metavar="PAYTABLE", help="A paytable's name or slug, or a file.")
    ] = None,
    *,
    output: OutputOptions,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print the paytable as a file that you can edit.")] = False,
) -> None:
    """List the paytables, or show one with all its lines."""
    from upcard.cli.commands.paytables_view import show_paytables

    show_paytables(name, output.form, as_toml=as_toml)
