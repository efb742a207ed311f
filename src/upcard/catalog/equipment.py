"""Equipment that has a model: which model a layout names, and whether it is one of the approved models.

The list of approved models is the operator's, in the jurisdiction's file. The catalog ships none, and names no model:
what a filing says of its equipment is in the game's file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from upcard.catalog.fields import Equipment
from upcard.catalog.game import Game
from upcard.catalog.jurisdiction import Jurisdiction
from upcard.catalog.layout import Layout
from upcard.problems import nearest

_KEYS: Mapping[Equipment, str] = {  # of the layout's file
    "automatic shuffler": "shuffler_model",
    "jackpot system": "jackpot_system_model",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EquipmentModel:
    """One piece of a table's equipment that must be of a certain model."""

    equipment: Equipment
    key: str  # of the layout's file
    model: str  # as the layout names it; empty if it does not
    filed: str  # what the filing says of it; empty if it says nothing
    approved: tuple[str, ...] | None  # None: the operator has given no list

    @property
    def problem(self) -> str | None:
        """Why the table may not use it; None if it may, or if there is no list to tell."""
        if self.approved is None or self.model in self.approved:
            return None
        models = ", ".join(self.approved)
        if not self.model:
            return f"name the model of the {self.equipment}; the approved models are {models}"
        suggestions = nearest(self.model, self.approved)
        instead = f"did you mean {' or '.join(suggestions)}?" if suggestions else f"the approved models are {models}"
        return f"{self.model!r} is not an approved {self.equipment}; {instead}"

    @property
    def notice(self) -> str | None:
        """What the operator still has to give; None if nothing is missing."""
        if self.approved is not None:
            return None
        no_list = "the jurisdiction's file lists no approved_models"
        if self.model:
            return f"{no_list}, so nobody has checked the {self.equipment} {self.model!r}"
        filed = f" (the filing says: {self.filed})" if self.filed else ""
        return f"name the model of the {self.equipment} in {self.key}{filed}; {no_list} for it"


def equipment_models(layout: Layout, game: Game, jurisdiction: Jurisdiction) -> Iterator[EquipmentModel]:
    """The equipment of a layout that must be of a certain model."""
    for equipment, key in _KEYS.items():
        has_it = layout.shuffler == "automatic" if key == "shuffler_model" else equipment in layout.equipment
        if has_it:
            yield EquipmentModel(
                equipment=equipment,
                key=key,
                model=layout.shuffler_model if key == "shuffler_model" else layout.jackpot_system_model,
                filed=game.filed_models.get(equipment, ""),
                approved=jurisdiction.approved_models.get(equipment),
            )
