"""How a player decides, as data: charts are loaded, dumped and looked up here. Computing them is `odds`' business."""

from upcard.strategy.chart import Chart, Letter, load, usual

__all__ = ["Chart", "Letter", "load", "usual"]
