"""`upcard audit`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options


@expand_options
def audit(
    source: Annotated[
        str | None,
        typer.Argument(metavar="DIR|FILE", help="Your own workspace or file of paytables (default: the filings)."),
    ] = None,
    *,
    wrong: Annotated[bool, typer.Option("--wrong", help="Show only the figures that disagree.")] = False,
    output: OutputOptions,
) -> None:
    """Recompute every figure that filings, or your own files, publish and compare it digit by digit."""
    from upcard.cli.commands.audit_view import show_audit

    show_audit(output.form, source=source, wrong_only=wrong)
