"""Copies of the catalog with one thing changed: how a table would play if a filing said something else."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from upcard.catalog.game import Game
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.catalog.layout_checks import layout_complaints
from upcard.pit.transcript import run

PARTS = ("paytables", "readings", "jurisdictions", "games", "layouts")


def with_parts(catalog: Catalog, **parts: Mapping[str, object]) -> Catalog:
    """The catalog with some parts replaced; nothing is loaded or checked again."""
    copy = Catalog(catalog.folder)
    copy.__dict__.update({part: getattr(catalog, part) for part in PARTS} | parts)
    return copy


def with_game(catalog: Catalog, number: str, **changes: Any) -> Catalog:
    """One game with other values; a value that is a dict changes the part of that name."""
    game = catalog.game(number)
    update = {
        key: getattr(game, key).model_copy(update=value) if isinstance(value, dict) and key != "readings" else value
        for key, value in changes.items()
    }
    return with_parts(catalog, games={**catalog.games, game.slug: game.model_copy(update=update)})


def with_wager(catalog: Catalog, number: str, name: str, **changes: Any) -> Catalog:
    """One wager of a game with other values."""
    wagers = tuple(
        wager.model_copy(update=changes) if wager.name == name else wager for wager in catalog.game(number).wager
    )
    return with_game(catalog, number, wager=wagers)


def with_jackpot(catalog: Catalog, number: str, plan: str, **changes: Any) -> Catalog:
    """One jackpot plan of a game with other values."""
    plans = tuple(
        jackpot.model_copy(update=changes) if jackpot.plan == plan else jackpot
        for jackpot in catalog.game(number).jackpot
    )
    return with_game(catalog, number, jackpot=plans)


def with_layout(catalog: Catalog, slug: str, **changes: Any) -> Catalog:
    """One layout with other values."""
    layout = catalog.layout(slug).model_copy(update=changes)
    return with_parts(catalog, layouts={**catalog.layouts, slug: layout})


def with_approved_models(catalog: Catalog, number: str, models: Mapping[str, tuple[str, ...]]) -> Catalog:
    """The jurisdiction of a game with an operator's list of approved models."""
    slug = catalog.game(number).source.jurisdiction
    jurisdiction = catalog.jurisdictions[slug].model_copy(update={"approved_models": models})
    return with_parts(catalog, jurisdictions={**catalog.jurisdictions, slug: jurisdiction})


def with_paytable(catalog: Catalog, name: str, **changes: Any) -> Catalog:
    """One paytable with other values."""
    return with_parts(catalog, paytables={**catalog.paytables, name: replace(catalog.paytables[name], **changes)})


def offering(layout: Layout, name: str, **changes: Any) -> tuple[Any, ...]:
    """The wagers of a layout, one of them with other values."""
    return tuple(wager.model_copy(update=changes) if wager.name == name else wager for wager in layout.wager)


def complaints(catalog: Catalog, slug: str, **changes: Any) -> list[str]:
    """The problems of a layout with other values."""
    layout = catalog.layout(slug).model_copy(update=changes)
    return [f"{place}: {sentence}" for place, sentence in layout_complaints(catalog, layout)]


def default_layout(catalog: Catalog, number: str) -> Layout:
    """The layout that has the game's own slug."""
    return catalog.layout(catalog.game(number).slug)


def slips(catalog: Catalog, *lines: str) -> list[str]:
    """The slips in a transcript of these lines."""
    transcript = run(catalog, "\n".join(lines) + "\n", "test").splitlines()
    return [line.removeprefix("  slip: ") for line in transcript if line.startswith("  slip: ")]


__all__ = [
    "Catalog",
    "Game",
    "complaints",
    "default_layout",
    "offering",
    "slips",
    "with_approved_models",
    "with_game",
    "with_jackpot",
    "with_layout",
    "with_parts",
    "with_paytable",
    "with_wager",
]
