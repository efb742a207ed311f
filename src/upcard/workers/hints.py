"""Jobs for hints: what each thing that may be done with a hand is worth."""

from upcard.odds.main.decision import Question

Worths = dict[str, float]


def get_ready() -> None:
    """Loads what the answers need; the very first time on a machine it is compiled."""
    from upcard.odds.main.jit import note_compiled
    from upcard.odds.main.worth import warm_up

    warm_up()
    note_compiled("kernel")


def work_out(question: Question) -> Worths:
    """The worth of each action of a question."""
    from upcard.odds.main.worth import worths

    return worths(question)
