"""`upcard audit`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options


@expand_options
def audit(
    wrong: Annotated[bool, typer.Option("--wrong", help="Show only the figures that disagree.")] = False,
    *,
    output: OutputOptions,
) -> None:
    """Recompute every figure that the filings publish and compare it digit by digit."""
    from upcard.cli.commands.audit_view import show_audit

    show_audit(output.form, wrong_only=wrong)
