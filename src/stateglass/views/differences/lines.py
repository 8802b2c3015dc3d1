"""Which lines of the source are not the same in two versions, as HTML."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.evidence import Became
from stateglass.views.report_parts import Places, escaped

AROUND: Final = 3
"""How many lines that were kept are shown before and after a change."""
MOST_LINES: Final = 10_000
"""Two versions with more lines in all are not compared: it would take long."""
_LOOKS: Final = {None: ("kept", " "), Became.APPEARED: ("new", "+"), Became.VANISHED: ("gone", "-")}


@final
@dataclass(frozen=True, slots=True)
class Line:
    """A line of one or both versions with its numbers there, 0: in that version it is not."""

    became: Became | None
    old: int
    new: int
    text: str


@final
@dataclass(frozen=True, slots=True)
class ChangedFile:
    """Two versions of a file: the lines that are not the same, in groups with what is around them; none: too many."""

    names: tuple[str, str]
    groups: tuple[tuple[Line, ...], ...]


def changed_lines(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[ChangedFile]:
    """What changed in files of the same name; where each side has only one file, these are versions of each other."""
    pairs = [(name, name) for name in dict.fromkeys((*old, *new))]
    if len(old) == len(new) == 1:
        pairs = [(next(iter(old)), next(iter(new)))]
    for before, after in pairs:
        was, now = _lines(old.get(before, "")), _lines(new.get(after, ""))
        if was != now:
            yield ChangedFile((before, after), tuple(_groups(was, now)) if len(was) + len(now) <= MOST_LINES else ())


def _lines(text: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", text.removesuffix("\n")) if text else []


def _groups(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Line, ...]]:
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(AROUND):
        yield tuple(line for opcode in group for line in _changed(opcode, old, new))


def _changed(opcode: tuple[str, int, int, int, int], old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    word, first, end, new_first, new_end = opcode
    if word == "equal":
        for offset, text in enumerate(old[first:end], 1):
            yield Line(None, first + offset, new_first + offset, text)
        return
    for number, text in enumerate(old[first:end], first + 1):
        yield Line(Became.VANISHED, number, 0, text)
    for number, text in enumerate(new[new_first:new_end], new_first + 1):
        yield Line(Became.APPEARED, 0, number, text)


def source_changes(files: Sequence[ChangedFile], names: Places) -> str:
    """The changed lines beside the picture of what they did."""
    box = '<div class="scroll" tabindex="0" role="group" aria-label="Changed lines">'
    parts = [f'<section id="{names.name("source")}" class="pane source"><h2>Changed lines</h2>{box}']
    for file in files:
        title = " → ".join(dict.fromkeys(name for name in file.names))
        parts.append(f"<h3>{escaped(title)}</h3>")
        if not file.groups:
            parts.append("<p>There are too many lines to compare them.</p>")
        for group in file.groups:
            parts.append(f'<ol class="code changed">{"".join(map(_item, group))}</ol>')
    return "".join(parts) + "</div></section>"


def _item(line: Line) -> str:
    look, mark = _LOOKS[line.became]
    numbers = "".join(f"<span>{number or ''}</span>" for number in (line.old, line.new))
    return f'<li class="{look}">{numbers}<code>{mark} {escaped(line.text)}</code></li>'
