"""`upcard jackpots`: the meters of a book, and the history of each."""

from dataclasses import asdict

from upcard.cli.book_access import open_book
from upcard.cli.output import Cell, write_json, write_lines, write_table
from upcard.ledger.chains import state_of
from upcard.ledger.jackpots.bonus import BonusJackpot
from upcard.ledger.jackpots.daily import DailyJackpot
from upcard.ledger.jackpots.hands_and_wins import JackpotState
from upcard.ledger.jackpots.house_posted import HousePosted
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.reason_titles import title_of
from upcard.ledger.statement import MeterMovement
from upcard.ledger.statement import history as history_of
from upcard.ledger.unit import Unit
from upcard.problems import UnknownName
from upcard.units import dollars


def show_jackpots(book: str, name: str | None, *, as_json: bool) -> None:
    with open_book(book) as unit:
        states = _states(unit)
        if name is None:
            _show_list(list(states.values()), as_json=as_json)
            return
        if name not in states:
            raise UnknownName(what="jackpot", name=name, known=states, hint=f"`upcard jackpots {book}` lists them")
        _show_jackpot(states[name], history_of(unit, name), as_json=as_json)


def _states(unit: Unit) -> dict[str, JackpotState]:
    states = (state_of(chain) for chain in unit.chains().values() if chain.number)
    return {state.jackpot: state for state in states if isinstance(state, JackpotState)}


def _show_list(states: list[JackpotState], *, as_json: bool) -> None:
    if as_json:
        write_json([_as_dict(state) for state in states])
        return
    rows: list[dict[str, Cell]] = [
        {
            "jackpot": state.jackpot,
            "plan": state.trigger.plan,
            "meter": meter,
            "amount": dollars(value),
            "tables": ", ".join(state.tables),
            "wagers": state.wagers,
            "hits": state.hits,
            "paid": dollars(state.paid),
            "pending wins": ", ".join(state.wins),
            "stopped": str(state.closed() or ""),
        }
        for state in states
        for meter, value in state.values().items()
    ]
    write_table(f"{len(states)} jackpots", rows, right=["amount", "wagers", "hits", "paid"])
    for notice in dict.fromkeys(state.terms.notice for state in states if isinstance(state, BonusJackpot)):
        write_lines(notice)


def _show_jackpot(state: JackpotState, history: list[MeterMovement], *, as_json: bool) -> None:
    if as_json:
        write_json({**_as_dict(state), "history": [asdict(change) for change in history]})
        return
    rows: list[dict[str, Cell]] = [
        {
            "day": change.day,
            "meter": change.meter,
            "reason": title_of(change.reason),
            "before": dollars(change.before),
            "after": dollars(change.after),
            "command": change.command,
            "by": change.actor,
        }
        for change in history
    ]
    write_table(f"{state.jackpot}: {state.trigger.plan}", rows, right=["before", "after"])
    for meter, value in state.values().items():
        write_lines(f"{meter} is at {dollars(value)}")
    if isinstance(state, HousePosted) and state.queued is not None:
        values = ", ".join(f"{meter} {dollars(value)}" for meter, value in state.queued.values.items())
        tables = ", ".join(state.undecided())
        write_lines(f"Waiting for the wagers at {tables}: {values}, ordered by {state.queued.actor}")
    if isinstance(state, DailyJackpot) and state.last_accrual is not None:
        accrual = state.last_accrual
        write_lines(f"{dollars(accrual.amount)} were added for the wagers of {accrual.day}")
    if isinstance(state, ProgressiveJackpot):
        pots = {
            "reserve": state.reserve,
            "overflow": state.overflow,
            "won but not paid": state.award,
            "seed advanced": state.seed,
            "escrow in the bank": state.escrow.deposited,
            "escrow not yet deposited": state.escrow.undeposited,
        }
        write_lines(", ".join(f"{name} {dollars(amount)}" for name, amount in pots.items()))
    if isinstance(state, BonusJackpot):
        write_lines(state.terms.notice)


def _as_dict(state: JackpotState) -> dict[str, object]:
    """Amounts in cents; the terms with the state."""
    closed = state.closed()
    return {
        **state.model_dump(mode="json"),
        "meters": state.values(),
        "stopped": None if closed is None else str(closed),
    }
