"""Maps from files, or from the tables of a project file, and what they mean for a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import Program
from stateglass.source import NOWHERE, Code, Diagnostic, InputError, Span, input_error, small_text
from stateglass.system.maps.entries import AbstractionMap, FunctionScope, VariableEntry
from stateglass.system.maps.resolved import ResolvedAbstractions, ResolvedLabels
from stateglass.system.maps.resolving_abstractions import resolve_abstractions
from stateglass.system.maps.resolving_labels import resolve_labels
from stateglass.system.maps.rules import LabelMap, Rule

MOST_BYTES: Final = 1 << 20
"""A map that is larger was not written by hand."""


@final
@dataclass(frozen=True, slots=True)
class Maps:
    """Both maps, with warnings."""

    abstractions: ResolvedAbstractions
    labels: ResolvedLabels
    warnings: tuple[Diagnostic, ...] = ()


def load_maps(
    program: Program,
    abstraction: str | Mapping[str, str] | None = None,
    labels: str | Sequence[str] | None = None,
) -> Maps:
    """What maps mean for a program. A text names a file; a table or list has the entries themselves.

    Everything that is wrong with both is one `InputError`.
    """
    problems: list[Diagnostic] = []
    warnings: list[Diagnostic] = []
    abstractions, resolved = ResolvedAbstractions(), ResolvedLabels()
    try:
        map, said = abstraction_map(abstraction)
        warnings += said
        abstractions = resolve_abstractions(map, program)
    except InputError as error:
        problems += error.diagnostics
    try:
        resolved = resolve_labels(label_map(labels), program)
    except InputError as error:
        problems += error.diagnostics
    if problems:
        raise InputError(problems)
    return Maps(abstractions, resolved, tuple(warnings))


def abstraction_map(source: str | Mapping[str, str] | None) -> tuple[AbstractionMap, tuple[Diagnostic, ...]]:
    """The map of a file or table, with warnings."""
    # Imported on first use: commands that read no map start without lark.
    from stateglass.system.maps.reading_abstractions import parse_abstraction_map

    if source is None:
        return AbstractionMap(), ()
    if isinstance(source, str):
        return parse_abstraction_map(_text(source), source)
    return abstractions_of_table(source), ()


def label_map(source: str | Sequence[str] | None) -> LabelMap:
    """The map of a file or list."""
    from stateglass.system.maps.reading_labels import parse_label_map

    if source is None:
        return LabelMap()
    return parse_label_map(_text(source), source) if isinstance(source, str) else labels_of_list(source)


def abstractions_of_table(
    table: Mapping[str, str], keys: Mapping[str, Span] | None = None, values: Mapping[str, Span] | None = None
) -> AbstractionMap:
    """A table from names to abstractions: `x`, `f::x`, `s.member`, `f()` for what a function returns."""
    from stateglass.system.maps.reading_abstractions import parse_abstraction, parse_place

    problems: list[Diagnostic] = []
    items: list[FunctionScope | VariableEntry] = []
    for name, text in table.items():
        key = (keys or {}).get(name, NOWHERE)
        try:
            abstraction = parse_abstraction(text, f"`{name}`: ", (values or {}).get(name, NOWHERE))
            if name.endswith("()"):
                place = parse_place(name.removesuffix("()"), key)
                if place.scope is not None or place.steps:
                    raise input_error(Code.MAP, f"`{name}` is not what a function returns", key, "write `f()`")
                items.append(FunctionScope(place.name, abstraction, span=key))
            else:
                items.append(VariableEntry(parse_place(name, key), abstraction, key))
        except InputError as error:
            problems += error.diagnostics
    if problems:
        raise InputError(problems)
    return AbstractionMap(tuple(items))


def labels_of_list(texts: Sequence[str], spans: Sequence[Span] | None = None) -> LabelMap:
    """A list of rules, each a text: `watch (x == 1) => a`."""
    from stateglass.system.maps.reading_labels import parse_rules

    problems: list[Diagnostic] = []
    rules: list[Rule] = []
    for number, text in enumerate(texts):
        try:
            rules += parse_rules(text, f"rule {number + 1}: ", spans[number] if spans is not None else NOWHERE)
        except InputError as error:
            problems += error.diagnostics
    if problems:
        raise InputError(problems)
    return LabelMap(tuple(rules))


def _text(file: str) -> str:
    return small_text(file, "a map", Code.MAP, MOST_BYTES)
