"""Query parameters of the lab: the options of `upcard odds`, under the same names."""

import shlex
from typing import Annotated, Literal

from fastapi import Depends, Path, Query

from upcard.api.auth import CurrentServer
from upcard.catalog.editing import MOST_TEXT
from upcard.catalog.paytable import Paytable
from upcard.odds.main.question import MainQuestion
from upcard.odds.question import PriceQuestion
from upcard.workers.figures import MainFigureRequest

Form = Annotated[Literal["json", "csv"], Query(description="The format of the download.")]
Text = Annotated[str, Query(max_length=MOST_TEXT)]
Texts = Annotated[list[Annotated[str, Query(max_length=MOST_TEXT)]], Query(max_length=60)]
Decks = Annotated[int | None, Query(ge=1, le=8)]
Slug = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")]


def _question(
    server: CurrentServer,
    decks: Decks = None,
    suit: Text = "hearts",
    wager: Annotated[str | None, Query(max_length=MOST_TEXT)] = None,
    meter: Texts = [],  # noqa: B006 - FastAPI reads it as a default, and copies it
    pay: Texts = [],  # noqa: B006 - as above
    any_decks: bool = False,
) -> PriceQuestion:
    return PriceQuestion(
        catalog=server.service.desk.catalog,
        decks=decks,
        suit=suit,
        wager=wager or None,
        meters=tuple(meter),
        pays=tuple(pay),
        any_decks=any_decks,
        dashes="",
    )


def _main_figure(
    server: CurrentServer,
    slug: Slug,
    decks: Decks = None,
    settings: Annotated[Texts, Query(alias="set")] = [],  # noqa: B006 - as above
    form: Form = "json",
) -> MainFigureRequest:
    question = MainQuestion(catalog=server.service.desk.catalog, game=slug, decks=decks, settings=tuple(settings))
    return MainFigureRequest(question=question, form=form, chart=False)


OddsQuery = Annotated[PriceQuestion, Depends(_question)]
MainOddsQuery = Annotated[MainFigureRequest, Depends(_main_figure)]


def command_of(filed: Paytable, question: PriceQuestion) -> str:
    """The `upcard odds` command that gives the same answer."""
    words = ["upcard", "odds", filed.name]
    if question.decks is not None:
        words += ["--decks", str(question.decks)]
    if question.suit != "hearts":
        words += ["--suit", question.suit]
    if question.wager is not None:
        words += ["--wager", question.wager]
    for option, texts in (("--meter", question.meters), ("--pay", question.pays)):
        for text in texts:
            words += [option, text]
    if question.any_decks and not question.pays and question.decks not in filed.decks:
        words.append("--any-decks")
    return shlex.join(words)
