"""A table outside the round: seats, posted minimum, the shoe, flat betting, closing."""

from upcard.pit.dealer import Dealer
from upcard.pit.refusals import PitRefusal, PitRefused
from upcard.pit.table import Table, open_table

__all__ = ["Dealer", "PitRefusal", "PitRefused", "Table", "open_table"]
