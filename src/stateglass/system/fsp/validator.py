"""What is wrong with the definitions of a process, beyond what the grammar knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, assert_never, final

from stateglass.source import counted, suggestion
from stateglass.system.fsp.actions import Kind
from stateglass.system.fsp.nodes import (
    Binding,
    Choice,
    Definition,
    Error,
    Guarded,
    Parameter,
    Pattern,
    Prefix,
    Reference,
    Stop,
    Term,
)
from stateglass.system.fsp.sorts import Note, Sort, Sorts, expect, sort_of, sort_of_domain, sort_of_value
from stateglass.system.fsp.variables import free_variables, needed_by

_FORMS: Final = {
    Kind.THROW: "write the type of the exception, as in `throw({}, Jammed)`",
    Kind.LOAD: "write the value, as in `load({}, 3)`",
    Kind.STORE: "write the value, as in `store({}, v:0..3)`",
}


def validate(parameters: Sequence[Parameter], definitions: Sequence[Definition], note: Note, warn: Note) -> None:
    """Notes what is wrong, and warns of what is strange."""
    _check_names(parameters, definitions, note)
    _Checker(parameters, definitions, note).check()
    _check_guarded(definitions, note)
    _warn_of_unused(parameters, definitions, warn)


def references(term: Term, *, guarded: bool) -> Iterator[Reference]:
    """The references in a term; with `guarded` also those behind an action."""
    match term:
        case Prefix(_, then):
            if guarded:
                yield from references(then, guarded=guarded)
        case Choice(options):
            for option in options:
                yield from references(option, guarded=guarded)
        case Guarded(_, inner):
            yield from references(inner, guarded=guarded)
        case Reference():
            yield term
        case Stop() | Error():
            pass
        case _:
            assert_never(term)


def _check_names(parameters: Sequence[Parameter], definitions: Sequence[Definition], note: Note) -> None:
    seen: set[str] = set()
    for parameter in parameters:
        if parameter.name in seen:
            note(f"there are two parameters `{parameter.name}`", parameter.at, "")
        seen.add(parameter.name)
    seen = set()
    for definition in definitions:
        if definition.name in seen:
            note(f"`{definition.name}` is defined twice", definition.at, "write one definition, with a choice in it")
        seen.add(definition.name)
    first = definitions[0]
    if first.indices:
        help = f"give its parameters first values, as in `{first.name}({first.indices[0].name} = 0)`"
        note(f"the process starts with `{first.name}`, and nothing says for which values", first.at, help)


@final
class _Checker:
    """Follows the variables through each definition: their sorts, and what is done with them."""

    def __init__(self, parameters: Sequence[Parameter], definitions: Sequence[Definition], note: Note) -> None:
        self._definitions = definitions
        self._note = note
        self._global: Sorts = {p.name: sort_of_value(p.default) for p in parameters}
        self._wanted: dict[str, list[Sort | None]] = {}
        self._inner: list[Sorts] = []

    def check(self) -> None:
        for definition in self._definitions:
            sorts = dict(self._global)
            wanted: list[Sort | None] = []
            for index in definition.indices:
                wanted.append(self._bind(index, sorts))
            self._wanted.setdefault(definition.name, wanted)
            self._inner.append(sorts)
        for definition, inner in zip(self._definitions, self._inner, strict=True):
            self._term(definition.term, inner)

    def _bind(self, binding: Binding, sorts: dict[str, Sort]) -> Sort | None:
        found = sort_of_domain(binding.domain, sorts, self._note)
        if found is not None:
            sorts[binding.name] = found
        return found

    def _term(self, term: Term, sorts: Sorts) -> None:
        match term:
            case Prefix(patterns, then):
                inner = dict(sorts)
                for pattern in patterns:
                    self._count(pattern)
                for argument in (a for p in patterns for a in p.arguments):
                    if isinstance(argument, Binding):
                        self._bind(argument, inner)
                    else:
                        sort_of(argument, inner, self._note)
                self._term(then, inner)
            case Choice(options):
                for option in options:
                    self._term(option, sorts)
            case Guarded(condition, guarded):
                expect(condition, Sort.TRUTH, sorts, self._note)
                self._term(guarded, sorts)
            case Reference():
                self._reference(term, sorts)
            case Stop() | Error():
                pass
            case _:
                assert_never(term)

    def _count(self, pattern: Pattern) -> None:
        given = len(pattern.arguments)
        if pattern.kind in _FORMS and given != 1:
            form = _FORMS[pattern.kind].format(pattern.name)
            self._note(f"`{pattern.kind.value}` has one value, and {given or 'none'} stand here", pattern.at, form)
        if pattern.kind is Kind.RETURN and given > 1:
            self._note(f"a function returns one value at most, and {given} stand here", pattern.at, "")

    def _reference(self, reference: Reference, sorts: Sorts) -> None:
        wanted = self._wanted.get(reference.name)
        if wanted is None:
            help = suggestion(reference.name, [*self._wanted, "STOP", "ERROR"])
            self._note(f"there is no process `{reference.name}`", reference.at, help)
            return
        given = reference.arguments
        if len(given) != len(wanted):
            takes = counted(len(wanted), "value") if wanted else "no values"
            self._note(f"`{reference.name}` takes {takes}, and {len(given) or 'none'} stand here", reference.at, "")
            return
        for argument, sort in zip(given, wanted, strict=True):
            if sort is None:
                sort_of(argument, sorts, self._note)
            else:
                expect(argument, sort, sorts, self._note)


def _check_guarded(definitions: Sequence[Definition], note: Note) -> None:
    """Notes each definition that leads back to itself without an action: nobody can say what it does."""
    direct = {d.name: {r.name for r in references(d.term, guarded=False)} for d in definitions}
    for definition in definitions:
        if definition.name in _reached(direct[definition.name], lambda name: direct.get(name, set())):
            help = "put an action in front of the name, as in `(tau -> …)`"
            note(f"`{definition.name}` leads back to itself without an action", definition.at, help)


def _warn_of_unused(parameters: Sequence[Parameter], definitions: Sequence[Definition], warn: Note) -> None:
    everywhere: set[str] = set()
    for definition in definitions:
        used = set(free_variables(definition.term)).union(*map(needed_by, definition.indices))
        everywhere |= used
        for index in definition.indices:
            if index.name not in used:
                warn(f"`{definition.name}` does not use its parameter `{index.name}`", index.at, "")
    for parameter in parameters:
        if parameter.name not in everywhere:
            warn(f"nothing uses the parameter `{parameter.name}`", parameter.at, "")
    follows = {d.name: {r.name for r in references(d.term, guarded=True)} for d in definitions}
    reached = _reached({definitions[0].name}, lambda name: follows.get(name, set()))
    for definition in definitions:
        if definition.name not in reached:
            warn(f"nothing leads to `{definition.name}`", definition.at, "")


def _reached(first: set[str], following: Callable[[str], set[str]]) -> set[str]:
    reached: set[str] = set()
    todo = sorted(first)
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += following(name)
    return reached
