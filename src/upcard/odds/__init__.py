"""Exact prices: probabilities as fractions, edges, variances, jackpots, and the audit of published figures."""
