"""`upcard odds`: the options."""

from dataclasses import dataclass, field
from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsOptions:
    decks: Annotated[int | None, typer.Option(help="Number of decks; left out: all the table permits.")] = None
    every: Annotated[bool, typer.Option("--all", help="Price every paytable at every deck count it permits.")] = False
    suit: Annotated[str, typer.Option(help="The operator's suit, for suit-specific awards.")] = "hearts"
    wager: Annotated[str | None, typer.Option(help='The stake, like "$5": for dollars and jackpot shares.')] = None
    meter: Annotated[list[str], typer.Option(help='A jackpot meter, like "$25,000" or "MEGA=$25,000"; repeatable.')] = (
        field(default_factory=list)
    )
    without: Annotated[str, typer.Option(metavar="CARDS", help='Cards gone from the shoe, like "Qh Qh As".')] = ""
    pay: Annotated[
        list[str],
        typer.Option(help='Pay a line otherwise, like suited-20=12 or "any-20=none"; repeatable.', metavar="EVENT=PAY"),
    ] = field(default_factory=list)
    any_decks: Annotated[
        bool, typer.Option("--any-decks", help="Price also deck counts that the filing does not permit.")
    ] = False
    readings: Annotated[bool, typer.Option("--readings", help="Price the filing's alternative readings instead.")] = (
        False
    )
    removal: Annotated[
        bool, typer.Option("--removal", help="Effects of removing each card, and the best counts, instead.")
    ] = False
    count: Annotated[
        str | None, typer.Option(metavar="COUNT", help="Price it by the count instead: hilo, or best for the wager.")
    ] = None
    gone: Annotated[int | None, typer.Option(help="With --count: cards gone; left out: half the shoe.")] = None
    game: Annotated[str | None, typer.Option(help="main: the game, by slug or number.")] = None
    settings: Annotated[
        list[str],
        typer.Option("--set", metavar="KEY=VALUE", help="main: another rule, like soft17=stand; repeatable."),
    ] = field(default_factory=list)
    shoe: Annotated[
        str, typer.Option(metavar="COUNTS", help="main: cards of each rank, ace to king (13) or ace to ten (10).")
    ] = ""
    chart: Annotated[
        str | None, typer.Option(metavar="FILE", help="main: the value of this chart too; `usual` is the usual one.")
    ] = None
    sd: Annotated[bool, typer.Option("--sd", help="main: the standard deviation too.")] = False
    hands: Annotated[bool, typer.Option("--hands", help="main: every first decision's worth instead.")] = False


@expand_options
def odds(
    name: Annotated[
        str | None, typer.Argument(metavar="[PAYTABLE]", help="A paytable's name or slug, a file, insurance, or main.")
    ] = None,
    *,
    options: OddsOptions,
    output: OutputOptions,
) -> None:
    """Exact probability, contribution, edge, hit rate and variance of a wager; jackpots with their break-even."""
    if name == "main" and not options.every:
        from upcard.cli.commands.odds_main import show_main_odds

        show_main_odds(options, output.form)
    else:
        from upcard.cli.commands.odds_side import show_side_odds

        show_side_odds(name, options, output.form)
