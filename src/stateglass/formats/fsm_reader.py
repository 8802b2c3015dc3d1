"""Reads `.fsm` files, ours and those of mCRL2; transitions with probabilities are refused."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
import numpy.typing as npt

from stateglass.formats.assemble import MOST_STATES, assemble, is_plausible
from stateglass.formats.files import decode
from stateglass.formats.names import identifier, original
from stateglass.formats.problems import Problems
from stateglass.model import Model, Proposition, Sort
from stateglass.source import Code, counted

_SEPARATOR = "---"
_VALUE = r'"[^"]*"'
_PARAMETER = re.compile(
    rf"[ \t]*([A-Za-z_][A-Za-z0-9_'@]*)[ \t]*\([ \t]*([0-9]{{1,9}})[ \t]*\)([^\"]*)((?:{_VALUE}[ \t]*)*)\r?"
)
_STATE = re.compile(r"[ \t]*[0-9]{1,9}(?:[ \t]+[0-9]{1,9})*[ \t\r]*")
_TRANSITION = re.compile(rf"[ \t]*([0-9]+)[ \t]+([0-9]+)[ \t]+({_VALUE})[ \t\r]*")
_CHANCES = re.compile(r"[^\"]*\[.*")
_ESCAPE = re.compile(r"\\([\\qnr])")
_ESCAPED = {"\\": "\\", "q": '"', "n": "\n", "r": "\r"}
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")
_NO_VALUE = "?"


@final
@dataclass
class _File:
    """A file as far as it was read."""

    problems: Problems
    parameters: list[tuple[str, str, list[str]]] = field(default_factory=list)  # name, domain, values
    states: list[list[int]] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    rows: list[tuple[int, int, int]] = field(default_factory=list)
    last: tuple[int, int] = (0, 0)  # the highest state that a transition mentions, and its line
    initial: int = 1


def parse(data: bytes, name: str) -> Model:
    lines = decode(data, name).split("\n")
    file = _File(Problems(name))
    sections = (_parameter, _state, _transition, _initial)
    section = 0
    for number, line in enumerate(lines, start=1):
        if line.strip() == _SEPARATOR:
            section += 1
            if section == len(sections):
                file.problems.add(f"there are more than {len(sections)} sections", number)
                break
        elif line.strip(" \t\r"):
            sections[section](line, number, file)
        if file.problems.full:
            break
    if section < 2 and not file.problems.full:
        help = "parameters, states and transitions are separated by lines of three dashes"
        file.problems.add(f"the file has {section + 1} of 3 sections", len(lines), help=help)
    return _model(file)


def _parameter(line: str, number: int, file: _File) -> None:
    match = _PARAMETER.fullmatch(line)
    if match is None:
        help = 'a parameter is `NAME(2) SORT "FIRST" "SECOND"`'
        file.problems.add(f"expected a parameter or `---`, found `{line.strip()[:60]}`", number, help=help)
        return
    values = [_unescaped(value) for value in re.findall(_VALUE, match[4])]
    if len(values) != int(match[2]):
        message = f"the parameter `{match[1]}` has {counted(len(values), 'value')}, not {int(match[2])}"
        file.problems.add(message, number, code=Code.MODEL)
    file.parameters.append((match[1], match[3].strip(), values))


def _state(line: str, number: int, file: _File) -> None:
    if not _STATE.fullmatch(line):
        help = "a state is a row of numbers, one for each parameter"
        file.problems.add(f"expected a state or `---`, found `{line.strip()[:60]}`", number, help=help)
        return
    values = [int(text) for text in line.split()]
    if len(values) != len(file.parameters):
        message = f"the state has {counted(len(values), 'value')} for {counted(len(file.parameters), 'parameter')}"
        file.problems.add(message, number, code=Code.MODEL)
        return
    for value, (name, _, domain) in zip(values, file.parameters, strict=True):
        if domain and value >= len(domain):
            message = f"the value {value} is not one of the {len(domain)} of `{name[:40]}`, numbered from 0"
            file.problems.add(message, number, code=Code.MODEL)
    file.states.append(values)


def _transition(line: str, number: int, file: _File) -> None:
    match = _TRANSITION.fullmatch(line)
    if match is None:
        if _CHANCES.fullmatch(line):
            file.problems.add("transitions with probabilities are not read", number, code=Code.UNSUPPORTED)
            return
        help = 'a transition is `SOURCE TARGET "LABEL"`'
        file.problems.add(f"expected a transition, found `{line.strip()[:60]}`", number, help=help)
        return
    label = _unescaped(match[3])
    if not label:
        file.problems.add("the label is empty", number)
    ends = [_state_number(text, number, file) for text in match.groups()[:2]]
    file.rows.append((ends[0] - 1, file.labels.setdefault(label, len(file.labels)), ends[1] - 1))
    file.last = max(file.last, (max(ends), number), key=lambda pair: pair[0])


def _initial(line: str, number: int, file: _File) -> None:
    text = line.strip()
    if not re.fullmatch(r"[0-9]+", text):
        if text.startswith("["):
            file.problems.add("an initial state with probabilities is not read", number, code=Code.UNSUPPORTED)
        else:
            file.problems.add(f"expected the number of the initial state, found `{text[:60]}`", number)
        return
    file.initial = _state_number(text, number, file)
    file.last = max(file.last, (file.initial, number), key=lambda pair: pair[0])


def _state_number(text: str, number: int, file: _File) -> int:
    if len(text) > 9 or not 1 <= int(text) <= MOST_STATES:
        message = f"`{text[:40]}` is no state: they are numbered from 1, and at most {MOST_STATES} are read"
        file.problems.add(message, number, code=Code.MODEL)
        return 1
    return int(text)


def _model(file: _File) -> Model:
    problems = file.problems
    states = len(file.states) or max(file.last[0], 1)
    if file.states and file.last[0] > states:
        message = f"there is no state {file.last[0]}: the file lists {counted(states, 'state')}"
        problems.add(message, file.last[1], code=Code.MODEL)
    elif not is_plausible(states, len(file.rows)):
        message = f"{counted(states, 'state')} for {counted(len(file.rows), 'transition')}: most could not be reached"
        problems.add(message, file.last[1], code=Code.TOO_LARGE)
    names = _names([name for name, _, domain in file.parameters if domain], problems)
    problems.stop_if_any()
    table = np.array(file.states, dtype=np.int64).reshape(-1, len(file.parameters)) if file.states else None
    propositions = tuple(
        _proposition(names[name], sort, domain, table[:, i])
        for i, (name, sort, domain) in enumerate(file.parameters)
        if domain and table is not None
    )
    columns = tuple([row[i] for row in file.rows] for i in range(3))
    return assemble(states, file.initial - 1, columns, list(file.labels), (), propositions)


def _names(given: list[str], problems: Problems) -> dict[str, str]:
    """What the parameters are called: what our writer spelt out as identifiers, unless that makes two the same."""
    for name, count in Counter(given).items():
        if count > 1:
            problems.add(f"there are {count} parameters `{name[:40]}`", code=Code.MODEL)
    meant = {name: original(name) if identifier(original(name)) == name else name for name in given}
    return meant if len(set(meant.values())) == len(meant) else {name: name for name in given}


def _proposition(name: str, sort: str, domain: list[str], column: npt.NDArray[np.int64]) -> Proposition:
    there = np.array([value != _NO_VALUE for value in domain], dtype=np.bool_)[column]
    given = [value for value in domain if value != _NO_VALUE]
    numbers: list[Any]
    names: tuple[tuple[int, str], ...] = ()
    if sort == "Float" and all(_is_float(value) for value in given):
        kind, numbers = Sort.FLOAT, [0.0 if value == _NO_VALUE else float(value) for value in domain]
    elif sort == "Bool" and set(given) <= {"true", "false"}:
        kind, numbers = Sort.BOOL, [int(value == "true") for value in domain]
    elif sort in ("Int", "Nat", "Pos") and all(_is_integer(value) for value in given):
        kind, numbers = Sort.INT, [0 if value == _NO_VALUE else int(value) for value in domain]
    else:
        kind, numbers = Sort.ENUM, [0 if value == _NO_VALUE else i for i, value in enumerate(domain)]
        names = tuple((i, value) for i, value in enumerate(domain) if value != _NO_VALUE)
    values = np.array(numbers, dtype=np.float64 if kind is Sort.FLOAT else np.int64)[column]
    return Proposition(name, kind, values, names, None if there.all() else there)


def _is_integer(text: str) -> bool:
    return _INTEGER.fullmatch(text) is not None and -(2**63) <= int(text) < 2**63


def _is_float(text: str) -> bool:
    try:
        return repr(float(text)) == text
    except ValueError:
        return False


def _unescaped(quoted: str) -> str:
    return _ESCAPE.sub(lambda m: _ESCAPED[m[1]], quoted[1:-1])
