"""`upcard replay`: the options."""

from typing import Annotated

import typer


def replay(
    files: Annotated[list[str], typer.Argument(metavar="FILE.round", help="Transcripts of rounds.")],
    write: Annotated[
        bool, typer.Option("--write", help="Write the replay into the files instead of checking them.")
    ] = False,
) -> None:
    """Replay transcripts of rounds and check that they match byte for byte."""
    from upcard.cli.commands.replay_run import check_transcripts, write_transcripts

    write_transcripts(files) if write else check_transcripts(files)
