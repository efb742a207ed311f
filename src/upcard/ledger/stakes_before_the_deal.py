"""What a table tells its jackpots before the deal: stakes that are placed on their wagers, and taken back. Pure.

Only 001 and 003 Bonus are told, from format 2 on: what they have posted may not change under a stake. A stake on any
other wager sends nothing.
"""

from collections.abc import Iterable

from upcard.ledger.jackpots.felt import KNOWS_THE_FELT
from upcard.ledger.jackpots.requests import StakePlaced, StakesReturned
from upcard.ledger.outcome import Moment
from upcard.ledger.record import Record
from upcard.ledger.table_state import Stake, TableState


def tell_of_stake(state: TableState, number: int, stake: Stake, moment: Moment) -> tuple[Record, ...]:
    """The request to the jackpot that a stake plays for."""
    if moment.format < 2 or state.triggers[stake.wager].plan not in KNOWS_THE_FELT:
        return ()
    jackpot = state.links[stake.wager]
    return (StakePlaced(jackpot=jackpot, table=state.table, round=number, spot=stake.spot),)


def tell_of_return(state: TableState, number: int, stakes: Iterable[Stake], moment: Moment) -> tuple[Record, ...]:
    """The requests to the jackpots that stakes of a round played for before they were taken back."""
    spots: dict[str, list[int]] = {}
    for stake in stakes:
        if stake.wager in state.links and state.triggers[stake.wager].plan in KNOWS_THE_FELT:
            spots.setdefault(state.links[stake.wager], []).append(stake.spot)
    if moment.format < 2:
        return ()
    return tuple(
        StakesReturned(jackpot=jackpot, table=state.table, round=number, spots=tuple(sorted(numbers)))
        for jackpot, numbers in sorted(spots.items())
    )
