"""The comments of a new workspace: what each part and each key of a game and a layout means, and its other values."""

import re
from collections.abc import Mapping
from typing import Literal

from upcard.catalog.reading import Reading

PARTS = {
    "source": "Where the rules come from. The dated limits of the jurisdiction's file apply.",
    "rules": "The main game. `upcard strategy` and `upcard odds main` follow every change.",
    "shuffle": "How the shoe is shuffled and cut; a part of a deck may be a number or a fraction like 1/4.",
    "conduct": "What players may do at the table.",
    "posted_minimum": "The lowest minimum that a table may post, and in which steps.",
    "layout_limits": "What a layout of this game may have.",
    "readings": "How the game reads what its filing leaves open: the question, and the possible answers.",
}
_FIRST = {
    "games": (
        "A copy, yours to change. `upcard check` lists every mistake, `upcard schema game` has every key.",
        "Its wagers: the kind (`upcard kinds`), the paytables that a table may choose from, and the limits.",
    ),
    "layouts": (
        "What one table offers of its game. `upcard schema layout` has every key.",
        "The wagers of this table, each with one of the paytables that its game allows.",
    ),
}
KEYS = {
    "games": {
        "number": "of the filing, three digits",
        "slug": "the name in commands",
        "soft17": 'the dealer on soft 17: "hit", "stand" or "until_hard"',
        "blackjack": "what a blackjack pays",
        "hole": '"peek": the dealer looks for a blackjack; "none"; "none_originals"',
        "double": '"any", "9-11", "10-11" or "none"',
        "das": "double after a split",
        "split": 'two cards of one "rank", or of one "value"',
        "hands": "the most hands after splits",
        "surrender": '"none", "late" or "early"',
        "insurance_most": "of the wager",
        "cut_card_from_end": "decks",
        "role": '"main", "bigger" (another wager on the hand), "side" or "jackpot"',
        "spots": "the most that the felt has",
    },
    "layouts": {
        "slug": "the name in commands; a game's usual layout has the game's",
        "game": "the slug of the game",
        "decks": "one of the numbers that the game allows",
        "spots": "on the felt",
        "shuffler": '"hand" or "automatic"',
        "posted_minimum": "the least main wager at this table",
        "chip": "every amount is a multiple of it",
        "rounding": 'of fractions of a cent: "up" favors the player; "down"; "nearest"',
    },
}


def with_comments(text: str, part: Literal["games", "layouts"], readings: Mapping[str, Reading]) -> str:
    """The file of a game or a layout; each comment stands once, where its key or table first occurs."""
    head, of_wagers = _FIRST[part]
    keys = dict(KEYS[part])
    lines = [f"# {head}"]
    for line in text.removeprefix("\ufeff").splitlines():
        table = re.match(r"\[(\w+)\]", line)
        key = re.fullmatch(r"(\w+) = (?:\"[^\"]*\"|[\w.]+)", line)
        if table and table[1] in PARTS:
            lines.append(f"# {PARTS[table[1]]}")
        elif line.startswith("[[wager]]") and of_wagers:
            lines.append(f"# {of_wagers}")
            of_wagers = ""
        if key and key[1] in keys:
            line = f"{line} # {keys.pop(key[1])}"
        elif key and key[1] in readings:
            line = f"{line} # {_answers(readings[key[1]])}"
        lines.append(line)
    return "\n".join([*lines, ""])


def _answers(reading: Reading) -> str:
    return f"{reading.question} {' / '.join(reading.options)}"
