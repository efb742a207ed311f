"""Rules on the table as a whole: decks, spots, house rules, readings, the main game."""

from collections.abc import Iterator

from upcard.catalog.equipment import equipment_models
from upcard.catalog.fields import decks_text
from upcard.catalog.game_checks import Complaint
from upcard.catalog.layout_rules.layout_under_check import Case
from upcard.catalog.readings_in_force import why_not_played


def decks(case: Case) -> Iterator[Complaint]:
    game, decks = case.game, case.layout.decks
    if decks not in game.decks:
        yield "decks", f"{game.name} is played with {decks_text(game.decks)} decks, not {decks}"


def spots(case: Case) -> Iterator[Complaint]:
    most = case.game.conduct.spots
    if case.layout.spots > most:
        yield "spots", f"{case.game.name} has at most {most} spots, not {case.layout.spots}"


def readings(case: Case) -> Iterator[Complaint]:
    """Readings that are questions of this layout, with options that tables can play."""
    readings = case.catalog.readings
    filings = {game.number for game in case.games}
    for number, option in case.layout.readings.items():
        place = f"readings.{number}"
        if number not in readings or option not in readings[number].options:
            yield place, f"there is no reading {number} = {option!r}"
        elif not filings & set(readings[number].filings):
            yield place, f"{number} is not a question of filing {case.game.number}"
        elif readings[number].options[option].rules and number not in case.game.readings:
            yield place, f"{number} is about the main game, which filing {case.game.number} plays by its own rules"
        elif reason := why_not_played(case.catalog, number, option):
            yield place, f"{number} = {option!r} cannot be chosen: {reason}"


def rules_and_readings(case: Case) -> Iterator[Complaint]:
    """A rule set both by a reading and by the layout must be the same: the rules card prints both."""
    settings = {rule: value for rule, value in case.layout.rules if value is not None}
    for number, option in case.readings.items():
        chosen = case.catalog.readings[number].options.get(option) if number in case.catalog.readings else None
        for rule, value in chosen.rules.items() if chosen else ():
            if rule in settings and settings[rule] != value:
                yield f"rules.{rule}", f"this contradicts the reading {number} = {option!r}: choose that in readings"


def lawful_jackpot_sharing(case: Case) -> Iterator[Complaint]:
    """R14: where the law pays each winner of a house jackpot in full, Bonus jackpots are not shared in seat order."""
    jurisdiction = case.catalog.jurisdictions[case.game.source.jurisdiction]
    in_full = jurisdiction.house_jackpot_winners == "each in full"
    if (
        case.readings.get("R14") == "seat-order"
        and in_full
        and any(settings.plan == "bonus" for settings in case.layout.jackpot)
    ):
        yield (
            "readings.R14",
            f"in {jurisdiction.name} each winner of a Bonus jackpot is paid in full: seat-order is for progressives",
        )


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
