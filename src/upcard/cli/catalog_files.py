"""A catalog under a jurisdiction's file of the operator's own."""

from pathlib import Path

from upcard.catalog.index import Catalog
from upcard.catalog.jurisdiction import Jurisdiction
from upcard.catalog.load import format_of, load_model
from upcard.problems import BadFile, Problem


def catalog_under(jurisdiction: str | None, catalog: Catalog) -> Catalog:
    """The catalog; with a jurisdiction's file, under the limits and approved models in that file."""
    if jurisdiction is None:
        return catalog
    path = Path(jurisdiction)
    if format_of(path) is not Jurisdiction:
        raise BadFile([Problem(file=jurisdiction, place="", sentence="this is not a jurisdiction file")])
    return catalog.with_jurisdiction(load_model(path, Jurisdiction))
