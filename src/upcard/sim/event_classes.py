"""The side wagers combined: every deal, and every final dealer hand, as one class of events."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from upcard.engine.terms import Terms, WagerTerms
from upcard.problems import BadRequest
from upcard.sim.kernel import FEATURES, MOST_CARDS, SPLITS, Classes
from upcard.wagers import DealerHandKind, DealKind, Role
from upcard.wagers.kind import BUST, UNPLAYED, DealerFeature
from upcard.wagers.ranking import Ranking, ranking

Event = str | None
NOT_MADE = "not made"  # a late wager, when a blackjack ended the round or the hand before it
FORFEIT_END, NATURAL_END = 1, 2  # of a spot's hand: it loses the wager; it is a blackjack


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
    dealer, unplayed, dealer_events = _dealer_classes(dealers)
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
            unplayed=unplayed * np.uint32(dealer_cells),
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


def _dealer_classes(wagers: Sequence[WagerTerms]) -> tuple[Numbers, Numbers, tuple[tuple[Event, ...], ...]]:
    """The classes of the dealer's ends, those of a blackjack, and the events of each class.

    The first are [hand's end, feature], the second [the spot has a blackjack, up rank, suited]. Of a hand's end: 0 it
    was played, 1 it forfeits the wager, 2 it is a blackjack.
    """
    classes: dict[tuple[Event, ...], int] = {(None,) * len(wagers): 0}
    table, unplayed = np.zeros(3 * FEATURES, dtype=np.uint32), np.zeros(2 * 13 * 2, dtype=np.uint32)
    ends = [_DealerEnds(wager) for wager in wagers]
    if wagers:
        for place, (end, feature) in enumerate(product(range(3), _kernel_features())):
            events = tuple(of_wager.event(feature, end) for of_wager in ends)
            table[place] = classes.setdefault(events, len(classes))
        for place, (natural, up, suited) in enumerate(product(_NO_YES, range(13), _NO_YES)):
            feature = DealerFeature(up_rank=up, cards=2, total=21, suited=suited, three_eights=False)
            events = tuple(of_wager.blackjack_event(feature, natural=natural) for of_wager in ends)
            unplayed[place] = classes.setdefault(events, len(classes))
    return table, unplayed, tuple(classes)


_NO_YES = (False, True)
_TOTALS = (UNPLAYED, BUST, 17, 18, 19, 20, 21, UNPLAYED)  # in the kernel's order, which leaves the last unused


@cache
def _kernel_features() -> tuple[DealerFeature, ...]:
    """Every feature in the kernel's order."""
    return tuple(
        DealerFeature(up_rank=up, cards=cards, total=total, suited=suited, three_eights=eights)
        for up, cards, total, suited, eights in product(range(13), range(MOST_CARDS), _TOTALS, _NO_YES, _NO_YES)
    )


class _DealerEnds:
    """What becomes of one wager on the dealer's hand; each hand that it can tell apart is classified once."""

    def __init__(self, wager: WagerTerms) -> None:
        if not isinstance(wager.kind, DealerHandKind) or wager.paytable is None:
            raise BadRequest(f"{wager.name} has no paytable, so it cannot be settled")
        self.wager, self.kind, self.listed = wager, wager.kind, wager.paytable.lines
        self._known: dict[tuple[int, int, int, bool, bool, bool], Event] = {}

    def event(self, feature: DealerFeature, end: int) -> Event:
        if self.wager.lost_with_hand and end:
            return NOT_MADE if self.wager.late and end == NATURAL_END else None
        if end == FORFEIT_END and self.kind.lost_on_player_total is not None:
            return None
        return self._highest(feature, natural=end == NATURAL_END)

    def blackjack_event(self, feature: DealerFeature, *, natural: bool) -> Event:
        """The same when the dealer has a blackjack."""
        wager = self.wager
        if wager.late and (not wager.before_peek or (natural and wager.lost_with_hand)):
            return NOT_MADE
        return self._highest(feature, natural=natural)

    def _highest(self, feature: DealerFeature, *, natural: bool) -> Event:
        kind = self.kind
        if feature.total == UNPLAYED:
            return None  # nothing needed the dealer's hand
        total = feature.total if kind.reads_total or feature.bust else 17
        natural = natural and kind.reads_player_blackjack
        key = (feature.up_rank, feature.cards, total, feature.suited, feature.three_eights, natural)
        if key not in self._known:
            self._known[key] = kind.highest(replace(feature, total=total, player_blackjack=natural), self.listed)
        return self._known[key]
