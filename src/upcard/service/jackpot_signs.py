"""Jackpot signs read from the book: of each wager that plays for a jackpot, its meters, and why it is stopped."""

from collections.abc import Iterable, Iterator, Mapping

from upcard.ledger.book import Book, Reader
from upcard.ledger.chains import state_of
from upcard.ledger.jackpots.bonus import BonusJackpot
from upcard.ledger.jackpots.jackpot_state import JackpotState
from upcard.ledger.journal import jackpot_chain, table_chain
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.table_state import TableState
from upcard.pit.jackpot_sign import JackpotSign, JackpotSigns
from upcard.service.wire_models import JackpotSignsSent

__all__ = ["JackpotSign", "JackpotSigns", "read_jackpots", "read_signs", "sign_of", "signs_sent"]


def read_signs(clerk: Reader, tables: Iterable[str]) -> dict[str, dict[str, JackpotSign]]:
    """The signs of tables, by table and wager."""
    links = {table: _links(clerk, table) for table in tables}
    jackpots = {jackpot for linked in links.values() for jackpot in linked.values()}
    signs = {state.jackpot: sign_of(state) for state in read_jackpots(clerk, jackpots)}
    return {
        table: {wager: signs[jackpot] for wager, jackpot in linked.items() if jackpot in signs}
        for table, linked in links.items()
    }


def read_jackpots(clerk: Reader, jackpots: Iterable[str]) -> Iterator[JackpotState]:
    for jackpot in jackpots:
        chain = clerk.unit.chain(jackpot_chain(jackpot))
        state = None if chain is None else state_of(chain)
        if isinstance(state, JackpotState):
            yield state


def jackpot_state(book: Book, jackpot: str) -> JackpotState:
    """A jackpot of the book."""
    with book.look() as clerk:
        for state in read_jackpots(clerk, [jackpot]):
            return state
    raise BookRefused(BookRefusal.JACKPOT_UNKNOWN, jackpot=jackpot)


def _links(clerk: Reader, table: str) -> Mapping[str, str]:
    """The jackpots that a table's wagers play for."""
    chain = clerk.unit.chain(table_chain(table))
    state = None if chain is None else state_of(chain)
    return state.links if isinstance(state, TableState) else {}


def sign_of(state: JackpotState) -> JackpotSign:
    """What a table must show of a jackpot."""
    stopped = state.closed()
    return JackpotSign(
        jackpot=state.jackpot,
        meters=dict(state.values()),
        stopped=None if stopped is None else stopped.coded,
        notice=state.terms.notice if isinstance(state, BonusJackpot) else "",
    )


def signs_sent(signs: JackpotSigns) -> JackpotSignsSent:
    """The signs of a table, as they are sent."""
    return {
        "meters": {wager: dict(sign.meters) for wager, sign in signs.items()},
        "off": {wager: sign.stopped for wager, sign in signs.items() if sign.stopped is not None},
        "notices": {wager: sign.notice for wager, sign in signs.items() if sign.notice},
    }
