"""`upcard play`: a table in the terminal.

table_text     cards, totals, results and slips in words
chips          stakes before they become wagers
amount_prompt  asks for an amount in the middle of a hand
sitting        the player's money and rounds
keys           what each key does at each stage
prompts        what the table asks; reminders of the rules
rules_card     the rules of the game and layout, and the keys
felt           draws a sitting
app            the only file that uses textual
"""

import gc
import sys
from datetime import date

from upcard.cards.shoe import KEY_BYTES
from upcard.cli.catalog_in_use import catalog_in_use
from upcard.cli.commands.play_options import PlayOptions
from upcard.cli.layout_lookup import find_table
from upcard.cli.play.shoes import shoes_of
from upcard.cli.play.sitting import Sitting
from upcard.pit import open_table
from upcard.pit.terms import promotions_on
from upcard.problems import BadRequest
from upcard.units import Cents
from upcard.units import money as read_money

MOST_SPOTS = 3


def play_game(name: str | None, options: PlayOptions) -> None:
    sitting = seat(name, options)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadRequest("upcard play needs a terminal: run it without a pipe or a redirect")
    from upcard.cli.play.app import PlayApp

    gc.enable()  # a short command does without; a table may be open all evening
    PlayApp(sitting).run()
    print(sitting.summary())  # one line, however narrow the terminal


def seat(name: str | None, options: PlayOptions) -> Sitting:
    """Opens a table and seats the player; their word and cut go into every shuffle."""
    _, chosen = find_table(name, options.layout)
    if not 1 <= options.spots <= MOST_SPOTS:
        raise BadRequest(f"--spots must be between 1 and {MOST_SPOTS}, not {options.spots}")
    key = None if options.seed is None else _key(options.seed)
    shoes = shoes_of(key=key, nonce=options.nonce.encode("utf-8", "surrogateescape"), cut=options.cut)
    money, practice = _money(options.bankroll), options.seed is not None
    today = promotions_on(chosen, date.today())
    return Sitting(
        open_table(catalog_in_use(), today), spots=options.spots, bankroll=money, shoes=shoes, practice=practice
    )


def _money(bankroll: str) -> Cents:
    text = bankroll.strip()
    try:
        return read_money(text if text.startswith("$") else f"${text}")
    except ValueError as error:
        raise BadRequest(f"--bankroll: {error}") from None


def _key(seed: str) -> bytes:
    try:
        key = bytes.fromhex(seed)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise BadRequest(f"--seed must be a shoe's key of {2 * KEY_BYTES} hexadecimal digits, not {seed!r}")
    return key
