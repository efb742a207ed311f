"""`upcard paytables`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options


@expand_options
def paytables(
    name: Annotated[str | None, typer.Argument(help="A paytable's name or slug, or a file.")] = None,
    *,
    output: OutputOptions,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print it as a file to edit.")] = False,
) -> None:
    """Every paytable: wager kind, decks, to or for 1, and its lines."""
    from upcard.cli.commands.paytables_view import show_paytables

    show_paytables(name, output.form, as_toml=as_toml)
