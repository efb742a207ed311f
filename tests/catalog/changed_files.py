"""A shipped file with an edit, in a catalog whose other files are as shipped; and what users see of a catalog."""

from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from datetime import date
from io import StringIO
from pathlib import Path
from unittest import mock

from procedures.catalogs import default_layout, with_parts
from procedures.clause_helpers import rules_card_text, terminal_felt
from procedures.clauses import ROUNDS
from support.shipped_prices import price

from upcard.api.access import permissions
from upcard.catalog import shipped
from upcard.catalog.game import Game
from upcard.catalog.game_checks import game_complaints, layout_notices
from upcard.catalog.index import Catalog
from upcard.catalog.jurisdiction import Jurisdiction
from upcard.catalog.layout import Layout
from upcard.catalog.layout_checks import layout_complaints
from upcard.catalog.load import load_model, load_paytables
from upcard.catalog.reading import ReadingsFile
from upcard.cli.commands import games_view, paytables_view
from upcard.cli.output import Form
from upcard.engine.commands import Double
from upcard.ledger.jackpots.terms import terms_of, trigger_of
from upcard.odds.audit import audit
from upcard.pit.terms import margins
from upcard.pit.transcript import run
from upcard.problems import UpcardError
from upcard.reports.controls_text import controls_document
from upcard.reports.markdown import markdown
from upcard.service.controls import layout_controls
from upcard.service.layout_card import layout_card
from upcard.units import Cents

Edits = Mapping[str, str]  # a text of the file -> what stands there instead; "a ... b" is the first b after a
MODELS: Mapping[str, type[Game | Layout | Jurisdiction]] = {
    "games": Game,
    "layouts": Layout,
    "jurisdictions": Jurisdiction,
}


def edited(catalog: Catalog, file: str, edits: Edits, folder: Path) -> Catalog:
    """The catalog with an edited file, which must still be readable; nothing is checked."""
    (path,) = shipped().folder.glob(f"{file}.toml")
    source = folder / path.relative_to(shipped().folder)
    text = (source if source.exists() else path).read_text(encoding="utf-8")
    for where, new in edits.items():
        before, _, old = where.rpartition(" ... ")
        begin = text.index(old, text.index(before))
        text = f"{text[:begin]}{new}{text[begin + len(old) :]}"
    source.parent.mkdir(exist_ok=True)
    source.write_text(text, encoding="utf-8")
    part = file.partition("/")[0]
    if part == "readings":
        return with_parts(catalog, readings=load_model(source, ReadingsFile).reading)
    if part == "paytables":
        old_tables, new_tables = (load_paytables(toml, shipped().kinds) for toml in (path, source))
        new_by_name = dict(zip((table.name for table in old_tables), new_tables, strict=True))
        tables = [new_by_name.get(name, table) for name, table in catalog.paytables.items()]
        return with_parts(catalog, paytables={table.name: table for table in tables})
    shipped_file, loaded = (load_model(file, MODELS[part]) for file in (path, source))
    entries = getattr(catalog, part).values()
    models = [loaded if entry.slug == shipped_file.slug else entry for entry in entries]
    return with_parts(catalog, **{part: {model.slug: model for model in models}})


def seen(catalog: Catalog, what: str) -> str:
    """What a user sees of a catalog: `rules card the-brook`, `rounds 000-C56`, `check`."""
    words = max((words for words in SEEN if what == words or what.startswith(f"{words} ")), key=len)
    try:
        return SEEN[words](catalog, what.removeprefix(words).strip())
    except UpcardError as error:
        return f"refused: {error}"


def _check(catalog: Catalog, _subject: str) -> str:
    """The problems of all games; of all layouts only if the games have none, as when a catalog is loaded."""
    games = {slug: list(game_complaints(catalog, game)) for slug, game in catalog.games.items()}
    layouts = {} if any(games.values()) else catalog.layouts
    problems = games | {slug: list(layout_complaints(catalog, layout)) for slug, layout in layouts.items()}
    return str(problems)


def _printed(catalog: Catalog, show: Callable[[], None]) -> str:
    text = StringIO()
    with (
        mock.patch.object(games_view, "catalog_in_use", return_value=catalog),
        mock.patch("upcard.cli.paytable_lookup.catalog_in_use", return_value=catalog),
        mock.patch("upcard.cli.layout_lookup.catalog_in_use", return_value=catalog),
        redirect_stdout(text),
    ):
        show()
    return text.getvalue()


def _rounds(catalog: Catalog, clause: str) -> str:
    """Every golden round of a clause, played again; the rest of its name may be left out."""
    paths = [path for path in sorted(ROUNDS.glob("*.round")) if path.name.startswith(clause)]
    assert paths, clause
    return "".join(run(catalog, path.read_text(encoding="utf-8"), path.name) for path in paths)


def _controls(catalog: Catalog, slug: str) -> str:
    sheet = layout_controls(catalog, catalog.layout(slug), day=date(2026, 3, 2), permissions=permissions())
    return markdown(controls_document(sheet))


def _jackpots(catalog: Catalog, slug: str) -> str:
    """What a book writes down when the jackpots of a layout are opened."""
    layout = catalog.layout(slug)
    parts = [
        part.model_dump_json()
        for settings in layout.jackpot
        for part in (terms_of(catalog, layout, settings.wager), trigger_of(catalog, layout, settings.wager))
    ]
    return "\n".join(parts)


def _felt(catalog: Catalog, number: str) -> str:
    double = Double(1, (("Ante", Cents(5_00)),))
    return terminal_felt(catalog, default_layout(catalog, number), "6c 7h 5d Td 9c", ["Ante"], double)


SEEN: Mapping[str, Callable[[Catalog, str], str]] = {
    "check": _check,
    "notices": lambda catalog, slug: "\n".join(layout_notices(catalog, catalog.layout(slug))),
    "upcard games": lambda catalog, number: _printed(catalog, lambda: games_view.show_games(number, Form.PEOPLE)),
    "upcard paytables": lambda catalog, name: _printed(
        catalog, lambda: paytables_view.show_paytables(name, Form.PEOPLE, as_toml=False)
    ),
    "upcard audit": lambda catalog, name: str(list(audit(catalog, [catalog.paytable(name)]))),
    "upcard odds": lambda catalog, name: str(price(catalog.paytable(name), 6)),
    "upcard controls": _controls,
    "rules card": rules_card_text,
    "layout card": lambda catalog, slug: layout_card(catalog, catalog.layout(slug)).model_dump_json(),
    "rounds": _rounds,
    "jackpots": _jackpots,
    "where a shoe is cut": lambda catalog, number: str(
        margins(catalog.game(number), default_layout(catalog, number).decks)
    ),
    "where a single deck is cut": lambda catalog, number: str(margins(catalog.game(number), 1)),
    "felt": _felt,
}
