"""A house's own workspace with one game and one table, for tests."""

import re
from collections.abc import Mapping
from pathlib import Path

LIBRARY = Path(__file__).parents[2] / "library"


def own_game(folder: Path, *, kinds: str, pays: Mapping[str, Mapping[str, object]], decks: int = 6) -> Path:
    """A workspace with the game and the layout `own`: a wager for each kind, which is also its paytable's name."""
    game = (LIBRARY / "games" / "side-wagers.toml").read_text()
    layout = (LIBRARY / "layouts" / "side-wagers.toml").read_text()
    game = game[: game.index("[[wager]]")].replace('"side-wagers"', '"own"').replace('"900"', '"950"')
    game += '[[wager]]\nname = "Ante"\nrole = "main"\nmin = "posted minimum"\nmax = "$500"\n'
    layout = re.sub(r"^decks = .*$", f"decks = {decks}", layout, flags=re.MULTILINE)
    layout = layout[: layout.index("[[wager]]")].replace('"side-wagers"', '"own"') + '[[wager]]\nname = "Ante"\n'
    tables = 'basis = "to 1"\n'
    for name, lines in pays.items():
        listed = ", ".join(f"{event} = {pay}" for event, pay in lines.items())
        tables += f'[[paytable]]\nname = "{name}"\nwager = "{name}"\npays = {{ {listed} }}\n'
        game += f'[[wager]]\nname = "{name}"\nrole = "side"\nkind = "{name}"\npaytables = ["{name}"]\n'
        game += 'min = "$1"\nmax = "$100"\n'
        layout += f'[[wager]]\nname = "{name}"\npaytable = "{name}"\n'
    texts = {"kinds/own.toml": kinds, "paytables/own.toml": tables, "games/own.toml": game, "layouts/own.toml": layout}
    law = LIBRARY / "jurisdictions" / "no-regulator.toml"
    for file, text in {**texts, "jurisdictions/no-regulator.toml": law.read_text()}.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    return folder
