"""The jobs that check and price files which people upload. They may be malicious: a worker does it, not for long."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from threading import BoundedSemaphore
from typing import TypeVar

from typing_extensions import TypedDict

from upcard.catalog.index import Catalog
from upcard.catalog.workspace_check import WorkspaceReport, check_files
from upcard.catalog.workspace_files import Files, WorkspaceOnDisk, file_problems, is_path, is_too_much
from upcard.problems import BadFile, BadRequest, Problem
from upcard.strategy import chart
from upcard.workers.pool import WorkerKind, WorkerLost, Workers
from upcard.workers.worker import JobRefused

T = TypeVar("T")

MOST_PRICED = 40  # paytables of one upload
SECONDS = 20.0  # most that a check may take, with what waits before it
_TURNS = BoundedSemaphore(6)  # uploads that are checked or wait at once
_TOO_LONG = "checking these files takes too long: upload fewer kinds, or simpler conditions"


class PaytablePrice(TypedDict):
    """The price of a paytable; with a jackpot, at empty meters."""

    paytable: str
    wager: str
    decks: int
    edge_percent: float
    hit_percent: float
    empty_meters: bool


def check_workspace(files: Files) -> WorkspaceReport:
    """Checks all files of a workspace, its charts too."""
    report = check_files(files)
    charts = {path: text for path, text in files.items() if is_path(path) and path.startswith("charts/")}
    problems = [problem for path, text in charts.items() for problem in _chart_problems(path, text)]
    return replace(report, problems=(*report.problems, *problems))


def _chart_problems(path: str, text: str) -> Iterator[Problem]:
    try:
        chart.parse(text, file=path)
    except BadFile as bad:
        yield from bad.problems
    except ValueError as error:  # of the csv library
        yield Problem(file=path, place="", sentence=str(error))


def price_workspace(files: Files) -> tuple[WorkspaceReport, list[PaytablePrice]]:
    """Checks files, and prices their paytables for every number of decks; a file with a problem is left out."""
    report = check_workspace(files)
    bad = {problem.file for problem in report.problems}
    on_disk = WorkspaceOnDisk({path: text for path, text in files.items() if is_path(path) and path not in bad})
    try:
        catalog = Catalog(None, (on_disk.folder,))
        return report, [priced for name in catalog.own("paytables")[:MOST_PRICED] for priced in _prices(catalog, name)]
    finally:
        on_disk.delete()


def _prices(catalog: Catalog, name: str) -> Iterator[PaytablePrice]:
    from upcard.odds.price import price, usual_terms

    table = catalog.paytable(name)
    terms = usual_terms(catalog, table)
    for decks in table.decks:
        quote = price(table, decks, terms=terms)
        yield PaytablePrice(
            paytable=name,
            wager=table.kind.title,
            decks=decks,
            edge_percent=float(quote.edge * 100),
            hit_percent=float(quote.hit_rate * 100),
            empty_meters=bool(quote.jackpots),
        )


def check_in_worker(workers: Workers, files: Files, seconds: float = SECONDS) -> WorkspaceReport:
    """Checks files in another process; refuses files that take too long."""
    if is_too_much(files):
        return WorkspaceReport(problems=tuple(file_problems(files)), notices=())
    return _in_worker(workers, partial(check_workspace, dict(files)), seconds)


def price_in_worker(workers: Workers, files: Files) -> tuple[WorkspaceReport, list[PaytablePrice]]:
    """Checks and prices files in another process."""
    if is_too_much(files):
        return WorkspaceReport(problems=tuple(file_problems(files)), notices=()), []
    return _in_worker(workers, partial(price_workspace, dict(files)), SECONDS)


def _in_worker(workers: Workers, job: Callable[[], T], seconds: float) -> T:
    if not _TURNS.acquire(blocking=False):
        raise BadRequest("other files are being checked; try again in a moment")
    answer = workers.submit(WorkerKind.FILES, job)
    try:
        return answer.result(seconds)
    except TimeoutError:
        answer.cancel()
        raise BadRequest(_TOO_LONG) from None
    except WorkerLost:
        raise BadRequest("these files could not be checked now; try again in a moment") from None
    except JobRefused as refused:
        raise BadRequest(str(refused)) from None
    finally:
        _TURNS.release()
