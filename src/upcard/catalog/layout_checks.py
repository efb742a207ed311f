"""Checks a layout against its filing, its readings and the law.

Every rule names the keys it needs. So a layout with a wrong key is still checked by all rules that do not need it, and
the user gets every problem at once.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from upcard.catalog.game_checks import Complaint
from upcard.catalog.layout import Layout
from upcard.catalog.layout_rules import jackpots, limits, posted_minimum, table, wagers
from upcard.catalog.layout_rules.layout_under_check import Case
from upcard.problems import UnknownName

if TYPE_CHECKING:
    from upcard.catalog.index import Catalog


def layout_complaints(
    catalog: "Catalog", layout: Layout, doubtful: frozenset[str] = frozenset()
) -> Iterator[Complaint]:
    """Everything in a layout that its game, its paytables, its readings or the law forbid."""
    if "game" in doubtful:
        return
    try:
        case = Case(catalog=catalog, layout=layout, game=catalog.game(layout.game))
    except UnknownName as unknown:
        yield "game", str(unknown)
        return
    for needs, rule in _RULES:
        if not doubtful.intersection(needs):
            yield from rule(case)


# The keys a rule needs, and the rule; "every wager" means that no wager of the list was unreadable.
_RULES: tuple[tuple[tuple[str, ...], Callable[[Case], Iterator[Complaint]]], ...] = (
    ((), table.dealt_rules),
    (("decks",), table.decks),
    (("spots",), table.spots),
    (("posted_minimum",), posted_minimum.minimum),
    (("posted_minimum", "chip"), posted_minimum.minimum_in_chips),
    (("wager",), wagers.known_wagers),
    (("wager",), wagers.each_wager_once),
    (("every wager",), wagers.main_wagers),
    (("wager",), wagers.approved_here),
    (("wager",), wagers.exclusions),
    (("every wager",), wagers.companions),
    (("wager", "decks", "readings"), wagers.decks_of_wagers),
    (("wager", "shuffler", "readings"), wagers.shuffler),
    (("wager", "equipment", "every equipment"), wagers.equipment),
    (("wager",), wagers.paytables),
    (("wager", "readings"), wagers.lost_with_the_hand),
    (("wager",), limits.amounts),
    (("wager", "chip"), limits.amounts_in_chips),
    (("wager", "posted_minimum"), limits.bounds),
    (("wager",), limits.lawful),
    (("jackpot",), jackpots.jackpot_plans),
    (("every wager", "every jackpot"), jackpots.jackpot_meters),
    (("every jackpot",), jackpots.jackpot_limits),
    (("every wager", "small_wager"), wagers.player_limit),
    (("every wager", "aggregate_limit"), limits.aggregates),
    (("readings", "every wager"), table.readings),
    (("readings", "rules"), table.rules_and_readings),
    (("readings", "every jackpot"), table.lawful_jackpot_sharing),
    (("shuffler", "shuffler_model", "equipment", "jackpot_system_model"), table.approved_models),
    (("house_rules", "every house_rules"), table.house_rules),
    (("rules",), table.main_game_rules),
    (("every wager", "promotion"), wagers.promotions),
    (("promotion",), wagers.promotion_dates),
)
