"""Rules on the table as a whole: decks, spots, house rules, readings, the main game."""

from collections.abc import Iterator

from upcard.catalog.equipment import equipment_models
from upcard.catalog.fields import decks_text
from upcard.catalog.game_checks import Complaint
from upcard.catalog.layout_rules.layout_under_check import Case


def decks(case: Case) -> Iterator[Complaint]:
    game, decks = case.game, case.layout.decks
    if decks not in game.decks:
        yield "decks", f"{game.name} is played with {decks_text(game.decks)} decks, not {decks}"


def spots(case: Case) -> Iterator[Complaint]:
    most = case.game.conduct.spots
    if case.layout.spots > most:
        yield "spots", f"{case.game.name} has at most {most} spots, not {case.layout.spots}"


def readings(case: Case) -> Iterator[Complaint]:
    readings = case.catalog.readings
    games = [case.catalog.games.get(offered.game) for offered in case.layout.wager or () if offered.game]
    filings = {case.game.number, *(game.number for game in games if game)}
    for number, option in case.layout.readings.items():
        if number not in readings or option not in readings[number].options:
            yield f"readings.{number}", f"there is no reading {number} = {option!r}"
        elif not filings & set(readings[number].filings):
            yield f"readings.{number}", f"{number} is not a question of filing {case.game.number}"


def approved_models(case: Case) -> Iterator[Complaint]:
    """003: a shuffling machine must be of an approved model."""
    for piece in equipment_models(case.layout, case.game, case.jurisdiction):
        if piece.problem is not None:
            yield piece.key, piece.problem


def house_rules(case: Case) -> Iterator[Complaint]:
    if case.game.conduct.house_rules and not case.layout.house_rules:
        yield "house_rules", "this game needs posted house rules: give their text and date"


def dealt_rules(case: Case) -> Iterator[Complaint]:
    """Rules that can be priced, but that no table deals."""
    rules, only_priced = case.game.rules, f"{case.game.name} can be priced, not dealt"
    if rules.hole != "peek":
        yield "game", f"{only_priced}: its rules have hole = {rules.hole!r}, and at a table the dealer peeks"
    if rules.surrender == "early":
        yield "game", f"{only_priced}: at a table surrender comes after the peek, not early"


def main_game_rules(case: Case) -> Iterator[Complaint]:
    if "R23" not in case.game.readings and case.layout.rules.model_fields_set:
        yield "rules", f"filing {case.game.number} fixes the main game's rules: leave out rules"
