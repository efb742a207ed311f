"""The versions of what is stored, and how a record of an earlier version is read.

Every stored record names the format it was written in. A program reads all formats up to its own: an upcaster turns the
JSON of one format into that of the next, and a record passes through every one from its format to the current.
Stored text is never rewritten: hashes cover it as it was first written.
"""

from collections.abc import Callable
from typing import Any

import orjson

from upcard.problems import BadRequest

FORMAT = 3  # what this program writes

Upcaster = Callable[[Any], Any]  # the JSON value of one format -> of the next

# What tables did before rules named it.
_BEHAVIOUR_OF_FORMAT_1 = {
    "readings_in_force": "those-of-the-game",
    "flat_bet_ordered_between_shoes": "ends-with-the-old-shoe",
    "flat_bet_on_a_wager_that_is_off": "stops-the-player",
    "first_hand_of_a_gaming_day": "from-the-shoe-in-play",
    "insurance_answers": "final",
    "small_wager": "the-one-the-layout-names",
    "jackpot_stopped_at_the_deal": "deal-refused",
    "next_shoe_key": "drawn-after-the-shoe",
    "absent_player": "waited-for",
}

# Keys that nothing read; readings and the ledger say the same.
_UNREAD_IN_FORMAT_1 = {
    "rules": ("insure_each_wager_equally",),
    "conduct": ("side_wagers_need_a_main_wager", "only_the_highest_award", "spots_by_default"),
    "layout_limits": ("link_jackpot_types", "aggregate_shared"),
    "wager": ("survives_the_hand",),
    "jackpot": (
        *("meters", "funded", "winners", "moves", "held", "changes", "taken_from_meter", "fixed_wager"),
        *("accrues_from", "display_drops", "changes_during_a_hand", "changes_after_a_payout"),
    ),
}


def _rules_of_format_1(rules: Any) -> Any:
    games = [_game_of_format_1(game) for game in rules["games"]]
    return {**rules, "games": games, "behaviour": {**rules["behaviour"], **_BEHAVIOUR_OF_FORMAT_1}}


def _game_of_format_1(game: Any) -> Any:
    """The game's file without unread keys, and with what tables did whatever some other keys said."""
    game = {**game}
    for part, unread in _UNREAD_IN_FORMAT_1.items():
        content = game[part]
        entries = [
            {key: value for key, value in entry.items() if key not in unread}
            for entry in (content if isinstance(content, list) else [content])
        ]
        game[part] = entries if isinstance(content, list) else entries[0]
    game["shuffle"] = {**game["shuffle"], "verify_decks": False}  # it was not recorded
    game["conduct"]["close_after_shoe"] = False  # the floor could close a table between any two rounds
    for wager in game["wager"]:
        wager["keep_cards"] = True  # of hands that were over, for every undecided side wager
    return game


def _request_of_format_1(request: Any) -> Any:
    """Slips did not name their stakes: a round was settled at once."""
    if request["order"] != "settle-round":
        return request
    return {**request, "slips": [{**slip, "stakes": []} for slip in request["slips"]]}


# By the kind of value and the format it comes from. The kinds are
#   of the book: "request", "answer", "transfer", "movement", and the states "table", "jackpot" and "house";
#   of tables: "command", "events", "record answer", "refusal", "snapshot", "slips", "void";
#   "rules", "workspace", "people log", "approval" and "checkpoint".
UPCASTERS: dict[tuple[str, int], Upcaster] = {
    ("request", 1): _request_of_format_1,
    ("rules", 1): _rules_of_format_1,
}


class LaterFormat(BadRequest):
    """A record written by a later version."""

    def __init__(self, written: int) -> None:
        super().__init__(f"this was written in format {written}; this program knows {FORMAT}: use a newer upcard")


def upcast(kind: str, value: Any, written: int) -> Any:
    """A JSON value in the current format."""
    if written < 1:
        raise ValueError(f"there is no format {written}")
    if written > FORMAT:
        raise LaterFormat(written)
    for step in range(written, FORMAT):
        change = UPCASTERS.get((kind, step))
        if change is not None:
            value = change(value)
    return value


def read(kind: str, text: str, written: int) -> Any:
    """A stored JSON text as a value of the current format."""
    return upcast(kind, orjson.loads(text), written)


def today(kind: str, text: str, written: int) -> str:
    """A stored JSON text in the current format; unchanged if it is already."""
    if written == FORMAT:
        return text
    return orjson.dumps(read(kind, text, written), option=orjson.OPT_SORT_KEYS).decode()
