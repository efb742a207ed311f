"""The one JSON text of a value, which every seal of the journal rests on: what the standard library writes."""

import json

from hypothesis import given
from hypothesis import strategies as st

from upcard.ledger.journal import canonical

LETTERS = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | LETTERS,
    lambda inner: st.lists(inner) | st.dictionaries(LETTERS, inner),
)


@given(VALUES)
def test_the_canonical_text_of_a_value_can_be_written_with_the_standard_library_alone(value: object) -> None:
    assert canonical(value) == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
