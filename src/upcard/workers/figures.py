"""Jobs for figures that take their time: removal, counts, the main game, its chart.

A question is a plain value, so that it can be sent to a worker and be kept with its answer; the answer is the very text
that `upcard odds ... --json` or `--csv` prints.
"""

from dataclasses import dataclass
from typing import Literal, Protocol

from upcard.catalog import shipped
from upcard.odds.main.question import MainQuestion, parse_question
from upcard.odds.question import PriceQuestion

Form = Literal["json", "csv"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerFigure:
    """Something about a side wager; without a count, what each card gone does to it."""

    slug: str
    question: PriceQuestion
    form: Form
    count: str | None = None
    gone: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MainFigure:
    """The value of a main game, or its best chart."""

    question: MainQuestion
    form: Form
    chart: bool


Figure = WagerFigure | MainFigure


def check(asked: Figure) -> None:
    """Refuses at once what has no answer, before anybody is made to wait for it."""
    if isinstance(asked, MainFigure):
        parse_question(asked.question)
    else:
        check_wager(asked.slug, asked.question)


def check_wager(slug: str, question: PriceQuestion) -> None:
    """Refuses what cannot be asked about any side wager."""
    table = shipped().paytable(slug)
    question.check_decks(question.table(table), table.decks[-1] if question.decks is None else question.decks)
    question.read_suit()
    question.read_stake()


class Answer(Protocol):
    """What is told to programs."""

    def as_json(self) -> str:
        """All of it."""

    def as_csv(self) -> str:
        """In rows."""


def work_out(asked: Figure) -> str:
    """The answer to any of these questions."""
    answer = _main(asked) if isinstance(asked, MainFigure) else _wager(asked)
    return answer.as_csv() if asked.form == "csv" else answer.as_json()


def _wager(asked: WagerFigure) -> Answer:
    from upcard.odds.by_count import answer_by_count
    from upcard.odds.removal import removal

    question, filed = asked.question, shipped().paytable(asked.slug)
    if asked.count is not None:
        return answer_by_count(filed, question, count=asked.count, cards_gone=asked.gone)
    decks = filed.decks[-1] if question.decks is None else question.decks
    return removal(question.table(filed), decks, suit=question.read_suit(), stake=question.read_stake())


def _main(asked: MainFigure) -> Answer:
    from upcard.odds.main.answer import main_value
    from upcard.odds.main.strategy import best_strategy

    understood = parse_question(asked.question)
    return best_strategy(understood) if asked.chart else main_value(understood)
