"""Jackpots: four plans, three of them with the house's own money and one with the players'."""
