"""How a player decides, as data: charts are loaded, saved and looked up here. `odds` computes them."""

from upcard.strategy.chart import Chart, Letter, load, named, usual

__all__ = ["Chart", "Letter", "load", "named", "usual"]
