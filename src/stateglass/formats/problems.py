"""Collects what is wrong with one file, so that all of it is said at once."""

from __future__ import annotations

from typing import NoReturn, final

from stateglass.source import Code, Diagnostic, InputError, Severity, Span

MOST_PROBLEMS = 20


@final
class Problems:
    """The diagnostics of one file, as many as a person would read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._found: list[Diagnostic] = []
        self._left_out = 0

    def add(self, message: str, line: int = 0, column: int = 0, help: str = "", code: Code = Code.SYNTAX) -> None:
        if len(self._found) < MOST_PROBLEMS:
            self._found.append(Diagnostic(code, message, Span.at(self.name, line, column), help=help))
        else:
            self._left_out += 1

    def __bool__(self) -> bool:
        return bool(self._found)

    @property
    def full(self) -> bool:
        """Whether looking for more is a waste of time."""
        return self._left_out > 0

    def stop(self) -> NoReturn:
        diagnostics = list(self._found)
        if self._left_out:
            at = Span.at(self.name)
            diagnostics.append(Diagnostic(Code.SYNTAX, "there are further problems", at, Severity.NOTE))
        raise InputError(diagnostics)

    def stop_if_any(self) -> None:
        if self._found:
            self.stop()
