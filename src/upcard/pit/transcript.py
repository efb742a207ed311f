"""Transcripts: a session at a table as readable text that can be replayed and checked to the byte.

    # a comment
    table the-brook, cut card after 40
    cards Qh Kd 5c ...
    > 1 bet Ante $10
      spot 1, Ann: Ante $10

A line with > is a command, an indented one what happened then. Cards that are due are taken from the `cards` lines. A
table plays by the readings of its layout, or by those named: `table the-brook, R1 stand, R30 same-proportion`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from upcard.cards import read_cards
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.catalog.layout_checks import layout_complaints
from upcard.engine.command_rules import CommandRefused
from upcard.engine.evolve import evolve
from upcard.engine.round import Round
from upcard.pit import orders as o
from upcard.pit.dealer import Dealer, Script
from upcard.pit.descriptions import describe, describe_slip, describe_table_event
from upcard.pit.events import TableEvent
from upcard.pit.parser import parse_command
from upcard.pit.refusals import PitRefusal, PitRefused
from upcard.pit.table import open_table
from upcard.pit.terms import margins
from upcard.problems import BadFile, BadRequest, Problem, UpcardError
from upcard.settlement import settle


def replay(catalog: Catalog, path: Path) -> list[Problem]:
    """Replays a transcript; returns the first difference, or nothing if there is none."""
    text = read_text(path)
    played = run(catalog, text, str(path))
    problems = []
    written, replayed = text.splitlines(), played.splitlines()
    for number in range(max(len(written), len(replayed))):
        written_line = written[number] if number < len(written) else "(the file ends)"
        replayed_line = replayed[number] if number < len(replayed) else "(nothing)"
        if written_line != replayed_line:
            sentence = f"the transcript says {written_line.strip()!r}, the table says {replayed_line.strip()!r}"
            problems.append(Problem(file=str(path), place=f"line {number + 1}", sentence=sentence))
            break
    if not problems and text != played:
        problems.append(Problem(file=str(path), place="", sentence="its lines must end in line feeds alone"))
    return problems


def read_text(path: Path) -> str:
    """A transcript's text; refuses a file that cannot be read."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadFile([Problem(file=str(path), place="", sentence=f"cannot be read: {reason}")]) from None
    except UnicodeDecodeError:
        raise BadFile([Problem(file=str(path), place="", sentence="this is not UTF-8 text")]) from None


def run(catalog: Catalog, text: str, file: str) -> str:
    """The transcript with all events written again."""
    dealer: Dealer | None = None
    cut_card = 0
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("  ") and line.strip():
            continue  # an event: written again below
        lines.append(line)
        try:
            if line.startswith("table "):
                dealer, cut_card = _open(catalog, line)
            elif line.startswith("cards "):
                _script(dealer).cards += read_cards(line.removeprefix("cards "))
            elif line.startswith("> "):
                lines += [f"  {event}" for event in _say(dealer, line.removeprefix("> "), cut_card)]
            elif line.strip() and not line.startswith("#"):
                raise BadRequest("a line begins with table, cards, > or #")
        except (ValueError, UpcardError) as error:
            raise BadFile([Problem(file=file, place=f"line {number}", sentence=str(error))]) from None
    if dealer is None:
        raise BadFile([Problem(file=file, place="", sentence="no table is opened in this file, like: table the-brook")])
    return "\n".join(lines) + "\n"


def _open(catalog: Catalog, line: str) -> tuple[Dealer, int]:
    match = re.fullmatch(r"table ([^\s,]+)(?:, cut card after (\d+))?((?:, R\d+ [a-z0-9-]+)*)", line.strip())
    if match is None:
        raise BadRequest("a table is opened like: table the-brook, cut card after 40, R1 stand")
    layout = _with_readings(catalog, catalog.layout(match[1]), dict(re.findall(r"(R\d+) ([a-z0-9-]+)", match[3])))
    cut_card = int(match[2]) if match[2] else margins(catalog.game(layout.game), layout.decks).cut_card
    dealer = Dealer(open_table(catalog, layout), Script())
    dealer.say(o.NewShoe(cut_card))
    return dealer, cut_card


def _with_readings(catalog: Catalog, layout: Layout, readings: dict[str, str]) -> Layout:
    if not readings:
        return layout
    changed = layout.model_copy(update={"readings": {**layout.readings, **readings}})
    for place, sentence in layout_complaints(catalog, changed):
        raise BadRequest(f"{place}: {sentence}")
    return changed


def _script(dealer: Dealer | None) -> Script:
    if dealer is None or not isinstance(dealer.cards, Script):
        raise BadRequest("open a table first, like: table the-brook")
    return dealer.cards


def _say(dealer: Dealer | None, words: str, cut_card: int) -> Iterator[str]:
    _script(dealer)
    if dealer is None:
        return
    command = parse_command(words, dealer.table, cut_card)
    state, terms = dealer.table.round or Round(), dealer.table.terms
    settled = len(state.decisions)
    try:
        happened = dealer.say(command)
    except (CommandRefused, PitRefused) as refusal:
        if refusal.reason is PitRefusal.CARD_IMPOSSIBLE:  # the script is wrong, not the command
            raise
        yield f"refused {refusal.reason.value}: {refusal}"
        return
    terms = terms or dealer.table.terms
    for event in happened:
        if isinstance(event, TableEvent):
            yield describe_table_event(event)
        elif terms is not None:
            state = evolve(state, event)
            yield describe(event, state, terms)
    if terms is not None and len(state.decisions) > settled:
        yield from (describe_slip(slip, terms) for slip in settle(state, terms, settled))
