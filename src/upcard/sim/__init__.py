"""Games played by the million: catalog, chart and paytables compiled to arrays, one kernel, and exact integer tallies."""
