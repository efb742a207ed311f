"""Records: frozen values that are written into the journal and read back from it."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from upcard.units import MOST_MONEY


class Record(BaseModel):
    """A value of the journal; keys nobody knows are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """As everywhere; quicker, because a record has neither extra fields nor private ones to be copied."""
        if deep or update is None:
            return super().model_copy(update=update, deep=deep)
        copy = object.__new__(type(self))
        for name, value in (
            ("__dict__", {**self.__dict__, **update}),
            ("__pydantic_fields_set__", {*self.__pydantic_fields_set__, *update}),
            ("__pydantic_extra__", None),
            ("__pydantic_private__", None),
        ):
            object.__setattr__(copy, name, value)
        return copy


def _fraction(value: object) -> Fraction:
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int | str):
        return Fraction(value)
    raise ValueError(f"{value!r} is not an exact number like 1/4")


Exact = Annotated[Fraction, BeforeValidator(_fraction), PlainSerializer(str, return_type=str)]
Amount = Annotated[int, Field(gt=0, le=MOST_MONEY, strict=True)]  # cents that move
Level = Annotated[int, Field(ge=0, strict=True)]  # cents that stand
Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^:#\s]([^:#\n]*[^:#\s])?$")]
