"""Measures complete rounds per second of the engine on one core: one spot, every wager of the layout on.

To compare machines, it also times the same number of bare state changes with `dataclasses.replace`.
"""

import random
import sys
import time
from dataclasses import replace

from upcard.cards import DECK, Card
from upcard.catalog import shipped
from upcard.engine import Round, Terms, apply, awaiting, refusal
from upcard.engine import commands as c
from upcard.engine.awaiting import DealerCard, InsuranceAnswers, PlayerCard, PlayerDecision, Wagers
from upcard.pit import open_table
from upcard.pit import orders as o
from upcard.pit.table import order
from upcard.settlement import settle
from upcard.units import Cents

PROMISE = 1000  # rounds per second
ROUNDS = 2000


def terms_of(layout: str) -> Terms:
    table = open_table(shipped(), shipped().layouts[layout])
    for step in (o.Seat("Ann", 1), o.NewShoe(52), o.BeginRound()):
        table, _ = order(table, step)
    if table.terms is None:
        raise RuntimeError("no terms after the round began")
    return table.terms


def play_round(terms: Terms, shoe: list[Card]) -> int:
    state, changes = Round(), 0
    while True:
        command = decide(state, terms, shoe)
        if command is None:
            settle(state, terms)
            return changes
        state, events = apply(state, terms, command)
        changes += len(events)


def decide(state: Round, terms: Terms, shoe: list[Card]) -> c.Command | None:
    match awaiting(state, terms):
        case Wagers(late):
            spot = state.spot(1)
            placed = spot.wagers if spot else {}
            for name, wager in terms.wagers.items():
                if name not in placed and wager.late == late and not wager.off:
                    amount = wager.amounts[0] if wager.amounts else Cents(max(wager.least, 500))
                    return c.PlaceWager(1, name, placed.get(wager.equals, amount))
            return c.CloseLateWagers() if late else c.CloseBetting()
        case PlayerCard() | DealerCard():
            return c.DealCard(shoe.pop())
        case InsuranceAnswers():
            return c.CloseInsurance()
        case PlayerDecision(spot=number, hand=turn):
            if refusal(state, terms, c.Split(number)) is None:
                return c.Split(number)
            seat = state.spot(number)
            low = seat is not None and seat.hands[turn].points < 17
            return c.Hit(number) if low and refusal(state, terms, c.Hit(number)) is None else c.Stay(number)
        case _:
            return None


def main() -> int:
    chance = random.Random(1)
    broken = 0
    for layout in ("the-brook", "lucky-ladies-jackpot", "bet-bigger", "lucky-ladies", "double-action"):
        terms = terms_of(layout)
        shoes = [chance.sample(DECK * terms.decks, 60) for _ in range(ROUNDS)]
        play_round(terms, list(shoes[0]))
        start = time.perf_counter()
        changes = sum(play_round(terms, shoe) for shoe in shoes)
        took = time.perf_counter() - start
        start = time.perf_counter()
        for _ in range(changes):
            replace(Round(), cards_dealt=1)
        baseline = time.perf_counter() - start
        rate = ROUNDS / took
        broken += rate < PROMISE
        verdict = "kept" if rate >= PROMISE else "BROKEN"
        print(f"{layout:22} {rate:7.0f} rounds/s  {took / baseline:4.1f} x bare states  promise {PROMISE} {verdict}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
