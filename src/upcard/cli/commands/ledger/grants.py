"""`upcard ledger grants`: what a PostgreSQL role needs to run the service."""

from typing import Annotated

import typer


def grants(
    role: Annotated[str, typer.Argument(metavar="ROLE", help="The PostgreSQL role that the service connects as.")],
    in_schema: Annotated[str, typer.Option("--schema", metavar="NAME", help="The schema of the tables.")] = "public",
) -> None:
    """Print the SQL that lets a role run the service without owning the tables, for psql."""
    from upcard.cli.output import write_lines
    from upcard.service.database_grants import grants as statements

    write_lines(*statements(role, in_schema))
