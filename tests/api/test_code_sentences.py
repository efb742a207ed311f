"""Whatever is stored or sent as a code has the same sentence in Python and in the pages."""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from api.house import TABLE, House

from upcard.engine.round import Phase, Result
from upcard.service import event_models, manual_dealing, stored_events
from upcard.settlement.slips import SlipReason

LIB = Path(__file__).parents[2] / "web" / "src" / "lib"
PART = re.compile(r'\s+|//[^\n]*|(?:"([^"]+)"|(\w+)):\s*("(?:[^"\\]|\\.)*"),')

EVERY_CODE = """
import json, pkgutil, upcard
from importlib import import_module
from upcard.codes import sentences
for module in pkgutil.walk_packages(upcard.__path__, "upcard."):
    if ".migrations" not in module.name and not module.name.endswith("__main__"):
        import_module(module.name)
print(json.dumps(dict(sentences())))
"""

Parameters = set[tuple[str, str]]  # names and formats


def in_typescript(file: str, name: str) -> dict[str, str]:
    """A plain object of texts, and nothing else in it but comments."""
    match = re.search(
        rf"export const {name}: Readonly<Record<string, string>> = {{\n(.*?)^}};", source(file), re.S | re.M
    )
    assert match is not None, f"{file} has no list {name}"
    body, at, texts = match[1], 0, dict[str, str]()
    while at < len(body):
        part = PART.match(body, at)
        assert part is not None, f"{file} is not plain at: {body[at : at + 60]}"
        at = part.end()
        if part[3]:
            code = part[1] or part[2]
            assert code not in texts, f"{file} has {code} twice"
            texts[code] = json.loads(part[3])
    return texts


def source(file: str) -> str:
    return (LIB / file).read_text()


@cache
def in_python() -> dict[str, str]:
    """The sentences of every module there is; asked of another process, for tests of this one may change them."""
    completed = subprocess.run([sys.executable, "-c", EVERY_CODE], capture_output=True, text=True, check=True)
    return dict(json.loads(completed.stdout))


def parameters(text: str) -> Parameters:
    return {(name, kind or "") for _, name, kind, _ in Formatter().parse(text) if name}


@pytest.fixture(scope="module")
def page_sentences() -> dict[str, str]:
    return in_typescript("codeSentences.ts", "SENTENCES")


def test_python_and_the_pages_have_the_same_codes(page_sentences: dict[str, str]) -> None:
    codes = in_python().keys()
    assert (codes - page_sentences.keys(), page_sentences.keys() - codes) == (set(), set()), (
        "not in the pages, not in Python"
    )


def test_python_and_the_pages_word_every_code_alike(page_sentences: dict[str, str]) -> None:
    """A player reads the same refusal in the terminal, over the API and on the felt."""
    sentences = in_python()
    different = {code: (sentences.get(code), text) for code, text in page_sentences.items()}
    assert {code: texts for code, texts in different.items() if texts[0] != texts[1]} == {}


def test_every_reason_of_a_slip_has_a_sentence(page_sentences: dict[str, str]) -> None:
    assert {f"slip/{reason.value}" for reason in SlipReason} <= page_sentences.keys()


def test_the_pages_have_a_sentence_for_every_stored_event() -> None:
    sentences = in_typescript("eventSentences.ts", "EVENTS")
    assert sentences.keys() == stored_events.event_names()
    fields = {event: kind.__annotations__ for event, kind in event_models.EVENTS.items()}
    unknown = {
        event: {name for name, _ in parameters(text)} - fields[event].keys() for event, text in sentences.items()
    }
    assert {event: names for event, names in unknown.items() if names} == {}


def test_results_phases_and_entries_have_words() -> None:
    assert in_typescript("eventSentences.ts", "RESULTS").keys() == {result.value for result in Result}
    assert in_typescript("eventSentences.ts", "PHASES").keys() == {phase.value for phase in Phase}
    assert in_typescript("eventSentences.ts", "ENTRIES").keys() == set(manual_dealing.ENTRIES.values())


def test_a_problem_has_details_only_where_its_reason_is_a_code(house: House) -> None:
    """The pages make the sentence from the code then, and else show the service's own words."""
    ann = house.player()
    refused = ann.say(TABLE, "hit", spot=1).json()
    assert refused["details"] == {"player": ann.name, "spot": 1}
    assert refused["reason"] in in_python()
    unknown = ann.get(f"/api/tables/{TABLE}/rounds/999").json()
    assert unknown["reason"] == "ROUND_UNKNOWN"
    assert "details" not in unknown
