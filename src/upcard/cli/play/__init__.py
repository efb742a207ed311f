"""`upcard play`: a table in the terminal.

words      what the felt says
chips      stakes on their way to the table
question   an amount asked in the middle of a hand
sitting    the player's money and rounds
keys       what a key means at each moment
prompts    what the table asks; reminders of the rules
rulescard  the game and layout in words
felt       a sitting drawn
app        the only file that knows textual
"""

import gc
import sys
from datetime import date

from upcard.cards.shoe import KEY_BYTES
from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.cli.commands.play import PlayOptions
from upcard.cli.play.shoes import shoes_of
from upcard.cli.play.sitting import Sitting
from upcard.pit import open_table
from upcard.pit.terms import promotions_on
from upcard.problems import BadRequest
from upcard.units import Cents
from upcard.units import money as read_money

MOST_SPOTS = 3


def play_game(name: str, options: PlayOptions) -> None:
    """Seats a player at a table of this game until he leaves."""
    sitting = seat(name, options)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadRequest("upcard play needs a terminal: run it without a pipe or a redirect")
    from upcard.cli.play.app import PlayApp

    gc.enable()  # a short command does without; a table may be open all evening
    PlayApp(sitting).run()
    print(sitting.summary())  # one line, however narrow the terminal


def seat(name: str, options: PlayOptions) -> Sitting:
    """A sitting as the command line asks for it; the player's word and cut are mixed into every shuffle."""
    catalog = shipped()
    chosen = _layout(catalog, name, options.layout)
    if not 1 <= options.spots <= MOST_SPOTS:
        raise BadRequest(f"--spots must be between 1 and {MOST_SPOTS}, not {options.spots}")
    key = None if options.seed is None else _key(options.seed)
    shoes = shoes_of(key=key, nonce=options.nonce.encode("utf-8", "surrogateescape"), cut=options.cut)
    money, practice = _money(options.bankroll), options.seed is not None
    today = promotions_on(chosen, date.today())
    return Sitting(open_table(catalog, today), spots=options.spots, bankroll=money, shoes=shoes, practice=practice)


def _layout(catalog: Catalog, name: str, layout: str | None) -> Layout:
    game = catalog.game(name)
    if layout is None:
        return catalog.layouts[game.slug]
    found = catalog.layout(layout)
    if found.game != game.slug:
        its = ", ".join(one.slug for one in catalog.layouts.values() if one.game == game.slug)
        raise BadRequest(f"{found.slug} is a layout of {found.game}; the layouts of {game.slug} are {its}")
    return found


def _money(bankroll: str) -> Cents:
    text = bankroll.strip()
    try:
        return read_money(text if text.startswith("$") else f"${text}")
    except ValueError as wrong:
        raise BadRequest(f"--bankroll: {wrong}") from None


def _key(seed: str) -> bytes:
    try:
        key = bytes.fromhex(seed)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise BadRequest(f"--seed must be a shoe's key of {2 * KEY_BYTES} hexadecimal digits, not {seed!r}")
    return key
