"""Mutations of what happens around a round: discards, points, jackpots and their money."""

from dataclasses import replace
from importlib import import_module

from procedures.mutators import code

from upcard.engine.round import Round
from upcard.engine.terms import Terms
from upcard.ledger.jackpots import jackpot_state
from upcard.ledger.jackpots.bonus import BonusJackpot
from upcard.ledger.jackpots.escrow import Escrow
from upcard.ledger.jackpots.jackpot_state import JackpotState, Win
from upcard.ledger.jackpots.posted import PostedJackpot
from upcard.ledger.jackpots.requests import AddLinkedTable
from upcard.ledger.outcome import Draft
from upcard.pit.table import Table
from upcard.units import Odds

pit = import_module("upcard.pit.table")
_derive = pit.derive
_difference = jackpot_state._difference
_with_payment = PostedJackpot.with_payment


def _every_card(state: Round, _terms: Terms) -> list[int]:
    return [*state.dealer, *(card for spot in state.spots for hand in spot.hands for card in hand.cards)]


def _better_after_the_first_round(table: Table) -> Terms:
    terms: Terms = _derive(table)
    better = terms.rules.model_copy(update={"blackjack": Odds.parse("2:1")})
    return replace(terms, rules=better) if table.first_wagers else terms


def _whatever_their_plans(state: JackpotState, request: AddLinkedTable) -> object:
    difference = _difference(state, request)
    return None if difference is not None and difference["code"] == "trigger/other-plan" else difference


def _without_a_free_change(jackpot: PostedJackpot, key: str, win: Win, draft: Draft) -> PostedJackpot:
    return _with_payment(jackpot, key, win, draft).model_copy(update={"free_change": False})


def _posted_and_wagers(jackpot: PostedJackpot) -> dict[str, int]:
    return {meter: amount + jackpot.wagers for meter, amount in jackpot.posted.items()}


BUSTED_CARDS_STAY = code(pit, "cards_on_table", _every_card)
WINNERS_GATHER_POINTS = code(pit, "derive", _better_after_the_first_round)
ONLY_MEGA_IS_POSTED = code(PostedJackpot, "values", lambda jackpot: {"MEGA": jackpot.posted["MEGA"]})
WAGERS_MOVE_POSTED_VALUES = code(PostedJackpot, "values", _posted_and_wagers)
WAGERS_MOVE_THE_BONUS = code(
    BonusJackpot, "values", lambda jackpot: {jackpot.terms.meter: jackpot.value + jackpot.wagers}
)
VALUES_CHANGE_DURING_A_HAND = code(PostedJackpot, "waiting", lambda jackpot: jackpot)
NO_CHANGE_AFTER_A_PAYOUT = code(PostedJackpot, "with_payment", _without_a_free_change)
ANY_JACKPOTS_ARE_LINKED = code(jackpot_state, "_difference", _whatever_their_plans)
NOTHING_IS_SET_ASIDE = code(Escrow, "set_aside", lambda escrow, *_: escrow)
