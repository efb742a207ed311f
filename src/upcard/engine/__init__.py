"""The round: a state machine without clock, chance or money. One judge, one fold, one view for each seat."""

from upcard.engine.apply import apply
from upcard.engine.awaiting import awaiting
from upcard.engine.legal import legal
from upcard.engine.refusal import CommandRefused, Refusal, Refused, refusal
from upcard.engine.round import Round
from upcard.engine.terms import Terms, WagerTerms
from upcard.engine.view import view

__all__ = [
    "CommandRefused",
    "Refusal",
    "Refused",
    "Round",
    "Terms",
    "WagerTerms",
    "apply",
    "awaiting",
    "legal",
    "refusal",
    "view",
]
