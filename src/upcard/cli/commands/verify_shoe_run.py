"""`upcard verify-shoe`: checks a finished shoe against its commitment and the cards dealt."""

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from upcard.cards import Card, card_text, read_card
from upcard.cards.shoe import PublishedShoe, Shoe, Shuffle, new_shoe, shoe_problems
from upcard.cli.catalog_in_use import catalog_in_use
from upcard.cli.layout_lookup import find_layout
from upcard.cli.output import write_json, write_lines
from upcard.pit.terms import margins
from upcard.problems import BadFile, BadRequest, Problem

WITH_A_NUMBER = "A player's number is in the shuffle: nobody could choose the order of the cards."
WITHOUT_A_NUMBER = (
    "No player's number is in the shuffle: the house could have chosen this key before it published the hash. "
    "Only a number of your own excludes that."
)


class ShoeRecord(BaseModel):
    """What is published about a shoe: the commitment before it, the rest after it."""

    model_config = ConfigDict(extra="forbid")

    layout: str
    key: str
    nonce: str = ""
    cut: int
    commitment: str = ""
    promise: str = ""
    dealt: str = ""
    refills: list[str] = []


def show_shoe(file: str | None, options: dict[str, Any], *, as_json: bool) -> None:
    record = _read_record(file, options)
    shoe = _shoe(record, _hex("key", record.key), _hex("nonce", record.nonce))
    dealt = _cards("dealt", record.dealt)
    refills = [_cards("refills", cards) for cards in record.refills]
    published = PublishedShoe(commitment=record.commitment, promise=record.promise, dealt=dealt, refills=refills)
    problems = shoe_problems(shoe, published)
    if problems:
        raise BadRequest("; ".join(problems))
    order = " ".join(card_text(card) for card in shoe.order)
    if as_json:
        result = {"holds": True, "commitment": shoe.shuffle.commitment, "cut_card": shoe.cut_card, "order": order}
        write_json({**result, "promised": bool(record.promise), "players_number": bool(record.nonce)})
        return
    promised = "its key matches the commitment" if record.commitment else "there was no commitment to compare"
    compared = f"its first {len(dealt)} cards are those dealt" if dealt else "there were no dealt cards to compare"
    before = "and was promised when the shoe before began" if record.promise else "no earlier promise was given"
    write_lines(f"The shoe is genuine: {promised}, {before}; {compared}.")
    write_lines(WITH_A_NUMBER if record.nonce else WITHOUT_A_NUMBER)
    write_lines(f"Commitment {shoe.shuffle.commitment}", order)


def _cards(name: str, text: str) -> tuple[Card | None, ...]:
    """Cards of a record; a question mark is a hole card that nobody turned over."""
    try:
        return tuple(None if word == "?" else read_card(word) for word in text.replace(",", " ").split())
    except ValueError as error:
        raise BadRequest(f"{name}: {error}") from None


def _read_record(file: str | None, options: dict[str, Any]) -> ShoeRecord:
    fields: dict[str, Any] = {}
    if file is not None:
        try:
            fields = json.loads(Path(file).read_text(encoding="utf-8"))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise BadFile([Problem(file=file, place="", sentence=f"cannot be read: {reason}")]) from None
        except ValueError:
            raise BadFile([Problem(file=file, place="", sentence="this is not JSON")]) from None
        if not isinstance(fields, dict):
            raise BadFile([Problem(file=file, place="", sentence="this is not a shoe's record")])
    try:
        return ShoeRecord.model_validate({**fields, **options})
    except ValidationError as error:
        missing = ", ".join(".".join(map(str, error["loc"])) for error in error.errors())
        names = "layout, key, nonce, cut, commitment, promise, dealt and refills"
        raise BadRequest(f"a shoe's record has {names}; missing or wrong: {missing}") from None


def _hex(name: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise BadRequest(f"the {name} is not hexadecimal") from None


def _shoe(record: ShoeRecord, key: bytes, nonce: bytes) -> Shoe:
    layout = find_layout(record.layout)
    allowed = margins(catalog_in_use().game(layout.game), layout.decks)
    return new_shoe(layout.decks, Shuffle(key=key, nonce=nonce, cut=record.cut), allowed)
