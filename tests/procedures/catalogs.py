"""Catalogs in which one thing is different: how a table would go on if a filing said otherwise."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from upcard.catalog.game import Game
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.catalog.layout_checks import layout_complaints
from upcard.pit.transcript import run

PARTS = ("paytables", "readings", "jurisdictions", "games", "layouts")


def changed(catalog: Catalog, **parts: Mapping[str, object]) -> Catalog:
    """The catalog with some parts exchanged; nothing is read or checked again."""
    other = Catalog(catalog.folder)
    other.__dict__.update({part: getattr(catalog, part) for part in PARTS} | parts)
    return other


def with_game(catalog: Catalog, number: str, **changes: Any) -> Catalog:
    """One game with other values; a value that is a dict changes the part of that name."""
    game = catalog.game(number)
    update = {
        key: getattr(game, key).model_copy(update=value) if isinstance(value, dict) and key != "readings" else value
        for key, value in changes.items()
    }
    return changed(catalog, games={**catalog.games, game.slug: game.model_copy(update=update)})


def with_wager(catalog: Catalog, number: str, name: str, **changes: Any) -> Catalog:
    """One wager of a game with other values."""
    wagers = tuple(one.model_copy(update=changes) if one.name == name else one for one in catalog.game(number).wager)
    return with_game(catalog, number, wager=wagers)


def with_jackpot(catalog: Catalog, number: str, plan: str, **changes: Any) -> Catalog:
    """One jackpot plan of a game with other values."""
    plans = tuple(one.model_copy(update=changes) if one.plan == plan else one for one in catalog.game(number).jackpot)
    return with_game(catalog, number, jackpot=plans)


def with_layout(catalog: Catalog, slug: str, **changes: Any) -> Catalog:
    """One layout with other values."""
    layout = catalog.layout(slug).model_copy(update=changes)
    return changed(catalog, layouts={**catalog.layouts, slug: layout})


def with_paytable(catalog: Catalog, name: str, **changes: Any) -> Catalog:
    """One paytable with other values."""
    return changed(catalog, paytables={**catalog.paytables, name: replace(catalog.paytables[name], **changes)})


def offering(layout: Layout, name: str, **changes: Any) -> tuple[Any, ...]:
    """The wagers of a layout, one of them with other values."""
    return tuple(one.model_copy(update=changes) if one.name == name else one for one in layout.wager)


def complaints(catalog: Catalog, slug: str, **changes: Any) -> list[str]:
    """What is said against a layout with other values."""
    layout = catalog.layout(slug).model_copy(update=changes)
    return [f"{place}: {sentence}" for place, sentence in layout_complaints(catalog, layout)]


def default_layout(catalog: Catalog, number: str) -> Layout:
    """A game's own layout."""
    return catalog.layout(catalog.game(number).slug)


def slips(catalog: Catalog, *lines: str) -> list[str]:
    """The slips of a table's life, as a transcript tells them."""
    told = run(catalog, "\n".join(lines) + "\n", "test").splitlines()
    return [line.removeprefix("  slip: ") for line in told if line.startswith("  slip: ")]


__all__ = [
    "Catalog",
    "Game",
    "changed",
    "complaints",
    "default_layout",
    "offering",
    "slips",
    "with_game",
    "with_jackpot",
    "with_layout",
    "with_paytable",
    "with_wager",
]
