"""A process that answers questions about worth, one after another, until nobody asks any more.

It is started as `python -m upcard.odds.main.answering`; questions come in and answers go out as pickles between a
parent and its own child. It takes what is left of the processor: whoever plays goes first.
"""

import os
import pickle
import signal
import sys
from typing import BinaryIO

from upcard.odds.main.decision import Question
from upcard.odds.main.jit import note_compiled
from upcard.problems import UpcardError

NICENESS = 5


def answer(asked: BinaryIO, answers: BinaryIO) -> None:
    """Says first that it is ready, then the worths of each question, or the sentence why there are none."""
    from upcard.odds.main.worth import Worths, warm_up, worths

    warm_up()
    note_compiled("kernel")
    _say(answers, "ready")
    while True:
        try:
            question: Question = pickle.load(asked)
        except EOFError:
            return
        told: Worths | str
        try:
            told = worths(question)
        except UpcardError as wrong:
            told = str(wrong)
        _say(answers, told)


def _say(answers: BinaryIO, told: object) -> None:
    pickle.dump(told, answers)
    answers.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent closes the door when it goes
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    answer(sys.stdin.buffer, sys.stdout.buffer)
