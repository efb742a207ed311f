"""A bet spread: the stakes at each true count. The engine checks every bet before it is played."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from upcard.engine import commands as c
from upcard.engine.apply import apply
from upcard.engine.command_rules import CommandRefused, Refusal, refusal
from upcard.engine.round import Phase, Round
from upcard.engine.terms import Terms, WagerTerms
from upcard.problems import BadRequest, UnknownName
from upcard.sim.kernel import LOST_WITH_HAND, SpreadArrays, Words
from upcard.strategy.player import HIGHEST_COUNT, LOWEST_COUNT, Player, WagerRule
from upcard.units import Cents, dollars
from upcard.wagers import DealerHandKind, SettlesAt

NEVER = 1 << 40
Bet = Mapping[str, Cents]  # the stakes of a round, by wager in the order of the layout; wagers not made are left out


@dataclass(frozen=True, kw_only=True)
class BetSpread:
    """The different bets, which of them each true count takes, and notices of wagers that had to be left out."""

    bets: tuple[Bet, ...]
    of_bin: tuple[int, ...]
    notices: tuple[str, ...]

    @property
    def wagers(self) -> tuple[str, ...]:
        """Every wager that some bet makes."""
        return tuple(dict.fromkeys(name for bet in self.bets for name in bet))


def bet_spread(terms: Terms, player: Player) -> BetSpread:
    """The bet at every true count, checked by the engine."""
    for name in player.rules:
        if name not in terms.wagers:
            raise UnknownName(
                what="wager", name=name, known=terms.wagers, hint=f"the wagers are {', '.join(terms.wagers)}"
            )
    if player.rules.get(terms.main.name, WagerRule()).off:
        raise BadRequest(f"{terms.main.name} cannot be off: every round needs it")
    bets: list[Bet] = []
    of_bin: list[int] = []
    notices: dict[str, None] = {}
    for true in range(LOWEST_COUNT, HIGHEST_COUNT + 1) if player.count else (0,):
        bet = _bet(terms, player, true, notices)
        if bet not in bets:
            bets.append(bet)
        of_bin.append(bets.index(bet))
    return BetSpread(bets=tuple(bets), of_bin=tuple(of_bin), notices=tuple(notices))


def spread_arrays(terms: Terms, player: Player, spread: BetSpread, *, cards: int) -> SpreadArrays:
    """The bet spread as the kernel reads it."""
    scale = player.count.centred.scale if player.count else 1
    inverse = 1.0 / (scale * np.maximum(cards - np.arange(cards + 1), 1).astype(np.float64))
    insure_from = player.insures_from if player.insures_from is not None else -NEVER
    return SpreadArrays(
        bins=len(spread.of_bin),
        low=LOWEST_COUNT if player.count else 0,
        inverse=inverse,
        bet=np.array(spread.of_bin, dtype=np.uint8),
        bets=len(spread.bets),
        flat_after=NEVER if player.flat_after is None else player.flat_after,
        insure_from=insure_from,
        insures=int(player.always_insures or player.insures_from is not None),
        bonus=np.array([_bonus(terms, bet) for bet in spread.bets], dtype=np.uint8),
        keeps=np.array([_keeps_cards(terms, bet) for bet in spread.bets], dtype=np.uint8),
        slot=_slots(spread, any_bet=player.flat_after is not None),
    )


def _slots(spread: BetSpread, *, any_bet: bool) -> Words:
    """A slot for each count and its bet; a flat bettor, held to a shoe's first wagers, makes any bet at any count.

    The first bin takes the first bet, so the first slot is at the first place.
    """
    occurs = np.full((len(spread.of_bin), len(spread.bets)), any_bet)
    occurs[np.arange(len(spread.of_bin)), spread.of_bin] = True
    return (np.cumsum(occurs) - 1).clip(0).astype(np.uint16)


def _bet(terms: Terms, player: Player, true: int, notices: dict[str, None]) -> Bet:
    placed: dict[str, Cents] = {}
    for late in (False, True):
        for name, wager in terms.wagers.items():
            rule = player.rules.get(name)
            made = rule is not None or wager.is_main or not player.main_only
            rule = rule or WagerRule()
            if wager.late is not late or not made or rule.off or (rule.since is not None and true < rule.since):
                continue
            amount = _amount(terms, player, wager, rule, true, placed)
            refused = _refusal(terms, placed, name, amount)
            if refused is None:
                placed[name] = amount
            elif name not in player.rules and refused[0] in (Refusal.WAGER_OFF, Refusal.TOO_MANY_WAGERS):
                notices[f"{name} is not played: {refused[1]}"] = None
            else:
                raise BadRequest(refused[1])
    return {name: placed[name] for name in terms.wagers if name in placed}


def _amount(
    terms: Terms, player: Player, wager: WagerTerms, rule: WagerRule, true: int, placed: Mapping[str, Cents]
) -> Cents:
    if wager.equals:
        return rule.amount if rule.amount is not None else placed[wager.equals]
    least = wager.amounts[0] if wager.amounts else Cents(-(-wager.least // wager.step) * wager.step)
    amount = rule.amount if rule.amount is not None else least
    if wager is not terms.main:
        return amount
    times = next((step.times for step in reversed(player.ramp) if step.since <= true), 1)
    if times * amount > wager.most:
        raise BadRequest(
            f"the ramp asks for {times} x {dollars(amount)}, but the largest {wager.name} is {dollars(wager.most)}"
        )
    return Cents(times * amount)


def _refusal(terms: Terms, placed: Mapping[str, Cents], name: str, amount: Cents) -> tuple[Refusal, str] | None:
    """Why the engine refuses a wager next to those already placed, or None."""
    state = Round()
    try:
        for other, stake in placed.items():
            if not terms.wagers[other].late:
                state, _ = apply(state, terms, c.PlaceWager(1, other, stake))
    except CommandRefused as refused_wager:
        raise BadRequest(str(refused_wager)) from None
    if terms.wagers[name].late:
        state = Round(phase=Phase.LATE_WAGERS, spots=state.spots)
    refused = refusal(state, terms, c.PlaceWager(1, name, amount))
    return None if refused is None else (refused.reason, refused.sentence)


def _bonus(terms: Terms, bet: Bet) -> int:
    wagers = [wager for name in bet if isinstance((wager := terms.wagers[name]).kind, DealerHandKind)]
    if any(wager.lost_with_hand for wager in wagers):
        if not all(wager.lost_with_hand for wager in wagers):
            raise BadRequest("cannot simulate a wager that is lost with the hand (R6) beside one that is not")
        return LOST_WITH_HAND
    kinds = [wager.kind for wager in wagers]
    forfeits = [kind.lost_on_player_total is not None for kind in kinds if isinstance(kind, DealerHandKind)]
    return (1 if False in forfeits else 0) + (2 if True in forfeits else 0)


def _keeps_cards(terms: Terms, bet: Bet) -> int:
    late = (SettlesAt.REVEAL, SettlesAt.DEALER_DONE)
    offered = [terms.wagers[name] for name in bet if terms.wagers[name].keeps_cards]
    keeping = [wager for wager in offered if wager.kind is not None and wager.kind.settles in late]
    if not keeping:
        return 0
    return 2 if all(wager.lost_with_hand for wager in keeping) else 1
