"""What the table asks of the player, and optional reminders of the rules that matter.

The reminders come from the game's own terms. They advise nothing: no strategy is known here.
"""

from collections.abc import Iterator

from upcard.catalog.pays import pay_text
from upcard.cli.play.keys import actions
from upcard.cli.play.sitting import Sitting, Stage
from upcard.cli.play.table_text import hand_total
from upcard.engine import commands as c
from upcard.engine.terms import WagerTerms
from upcard.pit.posted_text import dealer_rule_text, limits_text
from upcard.units import dollars


def prompt(sitting: Sitting) -> str:
    """One sentence: what the player should do now."""
    if sitting.amount_prompt is not None:
        return sitting.amount_prompt.sentence
    match sitting.stage:
        case Stage.BETTING:
            spot, wager = sitting.chips.chosen
            where = f" on spot {spot}" if len(sitting.terms.owners) > 1 else ""
            return f"Place your wagers. Chips go to {wager}{where}."
        case Stage.INSURANCE:
            return _insurance(sitting)
        case Stage.LATE_WAGERS:
            spot, wager = sitting.chips.chosen
            where = f" on spot {spot}" if len(sitting.view.spots) > 1 else ""
            return f"After the peek: {wager}{where}? Add chips and press Enter, or N for no."
        case Stage.PLAY:
            return _play(sitting)
        case Stage.RESULT:
            return _result(sitting)
        case Stage.SHOE_OVER:
            return "The shoe is over and its key is shown. Press Enter for a new shoe."
        case Stage.BROKE:
            return _broke(sitting)


def hint(sitting: Sitting) -> str:
    """The rules that matter at this stage."""
    rules_about = {
        Stage.BETTING: _about_the_wager,
        Stage.LATE_WAGERS: _about_the_wager,
        Stage.INSURANCE: _about_insurance,
        Stage.PLAY: _about_play,
    }.get(sitting.stage)
    return f"Rules, not advice: {' '.join(rules_about(sitting))}" if rules_about else ""


def _insurance(sitting: Sitting) -> str:
    rules = sitting.terms.rules
    text = f"Spot {sitting.turn}: the dealer shows an ace. Insurance at {rules.insurance}?"
    if sitting.choice(c.TakeEvenMoney) is not None:
        text += f" Or even money, {rules.even_money} for your blackjack?"
    return text


def _play(sitting: Sitting) -> str:
    turn = sitting.turn_hand
    spot = next((candidate for candidate in sitting.view.spots if turn and candidate.number == turn[0]), None)
    if turn is None or spot is None:
        return ""
    which = f", hand {turn[1] + 1} of {len(spot.hands)}" if len(spot.hands) > 1 else ""
    return f"Spot {spot.number}{which}: you have {hand_total(spot.hands[turn[1]])}."


def _result(sitting: Sitting) -> str:
    net = sitting.net
    if net > 0:
        text = f"You win {dollars(net)} this round."
    elif net < 0:
        text = f"You lose {dollars(-net)} this round."
    else:
        text = "You break even this round."
    if any(slip.claim is not None for slip in sitting.slips):
        text += " The jackpot comes on top."
    return text


def _broke(sitting: Sitting) -> str:
    main = sitting.terms.main
    if not sitting.money:
        return "Your bankroll is empty. Press Q to leave the table."
    has, least = dollars(sitting.money), dollars(main.least)
    return f"Your bankroll of {has} is below the {main.name} minimum of {least}. Press Q to leave the table."


def _about_the_wager(sitting: Sitting) -> Iterator[str]:
    wager = sitting.terms.wagers[sitting.chips.chosen[1]]
    yield f"{wager.name}: {limits_text(wager)}."
    if wager.requires_any:
        yield f"Only together with {' or '.join(wager.requires_any)}."
    if wager.role == "bigger":
        yield f"It wins, loses, doubles and splits with the {wager.equals}."
    yield from _pays(wager)


def _pays(wager: WagerTerms) -> Iterator[str]:
    table = wager.paytable
    if table is not None and wager.kind is not None:
        lines = (f"{table.title(event)} {pay_text(pay)}" for event, pay in table.lines.items())
        yield f"Pays {table.basis.value}: {'; '.join(lines)}. Settled {wager.kind.settles.value}."


def _about_insurance(sitting: Sitting) -> Iterator[str]:
    rules = sitting.terms.rules
    yield f"Insurance wins {rules.insurance} if the dealer has blackjack, and loses otherwise."
    yield "It is up to half of each main wager, the same amount on each."
    if sitting.declined:
        yield "A spot that declined may take it until all have answered."


def _about_play(sitting: Sitting) -> Iterator[str]:
    rules = sitting.terms.rules
    yield f"You may {', '.join(what for _, what in actions(sitting))}."
    if sitting.choice(c.Double) is not None:
        yield "A double gets exactly one more card."
    if sitting.choice(c.Split) is not None:
        yield f"You may split up to {rules.hands} hands."
    yield dealer_rule_text(rules)
