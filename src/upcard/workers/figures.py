"""Jobs for slow figures: effects of removal, counts, the main game, its chart.

A request is a plain value, so that it can be sent to a worker and cached with its answer; the answer is exactly the
text that `upcard odds ... --json` or `--csv` prints.
"""

from dataclasses import dataclass
from typing import Literal, Protocol

from upcard.odds.main.question import MainQuestion, parse_question
from upcard.odds.price import usual_terms
from upcard.odds.question import PriceQuestion

Form = Literal["json", "csv"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerFigureRequest:
    """Figures of a side wager: by a count, or without one the effects of removal."""

    slug: str
    question: PriceQuestion
    form: Form
    count: str | None = None
    gone: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MainFigureRequest:
    """Figures of a main game: its value, or its best chart."""

    question: MainQuestion
    form: Form
    chart: bool


FigureRequest = WagerFigureRequest | MainFigureRequest


def check(request: FigureRequest) -> None:
    """Refuses requests that cannot be answered before they are queued."""
    if isinstance(request, MainFigureRequest):
        parse_question(request.question)
    else:
        check_wager(request.slug, request.question)


def check_wager(slug: str, question: PriceQuestion) -> None:
    """Refuses unknown paytables, decks, suits and stakes."""
    table = question.catalog.paytable(slug)
    question.check_decks(question.table(table), table.decks[-1] if question.decks is None else question.decks)
    question.read_suit()
    question.read_stake()


class Report(Protocol):
    def as_json(self) -> str: ...

    def as_csv(self) -> str: ...


def compute(request: FigureRequest) -> str:
    answer = _main(request) if isinstance(request, MainFigureRequest) else _wager(request)
    return answer.as_csv() if request.form == "csv" else answer.as_json()


def _wager(request: WagerFigureRequest) -> Report:
    from upcard.odds.by_count import answer_by_count
    from upcard.odds.removal import removal

    question = request.question
    filed = question.catalog.paytable(request.slug)
    if request.count is not None:
        return answer_by_count(filed, question, count=request.count, cards_gone=request.gone)
    decks = filed.decks[-1] if question.decks is None else question.decks
    terms = usual_terms(question.catalog, filed)
    return removal(question.table(filed), decks, suit=question.read_suit(), stake=question.read_stake(), terms=terms)


def _main(request: MainFigureRequest) -> Report:
    from upcard.odds.main.answer import main_value
    from upcard.odds.main.strategy import best_strategy

    question = parse_question(request.question)
    return best_strategy(question) if request.chart else main_value(question)
