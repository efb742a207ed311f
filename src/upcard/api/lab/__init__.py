"""The odds lab: the exact figures of `upcard odds` for a page, and simulations that nobody at a table waits for."""
