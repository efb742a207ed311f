"""Upcard: casino blackjack with its side wagers and jackpots, from filing to felt."""

__version__ = "0.1.0"
