"""Reads what is written at arrows and in states: `event(data) [guard] / action`, `entry / action`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.assemblies.syntax.actions import ActionReader, trees
from stateglass.assemblies.syntax.grammar import SyntaxTree, Within, parse_alone
from stateglass.assemblies.syntax.words import FOREIGN_WORDS, TYPE_WORDS, WORDS
from stateglass.assemblies.validation import Gaps
from stateglass.design import Block, Expression, Trigger
from stateglass.source import Code, Diagnostic, Span, shown
from stateglass.source.notation import Text

MOST_CHARACTERS: Final = 2000
_LABEL: Final = re.compile(r"\s*(?P<events>[^\[/]*)(?:\[(?P<guard>[^\]]*)\]\s*)?(?:/(?P<action>.*))?", re.DOTALL)
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*"
_EVENT: Final = re.compile(rf"\s*([\^$]?)\s*({_NAME})\s*(?:\(\s*((?:{_NAME}\s*(?:,\s*{_NAME}\s*)*)?)\))?\s*")
_COMMA: Final = re.compile(r",(?![^()]*\))")
_BLOCK: Final = re.compile(r"\s*(entry|exit)\s*/(.*)", re.DOTALL)
_DO: Final = re.compile(r"\s*(do)\s*/(.*)", re.DOTALL)
# Where a statement begins: a name alone is an event that is sent, and without data the parentheses may be missing.
_BEGINS: Final = r"(?:(?<=[;{}])|\A)"
_SENT: Final = re.compile(rf"{_BEGINS}(\s*)(?!(?:if|while|else)\b)(?={_NAME}\s*(?:\([^;=]*\))?\s*(?:;|\Z))")
_WITHOUT_DATA: Final = re.compile(rf"{_BEGINS}(\s*[\^$]\s*{_NAME})(?=\s*(?:;|\Z))")


@final
@dataclass(frozen=True, slots=True)
class Label:
    """What an arrow says."""

    triggers: tuple[Trigger | None, ...]
    guard: Expression | None
    action: Block


@final
@dataclass(slots=True)
class LabelReader:
    """Reads the texts of one diagram; what is wrong with them is collected."""

    file: str
    gaps: Gaps = field(default_factory=Gaps)
    _problems: list[Diagnostic] = field(default_factory=list)
    _texts: list[Text] = field(default_factory=list)

    @property
    def problems(self) -> list[Diagnostic]:
        return [*self._problems, *(d for text in self._texts for d in text.problems)]

    def label(self, written: str, action: str, line: int) -> Label:
        """What stands at an arrow; `action` is what the format has apart from it."""
        match = _LABEL.fullmatch(written) if self._is_short(written + action, line) else None
        if match is None:
            self.gaps.add(written)
            if not self._problems or self._problems[-1].span.line != line:
                self.problem(f"{shown(written)} is not understood", line, "write `event(data) [guard] / action`")
            return Label((), None, Block())
        triggers = self._triggers(match["events"], line)
        guard = self.expression(match["guard"], line) if match["guard"] is not None else None
        parts = [match["action"] or "", action]
        return Label(triggers, guard, self.actions("; ".join(filter(str.strip, parts)), line))

    def block(self, written: str, line: int) -> tuple[str, Block] | None:
        """`entry` or `exit`, and what is done then; None for a text that says something else."""
        if not self._is_short(written, line):
            return None
        if _DO.fullmatch(written):
            self.problem("what goes on while a state lasts is not understood", line, "write it as `entry / …`")
            return "entry", Block()
        match = _BLOCK.fullmatch(written)
        return None if match is None else (match[1], self.actions(match[2], line))

    def _is_short(self, written: str, line: int) -> bool:
        if len(written) > MOST_CHARACTERS:
            self.problem(f"a text in a diagram has at most {MOST_CHARACTERS:,} characters", line)
        return len(written) <= MOST_CHARACTERS

    def _triggers(self, written: str, line: int) -> tuple[Trigger | None, ...]:
        if not written.strip():
            return (None,)
        return tuple(self._trigger(event, line) for event in _COMMA.split(written))

    def _trigger(self, written: str, line: int) -> Trigger | None:
        match = _EVENT.fullmatch(written)
        if match is None:
            self.gaps.add(written)
            self.problem(
                f"{shown(written)} is no event", line, "an event is one word, with names for its data: `set(x)`"
            )
            return None
        self.check_name(match[2], line)
        names = tuple(name.strip() for name in (match[3] or "").split(",") if name.strip())
        for name in names:
            self.check_name(name, line)
        return Trigger(match[2], match[1] == "$", names, self.at(line))

    def check_name(self, name: str, line: int) -> None:
        if name in WORDS or name in TYPE_WORDS or name in FOREIGN_WORDS:
            self.problem(f"`{name}` is a word of the action language", line, "use another name")

    def expression(self, written: str, line: int) -> Expression | None:
        """A condition, or a first value; None after a problem was noted."""
        reader, found = self._parsed(written, line, Within.CONDITION)
        return reader.expression(found[0]) if found else None

    def actions(self, written: str, line: int) -> Block:
        """Statements; a name alone is an event that is sent."""
        if not written.strip():
            return Block()
        meant = _WITHOUT_DATA.sub(r"\1()", _SENT.sub(r"\1^", written))
        reader, found = self._parsed(meant, line, Within.ACTIONS)
        return Block(tuple(map(reader.statement, found)), self.at(line))

    def _parsed(self, written: str, line: int, within: Within) -> tuple[ActionReader, list[SyntaxTree]]:
        """The trees in a text, none after a problem, and who reads them."""
        text = Text(written, "", "", self.at(line), Code.DESIGN)
        tree = parse_alone(text, within)
        self._texts.append(text)
        if tree is None:
            self.gaps.add(written)
        return ActionReader(text), [] if tree is None else list(trees(tree))

    def at(self, line: int) -> Span:
        return Span.at(self.file, line)

    def problem(self, message: str, line: int, help: str = "") -> None:
        self._problems.append(Diagnostic(Code.DESIGN, message, self.at(line), help=help))
