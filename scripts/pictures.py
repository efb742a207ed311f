"""Draws the pictures of docs/ from what the program really prints."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from upcard.cli import odds, output

DOCS = Path(__file__).parents[1] / "docs"


def main() -> None:
    """Records one price and writes it as an SVG."""
    recorder = Console(record=True, width=112, force_terminal=True, file=open("/dev/null", "w"))  # noqa: SIM115
    output.console = lambda: recorder
    recorder.print(Text("$ upcard odds PT-FLT-LL-03 --decks 6", style="bold green"))
    question = odds.Question(decks=6, suit="hearts", wager=None, meters=(), without="")
    odds.show("PT-FLT-LL-03", question, output.Form.PEOPLE, every=False)
    recorder.save_svg(str(DOCS / "odds.svg"), title="upcard")


if __name__ == "__main__":
    main()
