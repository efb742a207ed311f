"""What a kind of wager is, and how its conditions turn cards into events; nothing here knows money.

Which kinds there are is for a catalog to say: two catalogs may mean different things by the same name.
"""

from upcard.wagers.kind import DealerHandKind, DealKind, Kind, SettlesAt
from upcard.wagers.pattern_sets import Role

__all__ = ["DealKind", "DealerHandKind", "Kind", "Role", "SettlesAt"]
