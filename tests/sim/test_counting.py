"""The true count and what the player makes of it, worked out once more from the cards of the log."""

from fractions import Fraction
from math import floor

import numpy as np
import pytest
from support.compiled_games import compiled

from upcard.cards import ACE, rank_of
from upcard.sim.chunk import trace_chunk
from upcard.strategy.counting import parse_count
from upcard.strategy.player import HIGHEST_COUNT, LOWEST_COUNT, Player, RampStep

ROUNDS = 3_000
INSURES_FROM = 1


@pytest.mark.parametrize("spots", [1, 3])
@pytest.mark.parametrize("name", ["hilo", "halves", "ko", "tens"])
def test_rounds_are_played_and_insured_by_the_true_count_of_the_cards_seen(name: str, spots: int) -> None:
    """Rounded down, over the decks that are left; before insurance all cards of the deal are seen but the hole card.

    An unbalanced count is centred: the mean of its tags is subtracted for every card seen.
    """
    count = parse_count(name)
    player = Player(count=count, ramp=(RampStep(since=1, times=3),), insures_from=INSURES_FROM, main_only=True)
    game = compiled("lucky-ladies", player, spots=spots)
    _, trace, shoe = trace_chunk(game.program, 8, 0, ROUNDS)
    cards, before, begin = len(game.program.cards), 0, 0
    insured = {True: 0, False: 0}

    def true(end: int) -> int:
        seen = end - begin
        running = sum(count.tags[int(card)] for card in shoe.log[begin:end]) - Fraction(sum(count.tags) * int(seen), 52)
        return floor(running / count.scale / Fraction(cards - seen, 52))

    for number in range(ROUNDS):
        end, _, plan, column, new, _ = trace.rounds[number].tolist()
        if new:
            begin = before
        at = min(max(true(before), LOWEST_COUNT), HIGHEST_COUNT)
        assert column == at - LOWEST_COUNT
        assert list(game.spread.bets[plan].values()) == [1500 if at >= 1 else 500]
        if rank_of(shoe.log[before + spots]) == ACE:
            insures = true(before + 2 * spots + 1) >= INSURES_FROM
            assert (trace.spots[number, :, 2] > 0).tolist() == [insures] * spots
            insured[insures] += 1
        else:
            assert not np.any(trace.spots[number, :, 2])
        before = end
    assert min(insured.values()) > 20
