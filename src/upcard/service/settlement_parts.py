"""The settlement of a round in parts: each wager when it is decided, the rest when the round is over.

Also their reversal at a table dealt by hand, where a card that was entered wrong may already have been paid.
"""

from collections.abc import Iterable, Sequence
from typing import cast

from upcard.frozen import replace
from upcard.ledger import requests as r
from upcard.ledger.outcome import transfer_id
from upcard.service.live_table import LiveTable, StakeKey
from upcard.service.stored_events import slip_json
from upcard.service.wire_models import EventSent
from upcard.settlement.slips import Slip


def stake_key(slip: Slip) -> StakeKey:
    """The spot, wager and hand of a slip's stakes; side wagers and insurance belong to the first hand."""
    return slip.spot, slip.wager, slip.hand or 0


def part(live: LiveTable, slips: Sequence[Slip]) -> tuple[LiveTable, r.SettleRound]:
    """The table after some wagers were settled while the round goes on, and the request that settles them."""
    stakes, settled = dict(live.stakes), dict(live.settled)
    lines = []
    for slip in slips:
        key = stake_key(slip)
        settled[key] = stakes.pop(key)
        lines.append(r.slip_line(slip, settled[key]))
    request = r.SettleRound(table=live.name, round=live.round, slips=tuple(lines), final=False)
    return _with_slips(replace(live, stakes=stakes, settled=settled), slips), request


def rest(live: LiveTable, slips: Iterable[Slip]) -> tuple[LiveTable, r.SettleRound]:
    """The table after all other wagers were settled at the end of the round, and the request that settles them."""
    unsettled = [slip for slip in slips if stake_key(slip) not in live.settled]
    lines = tuple(r.slip_line(slip) for slip in unsettled)
    return _with_slips(live, unsettled), r.SettleRound(table=live.name, round=live.round, slips=lines)


def _with_slips(live: LiveTable, slips: Iterable[Slip]) -> LiveTable:
    return replace(live, slips=(*live.slips, *(slip_json(slip) for slip in slips)))


def reversal(live: LiveTable, slips: Iterable[Slip], command: str) -> tuple[LiveTable, r.ReverseSlips | None]:
    """The table after a correction, without the settled slips that are not among these any more.

    `command` is the id of the request, by which the ledger names the stakes that are on the felt again."""
    right = [slip_json(slip) for slip in slips]
    wrong = [slip for slip in live.slips if slip not in right]
    if not wrong:
        return live, None
    stakes, settled = dict(live.stakes), dict(live.settled)
    count, names = 0, []
    for slip in wrong:
        key = slip["spot"], slip["wager"], slip.get("hand", 0)
        ids = settled.pop(key)
        stakes[key] = tuple(transfer_id(command, 0, count + place) for place in range(len(ids)))
        count += len(ids)
        names.append(r.SlipName(spot=slip["spot"], wager=slip["wager"], hand=slip.get("hand")))
    kept = tuple(slip for slip in live.slips if slip in right)
    request = r.ReverseSlips(table=live.name, round=live.round, slips=tuple(names))
    return replace(live, stakes=stakes, settled=settled, slips=kept), request


def reversed_json(slip: EventSent, event: str) -> EventSent:
    """The event of a slip that was reversed."""
    fields = ("player", "spot", "wager", "stake", "paid", "returned")
    written = {"event": event, **{name: slip.get(name) for name in fields}, "hand": slip.get("hand")}
    return cast(EventSent, written)  # registered with these fields
