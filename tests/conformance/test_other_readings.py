"""Random legal rounds at tables that choose other readings than their game, or keep one of four wagers small."""

import random

import pytest
from support.random_play import Player, RoundRecord, command_of

from upcard.catalog import shipped
from upcard.engine import Round, apply, legal, refusal
from upcard.engine import commands as c
from upcard.engine.events import Event
from upcard.engine.evolve import fold
from upcard.engine.round import Phase, Result
from upcard.pit import open_table
from upcard.pit import orders as o
from upcard.pit.table import order
from upcard.settlement import settle
from upcard.units import Basis

ROUNDS = 150
TABLES: list[tuple[str, dict[str, str]]] = [
    ("the-brook", {"R1": "literal", "R2": "not-offered", "R25": "offered", "R30": "same-proportion"}),
    ("lucky-ladies-jackpot", {"R1": "stand", "R7": "for-1"}),
    ("bet-bigger", {"R6": "lost", "R30": "same-proportion"}),
    ("lucky-ladies", {"R6": "lost"}),
    ("lucky-ladies", {"R9": "before-peek"}),
    ("lucky-ladies", {"R6": "lost", "R9": "before-peek"}),
    ("double-action-with-21-3", {}),
]


def player_at(layout: str, readings: dict[str, str], spots: int) -> Player:
    player = Player(layout, seed=spots, spots=spots)
    changed = shipped().layout(layout).model_copy(update={"readings": readings})
    player.table = open_table(shipped(), changed)
    for spot in range(1, spots + 1):
        player.table, _ = order(player.table, o.Seat(f"P{spot}", spot))
    return player


@pytest.mark.parametrize("spots", [1, 3])
@pytest.mark.parametrize(("layout", "readings"), TABLES)
def test_random_rounds_obey_the_readings(layout: str, readings: dict[str, str], spots: int) -> None:
    player = player_at(layout, readings, spots)
    for number in range(ROUNDS):
        record = player.play_round()
        every_choice_is_allowed(record, random.Random(number))
        the_same_commands_give_the_same_events(record)
        readings_are_followed(record, readings)


def every_choice_is_allowed(record: RoundRecord, chance: random.Random) -> None:
    for state in record.states[:-1]:
        for choice in legal(state, record.terms):
            if choice.order not in (c.DealCard, c.Peek):
                command = command_of(choice, chance)
                assert refusal(state, record.terms, command) is None, command


def the_same_commands_give_the_same_events(record: RoundRecord) -> None:
    state = Round()
    events: list[Event] = []
    for command in record.commands:
        state, happened = apply(state, record.terms, command)
        events += happened
    assert events == record.events
    assert state == fold(Round(), tuple(events))
    assert state.phase is Phase.OVER


def readings_are_followed(record: RoundRecord, readings: dict[str, str]) -> None:
    final, terms = record.final, record.terms
    over = {Result.BUST, Result.SURRENDER, Result.BLACKJACK, Result.EVEN_MONEY}
    for slip in settle(final, terms):
        spot, wager = final.spot(slip.spot), terms.wagers.get(slip.wager)
        assert spot is not None
        if wager is None:
            continue
        hands = {hand.result for hand in spot.hands}
        if readings.get("R6") == "lost" and slip.wager in ("Break Bonus", "Bust Bonus") and hands <= over:
            assert slip.taken == slip.stake
        if readings.get("R7") == "for-1" and slip.wager == "Lucky Ladies" and wager.paytable is not None:
            assert wager.paytable.basis is Basis.FOR_ONE
            assert slip.returned == 0
    for spot in final.spots:
        if readings.get("R30") == "same-proportion":
            assert all(len({hand.doubled.get(name, 0) for name in hand.stakes}) == 1 for hand in spot.hands)
        if terms.small_stake is not None and len(spot.wagers) == terms.most_wagers:
            assert min(spot.wagers.values()) <= terms.small_stake
        if readings.get("R2") == "not-offered":
            assert all(hand.result is not Result.SURRENDER for hand in spot.hands)
