"""`upcard odds LAYOUT`: all wagers of a layout together."""

from fractions import Fraction

from upcard.catalog import shipped
from upcard.catalog.layout import Layout
from upcard.catalog.opening_meters import opening_meters
from upcard.cli.commands.odds import OddsOptions
from upcard.cli.compile_notice import announce_compiling
from upcard.cli.output import Cell, Form, counted, write_lines, write_table, write_texts
from upcard.odds.layout_odds import ROUNDS, LayoutOdds, layout_odds
from upcard.odds.main.jit import note_compiled
from upcard.pit import open_table, orders
from upcard.pit.table import order
from upcard.pit.terms import derive
from upcard.problems import BadRequest, UnknownName
from upcard.sim.spread import bet_spread
from upcard.strategy.chart import named
from upcard.strategy.player import Player
from upcard.units import dollars, money

_KERNELS = ("kernel", "result_kernel")


def show_layout_odds(layout: Layout, options: OddsOptions, form: Form) -> None:
    """Edge, deviation and correlations of every wager, of the whole round, and the most it can cost."""
    allowed = OddsOptions(chart=options.chart, meter=options.meter)
    if options != allowed:
        raise BadRequest("upcard odds LAYOUT takes --chart, --meter, --json and --csv only")
    announce_compiling(form, *_KERNELS)
    table, _ = order(open_table(shipped(), layout), orders.Seat("player", 1))
    terms = derive(table)
    spread = bet_spread(terms, Player())
    (stakes,) = spread.bets
    meters = _meters(layout, options.meter)
    chart = None if options.chart is None else named(options.chart)
    answer = layout_odds(terms, layout.spots, stakes=stakes, meters=meters, chart=chart)
    note_compiled(*_KERNELS)
    if not write_texts(form, answer.as_json, answer.as_csv):
        _show(layout, answer)


def _meters(layout: Layout, given: list[str]) -> dict[str, Fraction]:
    """The meters as they open, or as given; in dollars."""
    meters = {meter.meter: Fraction(meter.amount, 100) for meter in opening_meters(shipped(), layout)}
    for text in given:
        name, _, amount = text.rpartition("=")
        if not meters:
            raise BadRequest(f"{layout.slug} has no meter, so --meter does not apply")
        if not name and len(meters) > 1:
            raise BadRequest(f"say which meter, like --meter {next(iter(meters))}={amount}; {_names(meters)}")
        meter = next((known for known in meters if known.lower() == (name or known).lower()), None)
        if meter is None:
            raise UnknownName(what="jackpot", name=name, known=meters, hint=_names(meters))
        try:
            meters[meter] = Fraction(money(amount if amount.startswith("$") else f"${amount}"), 100)
        except ValueError as error:
            raise BadRequest(f"--meter: {error}") from None
    return meters


def _names(meters: dict[str, Fraction]) -> str:
    return f"the layout's meters are {', '.join(meters)}"


def _show(layout: Layout, answer: LayoutOdds) -> None:
    covariance = answer.covariance
    rows: list[dict[str, Cell]] = [
        {
            "wager": name,
            "stake": dollars(answer.stakes[name]),
            "house edge": f"{-100 * covariance.means[place]:.4f}%",
            "sd": f"{covariance.deviations[place]:.4f}",
            "at most lost": dollars(answer.exposure.by_wager[name]),
        }
        for place, name in enumerate(covariance.names)
    ]
    shoe = counted(answer.decks, "deck")
    write_table(f"{layout.title}: every wager, {shoe}", rows, right=["stake", "house edge", "sd", "at most lost"])
    matrix: list[dict[str, Cell]] = [
        {"": name, **{other: f"{row[column]:+.4f}" for column, other in enumerate(covariance.names)}}
        for name, row in zip(covariance.names, covariance.correlations, strict=True)
    ]
    write_table("Correlations on one spot, exact", matrix, right=list(covariance.names))
    bands: list[dict[str, Cell]] = [
        {"rounds": f"{band.rounds:,}", "from": f"{100 * band.low:+.2f}%", "to": f"{100 * band.high:+.2f}%"}
        for band in map(answer.band, ROUNDS)
    ]
    write_table("The hold of one spot, 95 times out of 100, as a part of all stakes", bands, right=list(bands[0]))
    lost = answer.exposure
    at = ", ".join(f"{name} at ${float(amount):,.2f}" for name, amount in answer.meters.items())
    write_lines(
        f"Whole round         {dollars(answer.stake)} staked, house edge {100 * answer.edge:.4f}%, "
        f"${answer.house_win / 100:.4f} per round and spot",
        f"Standard deviation  ${answer.deviation / 100:.4f} per round and spot; "
        f"${answer.independent_deviation / 100:.4f} if wagers did not depend on each other",
        f"Volatility index    {answer.volatility_index:.4f} (1.645 standard deviations over the stakes)",
        f"Exposure            {dollars(lost.spot)} per spot, {dollars(lost.round)} per round of {answer.spots} spots, "
        f"{dollars(lost.table)} with the meters",
        f"Play                {answer.chart}; every wager at the least the table takes",
        *([f"Meters              {at}"] if at else []),
        "Exposure is an upper limit: every hand split, doubled and won at the largest stakes, every side wager at its",
        "best line, each meter once. Bands assume a full shoe each round and many rounds; few rounds of a rare pay are",
        "skewed. Spots share the dealer: upcard simulate --seats measures them together.",
        *([f"{', '.join(answer.late)}: per round, in some of which it cannot be made."] if answer.late else []),
        *(f"Left out: {name}, because {why}" for name, why in covariance.left_out.items()),
    )
