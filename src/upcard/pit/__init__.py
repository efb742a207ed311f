"""A table's life: who sits where, what is posted, the shoe, flat betting, closing."""

from upcard.pit.dealer import Dealer
from upcard.pit.table import PitRefusal, PitRefused, Table, open_table

__all__ = ["Dealer", "PitRefusal", "PitRefused", "Table", "open_table"]
