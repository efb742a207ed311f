"""`upcard jackpots`: the meters of a book, and the history of each."""

from collections.abc import Callable
from dataclasses import asdict

from upcard.cli.book_access import open_book
from upcard.cli.output import Cell, Form, write_data, write_lines, write_table
from upcard.ledger.chains import state_of
from upcard.ledger.jackpots.bonus import BonusJackpot
from upcard.ledger.jackpots.daily import DailyJackpot
from upcard.ledger.jackpots.house_posted import HousePosted
from upcard.ledger.jackpots.jackpot_state import JackpotState
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.reason_titles import title_of
from upcard.ledger.statement import MeterMovement
from upcard.ledger.statement import history as history_of
from upcard.ledger.unit import Unit
from upcard.problems import UnknownName
from upcard.serialize import dollars_cell
from upcard.units import Cents, dollars


def show_jackpots(book: str, name: str | None, form: Form) -> None:
    with open_book(book) as unit:
        states = _states(unit)
        if name is None:
            _show_list(list(states.values()), form)
            return
        if name not in states:
            raise UnknownName(what="jackpot", name=name, known=states, hint=f"`upcard jackpots {book}` lists them")
        _show_jackpot(states[name], history_of(unit, name), form)


def _states(unit: Unit) -> dict[str, JackpotState]:
    states = (state_of(chain) for chain in unit.chains().values() if chain.number)
    return {state.jackpot: state for state in states if isinstance(state, JackpotState)}


def _show_list(states: list[JackpotState], form: Form) -> None:
    if write_data(form, lambda: [_as_dict(state) for state in states], lambda: _meter_rows(states, dollars_cell)):
        return
    rows = _meter_rows(states, dollars)
    write_table(f"{len(states)} jackpots", rows, right=["amount", "wagers", "hits", "paid"])
    for notice in dict.fromkeys(state.terms.notice for state in states if isinstance(state, BonusJackpot)):
        write_lines(notice)


def _meter_rows(states: list[JackpotState], amount: Callable[[Cents], str]) -> list[dict[str, Cell]]:
    """A row for each meter."""
    return [
        {
            "jackpot": state.jackpot,
            "plan": state.trigger.plan,
            "meter": meter,
            "amount": amount(Cents(value)),
            "tables": ", ".join(state.tables),
            "wagers": state.wagers,
            "hits": state.hits,
            "paid": amount(Cents(state.paid)),
            "pending wins": ", ".join(state.wins),
            "stopped": str(state.closed() or ""),
        }
        for state in states
        for meter, value in state.values().items()
    ]


def _change_rows(history: list[MeterMovement], amount: Callable[[Cents], str]) -> list[dict[str, Cell]]:
    return [
        {
            "day": change.day,
            "meter": change.meter,
            "reason": title_of(change.reason),
            "before": amount(Cents(change.before)),
            "after": amount(Cents(change.after)),
            "command": change.command,
            "by": change.actor,
        }
        for change in history
    ]


def _show_jackpot(state: JackpotState, history: list[MeterMovement], form: Form) -> None:
    if write_data(
        form,
        lambda: {**_as_dict(state), "history": [asdict(change) for change in history]},
        lambda: _change_rows(history, dollars_cell),
    ):
        return
    rows = _change_rows(history, dollars)
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
