"""`upcard serve`: the options."""

from typing import Annotated

import typer


def serve(
    book: Annotated[str | None, typer.Option(metavar="BOOK", help="The book: a file, or postgresql://...")] = None,
    host: Annotated[str | None, typer.Option(help="Where to listen; 127.0.0.1 by default.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="0 takes any free one.")] = None,
    key: Annotated[str | None, typer.Option(metavar="FILE", help="The operator's key; BOOK.key by default.")] = None,
    demo: Annotated[
        bool | None, typer.Option("--demo/--no-demo", help="Guests with play money, on this machine only.")
    ] = None,
    log: Annotated[str | None, typer.Option(help="console or json.")] = None,
) -> None:
    """Run the table service: tables, accounts and the API on one port, until Ctrl-C."""
    from upcard.cli.commands.serve_run import run_server

    run_server({"book": book, "host": host, "port": port, "key": key, "demo": demo, "log": log})
