"""Plans of stakes: what stands on the felt at each true count. The engine judges every plan before it is played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from upcard.engine import commands as c
from upcard.engine.apply import apply
from upcard.engine.refusal import CommandRefused, Refusal, refusal
from upcard.engine.round import Phase, Round
from upcard.engine.terms import Terms, WagerTerms
from upcard.problems import BadRequest, UnknownName
from upcard.sim.kernel import Bets, Words
from upcard.strategy.player import HIGHEST, LOWEST, Player, Rule
from upcard.units import Cents, dollars
from upcard.wagers import DealerHandKind, SettlesAt

NEVER = 1 << 40
Plan = Mapping[str, Cents]  # by wager, in the order of the layout; what is not made is left out


@dataclass(frozen=True, kw_only=True)
class Plans:
    """The different plans, which of them each true count takes, and what had to be left out."""

    plans: tuple[Plan, ...]
    of_bin: tuple[int, ...]
    notices: tuple[str, ...]

    @property
    def made(self) -> tuple[str, ...]:
        """Every wager that some plan makes."""
        return tuple(dict.fromkeys(name for plan in self.plans for name in plan))


def plans(terms: Terms, player: Player) -> Plans:
    """Every true count's stakes, checked by the engine."""
    for name in player.rules:
        if name not in terms.wagers:
            raise UnknownName(what="wager", name=name, known=terms.wagers, hint=f"there are {', '.join(terms.wagers)}")
    if player.rules.get(terms.main.name, Rule()).off:
        raise BadRequest(f"nothing is played without the {terms.main.name}")
    chosen: list[Plan] = []
    of_bin: list[int] = []
    notices: dict[str, None] = {}
    for true in range(LOWEST, HIGHEST + 1) if player.count else (0,):
        plan = _plan(terms, player, true, notices)
        if plan not in chosen:
            chosen.append(plan)
        of_bin.append(chosen.index(plan))
    return Plans(plans=tuple(chosen), of_bin=tuple(of_bin), notices=tuple(notices))


def bets(terms: Terms, player: Player, plans: Plans, *, cards: int) -> Bets:
    """The arrays of a player's betting."""
    scale = player.count.scale if player.count else 1
    inverse = 1.0 / (scale * np.maximum(cards - np.arange(cards + 1), 1).astype(np.float64))
    since = player.insures_from if player.insures_from is not None else -NEVER
    return Bets(
        bins=len(plans.of_bin),
        low=LOWEST if player.count else 0,
        inverse=inverse,
        plan=np.array(plans.of_bin, dtype=np.uint8),
        plans=len(plans.plans),
        flat_after=NEVER if player.flat_after is None else player.flat_after,
        insure_from=since,
        insures=int(player.always_insures or player.insures_from is not None),
        bonus=np.array([_bonus(terms, plan) for plan in plans.plans], dtype=np.uint8),
        waits=np.array([_waits(terms, plan) for plan in plans.plans], dtype=np.uint8),
        slot=_slots(plans, any_plan=player.flat_after is not None),
    )


def _slots(plans: Plans, *, any_plan: bool) -> Words:
    """A plan goes with the counts that take it; held to a shoe's first wagers, a player makes any at any count.

    The first bin takes the first plan, so the first slot is at the first place.
    """
    together = np.full((len(plans.of_bin), len(plans.plans)), any_plan)
    together[np.arange(len(plans.of_bin)), plans.of_bin] = True
    return (np.cumsum(together) - 1).clip(0).astype(np.uint16)


def _plan(terms: Terms, player: Player, true: int, notices: dict[str, None]) -> Plan:
    placed: dict[str, Cents] = {}
    for late in (False, True):
        for name, wager in terms.wagers.items():
            rule = player.rules.get(name)
            wanted = rule is not None or wager.is_main or not player.main_only
            rule = rule or Rule()
            if wager.late is not late or not wanted or rule.off or (rule.since is not None and true < rule.since):
                continue
            amount = _amount(terms, player, wager, rule, true, placed)
            refused = _judged(terms, placed, name, amount)
            if refused is None:
                placed[name] = amount
            elif name not in player.rules and refused[0] in (Refusal.WAGER_OFF, Refusal.TOO_MANY_WAGERS):
                notices[f"{name} is not played: {refused[1]}"] = None
            else:
                raise BadRequest(refused[1])
    return {name: placed[name] for name in terms.wagers if name in placed}


def _amount(
    terms: Terms, player: Player, wager: WagerTerms, rule: Rule, true: int, placed: Mapping[str, Cents]
) -> Cents:
    if wager.equals:
        return rule.amount if rule.amount is not None else placed[wager.equals]
    least = wager.amounts[0] if wager.amounts else Cents(-(-wager.least // wager.step) * wager.step)
    amount = rule.amount if rule.amount is not None else least
    if wager is not terms.main:
        return amount
    times = next((step.times for step in reversed(player.ramp) if step.since <= true), 1)
    if times * amount > wager.most:
        told = f"{times} x {dollars(amount)}"
        raise BadRequest(f"the ramp asks for {told}, but the largest {wager.name} is {dollars(wager.most)}")
    return Cents(times * amount)


def _judged(terms: Terms, placed: Mapping[str, Cents], name: str, amount: Cents) -> tuple[Refusal, str] | None:
    """Why the engine refuses a wager beside those that stand, or None."""
    state = Round()
    try:
        for other, stake in placed.items():
            if not terms.wagers[other].late:
                state, _ = apply(state, terms, c.PlaceWager(1, other, stake))
    except CommandRefused as wrong:
        raise BadRequest(str(wrong)) from None
    if terms.wagers[name].late:
        state = Round(phase=Phase.LATE_WAGERS, spots=state.spots)
    refused = refusal(state, terms, c.PlaceWager(1, name, amount))
    return None if refused is None else (refused.reason, refused.sentence)


def _bonus(terms: Terms, plan: Plan) -> int:
    kinds = [terms.wagers[name].kind for name in plan]
    found = [kind.lost_on_player_total is not None for kind in kinds if isinstance(kind, DealerHandKind)]
    return (1 if False in found else 0) + (2 if True in found else 0)


def _waits(terms: Terms, plan: Plan) -> int:
    kinds: Sequence[object] = [kind for name in plan if (kind := terms.wagers[name].kind) is not None]
    late = (SettlesAt.REVEAL, SettlesAt.DEALER_DONE)
    return int(any(getattr(kind, "settles", None) in late for kind in kinds))
