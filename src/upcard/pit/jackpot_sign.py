"""The jackpot sign of a wager: what a table must show of the jackpot that the wager plays for."""

from collections.abc import Mapping
from dataclasses import dataclass

from upcard.codes import Coded


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotSign:
    """A wager's jackpot as it is now."""

    jackpot: str
    meters: Mapping[str, int]  # cents
    stopped: Coded | None  # why its wager cannot be made now; None: it can
    notice: str  # that must be shown with the meters; empty if the filing has none


JackpotSigns = Mapping[str, JackpotSign]  # by wager
