"""Parses the options of `upcard simulate`: the table, the player, and how much to play."""

from dataclasses import replace
from pathlib import Path

from upcard.cards import SUIT_NAMES
from upcard.catalog.game import Game, RuleSettings
from upcard.catalog.layout import Layout
from upcard.catalog.readings_in_force import rules_in_force
from upcard.cli.catalog_in_use import catalog_in_use
from upcard.cli.commands.simulate_options import SimulateOptions
from upcard.cli.layout_lookup import find_table
from upcard.cli.options import one_game
from upcard.odds.main.rules import MainRules, changed, from_game, read_decks
from upcard.problems import BadRequest, UnknownName
from upcard.sim.chunk import ROUNDS
from upcard.strategy.counting import parse_count
from upcard.strategy.player import Player, load_player, parse_insurance, parse_ramp, parse_rule
from upcard.units import Basis, Odds, share

MOST_ROUNDS = 10**13
USUAL_ROUNDS = 10**7
USUAL_HORIZON = 10**4


def read_table(options: SimulateOptions) -> tuple[Game, Layout, MainRules]:
    """The game, its layout with the changes asked for, and the rules in the form that `odds` uses."""
    game, layout = find_table(one_game(options.name, options.game), options.layout)
    before = from_game(rules_in_force(catalog_in_use(), layout))
    rules, decks_set = changed(before, options.settings)
    if rules.hole != before.hole or rules.surrender == "early":
        raise BadRequest(
            "the simulator always deals with a peek: use upcard odds main to price hole or surrender=early"
        )
    if options.decks is not None and decks_set is not None and options.decks != decks_set:
        raise BadRequest(f"--decks {options.decks} and --set decks={decks_set} contradict each other")
    decks = options.decks if options.decks is not None else decks_set
    settings = {key: getattr(rules, key) for key in RuleSettings.model_fields if hasattr(rules, key)}
    settings["blackjack"] = Odds(rules.blackjack, Basis.TO_ONE)
    update: dict[str, object] = {"rules": RuleSettings.model_construct(**settings)}
    if decks is not None:
        update["decks"] = read_decks(str(decks))
    if options.suit is not None:
        if options.suit.lower() not in SUIT_NAMES:
            raise UnknownName(what="suit", name=options.suit, known=SUIT_NAMES, hint=f"{', '.join(SUIT_NAMES)}")
        layout = layout.with_suit(options.suit.lower())
    return game, layout.model_copy(update=update), rules


def read_player(options: SimulateOptions) -> Player:
    """The player from a file, or the default one, with the options on top."""
    player = load_player(Path(options.player)) if options.player else Player()
    rules = dict(player.rules) | dict(parse_rule(text) for text in options.wager)
    player = replace(player, rules=rules, main_only=player.main_only or options.main_only)
    if options.count is not None:
        player = replace(player, count=parse_count(options.count))
    if options.ramp is not None:
        player = replace(player, ramp=parse_ramp(options.ramp))
    if options.insurance is not None:
        always, true_count = parse_insurance(options.insurance)
        player = replace(player, always_insures=always, insures_from=true_count)
    if options.flat_after is not None:
        if options.flat_after < 0:
            raise BadRequest(f"--flat-after must be a number of rounds, not {options.flat_after}")
        player = replace(player, flat_after=options.flat_after)
    if player.needs_count and player.count is None:
        player = replace(player, count=parse_count("hilo"))
    return player


def read_rounds(options: SimulateOptions) -> int:
    """Reads 1000000, 1e6 or 1,000,000; without --rounds, a target alone decides when to stop."""
    if options.rounds is None:
        return MOST_ROUNDS if options.target_stderr is not None else USUAL_ROUNDS
    return _whole_rounds("--rounds", options.rounds)


def read_horizon(options: SimulateOptions) -> int:
    """Rounds within which a bankroll must last."""
    if options.horizon is None:
        return USUAL_HORIZON
    if options.bankroll is None:
        raise BadRequest("--horizon needs --bankroll, such as --bankroll '$5,000'")
    return _whole_rounds("--horizon", options.horizon)


def _whole_rounds(option: str, text: str) -> int:
    try:
        value = float(text.replace(",", "").replace("_", ""))
    except ValueError:
        value = -1.0
    if not (value >= 1 and value <= MOST_ROUNDS and value == int(value)):
        raise BadRequest(f"{option} must be a whole number from 1 to {MOST_ROUNDS:.0e}, such as 1e8, not {text!r}")
    return int(value)


def read_target(text: str) -> float:
    try:
        target = float(share(text if text.strip().endswith("%") else f"{text.strip()}%"))
    except ValueError:
        target = 0.0
    if target <= 0:
        raise BadRequest(f"--target-stderr must be a percentage above zero, such as 0.01%, not {text!r}")
    return target


def read_block(options: SimulateOptions, rounds: int) -> int:
    """Rounds per block of the distribution; a plot needs one even without --distribution."""
    if options.distribution is None:
        return min(1000, rounds) if options.plot else 0
    if not 1 <= options.distribution <= ROUNDS:
        raise BadRequest(f"--distribution must be between 1 and {ROUNDS:,} rounds, not {options.distribution}")
    if options.distribution > rounds:
        raise BadRequest(
            f"--distribution {options.distribution:,} is longer than the run of {rounds:,} rounds: play more rounds "
            "or ask for a shorter distribution"
        )
    return options.distribution
