"""What the names in a map mean in a program: files, functions, variables, parts of them, enumerators."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import Array, Function, Local, Pointer, Program, Record, RecordLayout, Type
from stateglass.program.names import is_literal, is_nameless, is_static_local
from stateglass.program.program import Declaration
from stateglass.source import Code, Diagnostic, Span, close_match, same_file, shown, suggestion
from stateglass.system.maps.conditions import VariableName
from stateglass.system.maps.places import EVERY, PlaceName

_WRITTEN: Final = re.compile(r'(?P<base>[^~@]*)(?:~(?P<ordinal>[0-9]{1,9}))?(?:@"?(?P<file>.*?)"?)?')


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that a name may mean: a variable."""

    variable: VariableName
    type: Type
    span: Span
    shown: str  # a name that means this and nothing else


@final
@dataclass(frozen=True, slots=True)
class Part:
    """A variable, or a part of it; `steps` may have `EVERY` for an index."""

    variable: VariableName
    steps: tuple[str | int, ...]
    type: Type

    @property
    def path(self) -> str:
        return PlaceName("", self.steps).path


@final
class Names:
    """The names of a program. What cannot be found is noted in `problems`, with what may have been meant."""

    def __init__(self, program: Program) -> None:
        self.problems: list[Diagnostic] = []
        self._program = program
        spans = [f.span for f in program.functions.values()] + [v.span for v in program.variables.values()]
        self._files = list(dict.fromkeys([*program.files, *(s.file for s in spans if s.file and not s.in_library)]))
        self._enumerators: dict[str, dict[int, str]] = {}
        for enum in program.enums.values():
            for name, value in enum.members:
                self._enumerators.setdefault(name, {}).setdefault(value, enum.name)

    def problem(self, message: str, span: Span, help: str = "", code: Code = Code.UNKNOWN_NAME) -> None:
        self.problems.append(Diagnostic(code, message, span, help=help))

    # ---- files and functions

    def file(self, name: str, span: Span) -> str | None:
        """The file of the program that a name means: as it was given, or the end of its path."""
        found = [f for f in self._files if same_file(name, f)]
        exact = [f for f in found if os.path.normpath(f) == os.path.normpath(name)]
        match exact or found:
            case [one]:
                return one
            case []:
                self.problem(f"the program has no file {shown(name)}", span, suggestion(name, self._files))
            case several:
                listed = ", ".join(f"`{f}`" for f in several)
                self.problem(f"{shown(name)} is ambiguous: {listed}", span, code=Code.AMBIGUOUS_NAME)
        return None

    def functions(self, name: str, span: Span, file: str | None = None) -> list[Function | Declaration]:
        """The functions that a name means: one, or if a header defines it, one for each file that includes it."""
        base, _, named_file = _parts(name)
        known: list[Function | Declaration] = [*self._program.functions.values(), *self._program.declarations.values()]
        readings = [f for f in known if _parts(f.name)[0] == base]
        fitting = [f for f in readings if _fits(f.span, file, named_file)]
        # What our library needs for itself may be called like a function of the user.
        fitting = [f for f in fitting if not f.span.in_library] or fitting
        if len({f.span for f in fitting}) == 1:
            return fitting
        if fitting:
            listed = ", ".join(f"`{base}@{_file_shown(f.span.file)}`" for f in fitting)
            self.problem(f"the function `{base}` is ambiguous: {listed}", span, code=Code.AMBIGUOUS_NAME)
        elif readings and file is not None and named_file is None:
            self.problem(f"`{base}` is not in this file: it is at {readings[0].span}", span)
        else:
            names = [*self._program.own_functions, *self._program.declarations]
            self.problem(f"the program has no function {shown(name)}", span, suggestion(name, names))
        return []

    # ---- variables

    def local(self, function: Function | Declaration, place: PlaceName) -> Part | None:
        """A local or static local variable of a function."""
        base, ordinal, _ = _parts(place.name)
        readings = self._locals(function, base)
        if ordinal is not None:
            readings = readings[ordinal - 1 : ordinal] if ordinal > 0 else []
        if len(readings) == 1:
            return self._steps(readings[0], place)
        if readings:
            listed = ", ".join(f"`{r.shown}` (line {r.span.line})" for r in readings)
            message = f"`{base}` is ambiguous in `{function.name}`: {listed}"
            self.problem(message, place.span, code=Code.AMBIGUOUS_NAME)
            return None
        if isinstance(function, Declaration):
            self.problem(f"`{function.name}` has no body, and so no variable `{base}`", place.span)
            return None
        names = self.locals_of(function)
        help = suggestion(place.name, names)
        if self._globals(base):
            help = f"`{base}` is a global variable: declare it outside of `{function.name}`"
        self.problem(f"`{function.name}` has no variable {shown(place.name)}", place.span, help)
        return None

    def locals_of(self, function: Function | Declaration) -> list[str]:
        """The names of the variables of a function."""
        statics = [
            n.removeprefix(f"{function.name}::") for n in self._program.variables if n.startswith(f"{function.name}::")
        ]
        own = [v.name for v in _own_locals(function)]
        return list(dict.fromkeys(_parts(n)[0] for n in (*own, *statics)))

    def own_names(self, function: Function) -> dict[VariableName, str]:
        """Each variable of a function, with a name that means it and nothing else there."""
        return {r.variable: r.shown for base in self.locals_of(function) for r in self._locals(function, base)}

    def variables(self, place: PlaceName, file: str | None = None) -> list[Part]:
        """What a name outside of functions means: a global variable, with a scope also a local one, or a parameter.

        A static variable of a header is there once for each file that includes it.
        """
        if place.scope:
            functions = self.functions(place.scope, place.span, file)
            return [part for f in functions if (part := self.local(f, place)) is not None]
        base, _, named_file = _parts(place.name)
        known = self._globals(base)
        readings = [r for r in known if _fits(r.span, file, named_file)]
        parameter = self._parameter(place) if place.scope is None else None
        if parameter is not None and readings:
            listed = f"`::{place.name}{place.path}`, `{parameter[0].shown}`"
            self.problem(f"`{place}` is ambiguous: {listed}", place.span, code=Code.AMBIGUOUS_NAME)
        elif parameter is not None:
            part = self._steps(parameter[0], parameter[1])
            return [part] if part is not None else []
        elif len({r.span for r in readings}) == 1:
            return [part for r in readings if (part := self._steps(r, place)) is not None]
        elif readings:
            listed = ", ".join(f"`{base}@{_file_shown(r.span.file)}`" for r in readings)
            self.problem(f"`{base}` is ambiguous: {listed}", place.span, code=Code.AMBIGUOUS_NAME)
        elif known and file is not None:
            self.problem(f"`{base}` is not in this file: it is at {known[0].span}", place.span)
        else:
            self._no_variable(place)
        return []

    def enumerator(self, name: str, span: Span) -> int | None:
        """The value of an enumerator, None if there is none of this name."""
        values = self._enumerators.get(name, {})
        if len(values) > 1:
            listed = ", ".join(f"{v} in enum `{e}`" for v, e in values.items())
            self.problem(f"`{name}` is ambiguous: {listed}", span, "give its number", Code.AMBIGUOUS_NAME)
        return next(iter(values), None)

    def no_constant(self, name: str, span: Span) -> None:
        hint = close_match(name, self._enumerators) or "of a macro, give the number"
        self.problem(f"there is no enumerator {shown(name)}", span, hint)

    def _no_variable(self, place: PlaceName) -> None:
        base = _parts(place.name)[0]
        scoped = [f"{f.name}::{v}" for f in self._program.functions.values() for v in self.locals_of(f) if v == base]
        globals = [
            n
            for n, v in self._program.variables.items()
            if not (is_static_local(n) or is_literal(n) or v.literal or v.span.in_library)
        ]
        if scoped and place.scope is None:
            help = "a local variable goes by its function: " + ", ".join(f"`{s}`" for s in scoped[:5])
        else:
            help = close_match(place.name, [*globals, *self._enumerators]) or suggestion(place.name, globals)
        self.problem(f"the program has no variable {shown(place.name)}", place.span, help)

    def _globals(self, base: str) -> list[Reading]:
        return [
            Reading(VariableName(None, v.name), v.type, v.span, v.name)
            for v in self._program.variables.values()
            if not is_static_local(v.name) and _parts(v.name)[0] == base and not v.literal
        ]

    def _locals(self, function: Function | Declaration, base: str) -> list[Reading]:
        start = f"{function.name}::"
        found = [
            (VariableName(function.name, v.name), v.type, v.span)
            for v in _own_locals(function)
            if _parts(v.name)[0] == base
        ]
        found += [
            (VariableName(None, v.name), v.type, v.span)
            for v in self._program.variables.values()
            if v.name.startswith(start) and _parts(v.name.removeprefix(start))[0] == base
        ]
        return [Reading(*f, f"{base}~{i}" if len(found) > 1 else base) for i, f in enumerate(found, 1)]

    def _parameter(self, place: PlaceName) -> tuple[Reading, PlaceName] | None:
        """`f.x`: the parameter `x` of `f`."""
        function = self._program.functions.get(place.name)
        if function is None or not place.steps or not isinstance(place.steps[0], str):
            return None
        name, *rest = place.steps
        found = [p for p in function.parameters if p.name == name]
        if not found:
            return None
        reading = Reading(
            VariableName(function.name, str(name)), found[0].type, found[0].span, f"{function.name}:{name}"
        )
        return reading, PlaceName(str(name), tuple(rest), function.name, place.span)

    # ---- parts

    def _steps(self, reading: Reading, place: PlaceName) -> Part | None:
        type = reading.type
        for number, step in enumerate(place.steps):
            shown = f"{place.name}{PlaceName('', place.steps[:number]).path}"
            inner = (
                self._member(type, step, shown, place)
                if isinstance(step, str)
                else self._element(type, step, shown, place)
            )
            if inner is None:
                return None
            type = inner
        return Part(reading.variable, place.steps, type)

    def _member(self, type: Type, step: str, shown: str, place: PlaceName) -> Type | None:
        if isinstance(type, Record):
            members = members_of(self._program.records[type.name], self._program)
            if step in members:
                return members[step]
            self.problem(f"`{shown}` has no member `{step}`", place.span, suggestion(step, members))
        elif isinstance(type, Array) and isinstance(type.element, Record):
            self.problem(
                f"`{shown}` is an array",
                place.span,
                f"write `{shown}[].{step}` for all elements, `{shown}[0].{step}` for one",
            )
        else:
            self.problem(f"`{shown}` has no members: it is {_kind(type)}", place.span, _advice(type))
        return None

    def _element(self, type: Type, step: int, shown: str, place: PlaceName) -> Type | None:
        if not isinstance(type, Array):
            self.problem(f"`{shown}` has no elements: it is {_kind(type)}", place.span, _advice(type))
            return None
        if not type.count:
            self.problem(f"how many elements `{shown}` has is not known", place.span, "it stays `top`", Code.MAP)
            return None
        if step != EVERY and step >= type.count:
            has = f"{type.count} element{'s' * (type.count != 1)}, counted from 0"
            self.problem(f"there is no `{shown}[{step}]`: `{shown}` has {has}", place.span)
            return None
        return type.element


def members_of(layout: RecordLayout, program: Program) -> dict[str, Type]:
    """The members of a record by name, with those of unnamed members."""
    found: dict[str, Type] = {}
    for field in layout.fields:
        if field.name:
            found[field.name] = field.type
        elif isinstance(field.type, Record):
            found |= members_of(program.records[field.type.name], program)
    return found


def _own_locals(function: Function | Declaration) -> list[Local]:
    own = (*function.parameters, *function.locals) if isinstance(function, Function) else ()
    return [v for v in own if not is_nameless(v.name)]


def _fits(span: Span, *files: str | None) -> bool:
    return all(file is None or same_file(file, span.file) for file in files)


def _parts(name: str) -> tuple[str, int | None, str | None]:
    """`i~2@motor.c` as its three parts."""
    found = _WRITTEN.fullmatch(name)
    if found is None:
        return name, None, None
    return found["base"], int(found["ordinal"]) if found["ordinal"] else None, found["file"]


def _file_shown(file: str) -> str:
    name = os.path.basename(file)
    return name if re.fullmatch(r"\w+(\.\w+)?", name) else f'"{name}"'


def _kind(type: Type) -> str:
    return "a pointer" if isinstance(type, Pointer) else f"`{type}`"


def _advice(type: Type) -> str:
    return "maps do not follow pointers: name the variable that it points to" if isinstance(type, Pointer) else ""
