"""The main game in the tests: rule vectors, and the command line called in this process."""

import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import pytest

from upcard.cli import main
from upcard.odds.main.rank_shoe import RankShoe, full_shoe
from upcard.odds.main.rules import MainRules
from upcard.odds.main.solve import Solution, solve

# The rules under which the peers (docs/main-game.md) were measured: DAS, split to four hands, aces once, one card each.
PEERS = MainRules(
    soft17="hit",
    blackjack=Fraction(3, 2),
    insurance=Fraction(2),
    das=True,
    double="any",
    hands=4,
    resplit_aces=False,
    hit_split_aces=False,
    split="value",
    surrender="none",
    hole="peek",
)


@lru_cache(maxsize=6)  # a solution holds some 15 MB
def solved(decks: int, **changes: object) -> Solution:
    """A full shoe under the peers' rules with some changed."""
    return solve(full_shoe(decks), replace(PEERS, **changes))  # type: ignore[arg-type]  # wider than the signature on purpose


def shoe_of(*values: int) -> RankShoe:
    """A shoe from ten counts by value, its tens spread over ten to king."""
    tens = values[9]
    return RankShoe((*values[:9], *(tens // 4 + (place < tens % 4) for place in range(4))))


Run = Callable[..., tuple[int, str, str]]


def runner(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Calls the command line; returns its exit code, standard output and standard error."""

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["upcard", *words])
        with pytest.raises(SystemExit) as stopped:
            main()
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return run
