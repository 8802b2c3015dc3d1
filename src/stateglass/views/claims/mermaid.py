"""A run as a sequence diagram for Mermaid."""

from __future__ import annotations

from stateglass.source import printable
from stateglass.views.claims.sequence import RowKind, Sequence

_ARROWS = {
    RowKind.CALL: "->>",
    RowKind.RETURN: "-->>",
    RowKind.SEND: "-)",
    RowKind.INSIDE: "->>",
    RowKind.ALARM: "-x",
}
assert set(_ARROWS) == set(RowKind)


def mermaid(diagram: Sequence, title: str) -> str:
    """The text of the diagram."""
    lines = ["sequenceDiagram", f"  accTitle: {_text(title)}"]
    lines += [f"  participant L{number} as {_text(name)}" for number, name in enumerate(diagram.lanes)]
    indent = "  "
    for number, message in enumerate(diagram.messages):
        if number == diagram.loop_start:
            lines.append("  loop for ever")
            indent = "    "
        if message.text:
            arrow = f"L{message.source}{_ARROWS[message.kind]}L{message.target}"
            lines.append(f"{indent}{arrow}: {_text(message.text)}")
        if message.changes:
            lines.append(f"{indent}Note over L{message.beside}: {_text(', '.join(message.changes))}")
    if diagram.loop_start is not None:
        lines.append("  end")
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    """Text that Mermaid takes for no syntax of its own."""
    plain = " ".join(printable(text).split())
    return "".join(f"#{ord(c)};" if c in '#;:"<>{}' else c for c in plain) or "#32;"
