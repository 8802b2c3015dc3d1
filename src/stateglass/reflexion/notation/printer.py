"""Hypotheses as text that reads back as the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from stateglass.program.names import file_of, without_file
from stateglass.reflexion.hypothesis import Hypothesis, StateClaim
from stateglass.reflexion.notation.lines import KEYWORDS
from stateglass.source import Words

STEP = "  "


def print_hypothesis(
    hypothesis: Hypothesis, remarks: Mapping[int, str] = MappingProxyType({}), set_aside: Sequence[str] = ()
) -> str:
    """The text of a hypothesis; remarks on transitions, by number, and further lines become comments."""
    lines = [*_lines(hypothesis, remarks), *(f"{STEP}# {line}" for line in set_aside)]
    return "\n".join(lines) + "\n"


def _lines(hypothesis: Hypothesis, remarks: Mapping[int, str]) -> Iterator[str]:
    function, file = without_file(hypothesis.function), file_of(hypothesis.function)
    place = "" if not file else f"@{file}" if re.fullmatch(r"[^\W\d]\w*(\.\w+)?", file) else f"@{_quoted(file)}"
    files = ", ".join(_quoted(file) for file in hypothesis.files)
    yield f"machine {name_text(hypothesis.name)} of {function}{place}" + (f" in {files}" if files else "")
    yield from (f"{STEP}let {let.name} = {let.words.text}" for let in hypothesis.lets)
    yield from (f"{STEP}assume {words.text}" for words in hypothesis.assumes)
    yield from _states(hypothesis, None, 1)
    for number, t in enumerate(hypothesis.transitions):
        when = "" if t.condition is None else f" when {t.condition.text}"
        priority = "" if t.priority is None else f" priority {t.priority}"
        remark = f"  # {remarks[number]}" if number in remarks else ""
        yield f"{STEP}{name_text(t.source)} -> {name_text(t.target)}{when}{priority}{remark}"


def _states(hypothesis: Hypothesis, parent: str | None, depth: int) -> Iterator[str]:
    for state in hypothesis.states:
        if state.parent == parent:
            yield STEP * depth + _state(state, state.condition)
            yield from _states(hypothesis, state.name, depth + 1)


def _state(state: StateClaim, condition: Words | None) -> str:
    initial = "initial " if state.initial else ""
    return f"{initial}state {name_text(state.name)}" + ("" if condition is None else f": {condition.text}")


def name_text(name: str) -> str:
    """A state's name as the notation has it: in quotes unless it is a name of C."""
    return name if re.fullmatch(r"[^\W\d]\w*", name) and name not in KEYWORDS else _quoted(name)


def _quoted(text: str) -> str:
    escaped = re.sub(r'(["\\])', r"\\\1", text)
    return f'"{escaped}"'
