"""`upcard serve`: the options."""

from typing import Annotated

import typer


def serve(
    book: Annotated[str | None, typer.Option(metavar="BOOK", help="The book: a file, or postgresql://...")] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on (default: 127.0.0.1).")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on (default: 8000); 0 takes any free one.")
    ] = None,
    key: Annotated[
        str | None, typer.Option(metavar="FILE", help="The operator's key file (default for a book file: BOOK.key).")
    ] = None,
    demo: Annotated[
        bool | None, typer.Option("--demo/--no-demo", help="Let guests play with play money, from this machine only.")
    ] = None,
    log: Annotated[str | None, typer.Option(help="Log format: console or json.")] = None,
    time_from_book: Annotated[
        bool | None,
        typer.Option(
            "--time-from-book", help="Start although the last record is ahead of this machine's clock; see operating."
        ),
    ] = None,
) -> None:
    """Run the table service on one port: web pages, accounts and API. Ctrl-C stops it."""
    from upcard.cli.commands.serve_run import run_server

    options = {"book": book, "host": host, "port": port, "key": key, "demo": demo, "log": log}
    run_server({**options, "time_from_book": time_from_book})
