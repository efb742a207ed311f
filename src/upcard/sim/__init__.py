"""Games played by the million: a catalog compiled to arrays, one kernel, and exact integer tallies."""
