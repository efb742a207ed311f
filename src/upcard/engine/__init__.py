"""One round of blackjack as a state machine, without a clock, random numbers or bankrolls.

`refusal` decides whether a command is allowed, `apply` carries it out, and `view` is what one seat may see.
"""

from upcard.engine.apply import apply
from upcard.engine.awaiting import awaiting
from upcard.engine.command_rules import CommandRefused, DetailedRefusal, Refusal, refusal
from upcard.engine.offered_choices import legal
from upcard.engine.round import Round
from upcard.engine.terms import Terms, WagerTerms
from upcard.engine.view import view

__all__ = [
    "CommandRefused",
    "DetailedRefusal",
    "Refusal",
    "Round",
    "Terms",
    "WagerTerms",
    "apply",
    "awaiting",
    "legal",
    "refusal",
    "view",
]
