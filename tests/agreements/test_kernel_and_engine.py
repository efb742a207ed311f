"""The kernel's own shoes and decisions, told to pit, engine and settlement: one definition of the rules."""

import os
from itertools import islice
from typing import Any

import numpy as np
import pytest
from support.compiled_games import GAMES, any_chart, compiled

from upcard.sim.chunk import play_chunk, trace_chunk
from upcard.sim.compile import Compiled
from upcard.sim.event_classes import NOT_MADE
from upcard.sim.replay import replay
from upcard.sim.sums import net_of
from upcard.strategy.counting import parse_count
from upcard.strategy.player import Player, RampStep, WagerRule

SOAK = bool(os.environ.get("UPCARD_SOAK"))
ROUNDS = 100_000 if SOAK else 1_200
PARTS = 4  # so that workers can share a game
HILO = parse_count("hilo")


def agree(game: Compiled, seed: int, rounds: int) -> None:
    disagreements = list(islice(replay(game, seed=seed, rounds=rounds), 1))
    assert not disagreements, disagreements[0]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("spots", [1, 3])
@pytest.mark.parametrize("game", GAMES)
def test_every_wager_has_the_same_event_stake_and_net(game: str, spots: int, part: int) -> None:
    agree(compiled(GAMES[game], spots=spots), seed=part, rounds=ROUNDS // PARTS)


ODD_RULES: list[dict[str, Any]] = [
    {"soft17": "until_hard"},
    {"soft17": "stand", "split": "value"},
    {"resplit_aces": True, "hit_split_aces": True},
    {"double": "9-11", "das": False},
    {"double": "10-11", "hands": 2, "resplit_aces": False},
    {"double": "none", "das": False, "surrender": "late"},
    {"hands": 8, "resplit_aces": True},
]


@pytest.mark.parametrize("number", range(len(ODD_RULES)))
def test_any_rules_under_any_chart_are_played_as_the_engine_plays_them(number: int) -> None:
    """A chart drawn at random reaches what no sensible one does: busts on 30 (R11), doubled aces, eight hands."""
    layouts = ["lucky-ladies", "bet-bigger", "double-action-second-action", "the-brook"]
    game = compiled(
        layouts[number % len(layouts)], chart=any_chart(number), spots=(1, 3)[number % 2], **ODD_RULES[number]
    )  # fmt: skip
    agree(game, seed=number, rounds=20 * (40 if SOAK else 6))


@pytest.mark.parametrize("main_only", [True, False], ids=["main", "with a bonus that waits"])
def test_a_shoe_that_runs_out_is_dealt_on_from_the_discards(main_only: bool) -> None:
    """R33: one deck, six spots; more cards come out of a shoe than it has, and the table takes every one of them.

    A lost hand lies on the table as long as a wager beside it waits for the dealer, and is not dealt on with.
    """
    game = compiled("lucky-ladies", Player(main_only=main_only), chart=any_chart(3), decks=1, spots=6)
    _, trace, _ = trace_chunk(game.program, 5, 0, 400)
    longest = int(np.diff(trace.rounds[trace.rounds[:, 5] == 1, 0]).max())
    assert longest > 52
    agree(game, seed=5, rounds=400)


OTHER_READINGS: list[tuple[str, dict[str, str]]] = [
    ("bet-bigger", {"R1": "literal", "R2": "not-offered", "R6": "lost", "R30": "same-proportion"}),
    ("lucky-ladies", {"R6": "lost"}),
    ("lucky-ladies", {"R9": "before-peek"}),
    ("lucky-ladies", {"R6": "lost", "R9": "before-peek"}),
    ("lucky-ladies-jackpot", {"R1": "stand", "R7": "for-1"}),
]


@pytest.mark.parametrize("spots", [1, 3])
@pytest.mark.parametrize(("layout", "readings"), OTHER_READINGS)
def test_other_readings_are_simulated_as_the_engine_plays_them(
    layout: str, readings: dict[str, str], spots: int
) -> None:
    agree(compiled(layout, readings=readings, spots=spots), seed=4, rounds=ROUNDS)
    agree(compiled(layout, chart=any_chart(6), readings=readings, spots=spots), seed=5, rounds=ROUNDS // 4)


@pytest.mark.parametrize("layout", ["bet-bigger", "lucky-ladies"])
def test_a_hand_whose_bonus_went_with_it_is_dealt_on_with(layout: str) -> None:
    """R6, R33: once the spot's last hand is gone its wager is lost, and all its cards are discards."""
    game = compiled(layout, chart=any_chart(3), decks=1, spots=6, readings={"R6": "lost"})
    _, trace, _ = trace_chunk(game.program, 5, 0, 400)
    assert int(np.diff(trace.rounds[trace.rounds[:, 5] == 1, 0]).max()) > 52
    agree(game, seed=5, rounds=400)


def test_a_counter_who_is_held_flat_makes_the_wagers_of_the_shoes_first_hand() -> None:
    """001: after notice, only the wagers of the first hand are allowed until the shoe ends."""
    player = Player(
        count=HILO,
        ramp=(RampStep(since=1, times=2),),
        rules={"Lucky Ladies": WagerRule(since=2), "Bet Bigger 4x": WagerRule(since=1)},
        insures_from=2,
        flat_after=7,
    )
    game = compiled("lucky-ladies-jackpot", player)
    _, trace, _ = trace_chunk(game.program, 3, 0, 600)
    assert set(trace.rounds[:, 2].tolist()) > {0}  # several plans are played
    agree(game, seed=3, rounds=600)


def test_the_bonus_made_after_the_peek_is_not_made_when_the_dealer_has_blackjack() -> None:
    """003, R9."""
    game = compiled("lucky-ladies")
    _, trace, _ = trace_chunk(game.program, 1, 0, 2_000)
    late = game.classes.dealer_events
    wager_made = [late[int(dealer)] != (NOT_MADE,) for dealer in trace.spots[:, 0, 1]]
    assert 0.9 < np.mean(wager_made) < 1


@pytest.mark.parametrize("spots", [1, 3])
def test_writing_everything_down_changes_no_count(spots: int) -> None:
    game = compiled("lucky-ladies", Player(count=HILO, always_insures=True), spots=spots)
    traced, _, _ = trace_chunk(game.program, 9, 4, 20_000)
    plain = play_chunk(game.program, 9, 4, 20_000)
    assert np.array_equal(traced.cells, plain.cells)
    assert np.array_equal(traced.split_hands, plain.split_hands)
    assert np.array_equal(traced.squares, plain.squares)
    assert int(plain.cells.sum()) == 20_000 * spots


@pytest.mark.parametrize(("game", "flat_after"), [("lucky-ladies", None), ("double-action", 5)])
def test_sums_of_rounds_are_those_of_their_spots(game: str, flat_after: int | None) -> None:
    """Squares by count and plan, cents, and blocks, against every wager of every spot as it was written down."""
    player = Player(count=HILO, insures_from=1, ramp=(RampStep(since=2, times=2),), flat_after=flat_after)
    program = compiled(game, player, spots=3).program
    tallied, trace, _ = trace_chunk(program, 2, 0, 20_000)
    plan, column = trace.rounds[:, 2, None], trace.rounds[:, 3]
    deal, dealer, insured, result = np.moveaxis(trace.spots, 2, 0)
    nets, bins, plans = program.nets, program.spread.bins, program.spread.bets
    _, dealers, deals, _, results = program.cells
    wagers = [
        *np.moveaxis(nets.deal.reshape(plans, deals, -1)[plan, deal], 2, 0),
        *np.moveaxis(nets.dealer.reshape(plans, dealers, -1)[plan, dealer], 2, 0),
        nets.main.reshape(plans, results)[plan, result],
        nets.insurance.reshape(plans, 3)[plan, insured],
    ]
    rounds = np.array([wager.sum(axis=1) for wager in wagers])
    totals = rounds.sum(axis=0)
    expected = np.zeros((bins, plans, len(wagers) + 1), dtype=np.int64)
    np.add.at(expected, (column, plan[:, 0]), np.vstack([rounds, totals]).T ** 2)
    assert np.array_equal(tallied.squares.reshape(expected.shape), expected)
    assert (expected.sum(axis=(0, 1)) > 0).all()
    assert net_of(program, tallied) == totals.sum()
    assert np.array_equal(play_chunk(program, 2, 0, 20_000, 100).blocks, totals.reshape(-1, 100).sum(axis=1))
