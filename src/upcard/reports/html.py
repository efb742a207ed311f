"""Writes a document as one HTML page that needs no other file and is also well-formed XML."""

from collections.abc import Iterator
from html import escape

from upcard.reports.document import Block, Document, Grid, Statements, on_one_line

_STYLE = (
    "body{font:16px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111}"
    "h1{font-size:1.6rem}h2{font-size:1.3rem;border-bottom:1px solid #999;margin-top:2.2rem}h3{font-size:1.05rem}"
    "table{border-collapse:collapse;margin:.6rem 0}"
    "th,td{border:1px solid #bbb;padding:.25rem .5rem;text-align:left;vertical-align:top}"
    ".right{text-align:right}@media print{body{margin:0;max-width:none}h2,h3{break-after:avoid}tr{break-inside:avoid}}"
)


def html(document: Document) -> str:
    title = _text(document.title)
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/>'
        f"<title>{title}</title><style>{_STYLE}</style></head>",
        f"<body><h1>{title}</h1>",
    ]
    for part in document.sections:
        lines.append(f"<h{part.level}>{_text(part.heading)}</h{part.level}>")
        for block in part.blocks:
            lines += _block(block)
    return "\n".join([*lines, "</body>", "</html>", ""])


def _block(block: Block) -> Iterator[str]:
    match block:
        case Statements():
            yield "<ul>"
            for sentence in block.sentences:
                yield f"<li>{_text(sentence)}</li>"
            yield "</ul>"
        case Grid():
            yield f"<table><thead><tr>{_cells(block, block.columns, 'th')}</tr></thead><tbody>"
            for row in block.rows:
                yield f"<tr>{_cells(block, row, 'td')}</tr>"
            yield "</tbody></table>"


def _cells(grid: Grid, cells: tuple[str, ...], tag: str) -> str:
    return "".join(
        f'<{tag} class="right">{_text(cell)}</{tag}>' if column in grid.right else f"<{tag}>{_text(cell)}</{tag}>"
        for column, cell in zip(grid.columns, cells, strict=True)
    )


def _text(text: str) -> str:
    return escape(on_one_line(text))
