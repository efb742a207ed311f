"""The side wagers combined: every deal, and every final dealer hand, as one class of events."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from upcard.engine.terms import Terms, WagerTerms
from upcard.problems import BadRequest
from upcard.sim.kernel import FEATURES, MOST_CARDS, SPLITS, Classes
from upcard.wagers import DealerHandKind, DealKind, Role
from upcard.wagers.kind import DealerFeature
from upcard.wagers.ranking import Ranking, ranking

Event = str | None
NOT_MADE = "not made"  # a late wager, when a blackjack ended the round or the hand before it
FORFEIT_END, NATURAL_END = 1, 2  # of a spot's hand: it loses the wager; it is a blackjack, where that matters (R6)


@dataclass(frozen=True, kw_only=True)
class EventClasses:
    """The classes as the kernel indexes them, and the events of each."""

    classes: Classes
    deal_wagers: tuple[str, ...]
    deal_events: tuple[tuple[Event, ...], ...]  # [class, wager]
    dealer_wagers: tuple[str, ...]
    dealer_events: tuple[tuple[Event, ...], ...]  # [class, wager]
    forfeit: int | None  # the player's total that loses a wager on the dealer's hand


def build_event_classes(terms: Terms, names: Sequence[str], *, insures: bool) -> EventClasses:
    """The classes of these side wagers."""
    wagers = [terms.wagers[name] for name in names]
    deals = [wager for wager in wagers if isinstance(wager.kind, DealKind)]
    dealers = [wager for wager in wagers if isinstance(wager.kind, DealerHandKind)]
    hole = any(Role.HOLE in wager.kind.reads for wager in deals if isinstance(wager.kind, DealKind))
    ranks, suits, join, deal_events = _deal_classes(deals, roles=4 if hole else 3)
    forfeit = _forfeit(dealers)
    dealer, (unplayed, unplayed_natural), dealer_events = _dealer_classes(dealers)
    insured, results = 3 if insures else 1, SPLITS + 4 * terms.rules.hands + 1
    deal_cells = insured * results
    dealer_cells = len(deal_events) * deal_cells
    return EventClasses(
        classes=Classes(
            ranks=ranks,
            suits=suits,
            suit_classes=int(suits.max()) + 1,
            join=join * np.uint32(deal_cells),
            hole_read=int(hole),
            deals=len(deal_events),
            dealers=len(dealer_events),
            insured=insured,
            results=results,
            dealer=dealer * np.uint32(dealer_cells),
            unplayed=unplayed * dealer_cells,
            unplayed_natural=unplayed_natural * dealer_cells,
        ),
        deal_wagers=tuple(wager.name for wager in deals),
        deal_events=deal_events,
        dealer_wagers=tuple(wager.name for wager in dealers),
        dealer_events=dealer_events,
        forfeit=forfeit,
    )


Words = npt.NDArray[np.uint16]
Numbers = npt.NDArray[np.uint32]
Wide = npt.NDArray[np.int64]


def _deal_classes(
    wagers: Sequence[WagerTerms], *, roles: int
) -> tuple[Words, Words, Numbers, tuple[tuple[Event, ...], ...]]:
    """Rank patterns, suit patterns, the class of each pair of them, and the events of each class."""
    views = [_ranking(wager) for wager in wagers]
    ranks, rank_parts = _joint([_grid(view, view.rank_classes, 13, roles) for view in views], 13**roles)
    suits, suit_parts = _joint([_grid(view, view.suit_classes, 4, roles) for view in views], 4**roles)
    classes: dict[tuple[Event, ...], int] = {(None,) * len(wagers): 0}
    join = np.zeros((len(rank_parts), len(suit_parts)), dtype=np.uint32)
    for (rank_number, of_ranks), (suit_number, of_suits) in product(enumerate(rank_parts), enumerate(suit_parts)):
        pairs = zip(views, of_ranks, of_suits, strict=True)
        events = tuple(view.events.get((int(rank_class), int(suit_class))) for view, rank_class, suit_class in pairs)
        join[rank_number, suit_number] = classes.setdefault(events, len(classes))
    return ranks, suits, join.ravel(), tuple(classes)


def _ranking(wager: WagerTerms) -> Ranking:
    if not isinstance(wager.kind, DealKind) or wager.paytable is None:
        raise BadRequest(f"{wager.name} has no paytable, so it cannot be settled")
    return ranking(wager.kind, tuple(wager.paytable.lines), wager.suit)


def _grid(view: Ranking, classes: bytes, values: int, roles: int) -> Wide:
    """A wager's classes over the patterns of all the roles, with the roles it does not read ignored."""
    view_classes = np.frombuffer(classes, dtype=np.uint8).reshape((values,) * len(view.reads))
    order = np.argsort([int(role) for role in view.reads])
    shape = [values if role in view.reads else 1 for role in list(Role)[:roles]]
    return np.broadcast_to(view_classes.transpose(order).reshape(shape), (values,) * roles).astype(np.int64).ravel()


def _joint(grids: Sequence[Wide], patterns: int) -> tuple[Words, list[tuple[int, ...]]]:
    """The coarsest classes that separate all wagers' classes, and each wager's class in each of them."""
    joint = np.zeros(patterns, dtype=np.int64)
    for grid in grids:
        joint = np.unique(joint * (int(grid.max()) + 1) + grid, return_inverse=True)[1].ravel()
    _, places = np.unique(joint, return_index=True)
    return joint.astype(np.uint16), [tuple(int(grid[place]) for grid in grids) for place in places]


def _forfeit(wagers: Sequence[WagerTerms]) -> int | None:
    totals = {kind.lost_on_player_total for wager in wagers if isinstance(kind := wager.kind, DealerHandKind)} - {None}
    if len(totals) > 1:
        raise BadRequest("cannot simulate wagers that are lost on different player totals together")
    return next(iter(totals), None)


def _dealer_classes(
    wagers: Sequence[WagerTerms],
) -> tuple[Numbers, tuple[int, int], tuple[tuple[Event, ...], ...]]:
    """[hand's end, feature] the class of the dealer's end, the classes of a blackjack, and the events of each class.

    Of a hand's end: 0 it was played, 1 it forfeits the wager, 2 it is a blackjack that is lost to the wager (R6).
    """
    classes: dict[tuple[Event, ...], int] = {(None,) * len(wagers): 0}
    table = np.zeros(3 * FEATURES, dtype=np.uint32)
    if not wagers:
        return table, (0, 0), tuple(classes)
    no_yes = (False, True)
    for place, (end, up, cards, bust, suited, eights) in enumerate(
        product(range(3), range(13), range(MOST_CARDS), no_yes, no_yes, no_yes)
    ):
        dealer = DealerFeature(up_rank=up, cards=cards, bust=bust, suited=suited, three_eights=eights)
        events = tuple(_event(wager, dealer, end=end) for wager in wagers)
        table[place] = classes.setdefault(events, len(classes))
        if cards == 2 and not bust and not {*events} <= {None, NOT_MADE}:
            raise BadRequest("a wager on the dealer's final hand cannot be won by the first two cards")
    unplayed = tuple(NOT_MADE if wager.late and not wager.before_peek else None for wager in wagers)
    pairs = zip(wagers, unplayed, strict=True)
    natural = tuple(NOT_MADE if wager.late and wager.lost_with_hand else event for wager, event in pairs)
    numbers = classes.setdefault(unplayed, len(classes)), classes.setdefault(natural, len(classes))
    return table, numbers, tuple(classes)


def _event(wager: WagerTerms, dealer: DealerFeature, *, end: int) -> Event:
    kind = wager.kind
    if not isinstance(kind, DealerHandKind) or wager.paytable is None:
        raise BadRequest(f"{wager.name} has no paytable, so it cannot be settled")
    if wager.lost_with_hand and end:
        return NOT_MADE if wager.late and end == NATURAL_END else None
    if end == FORFEIT_END and kind.lost_on_player_total is not None:
        return None
    holds = kind.classifier(dealer)
    return next((event for event in kind.events if event in wager.paytable.lines and holds[event]), None)
