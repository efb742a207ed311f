"""Jackpots: four plans, three of the house's own money and one of the players'."""
