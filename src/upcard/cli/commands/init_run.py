"""`upcard init`: writes a commented workspace that passes `upcard check`."""

import re
from pathlib import Path
from typing import Literal

from upcard.catalog.game import Game
from upcard.catalog.index import Catalog, part_of
from upcard.cli.catalog_in_use import catalog_in_use
from upcard.cli.commands.init_comments import with_comments
from upcard.cli.layout_lookup import find_game
from upcard.cli.output import write_lines
from upcard.problems import BadRequest

_KIND = """# A kind of wager: the cards it reads, and its events from highest to lowest. See docs/kinds.md.

[[kind]]
name = "lucky-nines"
title = "Lucky Nines"
reads = ["first", "second", "up"]

[kind.events]
three-nines = "all are 9"
two-nines = "player are 9"
one-nine = "any of player are 9"

[kind.examples] # checked whenever the file is loaded
three-nines = ["9h 9c 9s"]
two-nines = ["9h 9c 8s"]
one-nine = ["9h Kc 9s"]
none = ["Kh 8c 9s"]
"""
_PAYTABLE = """# What the events pay. upcard odds "Lucky Nines 1" --catalog THIS_FOLDER prices it.

wager = "lucky-nines"
basis = "to 1" # a winner keeps the stake
decks = 6

[[paytable]]
name = "Lucky Nines 1"
pays = { three-nines = 100, two-nines = 20, one-nine = 4 }
# A figure that you publish is recomputed by upcard audit THIS_FOLDER:
# published = [{ figure = "house advantage", printed = "12.34%", decks = 6 }]
"""
_WAGER = """
[[wager]] # your own
name = "Lucky Nines"
role = "side"
kind = "lucky-nines"
paytables = ["Lucky Nines 1"]
min = "$1"
max = "$10"
"""
_OFFER = """
[[wager]]
name = "Lucky Nines"
paytable = "Lucky Nines 1"
"""


def make_workspace(name: str, start: str) -> None:
    folder = Path(name)
    if "\0" in name or not name.strip():
        raise BadRequest("name the folder, like upcard init my-house")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadRequest(f"{name} exists already; choose a new or empty folder")
    game = find_game(start)
    catalog = catalog_in_use()
    slug, title = f"my-{game.slug}", f"My {game.name}"
    texts = {
        "kinds/lucky-nines.toml": _KIND,
        "paytables/lucky-nines.toml": _PAYTABLE,
        f"games/{slug}.toml": _own(catalog, "games", game, {"slug": slug, "name": title}),
        f"layouts/{slug}.toml": _own(catalog, "layouts", game, {"slug": slug, "game": slug, "title": title}),
    }
    if game.wager_named("Lucky Nines") is None:
        texts[f"games/{slug}.toml"] += _WAGER
        texts[f"layouts/{slug}.toml"] += _OFFER
    for file, text in texts.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    write_lines(
        f"{name} has a game, {slug}, made from {game.name}, with a wager of its own. Try:",
        f"  upcard check {name}",
        f'  upcard odds "Lucky Nines 1" --catalog {name}',
        f"  upcard play {slug} --catalog {name}",
    )


def _own(catalog: Catalog, part: Literal["games", "layouts"], game: Game, values: dict[str, str]) -> str:
    """A commented copy of the file of a game or of its usual layout, with other values for keys at its top."""
    return with_comments(_with_keys(_text(catalog, part, game), values), part, catalog.readings)


def _text(catalog: Catalog, part: str, game: Game) -> str:
    """The file of a game, or of its usual layout."""
    folders = reversed((catalog.folder, *catalog.workspaces))
    single = [path for path in catalog.single_files if part_of(path) == part]
    for path in (*single, *(path for folder in folders for path in sorted((folder / part).glob("*.toml")))):
        text = path.read_text(encoding="utf-8")
        if re.search(rf'^slug = "{re.escape(game.slug)}"$', text, flags=re.MULTILINE):
            return text
    raise BadRequest(f"{game.name} has no {part.removesuffix('s')} to start from")


def _with_keys(text: str, values: dict[str, str]) -> str:
    """The text with other values for keys at its top."""
    for key, value in values.items():
        text = re.sub(rf'^{key} = ".*"', f'{key} = "{value}"', text, count=1, flags=re.MULTILINE)
    return text
