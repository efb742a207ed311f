"""Writes what docs/ shows from what the program really prints: the picture and the JSON Schemas."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

from rich.console import Console
from rich.text import Text

from upcard.cli import check, odds, output

DOCS = Path(__file__).parents[1] / "docs"


def main() -> None:
    """Renews every generated file."""
    (DOCS / "odds.svg").write_text(picture())
    (DOCS / "schema").mkdir(exist_ok=True)
    for name in check.FORMATS:
        with redirect_stdout(io.StringIO()) as shown:
            check.show_schema(name)
        (DOCS / "schema" / f"{name}.json").write_text(shown.getvalue())


def picture() -> str:
    """One price as an SVG that loads nothing from elsewhere."""
    recorder = Console(record=True, width=112, force_terminal=True, file=io.StringIO())
    output.console = lambda: recorder
    recorder.print(Text("$ upcard odds PT-FLT-LL-03 --decks 6", style="bold green"))
    question = odds.Question(decks=6, suit="hearts", wager=None, meters=(), without="")
    odds.show("PT-FLT-LL-03", question, output.Form.PEOPLE, every=False)
    svg = recorder.export_svg(title="upcard", unique_id="upcard")
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    main()
