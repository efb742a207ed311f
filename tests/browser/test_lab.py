"""The odds lab in a real browser: every table as on the command line, edited pays, shared links, simulations, axe."""

import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from api.house import running_house
from browser.conftest import check_pages
from browser.player import Player
from playwright.sync_api import Locator, expect
from structlog.testing import capture_logs
from support.cli_runner import upcard
from support.precompile import compile_simulator

from upcard.catalog import shipped

Newcomer = Callable[..., Player]
FIGURES = """async (slugs) => {
    const figuresByTable = {};
    const shown = (name) => document.querySelector(`[data-figure="${name}"]`)?.textContent ?? "";
    const frame = () => new Promise(requestAnimationFrame);
    for (const [slug, name] of slugs) {
        const choose = document.querySelector('[data-choose="table"]');
        choose.value = slug;
        choose.dispatchEvent(new Event("change", { bubbles: true }));
        const command = new RegExp(`^upcard odds '?${RegExp.escape(name)}'? --decks`);
        const until = performance.now() + 8000;
        while (!command.test(shown("command"))) {
            if (performance.now() > until) throw new Error(`${name}: the page still shows ${shown("command")}`);
            await frame();
        }
        const decks = Number(document.querySelector('[data-choose="decks"]').value);
        const figures = ["edge", "hit-rate", "sd", "exact"].map((name) => [name, shown(name)]);
        figuresByTable[name] = { decks, ...Object.fromEntries(figures) };
    }
    return figuresByTable;
}"""
COMPILING = 90_000  # ms: the very first simulation on a machine waits for the compiler


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A house of this process opens sooner than one of its own; its log would stand among what the command prints."""
    check_pages()
    folder = tmp_path_factory.mktemp("lab")
    with capture_logs() as log, running_house(folder, demo=True, hints=False) as house:
        yield house.address.replace("127.0.0.1", "localhost")
    (folder / "log").write_text("\n".join(map(str, log)))


def figure(player: Player, name: str) -> Locator:
    return player.page.locator(f'[data-figure="{name}"]').first


def open_lab(player: Player, asked: str = "") -> None:
    player.page.goto(f"{player.address}/#/lab{asked}")
    expect(figure(player, "edge")).to_be_visible()


def pay(player: Player, event: str) -> Locator:
    return player.page.locator(f'tr[data-line="{event}"] input')


def test_every_table_shows_the_figures_of_the_command_line(newcomer: Newcomer) -> None:
    expected = {(odds["paytable"], odds["decks"]): odds for odds in upcard("odds", "--all", "--json").json}
    ann = newcomer()
    open_lab(ann)
    tables = [(table.slug, table.name) for table in shipped().paytables.values()]
    assert len(tables) == 85
    figures = ann.page.evaluate(FIGURES, tables)
    assert len(figures) == len(tables)
    for name, shown in figures.items():
        odds = expected[name, shown.pop("decks")]
        assert shown == {
            "edge": f"{odds['edge_percent']:.4f}%",
            "hit-rate": f"{100 * as_number(odds['hit_rate']):.4f}%",
            "sd": f"{odds['standard_deviation']:.4f}",
            "exact": odds["edge"],
        }, name
    ann.wrong = [
        message for message in ann.wrong if "503" not in message
    ]  # so many charts at once may find the lab busy


def as_number(fraction: str) -> float:
    over, under = fraction.split("/")
    return int(over) / int(under)


def test_a_changed_pay_shows_its_new_edge_at_once_and_the_link_carries_it(newcomer: Newcomer) -> None:
    ann = newcomer()
    open_lab(ann, "?table=da6-1&decks=6")
    expect(figure(ann, "edge")).to_have_text("3.1195%")
    expected = upcard("odds", "DA6/1", "--decks", "6", "--pay", "straight=7.5", "--json").json
    took = []
    for units in ("5", "5.5", "6.5", "7", "8", "7.5"):
        with ann.page.expect_response(re.compile(f"straight%3D{units}")) as waiting:
            pay(ann, "straight").fill(units)
        waiting.value.finished()
        took.append(waiting.value.request.timing["responseEnd"])
    expect(figure(ann, "edge")).to_have_text(f"{expected['edge_percent']:.4f}%")
    assert min(took) < 100  # ms; the quickest of six, for the machine may be busy
    expect(figure(ann, "exact")).to_have_text(expected["edge"])
    expect(figure(ann, "command")).to_have_text("upcard odds DA6/1 --decks 6 --pay straight=7.5")
    bob = newcomer()
    bob.page.goto(ann.page.url)
    expect(figure(bob, "exact")).to_have_text(expected["edge"])
    expect(pay(bob, "straight")).to_have_value("7.5")
    bob.page.get_by_role("button", name="Straight: as filed, 6").click()
    expect(figure(bob, "edge")).to_have_text("3.1195%")


def test_a_download_contains_what_the_command_prints(newcomer: Newcomer) -> None:
    ann = newcomer(accept_downloads=True)
    open_lab(ann, "?table=001-lucky-ladies&decks=8&meter=MEGA%3D%2425000")
    for form in ("JSON", "CSV"):
        with ann.page.expect_download() as coming:
            ann.page.locator(".tools").get_by_role("link", name=form).click()
        words = ("odds", "001 Lucky Ladies", "--decks", "8", "--meter", "MEGA=$25000", f"--{form.lower()}")
        assert coming.value.path().read_text() == upcard(*words).out


def test_a_meter_a_deck_count_and_a_bad_pay(newcomer: Newcomer) -> None:
    ann = newcomer()
    open_lab(ann, "?table=pt-bjs-213-07&decks=6")
    (even,) = [upcard("odds", "PT-BJS-213-07", "--decks", "6", "--json").json["break_even_meter"]]
    expect(figure(ann, "break-even")).to_have_text(f"${round(as_number(even)):,}")
    ann.page.get_by_role("button", name=re.compile("as posted")).click()
    expect(ann.page.get_by_text("House edge at these meters")).to_be_visible()
    ann.page.locator('[data-choose="decks"]').select_option("1")
    expect(figure(ann, "command")).to_contain_text("--any-decks")
    pay(ann, "straight").fill("lots")
    expect(ann.page.get_by_role("alert").first).to_have_text(re.compile("straight: 'lots' is not a pay like 9"))
    ann.page.get_by_role("button", name="Back to PT-BJS-213-07 as filed").click()
    expect(figure(ann, "edge")).to_be_visible()
    ann.wrong = [message for message in ann.wrong if "400" not in message]  # the browser reports what was refused


def test_the_lab_shows_the_main_games_value_and_chart_from_the_service(newcomer: Newcomer) -> None:
    """Which are the command line's, as tests/api asks."""
    ann = newcomer()
    open_lab(ann, "?table=002-break-bonus&decks=6")
    value, strategy = (
        httpx.get(f"{ann.address}/api/lab/{figure}/bet-bigger?decks=6", timeout=90).json()
        for figure in ("main", "strategy")
    )
    expect(figure(ann, "main-ev")).to_have_text(f"{value['ev_percent']:.5f}%", timeout=COMPILING)
    expect(figure(ann, "main-chart")).to_have_text(f"{value['ev_percent_chart']:.5f}%")
    pairs = ann.page.get_by_role("table", name="Pairs")
    expect(pairs).to_be_visible(timeout=COMPILING)
    rows = [row.split() for row in pairs.locator("tbody tr").all_inner_texts()]
    chart = strategy["chart"].items()
    assert rows == [[name.split()[1], *cells.values()] for name, cells in chart if name.startswith("pair")]


def test_a_simulation_streams_its_interval_and_ends_at_the_exact_edge(newcomer: Newcomer) -> None:
    compile_simulator()
    ann = newcomer()
    open_lab(ann, "?table=da6-1&decks=6&pay=straight%3D7")
    ann.page.get_by_label("Rounds").select_option("1000000")
    ann.page.get_by_role("button", name="Simulate").click()
    chart = figure(ann, "simulation")
    expect(chart.locator("svg")).to_be_visible(timeout=COMPILING)
    expect(figure(ann, "simulation-state")).to_have_text("All rounds simulated.", timeout=COMPILING)
    chart.locator("summary").click()
    rows = [[cell.rstrip("%") for cell in row.split("\t")] for row in chart.locator("tbody tr").all_inner_texts()]
    assert len(rows) > 5
    assert rows[-1][0] == "1,000,000"
    exact = upcard("odds", "DA6/1", "--decks", "6", "--pay", "straight=7", "--json").json["edge_percent"]
    edge, low, high, error = (float(cell) for cell in rows[-1][1:])
    assert low < edge < high
    assert abs(edge - exact) < 4 * error
    widths = [float(row[3]) - float(row[2]) for row in rows]
    assert widths[-1] < widths[0] / 5
    expect(chart).to_contain_text(f"The exact edge, {exact:.4f}%, is")


def test_a_simulation_is_cancelled_and_another_waits_its_turn(newcomer: Newcomer) -> None:
    compile_simulator()
    ann, bob = newcomer(), newcomer()
    for player, rounds in ((ann, "100000000"), (bob, "1000000")):
        open_lab(player, "?table=pt-flt-bb-01&decks=6")
        player.page.get_by_label("Rounds").select_option(rounds)
    ann.page.get_by_role("button", name="Simulate").click()
    expect(figure(ann, "simulation").locator("svg")).to_be_visible(timeout=COMPILING)
    bob.page.get_by_role("button", name="Simulate").click()
    expect(figure(bob, "simulation-state")).to_have_text("Waiting: 1 ahead of it.")
    ann.page.get_by_role("button", name="Cancel").click()
    expect(figure(ann, "simulation-state")).to_have_text("Cancelled.")
    expect(figure(bob, "simulation-state")).to_have_text("All rounds simulated.", timeout=COMPILING)


def test_every_drawing_has_its_figures_and_axe_finds_nothing_serious(newcomer: Newcomer) -> None:
    ann = newcomer()
    open_lab(ann, "?table=001-lucky-ladies&decks=6")
    expect(ann.page.get_by_role("heading", name="House edge by the count")).to_be_visible(timeout=COMPILING)
    figures = ann.page.locator("figure").all()
    assert len(figures) == 6  # contributions, decks, three meters, the count
    for drawing in figures:
        label = drawing.locator("svg[role=img]").get_attribute("aria-label")
        assert label
        drawing.locator("summary").click()
        assert drawing.locator("tbody tr").count() > 5
    expect(figure(ann, "main-ev")).to_be_visible(timeout=COMPILING)
    assert ann.axe() == []
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_lab_opens_from_the_lobby_and_from_its_url(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.page.goto(ann.address)
    ann.page.get_by_role("link", name="Odds lab").click()
    expect(figure(ann, "edge")).to_be_visible()
    ann.page.goto(f"{ann.address}/lab?table=mm6-2")
    expect(figure(ann, "command")).to_have_text("upcard odds MM6/2 --decks 6")
