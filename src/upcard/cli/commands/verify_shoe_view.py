"""`upcard verify-shoe`: checks a finished shoe against its commitment and the cards dealt."""

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from upcard.cards import card_text, read_cards
from upcard.cards.shoe import Shoe, Shuffle, new_shoe, shoe_problems
from upcard.catalog import shipped
from upcard.cli.output import write_json, write_lines
from upcard.pit.terms import margins
from upcard.problems import BadFile, BadRequest, Problem


class ShoeRecord(BaseModel):
    """What is published about a shoe: the commitment before it, the rest after it."""

    model_config = ConfigDict(extra="forbid")

    layout: str
    key: str
    nonce: str = ""
    cut: int
    commitment: str = ""
    dealt: str = ""


def show_shoe(file: str | None, options: dict[str, Any], *, as_json: bool) -> None:
    record = _read_record(file, options)
    shoe = _shoe(record, _hex("key", record.key), _hex("nonce", record.nonce))
    try:
        dealt = read_cards(record.dealt)
    except ValueError as error:
        raise BadRequest(f"dealt: {error}") from None
    problems = shoe_problems(shoe, record.commitment, dealt)
    if problems:
        raise BadRequest("; ".join(problems))
    order = " ".join(card_text(card) for card in shoe.order)
    if as_json:
        result = {"holds": True, "commitment": shoe.shuffle.commitment, "cut_card": shoe.cut_card, "order": order}
        write_json(result)
        return
    promised = "its key matches the commitment" if record.commitment else "there was no commitment to compare"
    compared = f"its first {len(dealt)} cards are those dealt" if dealt else "there were no dealt cards to compare"
    write_lines(f"The shoe is genuine: {promised}; {compared}.", f"Commitment {shoe.shuffle.commitment}", order)


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
        raise BadRequest(
            f"a shoe's record has layout, key, nonce, cut, commitment and dealt; missing or wrong: {missing}"
        ) from None


def _hex(name: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise BadRequest(f"the {name} is not hexadecimal") from None


def _shoe(record: ShoeRecord, key: bytes, nonce: bytes) -> Shoe:
    layout = shipped().layout(record.layout)
    allowed = margins(shipped().game(layout.game), layout.decks)
    return new_shoe(layout.decks, Shuffle(key=key, nonce=nonce, cut=record.cut), allowed)
