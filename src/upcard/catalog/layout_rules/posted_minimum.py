"""Which minimum a table may post: within the filing's bounds or the law's, in steps and in chips."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from upcard.catalog.game_checks import Complaint
from upcard.catalog.layout import Layout
from upcard.catalog.layout_rules.layout_under_check import Case
from upcard.codes import Coded, phrases, sentence_of

if TYPE_CHECKING:
    from upcard.catalog.index import Catalog


def minimum(case: Case) -> Iterator[Complaint]:
    problem = _minimum_problem(case, case.layout.posted_minimum)
    if problem is not None:
        yield "posted_minimum", sentence_of(problem)


def minimum_in_chips(case: Case) -> Iterator[Complaint]:
    problem = _chips_problem(case, case.layout.posted_minimum)
    if problem is not None:
        yield "chip", sentence_of(problem)


def posted_minimum_problem(catalog: "Catalog", layout: Layout, amount: int) -> Coded | None:
    """Why this minimum may not be posted at a table of this layout; None if it may."""
    case = Case(catalog=catalog, layout=layout, game=catalog.game(layout.game))
    return _minimum_problem(case, amount) or _chips_problem(case, amount)


def _minimum_problem(case: Case, posted: int) -> Coded | None:
    allowed = case.game.posted_minimum
    most = allowed.most or case.law.largest_wager
    if posted < allowed.least or (most is not None and posted > most):
        if most:
            return {"code": "minimum/outside", "least": allowed.least, "most": most, "posted": posted}
        return {"code": "minimum/below", "least": allowed.least, "posted": posted}
    return {"code": "minimum/steps", "step": allowed.step} if posted % allowed.step else None


def _chips_problem(case: Case, posted: int) -> Coded | None:
    return {"code": "minimum/chips", "posted": posted} if posted % case.layout.chip else None


phrases(
    {
        "minimum/outside": "the posted minimum must be {least:money} to {most:money}, not {posted:money}",
        "minimum/below": "the posted minimum must be {least:money} or more, not {posted:money}",
        "minimum/steps": "the minimum must be posted in steps of {step:money}",
        "minimum/chips": "the posted minimum {posted:money} is not a multiple of the smallest chip",
    }
)
