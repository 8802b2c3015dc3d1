"""Reads PlantUML's state diagrams: states, transitions, the start and the end; for a chart also states inside states.

What stands for more structure than that is refused by name; notes and descriptions are left out, which is said.
"""

from __future__ import annotations

import re

from stateglass.formats.diagram import Diagram, labels_in
from stateglass.formats.files import decode
from stateglass.formats.names import character
from stateglass.formats.problems import Problems
from stateglass.model import Model
from stateglass.model.chart import Chart
from stateglass.source import Code

_ID = r"[^\W\d][\w.]*"
_END = r"\[\*\]"
_LOOKS = r"(?:[ \t]*<<[^<>\n]*>>)?(?:[ \t]*#[\w;:.#]+)?"
# `->`, `-->`, `-up->`, `-[#red,dashed]->`, and the same the other way round.
_MIDDLE = r"-(?:[ \t]*\[[^\]\n]*\])?(?:up|down|left|right|u|d|l|r|le|ri|do)?(?:\[[^\]\n]*\])?-*"
_ARROW = re.compile(rf"({_ID}|{_END}){_LOOKS}[ \t]*{_MIDDLE}>[ \t]*({_ID}|{_END}){_LOOKS}[ \t]*(?::(.*))?")
_BACKWARD = re.compile(rf"({_ID}|{_END}){_LOOKS}[ \t]*<{_MIDDLE}[ \t]*({_ID}|{_END}){_LOOKS}[ \t]*(?::(.*))?")
# An arrow that is not drawn only places its ends.
_ARROW_LOOKS = re.compile(r"-[a-z]*\[([^\[\]]*)\]")
_ALIAS = re.compile(rf'state[ \t]+"([^"]*)"[ \t]+as[ \t]+({_ID}){_LOOKS}')
_ALIASED = re.compile(rf'state[ \t]+({_ID})[ \t]+as[ \t]+"([^"]*)"{_LOOKS}')
_STATE = re.compile(rf"state[ \t]+({_ID}){_LOOKS}[ \t]*(?::(.*))?|({_ID})[ \t]*:(.*)")
_START, _STOP = re.compile(r"@startuml\b.*"), re.compile(r"@enduml\b.*")
_COMMENT = re.compile(r"[ \t]*'(.*)")
_NOTE = re.compile(r'note\b(?:[^:"\n]*(:)|[ \t]+("[^"]*")|.*).*', re.IGNORECASE)
_NOTE_END = re.compile(r"end[ \t]*note", re.IGNORECASE)
# What only concerns looks.
_STYLE = re.compile(
    r"(hide|show|scale|title|caption|header|footer|center[ \t]+(header|footer)|skinparam|skin|mainframe)\b.*"
    r"|!(theme|pragma)\b.*"
    r"|(left[ \t]+to[ \t]+right|top[ \t]+to[ \t]+bottom)[ \t]+direction"
)
_COMPOSITE = re.compile(rf'state[ \t]+(?:"([^"]*)"[ \t]+as[ \t]+)?({_ID}){_LOOKS}[ \t]*\{{')
_STRUCTURE = (
    (re.compile(r".*<<[ \t]*(fork|join)[ \t]*>>.*", re.IGNORECASE), "a fork or join"),
    (re.compile(r".*<<[ \t]*choice[ \t]*>>.*", re.IGNORECASE), "a choice"),
    (re.compile(r".*<<[ \t]*(start|end|history\*?|entrypoint|exitpoint|inputpin|outputpin|expansioninput"
                r"|expansionoutput|sdlreceive)[ \t]*>>.*", re.IGNORECASE), "a state of a special kind"),
    (re.compile(r".*\[H\*?\].*"), "a history state"),
    (re.compile(r"(state\b.*)?\{.*|\}.*"), "a composite state"),
    (re.compile(r"--+|\|\|+"), "a division into concurrent regions"),
    (re.compile(r"!.*"), "a directive of the preprocessor"),
)  # fmt: skip
_SEQUENCE = re.compile(
    r"(participant|actor|boundary|control|entity|database|collections|queue|(de)?activate|destroy|create|autonumber"
    r"|autoactivate|alt|opt|loop|par|critical|group|box|ref)\b.*|==.*==|\.\.\..*"
)
_BREAK = re.compile(r"\\[nlr]")
_ENTITY = re.compile(r"<[uU]\+([0-9a-fA-F]{1,6})>|&#([0-9]{1,7});")
_RESERVED = {"state", "note", "end", "hide", "show", "scale", "title", "caption", "header", "footer", "skinparam",
             "skin", "left", "top", "center", "mainframe", "as"}  # fmt: skip


def parse(data: bytes, name: str) -> Model:
    diagram, start = _diagram(data, name)
    return diagram.model(_labels, start)


def parse_chart(data: bytes, name: str) -> Chart:
    diagram, start = _diagram(data, name, nested=True)
    return diagram.chart(_labels, start)


def _diagram(data: bytes, name: str, nested: bool = False) -> tuple[Diagram, int]:
    """What the text says, and where the diagram begins."""
    lines = _without_block_comments(decode(data, name).replace("\r\n", "\n")).split("\n")
    problems = Problems(name)
    diagram = Diagram("PlantUML", problems, nested)
    start = _after_start(lines, problems)
    problems.stop_if_any()
    note_at = 0
    for number, line in enumerate(lines[start:], start=start + 1):
        statement = line.strip()
        if note_at:
            note_at = 0 if _NOTE_END.fullmatch(statement) else note_at
        elif comment := _COMMENT.fullmatch(line):
            diagram.comments.append((number, comment[1]))
        elif _STOP.fullmatch(statement) or problems.full:
            break
        elif note := _NOTE.fullmatch(statement):
            diagram.dropped["note"] += 1
            note_at = 0 if note[1] or note[2] else number
        elif statement:
            _read(statement, number, diagram)
    else:
        problems.add("expected `@enduml`, found the end of the file", len(lines))
    if note_at:
        problems.add("the note has no `end note`", note_at)
    if diagram.arrows and not diagram.shows_states and not problems:
        # PlantUML itself draws such a text as a sequence diagram.
        help = "a state diagram says `[*] --> A` or `state A`"
        problems.add("this is a sequence diagram, not one of states", start, help=help, code=Code.UNSUPPORTED)
    return diagram, start


def is_plain_name(name: str) -> bool:
    """Whether a state's name can stand in a diagram as it is."""
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None and name.lower() not in _RESERVED


def _without_block_comments(text: str) -> str:
    """The text with nothing but line ends in place of `/' … '/`; one that does not end is none."""
    parts: list[str] = []
    at = 0
    while (start := text.find("/'", at)) >= 0 and (end := text.find("'/", start + 2)) >= 0:
        parts += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 2
    return "".join([*parts, text[at:]])


def _after_start(lines: list[str], problems: Problems) -> int:
    """The number of lines up to and including `@startuml`."""
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if _START.fullmatch(text):
            return number
        if text and not _COMMENT.fullmatch(line):
            problems.add(f"expected `@startuml`, found `{text[:60]}`", number)
            return number
    problems.add("expected `@startuml`, found nothing", len(lines))
    return len(lines)


def _read(text: str, number: int, diagram: Diagram) -> None:
    if any("hidden" in looks for looks in _ARROW_LOOKS.findall(text.partition(":")[0])):
        diagram.dropped["hidden arrow"] += 1
        return
    if match := _ARROW.fullmatch(text):
        diagram.arrow(match[1], (match[3] or "").strip(), match[2], number)
        return
    if match := _BACKWARD.fullmatch(text):
        diagram.arrow(match[2], (match[3] or "").strip(), match[1], number)
        return
    if _STYLE.fullmatch(text) and not text.endswith("{"):
        return
    special = any(p.fullmatch(text) for p, _ in _STRUCTURE[:4])
    if diagram.nested and not special and (match := _COMPOSITE.fullmatch(text)):
        diagram.begin(match[2], match[1], number)
        return
    if diagram.nested and text == "}":
        diagram.end(number)
        return
    for pattern, construct in _STRUCTURE:
        if pattern.fullmatch(text):
            diagram.unsupported(construct, text, number)
            return
    if _SEQUENCE.fullmatch(text) and not diagram.shows_states:
        diagram.unsupported("a sequence diagram", text, number)
    elif match := _ALIAS.fullmatch(text):
        diagram.state(match[2], match[1], number)
    elif match := _ALIASED.fullmatch(text):
        diagram.state(match[1], match[2], number)
    elif match := _STATE.fullmatch(text):
        if match[1]:
            diagram.state(match[1], match[2], number)
        else:
            diagram.described(match[3], match[4], number)
    else:
        diagram.not_understood(text, number)


def _labels(text: str) -> list[str]:
    return labels_in(text, _BREAK, _ENTITY, _character)


def _character(entity: re.Match[str]) -> str:
    return character(int(entity[1], 16) if entity[1] else int(entity[2]), entity[0])
