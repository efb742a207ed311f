"""Which chain a request belongs to, how a chain's state is parsed, and how a request changes it.

The clerk carries requests out through `apply_to`; the check replays the journal's requests through it, and compares.
"""

from typing import Any, cast, get_args

from pydantic import TypeAdapter

from upcard import formats
from upcard.ledger import house_chain, tables
from upcard.ledger.daily_close import WholeBook
from upcard.ledger.house_state import HouseState
from upcard.ledger.jackpots import apply as jackpots
from upcard.ledger.jackpots.jackpot_state import JackpotState
from upcard.ledger.jackpots.requests import JACKPOT_REQUESTS, JackpotRequest
from upcard.ledger.journal import HOUSE, canonical
from upcard.ledger.outcome import FindTransfer, Moment, Outcome
from upcard.ledger.record import Record
from upcard.ledger.requests import HOUSE_REQUESTS, TABLE_REQUESTS, HouseRequest, TableRequest
from upcard.ledger.table_state import TableState
from upcard.ledger.unit import Chain

State = TableState | JackpotState | HouseState


# By the kind of request, the kind of chain that answers it, which is also the name of the field with the chain's owner.
_ANSWERED_BY: dict[type[Record], str] = {
    **dict.fromkeys(get_args(TableRequest), "table"),
    **dict.fromkeys(get_args(JackpotRequest), "jackpot"),
    **dict.fromkeys(get_args(HouseRequest), HOUSE),
}


def chain_of(request: Record) -> str:
    """The chain that answers a request."""
    kind = _ANSWERED_BY.get(type(request))
    if kind is None:
        raise TypeError(f"{type(request).__name__} is not a request to the book")
    return HOUSE if kind == HOUSE else f"{kind}:{getattr(request, kind)}"


def state_of(chain: Chain) -> State | None:
    """The state of a chain after its last entry; None before the first."""
    if isinstance(chain.state, Record):
        return cast(State, chain.state)
    if not chain.state:
        return None
    kind = chain.name.partition(":")[0]
    text = formats.today(kind, chain.state, chain.format)
    if kind == "table":
        return TableState.model_validate_json(text)
    if kind == "jackpot":
        return jackpots.JACKPOTS.validate_json(text)
    return HouseState.model_validate_json(text)


def house_of(chain: Chain | None) -> HouseState:
    """The hours that the house has set, and the last day it closed."""
    state = None if chain is None else state_of(chain)
    return state if isinstance(state, HouseState) else HouseState()


def state_text(chain: Chain) -> str:
    """The state of a chain as it is stored today."""
    if isinstance(chain.state, str):
        return formats.today(chain.name.partition(":")[0], chain.state, chain.format) if chain.state else ""
    return chain.state.model_dump_json()


def request_text(request: Record) -> str:
    """A request as it is stored in the journal."""
    return canonical(request.model_dump(mode="json"))


def request_of(chain: str, text: str, written: int) -> Record:
    """A request from the journal, written in some format; ValueError if it is not valid."""
    parsers: dict[str, TypeAdapter[Any]] = {
        "table": TABLE_REQUESTS,
        "jackpot": JACKPOT_REQUESTS,
        HOUSE: HOUSE_REQUESTS,
    }
    kind = chain.partition(":")[0]
    if kind not in parsers:
        raise ValueError(f"{chain!r} is not a chain")
    request = parsers[kind].validate_json(formats.today("request", text, written))
    if not isinstance(request, Record):
        raise ValueError(f"{text!r} is not a request")
    return request


def apply_to(
    state: State | None, request: Record, moment: Moment, *, find: FindTransfer, whole_book: WholeBook | None = None
) -> Outcome[Any]:
    """What a request does to the state of its chain; raises BookRefused."""
    match _ANSWERED_BY.get(type(request)):
        case "table":
            table = state if isinstance(state, TableState) else None
            return tables.apply(table, cast(TableRequest, request), moment, find)
        case "jackpot":
            jackpot = state if isinstance(state, JackpotState) else None
            return jackpots.apply(jackpot, cast(JackpotRequest, request), moment, find)
        case _:
            house_state = state if isinstance(state, HouseState) else HouseState()
            return house_chain.apply(house_state, cast(HouseRequest, request), moment, whole_book)
