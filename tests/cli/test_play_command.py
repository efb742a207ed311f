"""`upcard play`: its options, its refusals, and a sitting in a real terminal."""

import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest
from support.cli_runner import upcard

from upcard.cli.commands.play_options import PlayOptions
from upcard.cli.play import seat
from upcard.problems import BadRequest

UPCARD = str(Path(sys.executable).with_name("upcard"))
SEED = "ab" * 32


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("the-brok",), "there is no game 'the-brok'; did you mean the-brook?"),
        (("the-brook", "--layout", "the-brook-by-hnd"), "there is no layout 'the-brook-by-hnd'; did you mean"),
        (("the-brook", "--layout", "bet-bigger"), "bet-bigger is a layout of bet-bigger; the layouts of the-brook are"),
        (("the-brook", "--spots", "4"), "--spots must be between 1 and 3, not 4"),
        (("the-brook", "--spots", "0"), "--spots must be between 1 and 3, not 0"),
        (("the-brook", "--bankroll", "much"), "--bankroll: '$much' is not an amount of money"),
        (("the-brook", "--seed", "ab"), "--seed must be a shoe's key of 64 hexadecimal digits, not 'ab'"),
        (("the-brook", "--seed", "no hex"), "--seed must be a shoe's key of 64 hexadecimal digits, not 'no hex'"),
        (("the-brook",), "play needs a terminal"),
        ((), "say which game, such as 002"),
    ],
)
def test_one_clear_sentence_and_exit_code_2(words: tuple[str, ...], sentence: str) -> None:
    result = upcard("play", *words)
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert sentence in result.err


@pytest.mark.parametrize("name", ["the-brook", "000", "Bet Bigger Blackjack"])
def test_a_game_is_found_by_slug_number_or_name(name: str) -> None:
    sitting = seat(name, PlayOptions(spots=2, bankroll="250"))
    assert sitting.bankroll == 250_00
    assert sitting.table.seats == {1: "You", 2: "You"}


def test_the_same_seed_gives_the_same_shoes() -> None:
    first, second = (seat("000", PlayOptions(bankroll="$5", seed=SEED)) for _ in range(2))
    assert first.shoe.shuffle.key.hex() == SEED
    assert first.shoe == second.shoe
    next_shoe = first.shoes(first.table)
    assert next_shoe == second.shoes(second.table)
    assert next_shoe.shuffle.key != first.shoe.shuffle.key
    unseeded = seat("000", PlayOptions(bankroll="$5"))
    assert unseeded.shoe.shuffle.key != first.shoe.shuffle.key


def test_the_players_nonce_and_cut_change_the_shoe() -> None:
    choices = (PlayOptions(seed=SEED), PlayOptions(seed=SEED, nonce="ours"), PlayOptions(seed=SEED, cut=100))
    plain, worded, cut = (seat("000", options).shoe.order for options in choices)
    assert plain != worded
    assert sorted(plain) == sorted(worded) == sorted(cut)
    assert cut in [plain[turn:] + plain[:turn] for turn in range(312)]  # the same brick, cut elsewhere
    with pytest.raises(BadRequest, match="cut between 39 and 273"):
        seat("000", PlayOptions(cut=5))


@pytest.mark.parametrize(("keys", "end"), [("5\rq", "0 rounds"), ("\x03", "left with $1,000 ($0).")])
def test_a_real_terminal_is_left_cleanly_with_one_line(keys: str, end: str) -> None:
    """Q twice in the middle of a hand, or Ctrl-C at once."""
    terminal, child_end = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    words = [UPCARD, "play", "the-brook", "--seed", SEED]
    with subprocess.Popen(words, stdin=child_end, stdout=child_end, stderr=child_end, env=env) as child:
        os.close(child_end)
        output = _read_until(terminal, b"Place")
        for key in (*keys, "q"):
            os.write(terminal, key.encode())
        output += _read_until(terminal, b"left with")
        output += _read_until(terminal, b"\n")
        assert child.wait(timeout=10) == 0
    os.close(terminal)
    assert end in output.decode(errors="replace").splitlines()[-1]
    assert b"Traceback" not in output


def _read_until(terminal: int, text: bytes) -> bytes:
    output = b""
    while text not in output:
        assert select.select([terminal], [], [], 30)[0], f"{text!r} was never shown"
        try:
            output += os.read(terminal, 4096)
        except OSError:  # the other side has closed
            break
    return output
