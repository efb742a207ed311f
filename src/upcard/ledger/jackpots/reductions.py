"""The four lawful reductions of a progressive other than a win (WAC 230-15-695).

Each is documented on paper and made by two people. A meter is not lowered during a hand.
"""

from typing import Literal, NamedTuple, assert_never

from upcard.ledger.accounts import Account, Kind
from upcard.ledger.jackpots.jackpot_state import check_between_hands
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.jackpots.requests import Reduce
from upcard.ledger.journal import MeterChange
from upcard.ledger.outcome import Draft, FindTransfer, account
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Reason

Source = Literal["meter", "reserve", "overflow"]
_HIDDEN: tuple[Source, ...] = ("reserve", "overflow")
_POTS = {"meter": Kind.METER, "reserve": Kind.RESERVE, "overflow": Kind.OVERFLOW}


def reduce(state: ProgressiveJackpot, request: Reduce, draft: Draft, find: FindTransfer) -> ProgressiveJackpot:
    """Lowers the meter, the reserve or the overflow for one of the lawful reasons."""
    _check_signatures(request, draft)
    if request.source == "meter":
        check_between_hands(state)
    match request.reason:
        case "malfunction":
            return _malfunction(state, request, draft, find)
        case "to-cap":
            return _to_cap(state, request, draft)
        case "gross-receipts":
            return _recognise(state, request, draft)
        case "seed":
            return _recover_seed(state, request, draft)
        case _:
            assert_never(request.reason)


def _check_signatures(request: Reduce, draft: Draft) -> None:
    if not request.document.strip():
        raise BookRefused(BookRefusal.NEEDS_DOCUMENT)
    if request.second == draft.moment.actor:
        raise BookRefused(BookRefusal.SAME_PERSON, person=request.second)


def _malfunction(state: ProgressiveJackpot, request: Reduce, draft: Draft, find: FindTransfer) -> ProgressiveJackpot:
    """Reverses a contribution that a malfunction made, and names it."""
    match = find(request.corrects)
    if match is None or match[0].reason is not Reason.CONTRIBUTION or match[0].credit.kind is not Kind.METER:
        raise BookRefused(BookRefusal.TRANSFER_UNKNOWN, id=request.corrects)
    contribution, corrected = match
    _at_most(request, "meter", min(state.meter, contribution.amount - corrected), "limit/contribution")
    pot = account(Kind.METER, state.jackpot)
    draft.move(Reason.MALFUNCTION, request.amount, debit=pot, credit=contribution.debit, corrects=contribution.id)
    return _lowered(state, request, draft, MeterChange.MALFUNCTION, release=True)


def _to_cap(state: ProgressiveJackpot, request: Reduce, draft: Draft) -> ProgressiveJackpot:
    if state.cap is None:
        raise BookRefused(BookRefusal.NO_CAP, jackpot=state.jackpot)
    if state.meter <= state.cap:
        raise BookRefused(BookRefusal.NOT_ABOVE_CAP)
    _at_most(request, "meter", most_to_cap(state), "limit/above-cap")
    pot, overflow = account(Kind.METER, state.jackpot), account(Kind.OVERFLOW, state.jackpot)
    draft.move(Reason.TO_CAP, request.amount, debit=pot, credit=overflow)
    lowered = _lowered(state, request, draft, MeterChange.TO_CAP, release=False)
    return lowered.model_copy(update={"overflow": state.overflow + request.amount})


def _recognise(state: ProgressiveJackpot, request: Reduce, draft: Draft) -> ProgressiveJackpot:
    """Recognises money that is not displayed as the house's gross receipts."""
    _at_most(request, request.source, most_hidden(state, request.source), "limit/hidden")
    draft.move(
        Reason.RECOGNISED,
        request.amount,
        debit=_pot(state, request),
        credit=account(Kind.RECEIPTS, state.jackpot),
    )
    return _lowered(state, request, draft, MeterChange.GROSS_RECEIPTS, release=True)


def _recover_seed(state: ProgressiveJackpot, request: Reduce, draft: Draft) -> ProgressiveJackpot:
    """Never more than was advanced, and never below the advertised base of the meter."""
    _at_most(request, request.source, most_seed(state, request.source), "limit/seed")
    draft.move(
        Reason.SEED_RECOVERED, request.amount, debit=_pot(state, request), credit=account(Kind.SEED, state.jackpot)
    )
    lowered = _lowered(state, request, draft, MeterChange.SEED_RECOVERED, release=True)
    return lowered.model_copy(update={"seed": state.seed - request.amount})


def most_to_cap(state: ProgressiveJackpot) -> int:
    """How far the meter is above its cap."""
    return 0 if state.cap is None else max(state.meter - state.cap, 0)


def most_hidden(state: ProgressiveJackpot, source: Source) -> int:
    """The money of a source that is not displayed."""
    return {"reserve": state.reserve, "overflow": state.overflow, "meter": 0}[source]


def most_seed(state: ProgressiveJackpot, source: Source) -> int:
    """The seed that can be recovered from a source."""
    above_base = {"meter": max(state.meter - state.terms.seed, 0), "reserve": state.reserve, "overflow": state.overflow}
    return min(above_base[source], state.seed)


class Lawful(NamedTuple):
    """The most that a reason allows to take from a source now."""

    reason: Literal["malfunction", "to-cap", "gross-receipts", "seed"]
    source: Source
    most: int


def lawful_reductions(state: ProgressiveJackpot) -> list[Lawful]:
    """Every reason with its sources; a malfunction takes back at most the contribution that it names."""
    return [
        Lawful("malfunction", "meter", state.meter),
        Lawful("to-cap", "meter", most_to_cap(state)),
        *(Lawful("gross-receipts", source, most_hidden(state, source)) for source in _HIDDEN),
        *(Lawful("seed", source, most_seed(state, source)) for source in ("meter", *_HIDDEN)),
    ]


def _at_most(request: Reduce, source: str, most: int, limit: str) -> None:
    if request.source != source or request.amount > most:
        raise BookRefused(BookRefusal.NOT_SO_MUCH, most=most, limit={"code": limit, "source": source})


def _pot(state: ProgressiveJackpot, request: Reduce) -> Account:
    return account(_POTS[request.source], state.jackpot)


def _lowered(
    state: ProgressiveJackpot, request: Reduce, draft: Draft, reason: MeterChange, *, release: bool
) -> ProgressiveJackpot:
    remaining = {"meter": state.meter, "reserve": state.reserve, "overflow": state.overflow}[
        request.source
    ] - request.amount
    if request.source == "meter":
        draft.show(state.terms.meter, reason, state.meter, remaining, state.meter_carry)
    escrow = state.escrow.release(state.jackpot, request.amount, draft) if release else state.escrow
    return state.model_copy(update={request.source: remaining, "escrow": escrow})
