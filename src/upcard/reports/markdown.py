"""Writes a document as Markdown, which a terminal shows as it is."""

import re
from collections.abc import Iterator

from upcard.reports.document import Block, Document, Grid, Statements, on_one_line

# An underscore inside a word, as in shuffler_model, is plain text.
_SPECIAL = re.compile(r"[\\`*\[\]<>|]|(?<![^\W_])_|_(?![^\W_])")
_BEGINS_A_BLOCK = re.compile(r"^(#|\+|-|\d+[.)])")


def markdown(document: Document) -> str:
    lines = [f"# {_text(document.title)}"]
    for part in document.sections:
        lines += ["", f"{'#' * part.level} {_text(part.heading)}"]
        for block in part.blocks:
            lines += ["", *_block(block)]
    return "\n".join([*lines, ""])


def _block(block: Block) -> Iterator[str]:
    match block:
        case Statements():
            for sentence in block.sentences:
                yield f"- {_text(sentence)}"
        case Grid():
            yield _row(block.columns)
            yield _row(tuple("---:" if column in block.right else "---" for column in block.columns), raw=True)
            for row in block.rows:
                yield _row(row)


def _row(cells: tuple[str, ...], *, raw: bool = False) -> str:
    return f"| {' | '.join(cells if raw else map(_text, cells))} |"


def _text(text: str) -> str:
    escaped = _SPECIAL.sub(lambda match: f"\\{match[0]}", on_one_line(text))
    return _BEGINS_A_BLOCK.sub(lambda match: f"{match[0][:-1]}\\{match[0][-1]}", escaped)
