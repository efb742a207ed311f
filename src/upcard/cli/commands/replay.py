"""`upcard replay`: a transcript played again and checked to the byte."""

from typing import Annotated

import typer


def replay(
    files: Annotated[list[str], typer.Argument(metavar="FILE.round...", help="Transcripts.")],
    write: Annotated[bool, typer.Option("--write", help="Write what happens into the files.")] = False,
) -> None:
    """Play transcripts again and check them to the byte."""
    from upcard.cli.commands.replay_run import check_transcripts, write_transcripts

    write_transcripts(files) if write else check_transcripts(files)
