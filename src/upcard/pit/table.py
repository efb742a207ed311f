"""The table: one frozen state, changed by orders of the house and by the commands of the round on it.

Whether a wager may be made is judged by the engine alone; the table only derives the round's terms.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import assert_never

from upcard.cards import Card, card_text
from upcard.cards.shoe import CARDS_A_DECK
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.engine import commands as c
from upcard.engine.apply import apply
from upcard.engine.awaiting import DealerCard, awaiting
from upcard.engine.events import Event
from upcard.engine.refusal import cards_on_table
from upcard.engine.round import Phase, Round, Stakes
from upcard.engine.terms import Terms
from upcard.frozen import replace
from upcard.pit import orders as o
from upcard.pit.terms import derive, posted_minimum_complaint
from upcard.problems import UpcardError
from upcard.units import Cents, dollars


class PitRefusal(Enum):
    """Why the table does not do what was ordered, the weightiest first."""

    TABLE_CLOSED = "the table is closed"
    ROUND_RUNNING = "not during a round"
    NO_ROUND = "no round is running"
    ROUND_NOT_OVER = "the round is not over: the table waits for {awaited}"
    NO_SHOE = "the shoe is over: shuffle first"
    CUT_CARD_OUT = "the cut card is out already: this is the last round of the shoe"
    SHOE_RUNNING = "the shoe is not over yet"
    NO_SUCH_SPOT = "this table has spots 1 to {spots}"
    SPOT_TAKEN = "spot {spot} is taken by {player}"
    SPOT_FREE = "nobody sits at spot {spot}"
    WAGERS_LIE = "take the wagers of spot {spot} back first"
    NOT_ADJACENT = "{player} may take only a spot beside his own"
    SPOTS_APART = "the spots of {player} must stay side by side"
    NOT_SEATED = "{player} does not sit at this table"
    NOT_OFFERED = "this game's rules do not provide for {what}"
    BAD_MINIMUM = "{why}"
    BAD_SHUFFLER = "a shoe is shuffled by hand or by an automatic shuffler, not by {shuffler!r}"
    CUT_CARD_OUTSIDE = "the cut card lies within the shoe of {cards} cards"
    NO_COPY_LEFT = "all {decks} copies of {card} have come out of this shoe"
    SHOE_EMPTY = "the shoe has run out: return the discards first"
    SHOE_NOT_EMPTY = "there are cards left in the shoe"
    NO_DISCARDS = "every card lies on the table: there is nothing to deal on with"


class PitRefused(UpcardError):  # noqa: N818 - casino English, not a traceback
    """An order that was not carried out; nothing has changed."""

    def __init__(self, reason: PitRefusal, **details: object) -> None:
        self.reason = reason
        super().__init__(reason.value.format(**details))


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table as it stands."""

    catalog: Catalog = field(repr=False)
    layout: Layout = field(repr=False)
    posted_minimum: Cents
    shuffler: str  # of the shoe on the table
    next_shuffler: str  # of the shoes to come
    seats: Mapping[int, str] = field(default_factory=dict)  # in the order in which they were taken
    flat_bettors: frozenset[str] = frozenset()
    first_wagers: Mapping[str, Mapping[int, Stakes]] = field(default_factory=dict)  # of this shoe, by player
    shoe_cards: int = 0  # left in the shoe; 0 before the first shoe
    cut_card: int = 0  # cards before the cut card; below nothing: it is out
    came_out: Mapping[int, int] = field(default_factory=dict)  # of this shoe, by card
    shoe_over: bool = True
    closing: bool = False
    closed: bool = False
    dealt_by_hand: bool = False  # a person deals; a round that is played stays on the felt until he has paid
    round: Round | None = None
    terms: Terms | None = None


def open_table(catalog: Catalog, layout: Layout, *, dealt_by_hand: bool = False) -> Table:
    """A table as its layout posts it; the decks are verified when the shoe is made."""
    return Table(
        catalog=catalog,
        layout=layout,
        posted_minimum=Cents(layout.posted_minimum),
        shuffler=layout.shuffler,
        next_shuffler=layout.shuffler,
        dealt_by_hand=dealt_by_hand,
    )


def order(table: Table, command: o.Order) -> tuple[Table, tuple[o.Said, ...]]:
    """The table after an order of the house or a guest; raises PitRefused, changing nothing."""
    if table.closed:
        raise PitRefused(PitRefusal.TABLE_CLOSED)
    changed, *sentences = _carry_out(table, command)
    if not isinstance(changed, Table):
        raise TypeError("an order must begin with the changed table")
    return changed, tuple(o.Said(str(sentence)) for sentence in sentences)


def play(table: Table, command: c.Command) -> tuple[Table, tuple[Event | o.Said, ...]]:
    """The table after a command of its round; raises CommandRefused or PitRefused, changing nothing."""
    if table.round is None or table.terms is None:
        raise PitRefused(PitRefusal.NO_ROUND)
    from_shoe = turned_over = False
    if isinstance(command, c.DealCard):
        turned_over = awaiting(table.round, table.terms) == DealerCard("reveal")
        from_shoe = not turned_over
        _check_shoe(table, command.card, turned_over=turned_over)
    state, events = apply(table.round, table.terms, command)
    said: list[Event | o.Said] = list(events)
    if isinstance(command, c.DealCard):
        table, words = _count(table, state, command.card, from_shoe=from_shoe)
        said = [*words, *said]
    else:
        table = replace(table, round=state)
    if state.phase is Phase.OVER and not table.dealt_by_hand:
        table, words = _end_round(table, state)
        said += words
    return table, tuple(said)


def _carry_out(table: Table, command: o.Order) -> Iterator[Table | str]:
    match command:
        case o.Seat(player, spot):
            yield from _seat(table, player, spot)
        case o.Leave(spot):
            yield from _leave(table, spot)
        case o.AskToRelinquish(player):
            yield from _relinquish(table, player)
        case o.PostMinimum(amount):
            _between_rounds(table)
            why = posted_minimum_complaint(table.catalog, table.layout, amount)
            if why:
                raise PitRefused(PitRefusal.BAD_MINIMUM, why=why)
            yield replace(table, posted_minimum=amount)
            yield f"the posted minimum is {dollars(amount)}"
        case o.NotifyFlatBet(player):
            yield from _flat_bet(table, player)
        case o.AnnounceClosing():
            yield replace(table, closing=True, closed=table.shoe_over and table.round is None)
            yield "the game ends after this shoe"
        case o.SetShuffler(shuffler):
            _between_rounds(table)
            if shuffler not in ("hand", "automatic"):
                raise PitRefused(PitRefusal.BAD_SHUFFLER, shuffler=shuffler)
            yield replace(table, next_shuffler=shuffler, shuffler=shuffler if table.shoe_over else table.shuffler)
            yield f"the next shoe is shuffled by {'hand' if shuffler == 'hand' else 'machine'}"
        case o.NewShoe(cut_card):
            yield from _new_shoe(table, cut_card)
        case o.BeginRound():
            yield from _begin_round(table)
        case o.VoidRound(reason):
            if table.round is None:
                raise PitRefused(PitRefusal.NO_ROUND)
            ended, words = _end_shoe(replace(table, round=None, terms=None))
            yield ended
            yield f"the round is void: {reason}; every stake goes back"
            yield from (word.sentence for word in words)
        case o.EndShoe():
            yield from _cut_short(table)
        case o.EndRound():
            yield from _paid(table)
        case o.ReturnDiscards():
            yield from _return_discards(table)
        case _:
            assert_never(command)


def _between_rounds(table: Table) -> None:
    if table.round is not None:
        raise PitRefused(PitRefusal.ROUND_RUNNING)


def spots_of(table: Table, player: str) -> list[int]:
    """A player's spots, in the order in which he took them."""
    return [spot for spot, owner in table.seats.items() if owner == player]


def _before_the_deal(table: Table) -> None:
    if table.round is not None and table.round.phase is not Phase.BETTING:
        raise PitRefused(PitRefusal.ROUND_RUNNING)


def _reseated(table: Table, seats: Mapping[int, str]) -> Table:
    """Guests come and go until the deal: wagers that are being made go on under the new seats."""
    changed = replace(table, seats=seats)
    return changed if table.round is None else replace(changed, terms=derive(changed))


def _seat(table: Table, player: str, spot: int) -> Iterator[Table | str]:
    _before_the_deal(table)
    conduct = table.catalog.game(table.layout.game).conduct
    if not 1 <= spot <= table.layout.spots:
        raise PitRefused(PitRefusal.NO_SUCH_SPOT, spots=table.layout.spots)
    if spot in table.seats:
        raise PitRefused(PitRefusal.SPOT_TAKEN, spot=spot, player=table.seats[spot])
    own = spots_of(table, player)
    if own and conduct.adjacent_spots and not any(abs(spot - other) == 1 for other in own):
        raise PitRefused(PitRefusal.NOT_ADJACENT, player=player)
    yield _reseated(table, {**table.seats, spot: player})
    yield f"{player} takes spot {spot}"


def _leave(table: Table, spot: int) -> Iterator[Table | str]:
    _before_the_deal(table)
    if spot not in table.seats:
        raise PitRefused(PitRefusal.SPOT_FREE, spot=spot)
    if table.round is not None and table.round.spot(spot) is not None:
        raise PitRefused(PitRefusal.WAGERS_LIE, spot=spot)
    player = table.seats[spot]
    kept = sorted(other for other in spots_of(table, player) if other != spot)
    conduct = table.catalog.game(table.layout.game).conduct
    if conduct.adjacent_spots and kept and kept[-1] - kept[0] >= len(kept):
        raise PitRefused(PitRefusal.SPOTS_APART, player=player)
    yield _reseated(table, {number: owner for number, owner in table.seats.items() if number != spot})
    yield f"{player} leaves spot {spot}"


def _relinquish(table: Table, player: str) -> Iterator[Table | str]:
    _between_rounds(table)
    own = spots_of(table, player)
    if not own:
        raise PitRefused(PitRefusal.NOT_SEATED, player=player)
    if not table.catalog.game(table.layout.game).conduct.relinquish_on_request:
        raise PitRefused(PitRefusal.NOT_OFFERED, what="giving up spots")
    kept = {spot: owner for spot, owner in table.seats.items() if spot not in own[1:]}
    yield replace(table, seats=kept)
    gone = ", ".join(str(spot) for spot in own[1:]) or "none"
    yield f"{player} is asked to give up his second and later spots: {gone}"


def _flat_bet(table: Table, player: str) -> Iterator[Table | str]:
    _between_rounds(table)
    if not table.catalog.game(table.layout.game).conduct.flat_betting:
        raise PitRefused(PitRefusal.NOT_OFFERED, what="flat betting")
    if player not in table.seats.values():
        raise PitRefused(PitRefusal.NOT_SEATED, player=player)
    yield replace(table, flat_bettors=table.flat_bettors | {player})
    yield f"{player} is told that he is held to the wagers of his first hand of this shoe"


def _new_shoe(table: Table, cut_card: int) -> Iterator[Table | str]:
    _between_rounds(table)
    if not table.shoe_over:
        raise PitRefused(PitRefusal.SHOE_RUNNING)
    cards = table.layout.decks * CARDS_A_DECK
    if not 0 < cut_card <= cards:
        raise PitRefused(PitRefusal.CUT_CARD_OUTSIDE, cards=cards)
    yield replace(
        table,
        shoe_cards=cards,
        cut_card=cut_card,
        shuffler=table.next_shuffler,
        came_out={},
        shoe_over=False,
        flat_bettors=frozenset(),
        first_wagers={},
    )
    yield f"a new shoe of {cards} cards, shuffled and cut"


def _begin_round(table: Table) -> Iterator[Table | str]:
    _between_rounds(table)
    if table.shoe_over:
        raise PitRefused(PitRefusal.NO_SHOE)
    yield replace(table, round=Round(), terms=derive(table))
    yield "place your wagers"


def _cut_short(table: Table) -> Iterator[Table | str]:
    if table.shoe_over:
        raise PitRefused(PitRefusal.NO_SHOE)
    if table.cut_card < 0:
        raise PitRefused(PitRefusal.CUT_CARD_OUT)
    ends = replace(table, cut_card=-1)
    if table.round is not None:
        yield ends
        yield "this is the last round of the shoe"
        return
    ended, words = _end_shoe(ends)
    yield ended
    yield from (word.sentence for word in words)


def _paid(table: Table) -> Iterator[Table | str]:
    if table.round is None or table.terms is None:
        raise PitRefused(PitRefusal.NO_ROUND)
    if table.round.phase is not Phase.OVER:
        raise PitRefused(PitRefusal.ROUND_NOT_OVER, awaited=awaiting(table.round, table.terms))
    ended, words = _end_round(table, table.round)
    yield ended
    yield from (word.sentence for word in words)


def _return_discards(table: Table) -> Iterator[Table | str]:
    if table.round is None:
        raise PitRefused(PitRefusal.NO_ROUND)
    if table.shoe_cards:
        raise PitRefused(PitRefusal.SHOE_NOT_EMPTY)
    lying = Counter(cards_on_table(table.round))
    cards = table.layout.decks * CARDS_A_DECK - lying.total() - int(table.round.hole_unknown)
    if not cards:
        raise PitRefused(PitRefusal.NO_DISCARDS)
    yield replace(table, shoe_cards=cards, came_out=lying)
    yield f"the shoe has run out: {cards} discards are shuffled and dealt on"


def _check_shoe(table: Table, dealt: Card | None, *, turned_over: bool) -> None:
    if not table.shoe_cards and not turned_over:
        raise PitRefused(PitRefusal.SHOE_EMPTY)
    if dealt is not None and table.came_out.get(dealt, 0) >= table.layout.decks:
        raise PitRefused(PitRefusal.NO_COPY_LEFT, decks=table.layout.decks, card=card_text(dealt))


def _count(table: Table, state: Round, dealt: Card | None, *, from_shoe: bool) -> tuple[Table, list[o.Said]]:
    """A card has come out; an unseen hole card that is turned over had left the shoe before."""
    came_out = dict(table.came_out)
    if dealt is not None:
        came_out[dealt] = came_out.get(dealt, 0) + 1
    if not from_shoe:
        return replace(table, round=state, came_out=came_out), []
    cut_card = table.cut_card - 1
    said = [o.Said("the cut card comes out: this is the last round of the shoe")] if cut_card == -1 else []
    left = table.shoe_cards - 1
    return replace(table, round=state, shoe_cards=left, cut_card=cut_card, came_out=came_out), said


def _end_round(table: Table, state: Round) -> tuple[Table, list[o.Said]]:
    first = {player: dict(spots) for player, spots in table.first_wagers.items()}
    for spot in state.spots:
        if spot.player not in table.first_wagers:
            first.setdefault(spot.player, {})[spot.number] = spot.wagers
    return _end_shoe(replace(table, round=None, terms=None, first_wagers=first))


def _end_shoe(table: Table) -> tuple[Table, list[o.Said]]:
    """After a round, played or void: the shoe is over once its cut card is out, and with it a table that closes."""
    if table.cut_card >= 0:
        return table, []
    said = [o.Said("the shoe is over"), *([o.Said("the table is closed")] if table.closing else [])]
    return replace(table, shoe_over=True, closed=table.closing), said
