"""Records: frozen values that are written into the journal and read back from it."""

from fractions import Fraction
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetPydanticSchema, JsonValue, PlainSerializer

from upcard.codes import Coded
from upcard.units import MOST_MONEY


class Record(BaseModel):
    """A value of the journal; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


R = TypeVar("R", bound=Record)


def changed_record(record: R, **update: object) -> R:
    """A copy with changed fields; faster than pydantic's own, since a record has no extra and no private fields."""
    copy = object.__new__(type(record))
    for name, value in (
        ("__dict__", {**record.__dict__, **update}),
        ("__pydantic_fields_set__", {*record.__pydantic_fields_set__, *update}),
        ("__pydantic_extra__", None),
        ("__pydantic_private__", None),
    ):
        object.__setattr__(copy, name, value)
    return copy


def is_unset(value: object) -> bool:
    """Whether a field can be left out of the record because it has its usual value."""
    return not value


def _fraction(value: object) -> Fraction:
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int | str):
        return Fraction(value)
    raise ValueError(f"{value!r} is not an exact number like 1/4")


Exact = Annotated[Fraction, BeforeValidator(_fraction), PlainSerializer(str, return_type=str)]
Amount = Annotated[int, Field(gt=0, le=MOST_MONEY, strict=True)]  # cents, at least one
Level = Annotated[int, Field(ge=0, strict=True)]  # cents, or zero
Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^:#\s]([^:#\n]*[^:#\s])?$")]
# A code and its parameters inside a record: pydantic cannot resolve the recursive type by itself.
CodedJson = Annotated[Coded, GetPydanticSchema(lambda _type, handler: handler(dict[str, JsonValue]))]
