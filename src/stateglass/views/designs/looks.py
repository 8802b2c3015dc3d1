"""What pictures of designs have in common: letters, lines, and how much can be read."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Final

from stateglass.source import Code, input_error
from stateglass.views.drawing import INK, PALE_INK, attributes, dot_text, printable

MOST_WIDTH: Final = 40
SMALL: Final = "10"


def head(name: str, caption: Sequence[str], *, across: bool) -> list[str]:
    """How a DOT graph begins; what it is about stands below the picture."""
    look = {
        "compound": "true",
        "rankdir": "LR" if across else "TB",
        "nodesep": "0.3" if across else "0.45",
        "ranksep": "0.6" if across else "0.45",
        "pad": "0.25",
        "bgcolor": "white",
        "fontname": "sans-serif",
        "fontsize": "11",
        "labelloc": "b",
        "label": dot_text(*caption),
        "fontcolor": PALE_INK,
        "tooltip": dot_text(" "),
    }
    return [
        f"digraph {name} {{",
        f"  graph [{attributes(look)}];",
        f'  node [fontname="sans-serif", fontsize=11, fontcolor="{INK}", color="{INK}"];',
        f'  edge [fontname="sans-serif", fontsize=10, fontcolor="{INK}", color="{INK}", arrowsize=0.8];',
    ]


def shortened(text: str, width: int = MOST_WIDTH) -> str:
    text = printable(text)
    return text if len(text) <= width else text[: width - 1] + "…"


def in_html(text: str, width: int = MOST_WIDTH) -> str:
    """A line of a label in angle brackets; what is set in stays so."""
    return html.escape(shortened(text, width)).replace("  ", "&#160;&#160;")


def refuse_crowds(counts: Sequence[tuple[int, str, int]], help: str, *, force: bool) -> None:
    """A picture of too many things is refused, unless somebody insists."""
    for count, what, most in counts:
        if count > most and not force:
            message = f"there are {count:,} {what}; a picture of more than {most:,} cannot be read"
            raise input_error(Code.PICTURE, message, help=help)
