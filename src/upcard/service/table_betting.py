"""Wagers at a table: bets, cleared wagers, doubles, insurance, and players who are ready."""

from collections.abc import Mapping

from upcard.engine import commands as c
from upcard.engine import legal
from upcard.engine.awaiting import Wagers, awaiting
from upcard.engine.round import Phase, Round, Stakes
from upcard.frozen import replace
from upcard.pit import orders as o
from upcard.pit.terms import promotions_on
from upcard.service import commands as s
from upcard.service.betting_closing import close_when_all_ready, end_empty_betting
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.stored_events import table_event
from upcard.service.table_draft import TableDraft, handles
from upcard.service.table_seats import check_seated, come_back, mark_present
from upcard.service.table_shoes import begin_shoe
from upcard.units import Cents

PLAYER_READY = table_event("player-ready", player="text")
ROUND_BEGUN = table_event("round-begun", round="int")


@handles(s.Bet, s.BetSpots)
def bet(draft: TableDraft, command: s.Bet | s.BetSpots) -> None:
    """Places stakes on the circles of a spot, or of several spots of a player: a refusal of one of them refuses all.
    The first bet begins a round. A player who bets is not ready yet, and is back if they were absent."""
    if isinstance(command, s.BetSpots):
        check_seated(draft.live, command.player)
    spots = command.spots if isinstance(command, s.BetSpots) else {command.spot: command.stakes}
    for number, stakes in sorted(spots.items()):
        if isinstance(command, s.BetSpots) and draft.live.table.seats.get(number) != command.player:
            raise ServiceRefused(ServiceRefusal.NOT_YOURS, player=command.player, spot=number)
        if draft.live.table.round is None:
            _begin_round(draft)
        state, terms = draft.live.table.round, draft.live.table.terms
        one_small = terms is not None and terms.small_stake is not None
        for wager, amount in _smaller_first(state, number, stakes) if one_small else stakes.items():
            draft.say(c.PlaceWager(number, wager, Cents(amount)))
    player = command.player if isinstance(command, s.BetSpots) else draft.live.table.seats[command.spot]
    if player in draft.live.ready:
        draft.live = replace(draft.live, ready=draft.live.ready - {player})
    if player in draft.live.absent:
        come_back(draft, player)
    if isinstance(command, s.BetSpots) and command.ready:
        _be_ready(draft, player)


def _smaller_first(state: Round | None, number: int, stakes: Mapping[str, int]) -> list[tuple[str, int]]:
    """Where one wager must stay small (R31): first those that lower a stake on the felt, then the others as given."""
    spot = None if state is None else state.spot(number)
    on_felt: Stakes = {} if spot is None else spot.wagers
    return sorted(stakes.items(), key=lambda stake: stake[1] >= on_felt.get(stake[0], 0))


def _begin_round(draft: TableDraft) -> None:
    live = draft.live
    if live.table.shoe_over and not live.table.closed and not live.table.dealt_by_hand:
        begin_shoe(draft)
    layout = live.rules.layout
    if layout.promotion:
        table = replace(draft.live.table, layout=promotions_on(layout, draft.moment.day))
        draft.live = replace(draft.live, table=table)
    draft.say(o.BeginRound())
    number = live.round + 1
    draft.live = replace(draft.live, round=number, first=live.version + 1, stakes={}, ready=frozenset())
    draft.add_event(ROUND_BEGUN, round=number)


@handles(s.ClearWagers)
def clear(draft: TableDraft, command: s.ClearWagers) -> None:
    """Clears wagers; without any, the round ends."""
    draft.say(command)
    end_empty_betting(draft)


@handles(s.ClearSpots)
def clear_spots(draft: TableDraft, command: s.ClearSpots) -> None:
    """Takes back all wagers of a player; without any wagers, the round ends."""
    check_seated(draft.live, command.player)
    state = draft.live.table.round
    if state is None or state.phase is not Phase.BETTING:
        raise ServiceRefused(ServiceRefusal.NOTHING_TO_CLOSE)
    for spot in [spot.number for spot in state.spots if spot.player == command.player]:
        draft.say(c.ClearWagers(spot))
    draft.live = replace(draft.live, ready=draft.live.ready - {command.player})
    end_empty_betting(draft)


@handles(s.NotifyFlatBet, s.AskToRelinquish)
def give_order(draft: TableDraft, command: s.NotifyFlatBet | s.AskToRelinquish) -> None:
    """Gives a player the floor's order; whose wagers it returns may bet again. Without any wagers, the round ends."""
    stakes = draft.live.stakes
    draft.say(command)
    if draft.live.stakes != stakes:
        draft.live = replace(draft.live, ready=draft.live.ready - {command.player})
    end_empty_betting(draft)


@handles(s.Double)
def double(draft: TableDraft, command: s.Double) -> None:
    """Doubles; for the full amount if none is given."""
    draft.say(c.Double(command.spot, command.amounts or _largest_amounts(draft, c.Double, command.spot)))


@handles(s.Insure)
def insure(draft: TableDraft, command: s.Insure) -> None:
    """Insures each main wager by the amount, or by the most allowed if none is given."""
    if command.amount is None:
        amounts = _largest_amounts(draft, c.Insure, command.spot)
    else:
        state = draft.live.table.round
        spot = state.spot(command.spot) if state else None
        names = tuple(spot.hands[0].stakes) if spot is not None and spot.hands else ()
        amounts = tuple((name, Cents(command.amount)) for name in names)
    draft.say(c.Insure(command.spot, amounts))


def _largest_amounts(draft: TableDraft, kind: type, spot: int) -> c.Amounts:
    """The largest amounts allowed; empty if the action is not allowed (the engine then says why)."""
    state, terms = draft.live.table.round, draft.live.table.terms
    if state is None or terms is None:
        return ()
    for choice in legal(state, terms):
        if choice.order is kind and choice.spot == spot:
            return tuple((name, allowed.most) for name, allowed in choice.amounts)
    return ()


@handles(s.Ready)
def be_ready(draft: TableDraft, command: s.Ready) -> None:
    check_seated(draft.live, command.player)
    _be_ready(draft, command.player)


def _be_ready(draft: TableDraft, player: str) -> None:
    state, terms = draft.live.table.round, draft.live.table.terms
    if state is None or terms is None or not isinstance(awaiting(state, terms), Wagers):
        raise ServiceRefused(ServiceRefusal.NOTHING_TO_CLOSE)
    draft.live = replace(draft.live, ready=draft.live.ready | {player})
    mark_present(draft, player)
    draft.add_event(PLAYER_READY, player=player)
    close_when_all_ready(draft)
