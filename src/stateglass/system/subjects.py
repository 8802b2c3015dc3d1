"""A class as what is run: one object of it, which the environment makes once and calls from then on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import final

from stateglass.program import Program
from stateglass.program.classes import Access, Class, Method, Role
from stateglass.source import Assumption, Code, Diagnostic, InputError, Topic, input_error, suggestion


@final
@dataclass(frozen=True, slots=True)
class Receiver:
    """The object that a member function is called for: a variable of the environment, or a part of it."""

    variable: str
    offset: int = 0  # in bytes
    hidden: int = 1  # how many parameters of the function nobody wrote


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """What the environment calls: functions, and for those of a class the object."""

    functions: tuple[str, ...]
    init: str | None = None
    receivers: Mapping[str, Receiver] = field(default_factory=dict)  # by function
    assumptions: tuple[Assumption, ...] = ()

    def starting_with(self, init: str | None) -> Subject:
        """The same with another function that runs first and takes what the old one took."""
        if init == self.init or init is None:
            return self
        receivers = dict(self.receivers)
        if self.init in receivers:
            receivers[init] = receivers[self.init]
        return replace(self, init=init, receivers=receivers)


def subject_of(program: Program, names: tuple[str, ...], init: str | None) -> Subject:
    """What is run if the user names functions, or a class."""
    classes = [c for name in names if (c := _class_called(program, name)) is not None]
    if not classes:
        return Subject(names, init)
    if len(names) > 1:
        raise input_error(Code.USAGE, f"`{classes[0].name}` is a class: it is looked at alone")
    return _object_of(program, classes[0], init)


def _class_called(program: Program, name: str) -> Class | None:
    if name in program.functions or name in program.declarations:
        return None
    if name in program.classes:
        return program.classes[name]
    found = [c for c in program.classes.values() if c.name == name]
    if len(found) > 1:
        readings = ", ".join(f"`{c.record}`" for c in found)
        raise input_error(Code.UNKNOWN_NAME, f"there is more than one class `{name}`: {readings}")
    return found[0] if found else None


def _object_of(program: Program, subject: Class, init: str | None) -> Subject:
    if subject.abstract:
        derived = [c.name for c in program.classes.values() if subject.record in c.bases and not c.abstract]
        help = f"these are derived from it: {', '.join(derived)}" if derived else "no class is derived from it"
        raise input_error(Code.USAGE, f"`{subject.name}` is abstract: there are no objects of it", subject.span, help)
    constructor = init or _constructor(program, subject)
    receivers: dict[str, Receiver] = {}
    shadowed: set[str] = set()
    missing: list[Method] = []
    for method, offset in _visible(program, subject, 0, shadowed):
        if method.name in program.functions:
            receivers[method.name] = Receiver(subject.name, offset, method.hidden)
        else:
            missing.append(method)
    if not receivers:
        raise input_error(Code.USAGE, f"`{subject.name}` has no public functions with a body to call", subject.span)
    text = "it is public but has no body here: nobody calls it"
    left_out = tuple(Assumption(Topic.FUNCTION, m.name, text) for m in missing)
    functions = tuple(receivers)
    if constructor is not None:
        receivers[constructor] = Receiver(subject.name)
    return Subject(functions, constructor, receivers, left_out)


def _constructor(program: Program, subject: Class) -> str | None:
    """The constructor that makes the object: the only one that is public, or the one without parameters."""
    public = [m for m in subject.constructors if m.access is Access.PUBLIC and not (m.implicit and _copies(m))]
    usable = [m for m in public if m.name in program.functions]
    if not usable:
        if public and not all(m.implicit for m in public):
            raise input_error(Code.USAGE, f"no public constructor of `{subject.name}` has a body here", subject.span)
        return None
    if len(usable) == 1:
        return usable[0].name
    plain = [m for m in usable if len(program.functions[m.name].parameters) == m.hidden]
    if plain:
        return plain[0].name
    problems = [
        Diagnostic(
            Code.USAGE,
            f"`{subject.name}` has several constructors",
            subject.span,
            help="say with --init which one makes the object: " + ", ".join(f"`{m.name}`" for m in usable),
        )
    ]
    raise InputError(problems)


def _copies(method: Method) -> bool:
    return method.short.endswith(">")


def _visible(program: Program, owner: Class, offset: int, shadowed: set[str]) -> Iterator[tuple[Method, int]]:
    """The functions that everybody may call, and where in the object lies what they are called for."""
    own = [m for m in owner.methods if m.role is Role.METHOD and not m.static and not m.implicit]
    for method in own:
        if method.access is Access.PUBLIC and method.short not in shadowed:
            yield method, offset
    shadowed |= {m.short for m in own} | {m.short.partition("<")[0] for m in own}
    layout = program.records[owner.record]
    for base in owner.bases:
        known = program.classes.get(base)
        part = next((f for f in layout.fields if getattr(f.type, "name", None) == base), None)
        if known is not None and part is not None:
            yield from _visible(program, known, offset + part.offset, shadowed)


def unknown_subject(program: Program, name: str) -> Diagnostic:
    """What is said of a class that there is none of."""
    known = [c.name for c in program.classes.values()]
    return Diagnostic(Code.UNKNOWN_NAME, f"there is no class `{name}`", help=suggestion(name, known))
