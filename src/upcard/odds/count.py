"""The best linear count for a wager: whole-number tags that follow the effects of removal as closely as they can."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_MOST_CLASSES = 13  # with more different effects than ranks, not every order of tags is tried
_SHIFTS = np.linspace(-0.5, 0.5, 21)


@dataclass(frozen=True, slots=True, kw_only=True)
class TagCount:
    """Tags for the cards in the order of the effects, and how well they follow them."""

    level: int  # the largest tag, sign aside
    tags: tuple[int, ...]
    correlation: float


def best_count(effects: Sequence[float], level: int, copies: Sequence[int]) -> TagCount | None:
    """The tags up to a level with the highest correlation; None where no card matters.

    `copies` says how many cards share each effect. A card seen leaves the shoe, so a good removal has a high tag and a
    high count is a good shoe. Tags need not sum to zero: the correlation does not depend on it.
    """
    distinct, place = np.unique(np.round(effects, 14), return_inverse=True)
    weights = np.zeros(len(distinct))
    np.add.at(weights, place, copies)
    if len(distinct) < 2:
        return None
    tags = _rising(len(distinct), level) if len(distinct) <= _MOST_CLASSES else _rounded(distinct, level)
    fit = correlations(tags, distinct, weights)
    equally_good = np.flatnonzero(fit > fit.max() - 1e-12)
    best = equally_good[np.argmin(np.abs(tags[equally_good]) @ weights)]  # among equals, the one with the smaller tags
    return TagCount(level=level, tags=tuple(int(tag) for tag in tags[best][place]), correlation=float(fit[best]))


def correlations(tags: Floats, effects: Floats, weights: Floats) -> Floats:
    """Of each row of tags with the effects, over all cards."""
    cards = weights.sum()
    centred = effects - weights @ effects / cards
    spread = tags**2 @ weights - (tags @ weights) ** 2 / cards
    height = weights @ centred**2
    fit: Floats = np.zeros(len(tags))
    np.divide(tags @ (weights * centred), np.sqrt(np.maximum(spread, 0) * height), out=fit, where=spread > 1e-9)
    return fit


def _rising(classes: int, level: int) -> Floats:
    """Every row of tags that rises with the effects, as the best one does."""
    return np.array(list(combinations_with_replacement(range(-level, level + 1), classes)), dtype=np.float64)


def _rounded(effects: Floats, level: int) -> Floats:
    """The effects rounded at many scales and shifts."""
    centred = effects - effects.mean()
    turns = np.unique(np.outer(np.arange(level + 1) + 0.5, 1 / np.abs(centred[centred != 0])).ravel())
    scales = [(low + high) / 2 for low, high in pairwise(turns)]
    rows = [np.round(scale * centred + shift) for scale in scales for shift in _SHIFTS]
    return np.array([row for row in rows if np.abs(row).max() <= level])
