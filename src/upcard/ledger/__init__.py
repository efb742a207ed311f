"""The book: every cent of tables and jackpots, in balanced transfers and hash-chained journals."""
