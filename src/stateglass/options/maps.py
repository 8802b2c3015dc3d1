"""Checks the maps of a project file: files by name, or tables and lists of entries."""

from __future__ import annotations

from typing import final

from stateglass.options.positions import KeyPath, Positions, flat, inside
from stateglass.options.values import Text, Texts, complaints, described, printable, texts
from stateglass.source import Code, Diagnostic, InputError, Span
from stateglass.system.maps import abstractions_of_table, labels_of_list

Table = dict[str, object]
AbstractionSetting = str | tuple[tuple[str, str], ...] | None
LabelSetting = str | tuple[str, ...] | None


@final
class MapSettings:
    """Reads the keys `abstraction` and `labels` of tables; what is wrong goes into `diagnostics`."""

    def __init__(self, positions: Positions, diagnostics: list[Diagnostic]) -> None:
        self._positions = positions
        self._diagnostics = diagnostics

    def abstraction(self, path: KeyPath, table: Table) -> AbstractionSetting:
        """The name of a map, or names and abstractions; None if the table says nothing."""
        where: KeyPath = (*path, "abstraction")
        value = table.get("abstraction")
        if value is None:
            return None
        if isinstance(value, str):
            return self._file(value, where, '"fsm.am"')
        if not isinstance(value, dict):
            message = f"`abstraction` should be the name of a map or a table, not {described(value)}"
            self._error(message, self._positions.value(where), 'write `abstraction = "fsm.am"`')
            return None
        entries: dict[str, str] = {}
        keys, values = {}, {}
        for name, text, at in flat(where, value):
            if name in entries:
                self._error(f"`{printable(name)}` is declared twice", self._positions.key(at))
            elif isinstance(text, str):
                entries[name] = text
                keys[name], values[name] = self._positions.key(at), inside(self._positions.value(at), text)
            else:
                message = f"the abstraction of `{printable(name)}` should be a text, not {described(text)}"
                self._error(message, self._positions.value(at), 'write it as in "part(0, 1, 2)"')
        try:
            abstractions_of_table(entries, keys, values)
        except InputError as error:
            self._diagnostics += error.diagnostics
        return tuple(entries.items())

    def labels(self, path: KeyPath, table: Table) -> LabelSetting:
        """The name of a map, or rules; None if the table says nothing."""
        where: KeyPath = (*path, "labels")
        value = table.get("labels")
        if value is None:
            return None
        if isinstance(value, str):
            return self._file(value, where, '"fsm.lm"')
        wrong = complaints(Texts('["exit == 0 => accept"]'), value)
        for complaint in wrong:
            at: KeyPath = where if complaint.index is None else (*where, complaint.index)
            shown = "`labels`" if complaint.index is None else f"element {complaint.index + 1} of `labels`"
            self._error(f"{shown} {complaint.message}", self._positions.value(at), complaint.help)
        if wrong:
            return None
        rules = texts(value)
        try:
            labels_of_list(rules, [inside(self._positions.value((*where, i)), r) for i, r in enumerate(rules)])
        except InputError as error:
            self._diagnostics += error.diagnostics
        return rules

    def _file(self, value: str, where: KeyPath, example: str) -> str:
        for complaint in complaints(Text(example), value):
            self._error(f"`{where[-1]}` {complaint.message}", self._positions.value(where), complaint.help)
        return value

    def _error(self, message: str, span: Span, help: str = "") -> None:
        self._diagnostics.append(Diagnostic(Code.PROJECT, message, span, help=help))
