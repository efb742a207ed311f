"""Figures that take their time, worked out in the lab's own process: removal, counts, the main game, its chart.

A question is plain data, so that it can be sent there and be kept with its answer; the answer is the very text that
`upcard odds ... --json` or `--csv` prints.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from upcard.catalog import shipped
from upcard.odds.main.question import Asked, MainQuestion, understand
from upcard.odds.question import Question
from upcard.plain import csv_text, json_text

Asking = Mapping[str, Any]


def about_wager(figure: str, slug: str, question: Question, **more: object) -> dict[str, Any]:
    """A question about a side wager, as data."""
    return {"figure": figure, "slug": slug, "question": asdict(question), **more}


def about_main(figure: str, game: str, decks: int | None, settings: tuple[str, ...], **more: object) -> dict[str, Any]:
    """A question about a main game, as data."""
    return {"figure": figure, "game": game, "decks": decks, "settings": list(settings), **more}


def check(asking: Asking) -> None:
    """Refuses at once what has no answer, before anybody is made to wait for it."""
    if "game" in asking:
        _main(asking)
        return
    question, table = question_of(asking), shipped().paytable(asking["slug"])
    meant = question.table(table)
    question.check_decks(meant, table.decks[-1] if question.decks is None else question.decks)
    question.read_suit()
    question.read_stake()


def work_out(asking: Asking) -> str:
    """The answer to any of these questions."""
    told, as_csv = _FIGURES[asking["figure"]](asking)
    return as_csv() if asking["form"] == "csv" else json_text(told())


Answered = tuple[Callable[[], object], Callable[[], str]]  # for JSON, and as CSV


def _removal(asking: Asking) -> Answered:
    from upcard.odds.removal import removal

    question, filed = question_of(asking), shipped().paytable(asking["slug"])
    decks = filed.decks[-1] if question.decks is None else question.decks
    found = removal(question.table(filed), decks, suit=question.read_suit(), stake=question.read_stake())
    return found.as_dict, lambda: csv_text(found.rows())


def _count(asking: Asking) -> Answered:
    from upcard.odds.by_count import asked_count

    filed = shipped().paytable(asking["slug"])
    found = asked_count(filed, question_of(asking), count=asking["count"], gone=asking["gone"])
    return found.as_dict, lambda: csv_text(found.rows())


def _value(asking: Asking) -> Answered:
    from upcard.odds.main.answer import main_value

    found = main_value(_main(asking))
    return found.as_dict, lambda: csv_text([found.row()])


def _strategy(asking: Asking) -> Answered:
    from upcard.odds.main.strategy import best_strategy

    found = best_strategy(_main(asking))
    return found.as_dict, found.chart.dump


_FIGURES: Mapping[str, Callable[[Asking], Answered]] = {
    "removal": _removal,
    "count": _count,
    "main": _value,
    "strategy": _strategy,
}


def question_of(asking: Asking) -> Question:
    """A question about a side wager, read again."""
    told: Any = {name: tuple(one) if isinstance(one, list) else one for name, one in asking["question"].items()}
    return Question(**told)


def _main(asking: Asking) -> Asked:
    return understand(MainQuestion(game=asking["game"], decks=asking["decks"], settings=tuple(asking["settings"])))
