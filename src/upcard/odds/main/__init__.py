"""The main game solved exactly: the dealer's hand, the player's best play, charts, and what they are worth."""
