"""Transcripts: read, played again, checked to the byte, and refused with a sentence when they make no sense."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cli_runner import upcard

from upcard.catalog import shipped
from upcard.pit.transcript import replay, run
from upcard.problems import BadFile

SHORT = """\
# a round of Double Action
table double-action
cards 5h 9c 5d Td
> seat Ann 1
> round
> 1 bet Blackjack $10
> 1 bet Double Action $5
> deal
> 1 stay
"""


def test_a_transcript_that_was_written_holds(tmp_path: Path) -> None:
    path = tmp_path / "short.round"
    path.write_text(SHORT)
    assert upcard("replay", "--write", str(path)).code == 0
    assert upcard("replay", str(path)).out == f"{path}: matches\n"
    assert "slip: spot 1, Ann, Double Action: stake $5, paid $0, returned $0, taken $5" in path.read_text()


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("paid $0, returned $0, taken $5", "paid $5, returned $5, taken $0", "line 21"),
        ("cards 5h 9c 5d Td", "cards 5h 9c 9d Td", "line 16"),
        ("  the round is over\n", "", "line 27"),
    ],
)
def test_a_transcript_that_was_changed_is_found(tmp_path: Path, old: str, new: str, place: str) -> None:
    path = tmp_path / "short.round"
    text = run(shipped(), SHORT, "short")
    assert old in text
    path.write_text(text.replace(old, new, 1))
    (problem,) = replay(shipped(), path)
    assert problem.place == place
    result = upcard("replay", str(path))
    assert result.code == 2
    assert "the transcript says" in result.err


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("hello", "a line begins with table, cards, > or #"),
        ("table nowhere", "there is no layout 'nowhere'"),
        ("table the-brook cut", "a table is opened like"),
        ("cards Qx", "'Qx' is not a card"),
        ("> dance", "'dance' is not a command; commands are: seat NAME SPOT"),
        ("> 1 bet Ante", "'Ante' is not a wager and an amount"),
        ("> 1 bet Ante $1.5", "is not an amount of money"),
        ("> minimum $x", "is not an amount of money"),
        ("> card Qz", "'Qz' is not a card"),
    ],
)
def test_lines_that_make_no_sense_are_told_with_their_place(line: str, sentence: str) -> None:
    with pytest.raises(BadFile) as refused:
        run(shipped(), f"table double-action\n{line}\n", "x.round")
    assert "x.round: line 2" in str(refused.value)
    assert sentence in str(refused.value)


def test_a_command_before_the_table_is_open_is_told() -> None:
    with pytest.raises(BadFile, match="open a table first"):
        run(shipped(), "> round\n", "x.round")


def test_a_card_that_cannot_come_is_a_mistake_of_the_transcript() -> None:
    """CARD_IMPOSSIBLE is no refusal of the command before it, which was carried out."""
    aces = SHORT.replace("5h 9c 5d Td", "Ah Ah Ah Ah Ah Ah Ah").replace(
        "> 1 stay", "> close insurance\n> 1 hit\n> 1 hit\n> 1 hit"
    )
    with pytest.raises(BadFile, match="the next card cannot be dealt: all 6 copies of Ah have come out of this shoe"):
        run(shipped(), aces, "x.round")


lines = st.one_of(
    st.text(max_size=20),
    st.sampled_from(SHORT.splitlines()),
    st.builds(
        "> {} {} {}".format,
        st.integers(0, 7),
        st.sampled_from(["bet Ante", "double", "insure", "hit"]),
        st.text(max_size=6),
    ),
)


@given(st.lists(lines, max_size=12))
def test_no_text_breaks_the_reader(written: list[str]) -> None:
    with contextlib.suppress(BadFile):
        run(shipped(), "\n".join(written), "x.round")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "cannot be read: is a directory" in upcard("replay", str(tmp_path)).err
    assert "no such file" in upcard("replay", str(tmp_path / "none.round")).err
    picture = tmp_path / "picture.round"
    picture.write_bytes(b"\x89PNG\xff")
    assert "not UTF-8" in upcard("replay", str(picture)).err
