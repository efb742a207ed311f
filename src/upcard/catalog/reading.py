"""Readings: the points where filings are silent, ambiguous or contradictory, and the options there.

The questions and their options are listed once in readings.toml; every game's file names the options it follows.
"""

from collections.abc import Mapping

from pydantic import Field

from upcard.catalog.fields import CatalogModel


class Option(CatalogModel):
    """One way to read a filing."""

    means: str
    rules: dict[str, str | bool | int] = Field(default={})  # what it sets in the main game's rules


class Reading(CatalogModel):
    """One open question and its possible answers; the first option is the usual one."""

    filings: tuple[str, ...] = Field(min_length=1, strict=False)
    question: str
    options: Mapping[str, Option] = Field(min_length=1)


class ReadingsFile(CatalogModel):
    """All readings by their number."""

    reading: Mapping[str, Reading]
