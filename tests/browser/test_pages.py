"""Pages and layouts over HTTP: caching, compression, priority of the API, a felt drawn from each game's file."""

import asyncio
import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import api_schema
import httpx
import pytest
from starlette.applications import Starlette

from upcard.api.pages import CACHE_FOREVER, pages
from upcard.catalog import shipped
from upcard.service.layout_card import layout_card

WEB = Path(__file__).parents[2] / "web"
CATALOG = shipped()


class Client:
    """Asks the pages, and nothing else."""

    def __init__(self, folder: Path) -> None:
        self.app = Starlette(routes=[pages(folder)])

    def get(self, path: str) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return await client.get(path)

        with ThreadPoolExecutor(1) as aside:  # a browser's loop may run in this thread
            return aside.submit(asyncio.run, ask()).result()


@pytest.fixture
def client(tmp_path: Path) -> Client:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<title>Upcard</title>")
    (tmp_path / "assets" / "index-abc.js").write_text("let one = 1;\n" * 500)
    return Client(tmp_path)


def test_the_first_page_is_revalidated_and_hashed_files_are_cached(client: Client) -> None:
    assert client.get("/").headers["Cache-Control"] == "no-cache"
    answer = client.get("/assets/index-abc.js")
    assert answer.headers["Cache-Control"] == CACHE_FOREVER
    assert answer.headers["Content-Encoding"] == "gzip"


def test_an_address_without_a_file_is_the_first_page_and_a_missing_file_is_missing(client: Client) -> None:
    assert "Upcard" in client.get("/table/the-brook").text
    assert client.get("/assets/gone.js").status_code == 404
    assert client.get("/../../etc/passwd.txt").status_code == 404


@pytest.mark.parametrize("path", ["/api", "/api/nothing", "/ws", "/healthz", "/metrics/more"])
def test_unknown_api_paths_return_a_problem_and_not_a_page(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "<title>" not in answer.text


def test_pages_that_are_not_built_say_how_to_build_them(tmp_path: Path) -> None:
    answer = Client(tmp_path).get("/")
    assert answer.status_code == 503
    assert "make web" in answer.text


@pytest.mark.parametrize("slug", sorted(CATALOG.layouts))
def test_a_felt_has_exactly_the_circles_of_its_layout(slug: str) -> None:
    layout = CATALOG.layout(slug)
    card = layout_card(CATALOG, layout)
    assert [wager.name for wager in card.wagers] == [wager.name for wager in layout.wager]
    assert card.spots == layout.spots
    for circle, offered in zip(card.wagers, layout.wager, strict=True):
        assert (circle.paytable is None) == (offered.paytable == "")
        if circle.paytable is not None:
            paytable = CATALOG.paytables[offered.paytable]
            assert [line.event for line in circle.paytable.lines] == list(paytable.lines)
    assert card.rules[0].heading == CATALOG.game(layout.game).name
    assert json.loads(card.model_dump_json())["slug"] == slug


def test_the_types_of_the_pages_are_those_of_the_api(tmp_path: Path) -> None:
    """`make types` writes them anew."""
    schema = tmp_path / "schema.json"
    schema.write_text(api_schema.text())
    generated = tmp_path / "schema.d.ts"
    command = [str(WEB.parent / "scripts" / "npm.sh"), "--silent", "exec", "--", "openapi-typescript"]
    command.append("--default-non-nullable=false")
    subprocess.run([*command, str(schema), "-o", str(generated)], check=True, capture_output=True)
    assert generated.read_text() == (WEB / "src" / "lib" / "schema.d.ts").read_text(), "run `make types`"


def test_the_lock_file_contains_no_download_addresses() -> None:
    assert '"resolved"' not in (WEB / "package-lock.json").read_text()


def test_the_first_page_is_small() -> None:
    """Under 250 kB compressed, without the cards."""
    import gzip

    built = WEB.parent / "src" / "upcard" / "web"
    first = [built / "index.html", *built.glob("assets/*.js"), *built.glob("assets/*.css")]
    assert len(first) >= 3
    assert sum(len(gzip.compress(file.read_bytes())) for file in first) < 250_000
    assert not re.search(r"<script(?![^>]*src=)", (built / "index.html").read_text())
