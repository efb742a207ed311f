"""What every decision means in money: slips."""

from upcard.settlement.slips import Claim, Slip, settle

__all__ = ["Claim", "Slip", "settle"]
