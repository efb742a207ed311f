"""`upcard controls`: the internal controls of a layout or a book, as Markdown, HTML or JSON."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from upcard.api.access import permissions
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.catalog.layout_checks import layout_complaints
from upcard.catalog.load import load_model
from upcard.cli.book_access import find_keyring, open_book
from upcard.cli.catalog_files import catalog_under
from upcard.cli.catalog_in_use import catalog_in_use, use_file, workspace_of
from upcard.cli.output import write_lines, write_plain
from upcard.ledger.journal import utc_now
from upcard.ledger.store import is_server, without_password
from upcard.problems import BadFile, BadRequest, Problem, UnknownName
from upcard.reports.controls_sheet import ControlsSheet
from upcard.reports.controls_text import controls_document
from upcard.reports.html import html
from upcard.reports.markdown import markdown
from upcard.serialize import json_text
from upcard.service.controls import layout_controls
from upcard.service.controls_of_book import book_controls

_BOOK_SUFFIXES = (".db", ".sqlite", ".sqlite3")


def _as_json(sheet: ControlsSheet) -> str:
    return json_text(asdict(sheet))


_WRITERS: Mapping[str, Callable[[ControlsSheet], str]] = {
    ".md": lambda sheet: markdown(controls_document(sheet)),
    ".html": lambda sheet: html(controls_document(sheet)),
    ".json": _as_json,
}


def show_controls(source: str, *, jurisdiction: str | None, key: str | None, out: str | None, as_json: bool) -> None:
    suffix = ".json" if as_json else ".md"
    if out is not None:
        suffix = Path(out).suffix.lower()
        if suffix not in _WRITERS:
            raise BadRequest(f"--out writes FILE.md, FILE.html or FILE.json, not {out}")
        if as_json:
            raise BadRequest("--json prints to the terminal: leave it out, and name the file FILE.json")
    text = _WRITERS[suffix](_sheet(source, jurisdiction, key))
    if out is None:
        write_plain(*text.splitlines())
        return
    Path(out).write_text(text, encoding="utf-8")
    write_lines(f"{out}: the internal controls of {without_password(source)}")


def _sheet(source: str, jurisdiction: str | None, key: str | None) -> ControlsSheet:
    layout = None if is_server(source) else _find_layout(catalog_under(jurisdiction, catalog_in_use()), source)
    if layout is not None:
        catalog = catalog_under(jurisdiction, catalog_in_use())
        if key is not None:
            raise BadRequest("--key is for a book; a layout has none")
        return layout_controls(catalog, layout, day=utc_now().date(), permissions=permissions())
    if jurisdiction is not None:
        raise BadRequest("--jurisdiction is for a layout; a book has stored the laws of its jackpots")
    logging.getLogger("upcard").addHandler(logging.NullHandler())  # a refusal is one sentence
    keyring = find_keyring(source, key)
    with open_book(source, keyring) as unit:
        return book_controls(unit, without_password(source), clock=utc_now, permissions=permissions(), keyring=keyring)


def _find_layout(catalog: Catalog, source: str) -> Layout | None:
    """The layout of a name or a file; None: it is a book. A name is looked up before a path."""
    path = Path(source)
    is_path = bool(source.strip()) and "\0" not in source
    try:
        layout = catalog.layout(source)
        place = layout.slug
    except UnknownName:
        if is_path and path.suffix == ".toml":
            if workspace_of(path) is not None:
                use_file(path)  # with the game and the wagers of its workspace
                catalog = catalog_in_use()
            layout, place = load_model(path, Layout), source
        elif is_path and (path.exists() or path.suffix in _BOOK_SUFFIXES):
            return None
        else:
            raise
    problems = [
        Problem(file=place, place=key, sentence=sentence) for key, sentence in layout_complaints(catalog, layout)
    ]
    if problems:
        raise BadFile(problems)
    return layout
