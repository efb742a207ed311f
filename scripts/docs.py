"""Writes the generated files of docs/: terminal pictures, schemas, jackpot statements, roles, the API."""

import asyncio
import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

from api_page import page as api_page
from jackpot_statements_page import INTRODUCTION, PLANS, section
from rich.console import Console
from rich.text import Text
from roles_page import page as roles_page

from upcard.api.app import create_app
from upcard.api.messages import message_schema
from upcard.api.settings import Settings
from upcard.catalog import shipped
from upcard.cli import output
from upcard.cli.commands import odds_side, schema_view
from upcard.cli.commands.play_options import PlayOptions
from upcard.cli.play import seat
from upcard.cli.play.app import PlayApp
from upcard.ledger.batch_unit import Memory
from upcard.ledger.book import Book
from upcard.ledger.keyring import Keyring
from upcard.ledger.store import Store
from upcard.odds.question import PriceQuestion

DOCS = Path(__file__).parents[1] / "docs"
HAND = "5 down 5 down 5 down down 5 down 4 down 5 enter p d"  # a split, a double, and the second hand to play
SHOE = f"{1017:064x}"


def main() -> None:
    (DOCS / "odds.svg").write_text(odds_picture())
    (DOCS / "play.svg").write_text(asyncio.run(play_picture()))
    (DOCS / "schema").mkdir(exist_ok=True)
    for name in schema_view.FORMATS:
        with redirect_stdout(io.StringIO()) as output_text:
            schema_view.show_schema(name)
        (DOCS / "schema" / f"{name}.json").write_text(output_text.getvalue())
    (DOCS / "jackpot-statements.md").write_text(jackpot_statements())
    (DOCS / "roles.md").write_text(roles_page())
    for name, text in protocol().items():
        (DOCS / name).write_text(text)


def protocol() -> dict[str, str]:
    """The files about the API, by name: the page with an example hand, and the schemas."""
    openapi = create_app(Settings(book="none.db")).openapi()
    return {
        "api.md": api_page(),
        "schema/messages.json": json.dumps(message_schema(), indent=1, ensure_ascii=False) + "\n",
        "schema/openapi.json": json.dumps(openapi, indent=1, ensure_ascii=False) + "\n",
    }


def jackpot_statements() -> str:
    """A month of each jackpot plan, each in a temporary book."""
    sections = []
    for name in PLANS:
        with TemporaryDirectory() as folder:
            book = Book(Store.create(f"{folder}/month.db", Keyring([bytes(32)])), shipped())
            with book.batch(Memory()) as clerk:
                sections.append(section(name, clerk))
            book.store.close()
    return "\n".join([INTRODUCTION, *sections])


def odds_picture() -> str:
    """The output of `upcard odds` as an SVG without external resources."""
    recorder = Console(record=True, width=112, force_terminal=True, file=io.StringIO())
    output.console = lambda: recorder
    recorder.print(Text("$ upcard odds PT-FLT-LL-03 --decks 6", style="bold green"))
    question = PriceQuestion(catalog=shipped(), decks=6, suit="hearts", wager=None, meters=(), without="")
    odds_side.show_price("PT-FLT-LL-03", question, output.Form.PEOPLE)
    return _self_contained(recorder.export_svg(title="upcard", unique_id="upcard"))


async def play_picture() -> str:
    """The screen of `upcard play` in the middle of a hand."""
    app = PlayApp(seat("the-brook", PlayOptions(spots=1, bankroll="$500", seed=SHOE)))
    async with app.run_test(size=(116, 30)) as pilot:
        await pilot.press(*HAND.split())
        return _self_contained(app.export_screenshot(title="upcard play the-brook"))


def _self_contained(svg: str) -> str:
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"terminal-\d+", "terminal", svg)


if __name__ == "__main__":
    main()
