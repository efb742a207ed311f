"""The chart a simulated player uses: computed from the rules and cached, one that comes with the program, or a file."""

from hashlib import sha256
from pathlib import Path

from upcard import __version__
from upcard.odds.main.jit import CACHE_FOLDER, note_compiled
from upcard.odds.main.rules import MainRules
from upcard.problems import BadFile
from upcard.strategy.chart import Chart, named, parse


def chart_named(name: str, rules: MainRules, decks: int) -> Chart:
    """`best` is computed by `odds`; others come with the program or are files."""
    return _best(rules, decks) if name.lower() == "best" else named(name)


def is_cached(name: str, rules: MainRules, decks: int) -> bool:
    """Whether the chart is at hand without computing."""
    cached = _cache_path(rules, decks)
    return name.lower() != "best" or (cached is not None and cached.exists())


def _best(rules: MainRules, decks: int) -> Chart:
    cached = _cache_path(rules, decks)
    if cached is not None and cached.exists():
        try:
            return parse(cached.read_text(encoding="utf-8"), file=str(cached))
        except (BadFile, OSError, UnicodeDecodeError):
            pass  # compute it again
    from upcard.odds.main.rank_shoe import full_shoe
    from upcard.odds.main.solve import solve

    title = f"The best chart by totals for {decks} deck{'s' * (decks > 1)}"
    chart = solve(full_shoe(decks), rules).best_chart.chart(title)
    note_compiled("kernel")
    if cached is not None:
        try:
            part = cached.with_suffix(".part")
            part.write_text(chart.dump(), encoding="utf-8")
            part.replace(cached)
        except OSError:
            pass  # a full disk only costs a second next time
    return chart


def _cache_path(rules: MainRules, decks: int) -> Path | None:
    """Where a computed chart is cached: with the compiled code, whose folder changes when the computation does."""
    if CACHE_FOLDER is None:
        return None
    name = sha256(f"{__version__}/{decks}/{rules.as_text()}".encode()).hexdigest()[:16]
    return CACHE_FOLDER / f"chart-{name}.csv"
