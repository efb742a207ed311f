"""Stakes on the felt before the deal: a stake plays for the posted meters from the moment it is placed. Pure.

001 and 003 Bonus know these stakes, so that nothing they play for is changed under them. Other plans are not told: 000
and the Progressive go by the meter at the deal.
"""

from upcard.ledger.record import Level, Record

KNOWS_THE_FELT = frozenset({"posted", "bonus"})  # the plans that are told of stakes before the deal


class FeltStake(Record):
    """A stake before the deal, and the meters when it was placed."""

    spot: int
    values: dict[str, Level]


class Felt(Record):
    """A table's stakes before the deal."""

    round: int
    stakes: tuple[FeltStake, ...]

    def with_stake(self, stake: FeltStake) -> "Felt":
        return Felt(round=self.round, stakes=(*self.without({stake.spot}).stakes, stake))

    def without(self, spots: "set[int]") -> "Felt":
        return Felt(round=self.round, stakes=tuple(stake for stake in self.stakes if stake.spot not in spots))
