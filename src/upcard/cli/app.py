"""The commands and their options. Bodies import what they need when they run, so that --help stays quick."""

from typing import Annotated

import typer

from upcard.cli.ledger import app as ledger
from upcard.cli.output import form_of
from upcard.cli.people import app as people
from upcard.cli.simulate_command import simulate
from upcard.problems import BadRequest

app = typer.Typer(
    name="upcard",
    help="Casino blackjack with its side wagers and jackpots, from filing to felt.",
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(ledger)
app.add_typer(people)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
Book = Annotated[str, typer.Argument(metavar="BOOK", help="A book's file, or postgresql://...")]
Key = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="The operator's key; left out: BOOK.key, beside a book that is a file."),
]
Game = Annotated[str | None, typer.Option("--game", help="main: the game, by slug or number.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="main: another rule, like soft17=stand; repeatable."),
]
ShoeCounts = Annotated[
    str, typer.Option("--shoe", metavar="COUNTS", help="main: cards of each rank, ace to king (13) or ace to ten (10).")
]


def _version(wanted: bool) -> None:
    if wanted:
        from upcard import __version__

        typer.echo(f"upcard {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Casino blackjack with its side wagers and jackpots, from filing to felt."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def games(
    name: Annotated[str | None, typer.Argument(help="A game: its slug or its filing's number.")] = None,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """The games: their wagers, limits, rules, readings and sources."""
    from upcard.cli import games as view

    view.show(name, form_of(as_json, as_csv))


@app.command()
def paytables(
    name: Annotated[str | None, typer.Argument(help="A paytable's name or slug, or a file.")] = None,
    as_json: Json = False,
    as_csv: Csv = False,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print it as a file to edit.")] = False,
) -> None:
    """Every paytable: wager kind, decks, to or for 1, and its lines."""
    from upcard.cli import paytables as view

    view.show(name, form_of(as_json, as_csv), as_toml=as_toml)


@app.command()
def odds(
    name: Annotated[
        str | None, typer.Argument(metavar="[PAYTABLE]", help="A paytable's name or slug, a file, insurance, or main.")
    ] = None,
    decks: Annotated[int | None, typer.Option(help="Number of decks; left out: all the table permits.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Price every paytable at every deck count it permits.")] = False,
    suit: Annotated[str, typer.Option(help="The operator's suit, for suit-specific awards.")] = "hearts",
    wager: Annotated[str | None, typer.Option(help='The stake, like "$5": for dollars and jackpot shares.')] = None,
    meter: Annotated[
        list[str] | None, typer.Option(help='A jackpot meter, like "$25,000" or "MEGA=$25,000"; repeatable.')
    ] = None,
    without: Annotated[str, typer.Option(metavar="CARDS", help='Cards gone from the shoe, like "Qh Qh As".')] = "",
    pay: Annotated[
        list[str] | None,
        typer.Option(help='Pay a line otherwise, like suited-20=12 or "any-20=none"; repeatable.', metavar="EVENT=PAY"),
    ] = None,
    any_decks: Annotated[
        bool, typer.Option("--any-decks", help="Price also deck counts that the filing does not permit.")
    ] = False,
    readings: Annotated[
        bool, typer.Option("--readings", help="Price the filing's alternative readings instead.")
    ] = False,
    removal: Annotated[
        bool, typer.Option("--removal", help="Effects of removing each card, and the best counts, instead.")
    ] = False,
    count: Annotated[
        str | None, typer.Option(metavar="COUNT", help="Price it by the count instead: hilo, or best for the wager.")
    ] = None,
    gone: Annotated[int | None, typer.Option(help="With --count: cards gone; left out: half the shoe.")] = None,
    game: Game = None,
    settings: Settings = None,
    shoe: ShoeCounts = "",
    chart: Annotated[
        str | None, typer.Option(metavar="FILE", help="main: the value of this chart too; `usual` is the usual one.")
    ] = None,
    sd: Annotated[bool, typer.Option("--sd", help="main: the standard deviation too.")] = False,
    hands: Annotated[bool, typer.Option("--hands", help="main: every first decision's worth instead.")] = False,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Exact probability, contribution, edge, hit rate and variance of a wager; jackpots with their break-even."""

    form = form_of(as_json, as_csv)
    if name == "main" and not every:
        from upcard.cli import main_odds
        from upcard.odds.main.question import MainQuestion

        if wager or meter or pay or any_decks or suit != "hearts":
            raise BadRequest(
                "--wager, --meter, --pay, --any-decks and --suit go with side wagers, not with upcard odds main"
            )
        main_odds.show(
            MainQuestion(
                game=game, decks=decks, settings=tuple(settings or ()), shoe=shoe, without=without, chart=chart
            ),
            main_odds.Wanted(sd=sd, hands=hands, readings=readings, removal=removal),
            form,
        )
        return
    from upcard.cli import odds as view
    from upcard.odds.question import PriceQuestion

    if game or settings or shoe or chart or sd or hands:
        raise BadRequest("--game, --set, --shoe, --chart, --sd and --hands go with upcard odds main only")
    question = PriceQuestion(
        decks=decks,
        suit=suit,
        wager=wager,
        meters=tuple(meter or ()),
        without=without,
        pays=tuple(pay or ()),
        any_decks=any_decks,
    )
    if count is not None and not (readings or removal or every):
        view.show_count(name, question, form, count=count, gone=gone)
        return
    if count is not None or gone is not None:
        raise BadRequest("--count, and --gone with it, go with one paytable, --decks, --suit, --wager and --meter")
    if readings or removal:
        view.show_more(name, question, form, readings=readings, removal=removal, every=every)
        return
    view.show(name, question, form, every=every)


@app.command()
def strategy(
    game: Game = None,
    decks: Annotated[int | None, typer.Option(help="Number of decks; left out: the game's usual one.")] = None,
    settings: Settings = None,
    shoe: ShoeCounts = "",
    without: Annotated[str, typer.Option(metavar="CARDS", help='Cards gone from the shoe, like "5 5 Th".')] = "",
    costs: Annotated[bool, typer.Option("--costs", help="What each deviation costs instead.")] = False,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """The best chart by totals, computed from the rules."""
    from upcard.cli import strategy as view
    from upcard.odds.main.question import MainQuestion

    question = MainQuestion(game=game, decks=decks, settings=tuple(settings or ()), shoe=shoe, without=without)
    view.show(question, form_of(as_json, as_csv), costs=costs)


app.command()(simulate)


@app.command()
def audit(
    wrong: Annotated[bool, typer.Option("--wrong", help="Show only what does not agree.")] = False,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Every figure the filings publish, recomputed exactly and compared digit by digit."""
    from upcard.cli import audit as view

    view.show(form_of(as_json, as_csv), wrong_only=wrong)


@app.command()
def kinds(
    name: Annotated[str | None, typer.Argument(help="A wager kind.")] = None,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """The kinds of wager a paytable can be written for, and their events."""
    from upcard.cli import kinds as view

    view.show(name, form_of(as_json, as_csv))


@app.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Game, layout or paytable files.")],
    as_json: Json = False,
) -> None:
    """Check catalog files and list every problem at once."""
    from upcard.cli import check as view

    view.show(files, form_of(as_json, as_csv=False))


@app.command()
def schema(
    name: Annotated[str, typer.Argument(metavar="FORMAT", help="paytable, game, layout, readings or jurisdiction.")],
) -> None:
    """The JSON Schema of a file format, for editors."""
    from upcard.cli import check as view

    view.show_schema(name)


@app.command()
def replay(
    files: Annotated[list[str], typer.Argument(metavar="FILE.round...", help="Transcripts.")],
    write: Annotated[bool, typer.Option("--write", help="Write what happens into the files.")] = False,
) -> None:
    """Play transcripts again and check them to the byte."""
    from upcard.cli import replay as view

    view.show(files, write=write)


@app.command("verify-shoe")
def verify_shoe(
    file: Annotated[str | None, typer.Argument(metavar="[FILE.json]", help="The record of a shoe.")] = None,
    layout: Annotated[str | None, typer.Option(help="The table's layout.")] = None,
    key: Annotated[str | None, typer.Option(help="The key that was revealed, in hex.")] = None,
    nonce: Annotated[str, typer.Option(help="The players' nonce, in hex.")] = "",
    cut: Annotated[int | None, typer.Option(help="Where the shoe was cut, in cards from the front.")] = None,
    commitment: Annotated[str | None, typer.Option(help="What was published before the shoe, in hex.")] = None,
    dealt: Annotated[str, typer.Option(metavar="CARDS", help="Cards as they came out, to compare.")] = "",
    as_json: Json = False,
) -> None:
    """Make the order of a finished shoe again and check it against what was promised and dealt."""
    from upcard.cli import verify_shoe as view

    given = {"layout": layout, "key": key, "nonce": nonce, "cut": cut, "commitment": commitment, "dealt": dealt}
    view.show(file, {name: value for name, value in given.items() if value not in (None, "")}, as_json=as_json)


@app.command()
def jackpots(
    book: Book,
    name: Annotated[str | None, typer.Argument(metavar="[JACKPOT]", help="One jackpot, with its history.")] = None,
    as_json: Json = False,
) -> None:
    """The meters of a book's jackpots; of one, every movement from its opening to now."""
    from upcard.cli import jackpots as view

    view.show(book, name, as_json=as_json)


@app.command()
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game: its slug, its filing's number or its name.")],
    layout: Annotated[str | None, typer.Option(help="One of the game's layouts; left out: its usual one.")] = None,
    spots: Annotated[int, typer.Option(help="How many adjacent spots you play, 1 to 3.")] = 1,
    bankroll: Annotated[str, typer.Option(help="What you sit down with.")] = "$1,000",
    seed: Annotated[
        str | None, typer.Option(metavar="HEXKEY", help="The key of the first shoe, for practice: 64 hex digits.")
    ] = None,
    nonce: Annotated[str, typer.Option(metavar="WORD", help="A word of yours, mixed into every shuffle.")] = "",
    cut: Annotated[int | None, typer.Option(metavar="CARDS", help="Where you cut: cards from the front.")] = None,
) -> None:
    """A table in the terminal, played by keyboard: every wager of the game, every slip explained."""
    from upcard.cli import play as table

    table.show(game, table.Wish(layout=layout, spots=spots, bankroll=bankroll, seed=seed, nonce=nonce, cut=cut))


@app.command()
def backup(
    book: Book,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The copy.")],
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Run the whole check on the copy; exit 1 if it fails.")
    ] = False,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Copy a book, also while a service writes in it. The operator's key is not in the copy: keep it apart."""
    from upcard.cli import backup as view

    if not view.backup(book, file, force=force, check=check, key=key, as_json=as_json):
        raise typer.Exit(1)


@app.command()
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A copy made by upcard backup.")],
    book: Annotated[str, typer.Argument(metavar="BOOK", help="Where the book belongs.")],
    force: Annotated[
        bool, typer.Option("--force", help="Put it in the place of a book, which is kept as BOOK.before.")
    ] = False,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Check a copy and make it the book again; a copy that is not sound changes nothing."""
    from upcard.cli import backup as view

    view.restore(file, book, force=force, key=key, as_json=as_json)


@app.command()
def doctor(book: Book, key: Key = None, as_json: Json = False) -> None:
    """Look a book and its service over: settings, guards, clock, disk, key, tables; exit 1 when something is bad."""
    from upcard.cli import doctor as view

    if not view.show(book, key, as_json=as_json):
        raise typer.Exit(1)


@app.command()
def bots(
    book: Book,
    layout: Annotated[str, typer.Option(help="The layout of the tables.")] = "the-brook",
    tables: Annotated[int, typer.Option(help="How many tables to play at; those not there yet are opened.")] = 1,
    table: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A table that is there already; repeatable.")
    ] = None,
    players: Annotated[int, typer.Option(help="How many bots sit at each table.")] = 2,
    rounds: Annotated[int, typer.Option(help="Rounds at each table.")] = 50,
    pace: Annotated[float, typer.Option(metavar="SECONDS", help="How long the bots think each time.")] = 0.0,
    chart: Annotated[
        str, typer.Option(metavar="FILE", help="The chart they play by; `usual`, or `best`: computed from the rules.")
    ] = "usual",
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Bots play at tables of a book, through the service; Ctrl-C stops them after the hand."""
    from pathlib import Path

    from upcard.cli import bots as view
    from upcard.cli.bot_floor import Wish

    wish = Wish(
        layout=layout,
        tables=tables,
        named=tuple(table or ()),
        players=players,
        rounds=rounds,
        pace=pace,
        chart=chart,
        key=None if key is None else Path(key),
    )
    if not view.show(book, wish, as_json=as_json):
        raise typer.Exit(1)


@app.command()
def serve(
    book: Annotated[str | None, typer.Option(metavar="BOOK", help="The book: a file, or postgresql://...")] = None,
    host: Annotated[str | None, typer.Option(help="Where to listen; 127.0.0.1 by default.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="0 takes any free one.")] = None,
    key: Annotated[str | None, typer.Option(metavar="FILE", help="The operator's key; BOOK.key by default.")] = None,
    demo: Annotated[
        bool | None, typer.Option("--demo/--no-demo", help="Guests with play money, on this machine only.")
    ] = None,
    log: Annotated[str | None, typer.Option(help="console or json.")] = None,
) -> None:
    """Run the table service: tables, accounts and the API on one port, until Ctrl-C."""
    from upcard.cli import serve as server

    server.run({"book": book, "host": host, "port": port, "key": key, "demo": demo, "log": log})
