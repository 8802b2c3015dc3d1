"""The objects that an object consists of, and what stands for each: its code, a stub or a process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

from stateglass.program import Array, Constant, Element, Global, Int, Member, Place, Program, Record
from stateglass.program.classes import Class, Method, Role
from stateglass.source import Code, Diagnostic, InputError, input_error, suggestion

_INDEX: Final = Int(32, signed=True)
_ONLY_HANDED_IN: Final = "only an object that is handed in can be of another class, or of a category"


@final
@unique
class Kind(Enum):
    """What stands for an object."""

    CODE = "code"
    STUB = "stub"
    PROCESS = "process"
    CATEGORY = "category"  # any of the objects of a category, for what is handed in


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """What the user wants to stand for an object; `name` is that of a process, or of the class of what is handed in."""

    kind: Kind
    name: str = ""

    @property
    def is_for_handed(self) -> bool:
        """Whether it says something that only an object can be that is handed in."""
        return self.kind is Kind.CATEGORY or (bool(self.name) and self.kind is not Kind.PROCESS)


@final
@dataclass(frozen=True, slots=True)
class Part:
    """An object within the subject by its path (`act1`, `locks[0]`), and what stands for it; None: nothing is said."""

    path: str
    owner: Class
    place: Place
    choice: Choice | None


def read_members(texts: tuple[str, ...], processes: tuple[str, ...]) -> dict[str, Choice]:
    """`act1=stub` and the like; the last one of a path counts."""
    found: dict[str, Choice] = {}
    problems: list[Diagnostic] = []
    for text in texts:
        path, equals, said = text.partition("=")
        try:
            found[path.strip()] = read_choice(text, said.strip() if equals else "", processes)
        except InputError as error:
            problems += error.diagnostics
    if problems:
        raise InputError(problems)
    return found


def read_choice(text: str, said: str, processes: tuple[str, ...]) -> Choice:
    """`code`, `code Thermo`, `stub`, `stub Sensor` or `process Door`; `text` is what it is part of."""
    kind, _, name = said.partition(" ")
    name = name.strip()
    if kind == Kind.PROCESS.value and name:
        if name not in processes:
            known = suggestion(name, processes) if processes else "write `[process.Door]` into the project file"
            raise input_error(Code.UNKNOWN_NAME, f"there is no process `{name}`", help=known)
        return Choice(Kind.PROCESS, name)
    if kind == Kind.CATEGORY.value and name:
        return Choice(Kind.CATEGORY, name)
    if kind in (Kind.CODE.value, Kind.STUB.value):
        return Choice(Kind(kind), name)
    help = (
        "a part is `code`, `stub` or `process NAME`, as in act1=stub; "
        "an object that is handed in may also be `code CLASS` or `category NAME`"
    )
    raise input_error(Code.USAGE, f"`{text}` does not say what stands for a part", help=help)


def parts_of(
    program: Program,
    owner: Class,
    variable: str,
    said: dict[str, Choice],
    handed: Iterable[tuple[str, Class]] = (),
    stubs: Iterable[str] = (),
) -> list[Part]:
    """All objects within an object, to any depth; within what is no code nothing is looked for.

    `handed` are objects that are handed to it, and `stubs` the names of others that have no code in any case.
    """
    found = list(_inside(program, Global(variable, Record(owner.record)), owner, "", said))
    problems = [
        Diagnostic(Code.USAGE, f"`{p.path}` is part of `{owner.name}`: {_ONLY_HANDED_IN}", owner.span)
        for p in found
        if p.choice is not None and p.choice.is_for_handed
    ]
    for name, of in handed:
        found += _object(program, Global(name, Record(of.record)), name, said)
    known = [*(p.path for p in found), *stubs]
    arrays = {path.rpartition("[")[0] for path in known}
    problems += [
        Diagnostic(
            Code.UNKNOWN_NAME,
            f"`{owner.name}` has no part `{path}` that is an object",
            owner.span,
            help=suggestion(path, known) if known else "no part of it is an object",
        )
        for path in said
        if path not in known and path not in arrays
    ]
    if problems:
        raise InputError(problems)
    return found


def _inside(program: Program, place: Place, owner: Class, path: str, said: dict[str, Choice]) -> Iterator[Part]:
    members = {m.name for m in owner.members}
    for field in program.records[owner.record].fields:
        inner = Member(place, field.name, field.offset, field.type, field.bit)
        if field.name not in members:
            base = program.classes.get(field.type.name) if isinstance(field.type, Record) else None
            if base is not None:
                yield from _inside(program, inner, base, path, said)
            continue
        yield from _object(program, inner, f"{path}.{field.name}" if path else field.name, said)


def _object(program: Program, place: Place, path: str, said: dict[str, Choice]) -> Iterator[Part]:
    if isinstance(place.type, Array):
        for i in range(place.type.count):
            element = Element(place, Constant(i, _INDEX), place.type.element)
            yield from _object(program, element, f"{path}[{i}]", said)
        return
    owner = program.classes.get(place.type.name) if isinstance(place.type, Record) else None
    if owner is None:
        return
    # What is said of an array goes for its elements.
    choice = said.get(path) or said.get(path.rpartition("[")[0])
    yield Part(path, owner, place, choice)
    if choice is None or choice.kind is Kind.CODE:
        yield from _inside(program, place, owner, path, said)


def is_code(part: Part) -> bool:
    return part.choice is None or part.choice.kind is Kind.CODE


def functions_of(program: Program, owner: Class, place: Place) -> Iterator[tuple[Method, Place]]:
    """The functions of an object and of what it is derived from, each with the part that it is called for."""
    own = [m for m in owner.methods if not m.static]
    yield from ((m, place) for m in own)
    overridden = {m.short for m in own if m.role is Role.METHOD}
    for field, type in program.bases_in(owner.record):
        base = program.classes.get(type.name)
        if base is not None:
            inner = Member(place, field.name, field.offset, field.type, field.bit)
            for method, part in functions_of(program, base, inner):
                if method.short not in overridden or method.role is not Role.METHOD:
                    yield method, part
