"""Reads Mermaid's state diagrams: states, transitions, the start and the end; for a chart also states inside states.

What stands for more structure than that is refused by name; notes and descriptions are left out, which is said.
"""

from __future__ import annotations

import itertools
import re

from stateglass.formats.diagram import Diagram, labels_in
from stateglass.formats.files import decode
from stateglass.formats.names import character
from stateglass.formats.problems import Problems
from stateglass.model import Model
from stateglass.model.chart import Chart

_ID = r"[^\W\d][\w.-]*?"
_END = r"\[\*\]"
_CLASS = r"(?:[ \t]*:::[ \t]*[\w-]+)?"
_ARROW = re.compile(rf"({_ID}|{_END}){_CLASS}[ \t]*-->[ \t]*({_ID}|{_END}){_CLASS}[ \t]*(?::(.*))?")
_ALIAS = re.compile(rf'state[ \t]+"([^"]*)"[ \t]+as[ \t]+({_ID}){_CLASS}')
_STATE = re.compile(rf"(?:state[ \t]+)?({_ID}){_CLASS}[ \t]*(?::(.*))?")
_HEADER = re.compile(r"stateDiagram(-v2)?")
_LAST_ENTITY = re.compile(r"#(?:[0-9]{1,7}|[a-z]{1,9});$")
_COMMENT = re.compile(r"[ \t]*%%(.*)")
_TRAILING = re.compile(r"[ \t]%%(?!\{).*")
_SEMICOLON = re.compile(r"#(?:[0-9]{1,7}|[a-z]{1,9});|(;)")
_NOTE = re.compile(r'note[ \t]+(?:(?:left|right)[ \t]+of[ \t]+[^:]*(:.*)?|"[^"]*"([ \t]+as)[ \t].*)')
# What only concerns looks.
_STYLE = re.compile(
    r"(direction[ \t]+(TB|TD|BT|LR|RL)|(classDef|class|style|title|accTitle|accDescr|click|scale)\b.*"
    r"|hide[ \t]+empty[ \t]+description)"
)
_COMPOSITE = re.compile(rf'state[ \t]+(?:"([^"]*)"[ \t]+as[ \t]+)?({_ID}){_CLASS}[ \t]*\{{')
_STRUCTURE = (
    (re.compile(r"(state\b.*)?\{.*|\}"), "a composite state"),
    (re.compile(r".*<<[ \t]*(fork|join)[ \t]*>>.*"), "a fork or join"),
    (re.compile(r".*<<[ \t]*choice[ \t]*>>.*|[^\[]*\[\[.*"), "a choice"),
    (re.compile(r"--"), "a division into concurrent regions"),
    (re.compile(r".*\[H\*?\].*|.*<<[ \t]*history[ \t]*>>.*"), "a history state"),
)
_BREAK = re.compile(r"<br[ \t]*/?>|\\n")
_ENTITY = re.compile(r"#([0-9]{1,7}|quot|amp|lt|gt|colon|semi);")
_NAMED = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "colon": ":", "semi": ";"}
_RESERVED = {"state", "note", "end", "class", "classDef", "style", "direction", "title", "click", "scale", "hide", "as"}


def parse(data: bytes, name: str) -> Model:
    diagram, start = _diagram(data, name)
    return diagram.model(_labels, start)


def parse_chart(data: bytes, name: str) -> Chart:
    diagram, start = _diagram(data, name, nested=True)
    return diagram.chart(_labels, start)


def _diagram(data: bytes, name: str, nested: bool = False) -> tuple[Diagram, int]:
    """What the text says, and where the diagram begins."""
    lines = decode(data, name).replace("\r\n", "\n").split("\n")
    problems = Problems(name)
    diagram = Diagram("Mermaid", problems, nested)
    start = _after_header(lines, problems)
    problems.stop_if_any()
    note_at = 0
    for number, line in enumerate(lines[start:], start=start + 1):
        text = _statement(line, diagram)
        if note_at:
            note_at = 0 if text == "end note" else note_at
        elif comment := _COMMENT.fullmatch(line):
            diagram.comments.append((number, comment[1]))
        elif note := _NOTE.fullmatch(text):
            diagram.dropped["note"] += 1
            note_at = 0 if note[1] or note[2] else number
        elif text and not _STYLE.fullmatch(text):
            for part in _parts(text):
                _read(part, number, diagram)
        if problems.full:
            break
    if note_at:
        problems.add("the note has no `end note`", note_at)
    return diagram, start


def is_plain_name(name: str) -> bool:
    """Whether a state's name can stand in a diagram as it is."""
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None and name not in _RESERVED


def _after_header(lines: list[str], problems: Problems) -> int:
    """The number of lines up to and including `stateDiagram-v2`; front matter and comments may precede it."""
    front = False
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text == "---":
            front = not front
        elif front or not text or _COMMENT.fullmatch(line):
            continue
        elif _HEADER.fullmatch(text):
            return number
        else:
            problems.add(f"expected `stateDiagram-v2`, found `{text[:60]}`", number)
            return number
    problems.add("expected `stateDiagram-v2`, found nothing", len(lines))
    return len(lines)


def _statement(line: str, diagram: Diagram) -> str:
    """The line without blanks and comments around it and without the semicolon that may end it."""
    text = line.strip()
    if (comment := _TRAILING.search(text)) and not text.startswith(("%%", 'state "')):
        # Mermaid itself shows it where it follows a label, which nobody means.
        diagram.dropped["comment at the end of a line"] += 1
        text = text[: comment.start()].rstrip()
    return text if _LAST_ENTITY.search(text) else text.removesuffix(";").rstrip()


def _parts(text: str) -> list[str]:
    """The statements of a line: several only if each of them is an arrow."""
    cuts = [-1, *(match.start() for match in _SEMICOLON.finditer(text) if match[1]), len(text)]
    parts = [text[start + 1 : stop].strip() for start, stop in itertools.pairwise(cuts)]
    return parts if all(_ARROW.fullmatch(part) for part in parts) else [text]


def _read(text: str, number: int, diagram: Diagram) -> None:
    if match := _ARROW.fullmatch(text):
        diagram.arrow(match[1], (match[3] or "").strip(), match[2], number)
        return
    if diagram.nested and (match := _COMPOSITE.fullmatch(text)):
        diagram.begin(match[2], match[1], number)
        return
    if diagram.nested and text == "}":
        diagram.end(number)
        return
    for pattern, construct in _STRUCTURE:
        if pattern.fullmatch(text):
            diagram.unsupported(construct, text, number)
            return
    if match := _ALIAS.fullmatch(text):
        diagram.state(match[2], match[1], number)
    elif match := _STATE.fullmatch(text):
        if match[2] is None:
            diagram.state(match[1], None, number)
        else:
            diagram.described(match[1], match[2], number)
    else:
        diagram.not_understood(text, number)


def _labels(text: str) -> list[str]:
    return labels_in(text, _BREAK, _ENTITY, _character)


def _character(entity: re.Match[str]) -> str:
    if entity[1] in _NAMED:
        return _NAMED[entity[1]]
    return character(int(entity[1]), entity[0])
