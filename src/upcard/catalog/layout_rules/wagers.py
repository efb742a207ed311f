"""Rules on which wagers a layout offers, with which decks, equipment, paytables and promotions."""

from collections.abc import Iterator

from upcard.catalog.fields import decks_text
from upcard.catalog.game_checks import Complaint
from upcard.catalog.layout_rules.layout_under_check import Case
from upcard.catalog.readings_in_force import paytable_in_force
from upcard.catalog.wager_limit import wager_limit
from upcard.problems import UnknownName
from upcard.units import dollars
from upcard.wagers import DealerHandKind


def known_wagers(case: Case) -> Iterator[Complaint]:
    for offered in case.layout.wager:
        try:
            case.catalog.wager(case.game, offered)
        except UnknownName as unknown:
            yield f"wager {offered.name}", str(unknown)


def each_wager_once(case: Case) -> Iterator[Complaint]:
    names = [offered.name for offered in case.layout.wager]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield f"wager {name}", f"the layout offers {name} twice"


def main_wagers(case: Case) -> Iterator[Complaint]:
    for wager in case.game.wager:
        if wager.role == "main" and not case.layout.offers(wager.name):
            yield "wager", f"a table must offer {wager.name}"


def approved_here(case: Case) -> Iterator[Complaint]:
    jurisdiction = case.game.source.jurisdiction
    for place, _, offered in case.offers():
        if offered.game and case.catalog.game(offered.game).source.jurisdiction != jurisdiction:
            yield place, f"{offered.game} is not approved in {jurisdiction}"


def exclusions(case: Case) -> Iterator[Complaint]:
    for place, wager, _ in case.offers():
        for other in wager.excludes:
            if case.layout.offers(other):
                yield place, f"{wager.name} and {other} may not be on the same layout"


def companions(case: Case) -> Iterator[Complaint]:
    for place, wager, _ in case.offers():
        if wager.requires_any and not any(case.layout.offers(other) for other in wager.requires_any):
            yield place, f"{wager.name} is offered only together with {' or '.join(wager.requires_any)}"


def decks_of_wagers(case: Case) -> Iterator[Complaint]:
    decks = case.layout.decks
    for place, wager, offered in case.offers():
        if wager.decks is not None and decks not in wager.decks:
            yield place, f"{wager.name} is played with {decks_text(wager.decks)} decks, not {decks}"
        table = case.catalog.paytables.get(offered.paytable)
        if table is None or offered.paytable not in wager.paytables:
            continue
        table = paytable_in_force(table, case.readings)
        if decks not in table.decks:
            yield place, f"{table.name} is for {decks_text(table.decks)} decks, not {decks}"


def shuffler(case: Case) -> Iterator[Complaint]:
    if case.layout.shuffler != "hand" or case.readings.get("R25") == "offered":
        return
    for place, wager, _ in case.offers():
        if "automatic shuffler" in wager.equipment:
            yield place, f"{wager.name} is not offered on a table shuffled by hand (R25)"


def equipment(case: Case) -> Iterator[Complaint]:
    for place, wager, _ in case.offers():
        for piece in wager.equipment:
            if piece != "automatic shuffler" and piece not in case.layout.equipment:
                yield place, f"{wager.name} needs the {piece}, which is missing from this table's equipment"


def paytables(case: Case) -> Iterator[Complaint]:
    for place, wager, offered in case.offers():
        if wager.paytables and offered.paytable not in wager.paytables:
            yield place, f"its paytable must be one of {', '.join(wager.paytables)}"
        if not wager.paytables and offered.paytable:
            yield place, f"{wager.name} has no paytable"


def player_limit(case: Case) -> Iterator[Complaint]:
    limit = wager_limit(case.games, case.layout)
    if limit is not None and limit.small is not None and not case.layout.offers(case.layout.small_wager):
        small = dollars(limit.small)
        yield "small_wager", f"a layout with more than {limit.most} wagers must name the one limited to {small} (R31)"


def lost_with_the_hand(case: Case) -> Iterator[Complaint]:
    """R6: only wagers on a bust are priced as lost with the hand, so no other may be played so."""
    if case.readings.get("R6") != "lost":
        return
    for place, wager, _ in case.offers():
        kind = case.catalog.kinds.get(wager.kind)
        if isinstance(kind, DealerHandKind) and (not kind.only_busts or kind.reads_player_blackjack):
            yield (
                place,
                f"{wager.name} can win without a bust of the dealer, or reads the player's blackjack: it cannot be "
                "lost with the hand (R6)",
            )


def promotions(case: Case) -> Iterator[Complaint]:
    offers = {offered.name: (wager, offered) for _, wager, offered in case.offers()}
    for promotion in case.layout.promotion:
        place = f"promotion {promotion.wager}"
        wager, offered = offers.get(promotion.wager, (None, None))
        if wager is None or offered is None or not wager.promotions:
            yield place, "this wager allows no promotion on this layout"
            continue
        table = case.catalog.paytables.get(offered.paytable)
        if table is not None and promotion.event not in table.lines:
            lines = ", ".join(table.lines)
            what, hint = f"line in {table.name}", f"a promotion is paid on one of its lines: {lines}"
            yield place, str(UnknownName(what=what, name=promotion.event, known=table.lines, hint=hint))


def promotion_dates(case: Case) -> Iterator[Complaint]:
    """A promotion ends after it begins, and two on one event do not overlap: only one award would be paid."""
    for number, promotion in enumerate(case.layout.promotion):
        place = f"promotion {promotion.wager}"
        if promotion.until < promotion.since:
            yield place, f"it ends on {promotion.until}, before it begins on {promotion.since}"
        for earlier in case.layout.promotion[:number]:
            since, until = max(earlier.since, promotion.since), min(earlier.until, promotion.until)
            if (earlier.wager, earlier.event) == (promotion.wager, promotion.event) and since <= until:
                yield (
                    place,
                    f"two promotions on {promotion.event} overlap from {since} to {until}: write one with both awards",
                )
