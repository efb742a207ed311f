"""Frozen values changed quickly: a copy with other fields, for dataclasses that keep their fields in a dictionary.

`dataclasses.replace` runs the constructor of every copy; a round is copied for each card and each word said, so that is
most of the time a table takes. Only for dataclasses without slots, without `__post_init__` and cached properties.
"""

from typing import TYPE_CHECKING

_new, _set = object.__new__, object.__setattr__

if TYPE_CHECKING:  # whose fields and their types a type checker knows
    from dataclasses import replace as replace
else:

    def replace(value, **fields):
        """The same value with some fields changed."""
        kept = value.__dict__
        changed = {**kept, **fields}
        if len(changed) != len(kept):
            raise TypeError(f"{type(value).__name__} has no field {', '.join(sorted(fields.keys() - kept.keys()))}")
        copy = _new(type(value))
        _set(copy, "__dict__", changed)
        return copy
