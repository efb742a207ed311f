"""The chart a simulated player goes by: computed from the rules, kept once computed, the usual one, or a file."""

from hashlib import sha256
from pathlib import Path

from upcard import __version__
from upcard.odds.main.jit import CACHE_FOLDER, note_compiled
from upcard.odds.main.rules import MainRules
from upcard.problems import BadFile
from upcard.strategy.chart import Chart, load, parse, usual


def chart_named(name: str, rules: MainRules, decks: int) -> Chart:
    """`best` is computed by `odds`, `usual` is the usual one; anything else is a file."""
    if name.lower() == "usual":
        return usual()
    return _best(rules, decks) if name.lower() == "best" else load(Path(name))


def is_kept(name: str, rules: MainRules, decks: int) -> bool:
    """Whether the chart needs no computing."""
    kept = _kept(rules, decks)
    return name.lower() != "best" or (kept is not None and kept.exists())


def _best(rules: MainRules, decks: int) -> Chart:
    kept = _kept(rules, decks)
    if kept is not None and kept.exists():
        try:
            return parse(kept.read_text(encoding="utf-8"), file=str(kept))
        except (BadFile, OSError, UnicodeDecodeError):
            pass  # it is computed again
    from upcard.odds.main.rank_shoe import full_shoe
    from upcard.odds.main.solve import solve

    title = f"The best chart by totals for {decks} deck{'s' * (decks > 1)}"
    chart = solve(full_shoe(decks), rules).best_chart.chart(title)
    note_compiled("kernel")
    if kept is not None:
        try:
            beside = kept.with_suffix(".part")
            beside.write_text(chart.dump(), encoding="utf-8")
            beside.replace(kept)
        except OSError:
            pass  # a full disk costs a second the next time, nothing more
    return chart


def _kept(rules: MainRules, decks: int) -> Path | None:
    """Where a computed chart is kept: with the compiled code, whose folder changes when the computation does."""
    if CACHE_FOLDER is None:
        return None
    name = sha256(f"{__version__}/{decks}/{rules.as_text()}".encode()).hexdigest()[:16]
    return CACHE_FOLDER / f"chart-{name}.csv"
