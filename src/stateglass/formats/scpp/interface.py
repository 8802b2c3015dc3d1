"""The top interface of a system: who calls the subject, with which values, and how values are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.formats.scpp.names import Names, Sort
from stateglass.formats.scpp.text import Section, listed, truth
from stateglass.program import Bool, Enum, Program, Scalar, Type, is_scalar
from stateglass.source import Code, Diagnostic
from stateglass.system import Choice, Entry, Fixed, Mode, Pointed, System

SUBJECT: Final = "subject"


@final
class Values:
    """How values of the program are shown: truth values and enumerators as such, everything else as it is."""

    def __init__(self, program: Program, names: Names) -> None:
        self._enums = program.enums
        self._names = names

    def shown_as(self, type: Type) -> str:
        if isinstance(type, Bool):
            return "as_boolean"
        if isinstance(type, Enum) and type.name in self._enums:
            for member, _ in self._enums[type.name].members:
                self._enumerator(type.name, member)
            return f"as_enum({self._names.of(Sort.ENUMERATION, type.name)})"
        return "as_is"

    def value(self, value: int, type: Scalar) -> str:
        """A number of the program as it is shown."""
        if isinstance(type, Bool):
            return f"Boolean({truth(bool(value))})"
        if isinstance(type, Enum) and type.name in self._enums:
            self.shown_as(type)
            member = next((m for m, v in self._enums[type.name].members if v == value), None)
            if member is not None:
                return f"EnumType({self._enumerator(type.name, member)})"
        return f"Number({value})"

    def named(self, name: str, type: Type) -> str | None:
        """An enumerator by its name; None if there is none."""
        if isinstance(type, Enum) and any(m == name for m, _ in self._enums[type.name].members):
            self.shown_as(type)
            return f"EnumType({self._enumerator(type.name, name)})"
        return None

    def _enumerator(self, enum: str, member: str) -> str:
        return self._names.of(Sort.ENUMERATOR, f"{enum}: {member}")

    def lines(self) -> Section:
        """What the enumerators are worth, and which a number is."""
        found: Section = []
        for name, text in self._names.all(Sort.ENUMERATION):
            members = self._enums[text].members
            chain, first = "Number(n)", dict[int, str]()
            for member, value in members:
                first.setdefault(value, member)
                found.append(f"  value_of({self._enumerator(text, member)}) = {value};")
            for value, member in reversed(first.items()):
                chain = f"if(n == {value}, EnumType({self._enumerator(text, member)}), {chain})"
            found.append(f"  named({name}, n) = {chain};")
        return found


@final
@dataclass(frozen=True, slots=True)
class _Chosen:
    """A value that the environment chooses: the variable of the sum that numbers it, and from what."""

    index: str
    values: tuple[str, ...]


def refusals(system: System) -> list[Diagnostic]:
    """What of the surroundings has no place in a specification."""
    problems: list[str] = []
    if system.abstractions is not None or system.labels is not None:
        problems.append("abstractions and label maps have no place in it: leave them out")
    problems += [f"`{i.variable}` is set by the environment before each call" for i in system.inputs]
    problems += [f"`{name}` may call the object back" for name in system.callbacks]
    problems += [f"the process `{path}` calls `{name}`" for path, name in system.process_calls]
    problems += [f"the process `{path}` is a client" for path in sorted(system.client_processes)]
    problems += [f"something stands for the variable `{name}`" for name in (*system.loads, *system.stores.values())]
    called = [entry.function for entry in system.entries]
    problems += [f"several clients call `{name}`" for name in dict.fromkeys(called) if called.count(name) > 1]
    for entry in _entries(system):
        function = system.program.functions[entry.function]
        for number, (argument, parameter) in enumerate(zip(entry.arguments, function.parameters, strict=True)):
            kept = (
                isinstance(argument, Pointed) and (argument.left or argument.content is None) and number >= entry.hidden
            )
            if kept or not isinstance(argument, Choice | Pointed | Fixed) or not is_scalar(parameter.type):
                problems.append(f"`{entry.name}.{parameter.name}` is given an object of the environment")
        if entry.result:
            problems.append(f"`{entry.name}` returns an object")
        if entry.gone:
            problems.append(f"`{entry.name}` is called by one of several clients")
    return [Diagnostic(Code.UNSUPPORTED, f"as an mCRL2 specification: {text}") for text in problems]


def _entries(system: System) -> Iterator[Entry]:
    yield from system.entries
    if system.init is not None:
        yield system.init


def entry_lines(system: System, names: Names, values: Values) -> Section:
    """What is known of the functions of the subject that others call."""
    lines: Section = []
    for entry in _entries(system):
        function = system.program.functions[entry.function]
        name = names.of(Sort.FUNCTION, entry.name)
        given, number = [], 0
        for argument in entry.arguments:
            match argument:
                case Pointed(variable, _, offset):
                    given.append(f"Ref(at(static({names.of(Sort.VARIABLE, variable)}), {offset}))")
                case Fixed(value):
                    given.append(f"Number({value})")
                case _:
                    given.append(f"content_of(vs . {number})")
                    number += 1
        lines.append(f"  body({name}) = {names.of(Sort.BODY, entry.function)};")
        lines.append(f"  given({name}, vs) = {listed(given)};")
        lines.append(f"  is_visible({name}) = true;")
        lines.append(f"  shown_result({name}) = {values.shown_as(function.result)};")
        loans = [
            f"loan({names.of(Sort.MEMBER, variable)}, {names.of(Sort.VARIABLE, variable)}, {shown})"
            for variable, shown, _ in _loans(system, entry, values)
        ]
        lines.append(f"  loans({name}) = {listed(loans)};")
        lines.append(f"  throws_terminates({name}) = {truth(entry.throws_end)};")
    return lines


def _loans(system: System, entry: Entry, values: Values) -> Iterator[tuple[str, str, tuple[str, ...] | None]]:
    """Objects of the environment that hold one scalar, which is shown; and what is chosen for it."""
    kept = {v.name: v.type for v in system.environment}
    for argument in entry.arguments[entry.hidden :]:
        if isinstance(argument, Pointed) and is_scalar(type := kept[argument.variable]):
            content = argument.content
            chosen = None if content is None else tuple(values.value(v, content.type) for v in content.values)
            yield argument.variable, values.shown_as(type), chosen


def top_interface(system: System, names: Names, values: Values, *, constructs: bool) -> Section:
    """The process that calls every visible function, and looks at every public variable."""
    again = "delta" if system.mode is Mode.RUN else "TopInterface"
    summands = [_call(system, entry, names, values, again) for entry in system.entries]
    for field in system.object.fields if system.object is not None else ():
        x = names.of(Sort.MEMBER, field.name)
        summands.append(f"sum v: V . load_t({SUBJECT}, {x}, v) . TopInterface")
        if field.values:
            stored = _Chosen("i", tuple(values.value(v, field.type) for v in field.values))
            summands.append(f"{_sums([stored])}store_t({SUBJECT}, {x}, {_picked(stored)}) . TopInterface")
    lines = ["  TopInterface =", *_choice(summands)]
    if constructs:
        assert system.init is not None
        lines += ["  Constructing =", *_choice([_call(system, system.init, names, values, "TopInterface")])]
    return lines


def _call(system: System, entry: Entry, names: Names, values: Values, then: str) -> str:
    name = names.of(Sort.FUNCTION, entry.name)
    chosen: list[_Chosen] = []
    for argument in entry.arguments:
        if isinstance(argument, Choice):
            chosen.append(_Chosen(f"i{len(chosen)}", tuple(values.value(v, argument.type) for v in argument.values)))
    given = [_picked(c) for c in chosen]
    lras = []
    for variable, _, contents in _loans(system, entry, values):
        chosen.append(_Chosen(f"i{len(chosen)}", contents or ()))
        lras.append(f"lra({names.of(Sort.MEMBER, variable)}, {_picked(chosen[-1])})")
    end = f"(!throws_terminates({name})) -> {then}"
    return (
        f"{_sums(chosen)}call_func_t({SUBJECT}, {name}, {listed(given)}, {listed(lras)}) . (\n"
        f"        sum v: V, ls: List(LRA) . return_func_t({SUBJECT}, {name}, v, ls) . {then}\n"
        f"      + sum t: ID_t . throw_func_t({SUBJECT}, {name}, t) . ({end}))"
    )


def only_arguments(system: System, entry: Entry, names: Names, values: Values) -> tuple[list[str], list[str]]:
    """What an entry is given that can be called in one way only, and what is behind its references."""
    given = [values.value(a.values[0], a.type) for a in entry.arguments if isinstance(a, Choice)]
    loans = _loans(system, entry, values)
    return given, [f"lra({names.of(Sort.MEMBER, variable)}, {(only or ('',))[0]})" for variable, _, only in loans]


def _sums(chosen: Sequence[_Chosen]) -> str:
    several = [c for c in chosen if len(c.values) != 1]
    if not several:
        return ""
    bound = " && ".join(f"{c.index} < {len(c.values)}" for c in several)
    return f"sum {', '.join(f'{c.index}: Nat' for c in several)} . ({bound}) -> "


def _picked(chosen: _Chosen) -> str:
    return chosen.values[0] if len(chosen.values) == 1 else f"{listed(chosen.values)} . {chosen.index}"


def _choice(summands: list[str]) -> Section:
    joined = "\n    + ".join(summands or ["delta"])
    return [f"      {joined};"]


def loans_of(system: System) -> frozenset[str]:
    """The objects of the environment whose content is chosen anew for each call."""
    arguments = (a for entry in _entries(system) for a in entry.arguments)
    return frozenset(a.variable for a in arguments if isinstance(a, Pointed) and a.content is not None)
