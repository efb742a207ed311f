"""The table: one frozen state, changed by orders of the house and by the commands of the round on it.

The engine alone decides whether a wager is allowed; the table only derives the round's terms.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, assert_never

from upcard.cards import Card, card_text
from upcard.cards.shoe import CARDS_PER_DECK
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.catalog.layout_rules.posted_minimum import posted_minimum_problem
from upcard.catalog.ruleset import CURRENT_BEHAVIOUR, Behaviour
from upcard.codes import Coded
from upcard.engine import commands as c
from upcard.engine.apply import apply
from upcard.engine.awaiting import REVEAL, awaiting
from upcard.engine.cards_on_table import cards_on_table
from upcard.engine.events import Event
from upcard.engine.round import Phase, Round, Stakes
from upcard.engine.terms import Terms
from upcard.frozen import replace
from upcard.pit import events as e
from upcard.pit import orders as o
from upcard.pit.events import TableEvent
from upcard.pit.refusals import PitRefusal, PitRefused
from upcard.pit.returned_wagers import without_unheld_wagers, without_wagers_on
from upcard.pit.terms import derive
from upcard.units import Cents


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table as it stands."""

    catalog: Catalog = field(repr=False)
    layout: Layout = field(repr=False)
    behaviour: Behaviour = field(default=CURRENT_BEHAVIOUR)
    floor_minimum: Cents | None = None  # posted by the floor; it outlasts the shoe and other rules
    shuffler: str  # of the shoe on the table
    next_shuffler: str  # of the shoes to come
    seats: Mapping[int, str] = field(default_factory=dict)  # in the order in which they were taken
    flat_bettors: frozenset[str] = frozenset()
    first_wagers: Mapping[str, Mapping[int, Stakes]] = field(default_factory=dict)  # of this shoe, by player
    shoe_cards: int = 0  # left in the shoe; 0 before the first shoe
    cut_card: int = 0  # cards before the cut card; negative once it is out
    came_out: Mapping[int, int] = field(default_factory=dict)  # of this shoe, by card
    shoe_over: bool = True
    closing: bool = False
    closed: bool = False
    dealt_by_hand: bool = False  # a person deals; a finished round stays on the felt until they have paid
    round: Round | None = None
    terms: Terms | None = None

    @property
    def posted_minimum(self) -> Cents:
        """What the floor posted, or else the layout's file."""
        return Cents(self.layout.posted_minimum) if self.floor_minimum is None else self.floor_minimum


Changed = tuple[Table, list[TableEvent]]
Ordered = tuple[Table, list[Event | TableEvent]]  # an order of the floor may return wagers


def open_table(
    catalog: Catalog, layout: Layout, *, behaviour: Behaviour | None = None, dealt_by_hand: bool = False
) -> Table:
    """A table as its layout posts it; the decks are verified when the shoe is made."""
    return Table(
        catalog=catalog,
        layout=layout,
        behaviour=behaviour or CURRENT_BEHAVIOUR,
        shuffler=layout.shuffler,
        next_shuffler=layout.shuffler,
        dealt_by_hand=dealt_by_hand,
    )


def order(table: Table, command: o.Order) -> tuple[Table, tuple[Event | TableEvent, ...]]:
    """The table after an order of the house or a guest; raises PitRefused, changing nothing."""
    if table.closed:
        raise PitRefused(PitRefusal.TABLE_CLOSED)
    changed: Table
    events: Sequence[Event | TableEvent]
    match command:
        case o.Seat(player, spot):
            changed, events = _seat(table, player, spot)
        case o.FreeSpot(spot):
            changed, events = _leave(table, spot)
        case o.AskToRelinquish(player):
            changed, events = _relinquish(table, player)
        case o.PostMinimum(amount):
            changed, events = _post_minimum(table, amount)
        case o.NotifyFlatBet(player):
            changed, events = _flat_bet(table, player)
        case o.AnnounceClosing():
            closed = table.shoe_over and table.round is None
            changed, events = replace(table, closing=True, closed=closed), [e.ClosingAnnounced()]
        case o.SetShuffler(shuffler):
            changed, events = _set_shuffler(table, shuffler)
        case o.NewShoe(cut_card):
            changed, events = _new_shoe(table, cut_card)
        case o.BeginRound():
            if table.round is not None or table.shoe_over:
                raise PitRefused(PitRefusal.NO_SHOE if table.round is None else PitRefusal.ROUND_RUNNING)
            changed, events = replace(table, round=Round(), terms=derive(table)), [e.BettingOpened()]
        case o.VoidRound(reason):
            changed, events = _void(table, reason)
        case o.EndShoe():
            changed, events = _cut_short(table)
        case o.EndRound():
            changed, events = _paid(table)
        case o.ReturnDiscards():
            changed, events = _return_discards(table)
        case _:
            assert_never(command)
    return changed, tuple(events)


class Played(NamedTuple):
    """A table after a command of its round."""

    table: Table
    happened: tuple[Event | TableEvent, ...]
    finished: tuple[Round, Terms] | None  # the round, where it is over and off the table


def play(table: Table, command: c.Command) -> Played:
    """The table after a command of its round; raises CommandRefused or PitRefused, changing nothing."""
    if table.round is None or table.terms is None:
        raise PitRefused(PitRefusal.NO_ROUND)
    from_shoe = turned_over = False
    if isinstance(command, c.DealCard):
        turned_over = awaiting(table.round, table.terms) == REVEAL
        from_shoe = not turned_over
        _check_shoe(table, command.card, turned_over=turned_over)
    terms, finished = table.terms, None
    state, events = apply(table.round, terms, command)
    happened: list[Event | TableEvent] = list(events)
    if isinstance(command, c.DealCard):
        table, of_the_shoe = _count(table, state, command.card, from_shoe=from_shoe)
        happened = [*of_the_shoe, *happened]
    else:
        table = replace(table, round=state)
    if state.phase is Phase.OVER and not table.dealt_by_hand:
        table, of_the_end = _end_round(table, state)
        happened += of_the_end
        finished = state, terms
    return Played(table, tuple(happened), finished)


def _post_minimum(table: Table, amount: Cents) -> Changed:
    _before_the_first_card(table)
    problem = posted_minimum_problem(table.catalog, table.layout, amount)
    if problem is not None:
        raise PitRefused(PitRefusal.BAD_MINIMUM, why=problem)
    return _with_new_terms(replace(table, floor_minimum=amount)), [e.MinimumPosted(amount)]


def _set_shuffler(table: Table, shuffler: str) -> Changed:
    _before_the_first_card(table)
    if shuffler not in ("hand", "automatic"):
        raise PitRefused(PitRefusal.BAD_SHUFFLER, shuffler=shuffler)
    shuffler_now = shuffler if table.shoe_over else table.shuffler
    return replace(table, next_shuffler=shuffler, shuffler=shuffler_now), [e.ShufflerSet(shuffler)]


def _void(table: Table, reason: Coded) -> Changed:
    if table.round is None:
        raise PitRefused(PitRefusal.NO_ROUND)
    table_after, events = _end_shoe(replace(table, round=None, terms=None))
    return table_after, [e.RoundVoided(reason), *events]


def _between_rounds(table: Table) -> None:
    if table.round is not None:
        raise PitRefused(PitRefusal.ROUND_RUNNING)


def _before_the_first_card(table: Table) -> None:
    match table.behaviour.floor_orders_are_taken:
        case "between-rounds":
            _between_rounds(table)
        case "until-the-first-card":
            if table.round is not None and table.round.cards_dealt:
                raise PitRefused(PitRefusal.ROUND_RUNNING)
        case _:
            assert_never(table.behaviour.floor_orders_are_taken)


def _is_betting(table: Table) -> bool:
    return table.round is not None and table.round.phase is Phase.BETTING


def _with_new_terms(table: Table) -> Table:
    """What changed holds for the next wager. Once betting is closed, a round keeps its terms."""
    return replace(table, terms=derive(table)) if _is_betting(table) else table


def spots_of(table: Table, player: str) -> list[int]:
    """A player's spots, in the order they were taken."""
    return [spot for spot, owner in table.seats.items() if owner == player]


def _before_the_deal(table: Table) -> None:
    if table.round is not None and not _is_betting(table):
        raise PitRefused(PitRefusal.ROUND_RUNNING)


def _seat(table: Table, player: str, spot: int) -> Changed:
    _before_the_deal(table)
    conduct = table.catalog.game(table.layout.game).conduct
    if not 1 <= spot <= table.layout.spots:
        raise PitRefused(PitRefusal.NO_SUCH_SPOT, spots=table.layout.spots)
    if spot in table.seats:
        raise PitRefused(PitRefusal.SPOT_TAKEN, spot=spot, player=table.seats[spot])
    player_spots = spots_of(table, player)
    if player_spots and conduct.adjacent_spots and not any(abs(spot - neighbour) == 1 for neighbour in player_spots):
        raise PitRefused(PitRefusal.NOT_ADJACENT, player=player)
    return _with_new_terms(replace(table, seats={**table.seats, spot: player})), [e.SpotTaken(player, spot)]


def _leave(table: Table, spot: int) -> Changed:
    _before_the_deal(table)
    if spot not in table.seats:
        raise PitRefused(PitRefusal.SPOT_FREE, spot=spot)
    if table.round is not None and table.round.spot(spot) is not None:
        raise PitRefused(PitRefusal.WAGERS_LIE, spot=spot)
    player = table.seats[spot]
    remaining = sorted(seat for seat in spots_of(table, player) if seat != spot)
    conduct = table.catalog.game(table.layout.game).conduct
    if conduct.adjacent_spots and remaining and remaining[-1] - remaining[0] >= len(remaining):
        raise PitRefused(PitRefusal.SEATS_APART, player=player)
    seats = {number: owner for number, owner in table.seats.items() if number != spot}
    return _with_new_terms(replace(table, seats=seats)), [e.SpotLeft(player, spot)]


def _relinquish(table: Table, player: str) -> Ordered:
    """Wagers on the spots that are given up go back to the player, while betting is open."""
    _before_the_first_card(table)
    player_spots = spots_of(table, player)
    if not player_spots:
        raise PitRefused(PitRefusal.NOT_SEATED, player=player)
    if not table.catalog.game(table.layout.game).conduct.relinquish_on_request:
        raise PitRefused(PitRefusal.NOT_OFFERED, what={"code": "offer/giving-up-spots"})
    given_up = player_spots[1:]
    returned: Sequence[Event] = ()
    if table.round is not None and table.terms is not None:
        if not _is_betting(table) and any(spot.number in given_up for spot in table.round.spots):
            raise PitRefused(PitRefusal.ROUND_RUNNING)  # dealt by hand: no more bets, and those that are down play
        state, returned = without_wagers_on(table.round, table.terms, given_up)
        table = replace(table, round=state)
    remaining = {spot: owner for spot, owner in table.seats.items() if spot not in given_up}
    departures = [e.SpotLeft(player, spot) for spot in sorted(given_up)]
    asked = e.AskedToRelinquish(player, tuple(given_up))
    return _with_new_terms(replace(table, seats=remaining)), [asked, *returned, *departures]


def _flat_bet(table: Table, player: str) -> Ordered:
    """Wagers that are down and are not those of the player's first hand go back to them, while betting is open."""
    _before_the_first_card(table)
    if not table.catalog.game(table.layout.game).conduct.flat_betting:
        raise PitRefused(PitRefusal.NOT_OFFERED, what={"code": "offer/flat-betting"})
    if player not in table.seats.values():
        raise PitRefused(PitRefusal.NOT_SEATED, player=player)
    changed = _with_new_terms(replace(table, flat_bettors=table.flat_bettors | {player}))
    if changed.round is None or changed.terms is None or not _is_betting(changed):
        return changed, [e.FlatBetNotified(player)]
    state, returned = without_unheld_wagers(changed.round, changed.terms)
    return replace(changed, round=state), [e.FlatBetNotified(player), *returned]


def _new_shoe(table: Table, cut_card: int) -> Changed:
    _between_rounds(table)
    if not table.shoe_over:
        raise PitRefused(PitRefusal.SHOE_RUNNING)
    cards = table.layout.decks * CARDS_PER_DECK
    if not 0 < cut_card <= cards:
        raise PitRefused(PitRefusal.CUT_CARD_OUTSIDE, cards=cards)
    table_after = replace(
        table,
        shoe_cards=cards,
        cut_card=cut_card,
        shuffler=table.next_shuffler,
        came_out={},
        shoe_over=False,
        flat_bettors=frozenset() if _holds_end_with_the_next_shoe(table) else table.flat_bettors,
        first_wagers={},
    )
    return table_after, [e.ShoeShuffled(cards)]


def _holds_end_with_the_next_shoe(table: Table) -> bool:
    """Whether flat betting ends when the next shoe begins, and with it an order given between the two; if not, it ends
    with its own shoe."""
    match table.behaviour.flat_bet_ordered_between_shoes:
        case "ends-with-the-old-shoe":
            return True
        case "holds-for-the-next-shoe":
            return False
        case _:
            assert_never(table.behaviour.flat_bet_ordered_between_shoes)


def _cut_short(table: Table) -> Changed:
    if table.shoe_over:
        raise PitRefused(PitRefusal.NO_SHOE)
    if table.cut_card < 0:
        raise PitRefused(PitRefusal.CUT_CARD_OUT)
    last_round = replace(table, cut_card=-1)
    return (last_round, [e.LastRoundAnnounced()]) if table.round is not None else _end_shoe(last_round)


def _paid(table: Table) -> Changed:
    if table.round is None or table.terms is None:
        raise PitRefused(PitRefusal.NO_ROUND)
    if table.round.phase is not Phase.OVER:
        raise PitRefused(PitRefusal.ROUND_NOT_OVER, awaited=awaiting(table.round, table.terms).coded)
    return _end_round(table, table.round)


def _return_discards(table: Table) -> Changed:
    if table.round is None or table.terms is None:
        raise PitRefused(PitRefusal.NO_ROUND)
    if table.shoe_cards:
        raise PitRefused(PitRefusal.SHOE_NOT_EMPTY)
    on_table = Counter(cards_on_table(table.round, table.terms))
    cards = table.layout.decks * CARDS_PER_DECK - on_table.total() - int(table.round.hole_unknown)
    if not cards:
        raise PitRefused(PitRefusal.NO_DISCARDS)
    return replace(table, shoe_cards=cards, came_out=on_table), [e.DiscardsReturned(cards)]


def _check_shoe(table: Table, card: Card | None, *, turned_over: bool) -> None:
    if not table.shoe_cards and not turned_over:
        raise PitRefused(PitRefusal.SHOE_EMPTY)
    if card is not None and table.came_out.get(card, 0) >= table.layout.decks:
        raise PitRefused(PitRefusal.NO_COPY_LEFT, decks=table.layout.decks, card=card_text(card))


def _count(table: Table, state: Round, card: Card | None, *, from_shoe: bool) -> Changed:
    """Counts a card; a hole card that is turned over has already left the shoe."""
    came_out = dict(table.came_out)
    if card is not None:
        came_out[card] = came_out.get(card, 0) + 1
    if not from_shoe:
        return replace(table, round=state, came_out=came_out), []
    cut_card = table.cut_card - 1
    events: list[TableEvent] = [e.CutCardOut()] if cut_card == -1 else []
    left = table.shoe_cards - 1
    return replace(table, round=state, shoe_cards=left, cut_card=cut_card, came_out=came_out), events


def _end_round(table: Table, state: Round) -> Changed:
    first = {player: dict(spots) for player, spots in table.first_wagers.items()}
    for spot in state.spots:
        if spot.player not in table.first_wagers:
            first.setdefault(spot.player, {})[spot.number] = spot.wagers
    return _end_shoe(replace(table, round=None, terms=None, first_wagers=first))


def _end_shoe(table: Table) -> Changed:
    """After a round, played or void: ends the shoe if its cut card is out, and then the game of a closing table."""
    if table.cut_card >= 0:
        return table, []
    events: list[TableEvent] = [e.ShoeEnded(), *([e.GameEnded()] if table.closing else [])]
    flat_bettors = table.flat_bettors if _holds_end_with_the_next_shoe(table) else frozenset[str]()
    return replace(table, shoe_over=True, closed=table.closing, flat_bettors=flat_bettors), events
