"""`upcard verify-shoe`: was the shoe what was promised?"""

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


class Record(BaseModel):
    """What is published of a shoe: the commitment before, the rest when it is over."""

    model_config = ConfigDict(extra="forbid")

    layout: str
    key: str
    nonce: str = ""
    cut: int
    commitment: str = ""
    dealt: str = ""


def show_shoe(file: str | None, given: dict[str, Any], *, as_json: bool) -> None:
    """Re-derives the order and compares."""
    record = _record(file, given)
    shoe = _shoe(record, _hex("key", record.key), _hex("nonce", record.nonce))
    try:
        dealt = read_cards(record.dealt)
    except ValueError as wrong:
        raise BadRequest(f"dealt: {wrong}") from None
    problems = shoe_problems(shoe, record.commitment, dealt)
    if problems:
        raise BadRequest("; ".join(problems))
    order = " ".join(card_text(one) for one in shoe.order)
    if as_json:
        told = {"holds": True, "commitment": shoe.shuffle.commitment, "cut_card": shoe.cut_card, "order": order}
        write_json(told)
        return
    promised = "its key matches the commitment" if record.commitment else "there was no commitment to compare"
    compared = f"its first {len(dealt)} cards are those dealt" if dealt else "there were no dealt cards to compare"
    write_lines(f"The shoe is genuine: {promised}; {compared}.", f"Commitment {shoe.shuffle.commitment}", order)


def _record(file: str | None, given: dict[str, Any]) -> Record:
    said: dict[str, Any] = {}
    if file is not None:
        try:
            said = json.loads(Path(file).read_text(encoding="utf-8"))
        except OSError as wrong:
            reason = (wrong.strerror or str(wrong)).lower()
            raise BadFile([Problem(file=file, place="", sentence=f"cannot be read: {reason}")]) from None
        except ValueError:
            raise BadFile([Problem(file=file, place="", sentence="this is not JSON")]) from None
        if not isinstance(said, dict):
            raise BadFile([Problem(file=file, place="", sentence="this is not a shoe's record")])
    try:
        return Record.model_validate({**said, **given})
    except ValidationError as wrong:
        missing = ", ".join(".".join(map(str, error["loc"])) for error in wrong.errors())
        raise BadRequest(
            f"a shoe's record has layout, key, nonce, cut, commitment and dealt; missing or wrong: {missing}"
        ) from None


def _hex(name: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise BadRequest(f"the {name} is not hexadecimal") from None


def _shoe(record: Record, key: bytes, nonce: bytes) -> Shoe:
    layout = shipped().layout(record.layout)
    allowed = margins(shipped().game(layout.game), layout.decks)
    return new_shoe(layout.decks, Shuffle(key=key, nonce=nonce, cut=record.cut), allowed)
