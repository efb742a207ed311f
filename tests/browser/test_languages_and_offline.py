"""The pages in Spanish, installed, without a connection, with their own typeface, and small enough."""

import re
from collections.abc import Callable

import httpx
from browser.player import Player
from playwright.sync_api import expect

Newcomer = Callable[..., Player]
FELT_LIMIT = 90_000  # bytes, gzipped


def test_a_browser_that_prefers_spanish_gets_spanish_and_may_choose_english(newcomer: Newcomer) -> None:
    ann = newcomer(locale="es-US")
    ann.page.goto(ann.address)
    expect(ann.page.get_by_role("heading", name="Tome asiento")).to_be_visible()
    assert ann.page.evaluate("document.documentElement.lang") == "es"
    ann.page.get_by_role("button", name="Sentarse en Bet Bigger", exact=True).click()
    expect(ann.page.locator("section.spot.own")).to_be_visible()
    ann.stack("bet-bigger", "Ts 6d Tc Th 9d")
    ann.bet("Ante")
    ann.page.get_by_role("button", name="Repartir", exact=True).click()
    expect(ann.page.locator("button.act.stay")).to_contain_text("Plantarse")
    ann.does("stay")
    expect(ann.slip("Ante")).to_contain_text("20 gana, paga 1 a 1: +$5")
    expect(ann.page.get_by_role("log")).to_contain_text("El crupier descubre: diez de corazones.")
    ann.page.get_by_role("button", name="Cerrar los resultados").click()
    ann.circle("Break Bonus").click()
    ann.page.get_by_role("button", name="Repartir", exact=True).click()
    expect(ann.page.locator(".notice[role=alert]")).to_contain_text("Break Bonus necesita primero una apuesta a Ante")
    assert ann.axe() == []
    ann.page.get_by_role("button", name="Ajustes").click()
    ann.page.get_by_label("Idioma").select_option("en")
    expect(ann.page.get_by_role("button", name="Settings")).to_be_visible()
    expect(ann.page.locator("section.spot.own")).to_be_visible()


def test_without_a_connection_there_is_a_page_and_nothing_else_was_stored(newcomer: Newcomer) -> None:
    ann = newcomer(service_workers="allow")
    ann.page.goto(ann.address)
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    ann.page.reload()  # now the worker answers
    expect(ann.page.get_by_role("heading", name="Take a seat")).to_be_visible()
    stored = ann.page.evaluate(
        """async () => {
          const names = await caches.keys();
          const keys = await Promise.all(names.map(async name => (await (await caches.open(name)).keys())));
          return keys.flat().map(request => new URL(request.url).pathname).sort();
        }"""
    )
    assert stored == ["/favicon.svg", "/offline.html"]
    ann.context.set_offline(True)
    ann.page.goto(ann.address)
    expect(ann.page.get_by_role("heading", name="Upcard is not connected")).to_be_visible()
    assert ann.axe() == []
    ann.context.set_offline(False)
    ann.page.get_by_role("link", name="Try again").click()
    expect(ann.page.get_by_role("heading", name="Take a seat")).to_be_visible()
    ann.wrong[:] = [problem for problem in ann.wrong if "ERR_INTERNET_DISCONNECTED" not in problem]


def test_the_pages_can_be_installed_and_have_their_own_typeface(newcomer: Newcomer, address: str) -> None:
    manifest = httpx.get(f"{address}/manifest.webmanifest", verify=False)
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    for icon in manifest.json()["icons"]:
        assert httpx.get(f"{address}{icon['src']}", verify=False).headers["content-type"] == icon["type"]
    for face in ("source-sans-3", "playfair-display"):
        licence = httpx.get(f"{address}/licences/{face}.txt", verify=False)
        assert "SIL Open Font License" in licence.text or "SIL OPEN FONT LICENSE" in licence.text
    ann = newcomer()
    ann.page.goto(address)
    expect(ann.page.get_by_role("heading", name="Take a seat")).to_be_visible()
    loaded = "document.fonts.ready.then(faces => [...faces].filter(f => f.status === 'loaded').map(f => f.family))"
    assert any("Source Sans 3" in family for family in ann.page.evaluate(loaded))


def test_the_script_of_the_felt_is_small(newcomer: Newcomer) -> None:
    """Scripts loaded until a player sits at a table; verifier, history and lab come when they are opened."""
    ann = newcomer()
    ann.sit_down("bet-bigger", "Bet Bigger")
    loaded: dict[str, int] = ann.page.evaluate(
        """() => Object.fromEntries(performance.getEntriesByType("resource")
          .filter(entry => entry.name.endsWith(".js")).map(entry => [entry.name, entry.encodedBodySize]))"""
    )
    assert loaded
    assert all(loaded.values())
    assert sum(loaded.values()) < FELT_LIMIT
    assert not [name for name in loaded if re.search("shoeCheck|RoundHistory|LabPage|StaffPages", name)]
