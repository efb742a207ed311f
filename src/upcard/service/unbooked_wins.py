"""Jackpot hands that are decided and not booked yet: at a table dealt by hand the last card may still be corrected, so
the book hears of it when the dealer has paid. The floor hears of it from the deciding card on."""

from collections.abc import Iterator
from dataclasses import dataclass

from upcard.ledger.book import Reader
from upcard.ledger.chains import state_of
from upcard.ledger.journal import table_chain
from upcard.ledger.table_state import TableState
from upcard.service.desk import Desk
from upcard.service.jackpot_signs import read_jackpots
from upcard.service.live_table import LiveTable
from upcard.service.settlement_parts import stake_key
from upcard.settlement import settle
from upcard.units import Cents, Rounding, round_cents


@dataclass(frozen=True, slots=True, kw_only=True)
class UnbookedWin:
    """A hand that wins from a meter, with the name that its win will have in the book."""

    jackpot: str
    key: str
    table: str
    round: int
    amount: Cents  # of the meter as it is now; several winners of a hand may share it


def unbooked_wins(desk: Desk, reader: Reader) -> Iterator[UnbookedWin]:
    """Those at the tables that this process knows."""
    for live in tuple(desk.cache.lives.values()):
        state = live.table.round
        if state is not None and len(state.decisions) > live.decisions and live.table.terms is not None:
            yield from _of_table(live, reader)


def _of_table(live: LiveTable, reader: Reader) -> Iterator[UnbookedWin]:
    state, terms = live.table.round, live.table.terms
    chain = reader.unit.chain(table_chain(live.name))
    links = None if chain is None else state_of(chain)
    if state is None or terms is None or not isinstance(links, TableState):
        return
    for slip in settle(state, terms):
        if slip.claim is None or stake_key(slip) in live.settled:
            continue
        for jackpot in read_jackpots(reader, [links.links[slip.wager]] if slip.wager in links.links else []):
            values, meter = jackpot.values(), slip.claim.jackpot
            yield UnbookedWin(
                jackpot=jackpot.jackpot,
                key=jackpot.win_key(live.name, live.round, meter),
                table=live.name,
                round=live.round,
                amount=round_cents(slip.claim.share * values[meter], Rounding.DOWN),
            )
