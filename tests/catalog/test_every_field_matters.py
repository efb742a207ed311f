"""Every key of the catalog's files does something: another value changes what users see, or `check` refuses it.

A key that nothing reads would be printed in a file and believed. `field_effects` has an edit for every key, and says
where it shows.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from catalog.changed_files import edited, seen
from catalog.field_effects import EFFECTS
from procedures.reached import differences

from upcard.catalog import game, jackpot, jurisdiction, layout, paytable, reading, shipped
from upcard.catalog.fields import CatalogModel
from upcard.catalog.index import Catalog
from upcard.catalog.load import parts_of

MODULES = (game, layout, jackpot, jurisdiction, paytable, reading)
PLANS = (jackpot.DailyAccrual, jackpot.Posted, jackpot.Bonus, jackpot.Progressive)


def models() -> Iterator[type[CatalogModel]]:
    for module in MODULES:
        for model in vars(module).values():
            if isinstance(model, type) and issubclass(model, CatalogModel) and model.__module__ == module.__name__:
                yield model


def fields_of(model: type[CatalogModel]) -> list[str]:
    """The keys that a model itself has.

    Not those that hold other models, whose keys count, and not the key that says which kind of jackpot plan it is.
    """
    own = [name for name in model.model_fields if name in model.__annotations__]
    kind = "plan" if issubclass(model, PLANS) else ""
    return [name for name in own if name != kind and not parts_of(model.model_fields[name].annotation)]


def test_every_key_of_the_files_has_an_entry() -> None:
    keys = {f"{model.__name__.lstrip('_')}.{field}" for model in models() for field in fields_of(model)}
    assert keys - EFFECTS.keys() == set(), "show where a change of these keys is seen, or delete them"
    assert EFFECTS.keys() - keys == set(), "there are no such keys"


@pytest.mark.parametrize("key", EFFECTS)
def test_another_value_is_seen(key: str, tmp_path: Path) -> None:
    effect = EFFECTS[key]
    before = shipped()
    for file, edits in effect.given.items():
        before = edited(before, file, edits, tmp_path)
    after = edited(before, effect.file, effect.edits, tmp_path)
    assert key in changed_keys(before, after), f"the edit does not change {key}"
    assert seen(after, effect.seen) != seen(before, effect.seen), f"{effect.seen} shows nothing of {key}"


def changed_keys(before: Catalog, after: Catalog) -> set[str]:
    """The keys in which two catalogs differ."""
    parts = ("games", "layouts", "jurisdictions", "readings", "paytables")
    pairs = [(tuple(getattr(before, part).values()), tuple(getattr(after, part).values())) for part in parts]
    keys = {f"{model.__name__}.{field}" for pair in pairs for model, field, _ in differences(*pair)}
    return keys | {name for key in keys for name in WRITTEN_AS.get(key, ())}


# What a key of the files is called in the models made from it.
WRITTEN_AS = {
    "Paytable.kind": ("Common.wager",),
    "Paytable.lines": ("PaytableEntry.pays", "Common.jackpot"),
    "Paytable.titles": ("PaytableEntry.titles", "PaytableHead.titles"),
    "Paytable.name": ("PaytableEntry.name",),
    **{f"Paytable.{key}": (f"Common.{key}",) for key in ("filing", "place", "basis", "decks", "printed_wager")},
    **{f"Paytable.{key}": (f"Common.{key}",) for key in ("readings", "notes")},
}


@pytest.mark.parametrize("what", sorted({effect.seen for effect in EFFECTS.values()}))
def test_without_an_edit_users_see_the_same(what: str) -> None:
    assert seen(shipped(), what) == seen(shipped(), what)
