"""Which chains and balances a batch of commands will probably change. They are locked first, in the order that all
processes use, so that processes do not deadlock."""

from collections.abc import Iterator, Mapping, Sequence

from upcard.ledger.accounts import Kind
from upcard.ledger.batch_unit import BatchUnit
from upcard.ledger.chains import state_of
from upcard.ledger.jackpots.felt import KNOWS_THE_FELT
from upcard.ledger.journal import jackpot_chain, table_chain
from upcard.ledger.outcome import account
from upcard.ledger.table_state import TableState
from upcard.service import commands as s
from upcard.service.live_table import LiveTable

MAY_DEAL = frozenset(  # or decide wagers, or end a hand, and so change jackpots
    {
        s.Deal,
        s.Ready,
        s.BetSpots,
        s.Timeout,
        s.Leave,
        s.Away,
        s.SitOut,
        s.Hit,
        s.Stay,
        s.Double,
        s.Split,
        s.Surrender,
        s.Insure,
        s.DeclineInsurance,
        s.TakeEvenMoney,
        s.EnterCard,
        s.Peek,
        s.CorrectCard,
        s.TakeBack,
        s.Settle,
        s.Void,
        s.RenewShoe,
    }
)


_RETURN_WAGERS = s.ClearWagers | s.ClearSpots | s.NotifyFlatBet | s.AskToRelinquish  # before the deal


def lock_money(unit: BatchUnit, lives: Mapping[str, LiveTable], commands: Sequence[s.Command]) -> bool:
    """Locks the tables of a batch, then their jackpots, then the accounts of new players, then the other balances.
    Returns whether a command may change a jackpot."""
    unit.hold(lives)
    players = {player for live in lives.values() for player in live.table.seats.values()}
    players |= {name for command in commands if (name := getattr(command, "player", ""))}
    accounts = [account(kind, live.name) for live in lives.values() for kind in (Kind.STAKES, Kind.WIN)]
    accounts += [account(Kind.PLAYER, player) for player in players]
    dealt = {
        table_chain(command.table)
        for command in commands
        if isinstance(command, s.AtTable) and type(command) in MAY_DEAL
    }
    paid_early = [live for name, live in lives.items() if live.slips or (name in dealt and _has_side_wagers(live))]
    accounts += [account(Kind.HELD, player) for live in paid_early for player in live.table.seats.values()]
    jackpots: set[str] = set()
    for command in commands:
        if isinstance(command, s.AtTable) and (
            type(command) in MAY_DEAL or isinstance(command, s.Bet | _RETURN_WAGERS)
        ):
            chain = unit.chain(table_chain(command.table))
            state = None if chain is None else state_of(chain)
            if isinstance(state, TableState) and state.links:
                jackpots |= set(jackpots_of(state, command))
    if jackpots:
        unit.hold(map(jackpot_chain, jackpots))
    if buyers := [account(Kind.PLAYER, command.player) for command in commands if isinstance(command, s.BuyIn)]:
        unit.add_new_accounts(buyers)
    unit.hold((), accounts)
    return bool(jackpots)


def _has_side_wagers(live: LiveTable) -> bool:
    """Whether a wager is on the felt that may be paid before the round ends."""
    wagers = {} if live.table.terms is None else live.table.terms.wagers
    return any(wager in wagers and not wagers[wager].is_main for _, wager, _ in live.stakes)


def jackpots_of(state: TableState, command: s.AtTable) -> Iterator[str]:
    """The jackpots that a command at a table may change, or be told of."""
    for wager, jackpot in state.links.items():
        plan = state.triggers[wager].plan
        if isinstance(command, s.Bet):
            changes = wager in command.stakes and plan != "progressive"
        elif isinstance(command, _RETURN_WAGERS):
            changes = getattr(command, "wager", "") in ("", wager) and plan in KNOWS_THE_FELT
        else:
            changes = type(command) in MAY_DEAL
        if changes:
            yield jackpot
