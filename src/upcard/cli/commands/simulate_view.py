"""What `upcard simulate` shows: a table for people, JSON and CSV for programs. Every figure names its denominator."""

from collections.abc import Iterator
from dataclasses import dataclass

from upcard.cli.output import Cell, Form, write_data, write_lines, write_table
from upcard.sim.compare import ExactComparison
from upcard.sim.distribution import distribution_of
from upcard.sim.figures import Figure, Statistics, Totals, WagerStatistics
from upcard.sim.jackpots import SimulatedMeter
from upcard.sim.run import Run
from upcard.units import dollars


@dataclass(frozen=True, kw_only=True)
class Shown:
    """Everything there is to show."""

    run: Run
    statistics: Statistics
    comparisons: tuple[ExactComparison, ...]
    meters: tuple[SimulatedMeter, ...]
    notices: tuple[str, ...]
    bankroll: int | None
    threads: int
    cluster: str | None
    seconds: float
    merged: int

    @property
    def speed(self) -> float:
        """Rounds a second of wall time."""
        return self.run.state.rounds / self.seconds if self.seconds > 0 and not self.merged else 0.0

    def compared(self, wager: str) -> ExactComparison | None:
        """The comparison of a wager, where one was asked for."""
        return next((one for one in self.comparisons if one.wager == wager), None)


DENOMINATORS = {
    "mean": "net of the wager over its initial stakes; doubles and splits change the net, not the stake",
    "sd": "of one round in which the wager was made, in units of that round's initial stake on it",
    "hit_rate": "paid events over times made; for main wagers, hands won over hands played",
    "per_100_rounds": "dollars over 100 rounds of the table, whether the wager was made in them or not",
    "total": "all wagers of a round together; mean over all initial stakes",
    "by_count": "true count before the deal, running count over decks left, rounded down; the ends hold all beyond",
}


def write(shown: Shown, form: Form) -> None:
    """Shows a run."""
    if not write_data(form, lambda: _as_dict(shown), lambda: list(_csv_rows(shown))):
        _for_people(shown)


def _as_dict(shown: Shown) -> dict[str, object]:
    run, compiled, total = shown.run, shown.run.compiled, shown.statistics.total
    player = compiled.player
    blocks = run.sums.blocks
    return {
        "game": compiled.terms.game,
        "layout": compiled.terms.layout,
        "decks": compiled.terms.decks,
        "seats": compiled.spots,
        "rounds": run.state.rounds,
        "seed": run.seed,
        "threads": shown.threads,
        "cluster": shown.cluster,
        "seconds": shown.seconds,
        "rounds_per_second": shown.speed,
        "fresh": compiled.fresh,
        "stopped": run.stopped or None,
        "chart": compiled.chart.title,
        "count": player.count.name if player.count else None,
        "flat_after": player.flat_after,
        "wagers": [_wager(shown, one) for one in shown.statistics.wagers],
        "total": _total(shown, total),
        "jackpots": [
            {
                "jackpot": one.jackpot,
                "wager": one.wager,
                "plan": one.plan,
                "hits": one.hits,
                "rounds_between_hits": one.rounds_between_hits,
                "opening_meter": None if one.opening is None else one.opening / 100,
                "expected_meter": None if one.expected is None else one.expected / 100,
            }
            for one in shown.meters
        ],
        "distribution": {"rounds": run.block, "blocks": sum(blocks.values()), **_dollars(distribution_of(blocks))}
        if blocks
        else None,
        "denominators": DENOMINATORS,
        "notices": list(shown.notices),
    }


def _dollars(spread: dict[str, float]) -> dict[str, float]:
    return {name: value if name == "ahead" else value / 100 for name, value in spread.items()}


def _wager(shown: Shown, one: WagerStatistics) -> dict[str, object]:
    found: dict[str, object] = {
        "wager": one.wager,
        "paytable": one.paytable or None,
        **_figure(one.figure),
        "hits": one.hits,
        "hit_rate": one.hit_rate,
        "per_100_rounds": one.figure.net / shown.statistics.total.rounds if shown.statistics.total.rounds else 0.0,
        "correlation_with_main": one.correlation,
    }
    compared = shown.compared(one.wager)
    if compared is not None:
        found |= {"exact": compared.exact, "difference": compared.difference, "z": compared.z}
    if one.with_main:
        found["with_main"] = one.with_main
    if one.by_count:
        found["by_count"] = [{"true_count": true, **_figure(figure)} for true, figure in one.by_count.items()]
    return found


def _figure(figure: Figure) -> dict[str, Cell]:
    low, high = figure.interval
    return {
        "mean": figure.mean,
        "stderr": figure.stderr,
        "low": low,
        "high": high,
        "sd": figure.sd,
        "made": figure.made,
        "staked": figure.staked / 100,
        "net": figure.net / 100,
    }


def _total(shown: Shown, total: Totals) -> dict[str, object]:
    found: dict[str, object] = {
        **_figure(total.figure),
        "mean_a_round": total.mean / 100,
        "stderr_a_round": total.stderr / 100,
        "sd_a_round": total.sd / 100,
        "per_100_rounds": total.mean,
        "action": total.action / 100,
        "net_over_action": total.net / total.action if total.action else 0.0,
        "n0": total.n_zero,
    }
    if shown.bankroll is not None:
        found |= {"bankroll": shown.bankroll / 100, "risk_of_ruin": total.risk_of_ruin(shown.bankroll)}
    if total.by_count:
        found["by_count"] = [{"true_count": true, **_figure(figure)} for true, figure in total.by_count.items()]
    return found


def _csv_rows(shown: Shown) -> Iterator[dict[str, Cell]]:
    """A row for each wager and for all together, and for each of them at each true count."""
    everything = [(one.wager, one.paytable, one.figure, one.by_count) for one in shown.statistics.wagers]
    total = shown.statistics.total
    for name, paytable, figure, by_count in [*everything, ("total", "", total.figure, total.by_count)]:
        for true, part in ((None, figure), *by_count.items()):
            row: dict[str, Cell] = {"wager": name, "paytable": paytable, "true_count": true}
            row |= _figure(part)
            compared = shown.compared(name) if true is None else None
            if shown.comparisons:
                row |= {
                    "exact": compared.exact if compared else None,
                    "difference": compared.difference if compared else None,
                    "z": compared.z if compared else None,
                }
            yield row


def _for_people(shown: Shown) -> None:
    run, compiled = shown.run, shown.run.compiled
    spots = f"{compiled.spots} spots" if compiled.spots > 1 else "1 spot"
    shoe = "a new shoe each round" if compiled.fresh else f"cut card after {compiled.program.game.cut} cards"
    title = f"{compiled.table.layout.title}: {run.state.rounds:,} rounds, {spots}, {shoe}"
    rows = [_row(shown, one) for one in shown.statistics.wagers]
    rows.append(_total_row(shown))
    write_table(title, rows, right=[name for name in rows[0] if name != "wager"], drop=["sd", "made", "per 100 rounds"])
    _say_hits(shown)
    _say_count(shown)
    write_lines(*_lines(shown))


def _row(shown: Shown, one: WagerStatistics) -> dict[str, Cell]:
    rounds = shown.statistics.total.rounds or 1
    row = _cells(one.figure) | {
        "hit rate": f"{100 * one.hit_rate:.4f}%",
        "per 100 rounds": _money(one.figure.net / rounds * 100),
    }
    return {"wager": one.wager} | row | _exact_cells(shown, one.wager)


def _total_row(shown: Shown) -> dict[str, Cell]:
    total = shown.statistics.total
    row = _cells(total.figure) | {"hit rate": "", "per 100 rounds": _money(100 * total.mean)}
    return {"wager": "all together"} | row | _exact_cells(shown, "")


def _exact_cells(shown: Shown, wager: str) -> dict[str, Cell]:
    if not shown.comparisons:
        return {}
    one = shown.compared(wager)
    if one is None or one.exact is None or one.difference is None:
        return {"exact": "", "difference": "", "z": ""}
    z = "" if one.z is None else f"{one.z:+.2f}"
    return {"exact": f"{100 * one.exact:+.4f}%", "difference": f"{100 * one.difference:+.4f}%", "z": z}


def _cells(figure: Figure) -> dict[str, Cell]:
    low, high = figure.interval
    return {
        "made": f"{figure.made:,}",
        "mean": f"{100 * figure.mean:+.4f}%",
        "std error": f"{100 * figure.stderr:.4f}%",
        "95% from": f"{100 * low:+.4f}%",
        "to": f"{100 * high:+.4f}%",
        "sd": f"{figure.sd:.4f}",
    }


def _money(cents: float) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"


def _say_hits(shown: Shown) -> None:
    rows: list[dict[str, Cell]] = []
    for one in _told_apart(shown):
        for event, hits in one.hits.items():
            every = f"{one.tries / hits:,.1f}" if hits else "-"
            rows.append({"wager": one.wager, "event": event, "hits": f"{hits:,}", "one in": every})
    write_table("Hits", rows, right=["hits", "one in"])


def _say_count(shown: Shown) -> None:
    total = shown.statistics.total
    if not total.by_count:
        return
    rows = []
    for true, figure in total.by_count.items():
        row: dict[str, Cell] = {"true count": f"{true:+d}", "rounds": f"{figure.rounds:,}"}
        for one in _told_apart(shown):
            mine = one.by_count.get(true)
            row[one.wager] = "-" if mine is None else f"{100 * mine.mean:+.2f}% ± {100 * mine.stderr:.2f}"
        row["all together"] = f"{100 * figure.mean:+.2f}% ± {100 * figure.stderr:.2f}"
        rows.append(row)
    name = shown.run.compiled.player.count
    write_table(f"By true count ({name.name if name else ''}): mean ± standard error", rows, right=list(rows[0]))


def _told_apart(shown: Shown) -> list[WagerStatistics]:
    """All wagers but a Bet Bigger, which ends as the hand does, like the first."""
    bigger = {wager.name for wager in shown.run.compiled.terms.wagers.values() if wager.role == "bigger"}
    return [one for one in shown.statistics.wagers if one.wager not in bigger]


def _lines(shown: Shown) -> Iterator[str]:
    run, total = shown.run, shown.statistics.total
    yield (
        f"Per round: {_money(total.mean)} ± {_money(total.stderr)} on {_money(total.staked / (total.rounds or 1))} of "
        f"initial stakes, standard deviation {_money(total.sd)}; {100 * total.net / (total.action or 1):+.4f}% of the "
        "total amount wagered, including doubles, splits and insurance."
    )
    if total.n_zero is not None:
        yield f"N0: after {total.n_zero:,.0f} rounds the expected result equals one standard deviation."
    if shown.bankroll is not None:
        risk = total.risk_of_ruin(shown.bankroll)
        yield f"Risk of ruin with {dollars(shown.bankroll)}, playing forever: {100 * risk:.4f}%."
    yield from _jackpot_lines(shown)
    if run.sums.blocks:
        spread = distribution_of(run.sums.blocks)
        money = {name: _money(cents) for name, cents in spread.items()}
        yield (
            f"After {run.block:,} rounds ({sum(run.sums.blocks.values()):,} times): mean {money['mean']}, standard "
            f"deviation {money['sd']}; 5% end below {money['p5']}, half below {money['p50']}, 95% below {money['p95']}"
            f"; {100 * spread['ahead']:.2f}% end ahead."
        )
    if shown.comparisons and not run.compiled.fresh:
        yield "Exact values are for a full shoe: the difference is the cut-card effect plus sampling error."
    yield (
        "Mean: net result over initial stakes. SD: of one round, in initial stakes. Hit rate: wagers paid over wagers "
        "made; for main wagers, hands won over hands played."
    )
    for notice in shown.notices:
        yield f"Notice: {notice}"
    if shown.merged:
        yield f"{shown.merged} saved runs merged."
    else:
        where = f"cluster {shown.cluster}" if shown.cluster else f"{shown.threads} thread{'s' * (shown.threads > 1)}"
        yield f"Seed {run.seed}; {shown.seconds:.1f} s, {shown.speed / 1e6:.2f} M rounds per second, {where}."


def _jackpot_lines(shown: Shown) -> Iterator[str]:
    for one in shown.meters:
        between = one.rounds_between_hits
        often = "no hit yet" if between is None else f"a hit every {between:,.0f} rounds"
        meter = "" if one.expected is None else f", expected meter ${one.expected / 100:,.2f}"
        yield f"Jackpot {one.jackpot} ({one.wager}, {one.plan or 'no plan'}): {often}{meter}."
    if shown.meters:
        yield "The means of jackpot wagers assume empty meters."
