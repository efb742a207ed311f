"""`upcard odds`: the options."""

from dataclasses import dataclass, field, replace
from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options, one_game
from upcard.problems import BadRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsOptions:
    decks: Annotated[int | None, typer.Option(help="Number of decks (default: all that the paytable permits).")] = None
    every: Annotated[bool, typer.Option("--all", help="Price every paytable at every number of decks it permits.")] = (
        False
    )
    layout: Annotated[
        str | None,
        typer.Option(help="Price it as this layout plays it: its readings, rules, decks and suit; a name or a file."),
    ] = None
    suit: Annotated[
        str | None, typer.Option(help="The operator's suit, for awards that name one suit (default: hearts).")
    ] = None
    wager: Annotated[str | None, typer.Option(help='The wager, such as "$5": shows dollars and jackpot shares.')] = None
    meter: Annotated[
        list[str], typer.Option(help='A jackpot meter, such as "$25,000" or "MEGA=$25,000"; repeatable.')
    ] = field(default_factory=list)
    without: Annotated[
        str, typer.Option(metavar="CARDS", help='Cards already out of the shoe, such as "Qh Qh As".')
    ] = ""
    pay: Annotated[
        list[str],
        typer.Option(
            help="Change what an event pays, such as suited-20=12 or any-20=none; repeatable.", metavar="EVENT=PAY"
        ),
    ] = field(default_factory=list)
    any_decks: Annotated[
        bool, typer.Option("--any-decks", help="Allow numbers of decks that the filing does not permit.")
    ] = False
    readings: Annotated[
        bool, typer.Option("--readings", help="Show the price under each reading of the filing instead.")
    ] = False
    removal: Annotated[
        bool, typer.Option("--removal", help="Show the effect of removing each card, and the best counts, instead.")
    ] = False
    count: Annotated[
        str | None,
        typer.Option(
            metavar="COUNT",
            help="Show the price at each count instead: hilo, ko, ..., tags, or best for this wager.",
        ),
    ] = None
    gone: Annotated[
        int | None, typer.Option(help="With --count: how many cards are out of the shoe (default: half).")
    ] = None
    game: Annotated[str | None, typer.Option(help="main: the same as GAME.")] = None
    settings: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="main, and wagers on the dealer's hand: change a rule, such as soft17=stand; repeatable.",
        ),
    ] = field(default_factory=list)
    shoe: Annotated[
        str,
        typer.Option(metavar="COUNTS", help="main: the cards left, 13 numbers from ace to king or 10 from ace to ten."),
    ] = ""
    chart: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="main: also value this strategy chart, shipped or a file.")
    ] = None
    sd: Annotated[bool, typer.Option("--sd", help="main: also show the standard deviation.")] = False
    distribution: Annotated[
        bool, typer.Option("--distribution", help="main: also show the chance of every result of a round.")
    ] = False
    hands: Annotated[bool, typer.Option("--hands", help="main: show the value of every first decision instead.")] = (
        False
    )


@expand_options
def odds(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="PAYTABLE", help="A paytable's name or slug, a file, `insurance`, `main`, or a layout or game."
        ),
    ] = None,
    of_game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="main: the game, by slug or filing number, or a file.", show_default=False),
    ] = None,
    *,
    options: OddsOptions,
    output: OutputOptions,
) -> None:
    """Price a wager exactly: probabilities, house edge, hit rate, variance, and a jackpot's break-even meter."""
    if of_game is not None and name != "main":
        raise BadRequest(f"odds takes one name, and a game only after main: leave out {of_game!r}")
    if name == "main" and not options.every:
        options = replace(options, game=one_game(of_game, options.game))
        from upcard.cli.commands.odds_main import show_main_odds

        show_main_odds(options, output.form)
        return
    from upcard.cli.layout_lookup import layout_or_none

    layout = None if name is None or name.lower() == "insurance" or options.every else layout_or_none(name)
    if layout is not None:
        from upcard.cli.commands.odds_layout import show_layout_odds

        show_layout_odds(layout, options, output.form)
    else:
        from upcard.cli.commands.odds_side import show_side_odds

        show_side_odds(name, options, output.form)
