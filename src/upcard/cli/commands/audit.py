"""`upcard audit`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options


@expand_options
def audit(
    wrong: Annotated[bool, typer.Option("--wrong", help="Show only what does not agree.")] = False,
    *,
    output: OutputOptions,
) -> None:
    """Every figure the filings publish, recomputed exactly and compared digit by digit."""
    from upcard.cli.commands.audit_view import show_audit

    show_audit(output.form, wrong_only=wrong)
