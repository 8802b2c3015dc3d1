"""Reads the flat part of Mermaid's state diagrams: states, transitions, the start and the end.

An arrow without text is silent. `A --> [*]` makes A a normal end when it is the only arrow that leaves A,
else it leads to a normal end of its own. What stands for more structure than that is refused by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import final

from stateglass.formats.assemble import from_graph
from stateglass.formats.files import decode
from stateglass.formats.problems import Problems
from stateglass.model import TAU, Model
from stateglass.source import Code

_ID = r"[^\W\d][\w.-]*?"
_END = r"\[\*\]"
_CLASS = r"(?:[ \t]*:::[ \t]*[\w-]+)?"
_ARROW = re.compile(rf"({_ID}|{_END}){_CLASS}[ \t]*-->[ \t]*({_ID}|{_END}){_CLASS}[ \t]*(?::(.*))?")
_ALIAS = re.compile(rf'state[ \t]+"([^"]*)"[ \t]+as[ \t]+({_ID}){_CLASS}')
_STATE = re.compile(rf"(?:state[ \t]+)?({_ID}){_CLASS}[ \t]*(?::(.*))?")
_HEADER = re.compile(r"stateDiagram(-v2)?")
_LAST_ENTITY = re.compile(r"#(?:[0-9]{1,7}|[a-z]{1,9});$")
_COMMENT = re.compile(r"[ \t]*%%.*")
# What only concerns looks.
_STYLE = re.compile(
    r"(direction[ \t]+(TB|TD|BT|LR|RL)|(classDef|class|style|title|accTitle|accDescr|click|scale)\b.*"
    r"|hide[ \t]+empty[ \t]+description)"
)
_STRUCTURE = (
    (re.compile(r"(state\b.*)?\{.*|\}"), "a composite state"),
    (re.compile(r".*<<[ \t]*(fork|join)[ \t]*>>.*"), "a fork or join"),
    (re.compile(r".*<<[ \t]*choice[ \t]*>>.*|[^\[]*\[\[.*"), "a choice"),
    (re.compile(r"note\b.*|end[ \t]+note"), "a note"),
    (re.compile(r"--"), "a division into concurrent regions"),
)
_BREAK = re.compile(r"<br[ \t]*/?>|\\n")
_ENTITY = re.compile(r"#([0-9]{1,7}|quot|amp|lt|gt|colon|semi);")
_NAMED = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "colon": ":", "semi": ";"}
_RESERVED = {"state", "note", "end", "class", "classDef", "style", "direction", "title", "click", "scale", "hide", "as"}
_MARK = "[*]"


@final
@dataclass
class _Diagram:
    """What was read so far."""

    states: dict[str, None] = field(default_factory=dict)
    initial: list[str] = field(default_factory=list)
    arrows: list[tuple[str, str, str]] = field(default_factory=list)  # source, text, target


def parse(data: bytes, name: str) -> Model:
    lines = decode(data, name).replace("\r\n", "\n").split("\n")
    problems = Problems(name)
    diagram = _Diagram()
    start = _after_header(lines, problems)
    problems.stop_if_any()
    for number, line in enumerate(lines[start:], start=start + 1):
        text = _statement(line)
        if text and not _COMMENT.fullmatch(line) and not _STYLE.fullmatch(text):
            _read(text, number, diagram, problems)
        if problems.full:
            break
    if not diagram.states and not problems:
        problems.add("the diagram has no states", start, code=Code.MODEL)
    if len(diagram.initial) > 1:
        shown = ", ".join(f"`{state[:40]}`" for state in diagram.initial[:5])
        problems.add(f"the diagram has {len(diagram.initial)} initial states: {shown}", start, code=Code.MODEL)
    problems.stop_if_any()
    return _model(diagram)


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


def _statement(line: str) -> str:
    """The line without blanks around it and without the semicolon that may end it, unless that ends an entity."""
    text = line.strip()
    return text if _LAST_ENTITY.search(text) else text.removesuffix(";").rstrip()


def _read(text: str, number: int, diagram: _Diagram, problems: Problems) -> None:
    if match := _ARROW.fullmatch(text):
        source, target, label = match[1], match[2], (match[3] or "").strip()
        if source == _MARK and target == _MARK:
            problems.add("an arrow from the start to the end names no state", number)
        elif source == _MARK:
            if label:
                problems.add("the arrow from the start cannot carry a label", number, help="remove the text after `:`")
            if target not in diagram.initial:
                diagram.initial.append(target)
        else:
            diagram.states.setdefault(source)
            diagram.arrows.append((source, label, target))
        if target != _MARK:
            diagram.states.setdefault(target)
        return
    for pattern, construct in _STRUCTURE:
        if pattern.fullmatch(text):
            message = f"{construct} is not understood: `{text[:60]}`"
            problems.add(message, number, help="only states and arrows are read", code=Code.UNSUPPORTED)
            return
    if match := _ALIAS.fullmatch(text):
        diagram.states.setdefault(match[2])
    elif match := _STATE.fullmatch(text):
        diagram.states.setdefault(match[1])
    else:
        help = 'write `A --> B : label`, `[*] --> A`, `A --> [*]` or `state "text" as A`'
        problems.add(f"`{text[:60]}` is not understood", number, help=help)


def _model(diagram: _Diagram) -> Model:
    leaving: dict[str, int] = {}
    for source, _, _ in diagram.arrows:
        leaving[source] = leaving.get(source, 0) + 1
    names = list(diagram.states)
    final = "final"
    while final in diagram.states:
        final += "_"
    rows: list[tuple[str, str, str]] = []
    terminal: list[str] = []
    for source, text, target in diagram.arrows:
        if target == _MARK and not text and leaving[source] == 1:
            terminal.append(source)
            continue
        if target == _MARK and final not in terminal:
            terminal.append(final)
            names.append(final)
        rows += [(source, label, final if target == _MARK else target) for label in _labels(text)]
    initial = diagram.initial[0] if diagram.initial else names[0]
    return from_graph(names, initial, rows, terminal, "s")


def _labels(text: str) -> list[str]:
    parts = (part.strip() for part in _BREAK.split(text))
    return [_ENTITY.sub(_character, part) for part in parts if part] or [TAU]


def _character(entity: re.Match[str]) -> str:
    if entity[1] in _NAMED:
        return _NAMED[entity[1]]
    number = int(entity[1])
    return chr(number) if number < 0xD800 or 0xDFFF < number <= 0x10FFFF else entity[0]
