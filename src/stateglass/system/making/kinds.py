"""What has to be made for a parameter: a value, or an object that is there by itself."""

from __future__ import annotations

from stateglass.program import Call, FunctionType, Pointer, Program
from stateglass.program.callgraph import statements_of
from stateglass.program.classes import Access, Class, Method
from stateglass.program.shapes import Callable as Called
from stateglass.program.shapes import Instance, Manner, Nothing, Number, Other, Owner, Passed, Sequence, Shape, Text


def is_thing(program: Program, passed: Passed) -> bool:
    """Whether an object is what matters, and not its value: it is passed by its address, and not only looked at."""
    if not isinstance(passed.shape, Instance) or passed.manner in (Manner.VALUE, Manner.RVALUE):
        return False
    owner = program.classes.get(passed.shape.record)
    if owner is None:
        return False
    return is_dynamic(program, owner) or not passed.constant or passed.manner is Manner.POINTER


def is_address(program: Program, passed: Passed) -> bool:
    """Whether an address is what matters: of an object, or of what is declared only, which can be null."""
    if isinstance(passed.shape, Instance) and passed.manner is Manner.POINTER:
        return is_thing(program, passed) or is_hidden(program, passed.shape.record)
    return is_thing(program, passed)


def is_dynamic(program: Program, owner: Class) -> bool:
    """Whether a class has virtual functions, its own or inherited."""
    return any(m.virtual for c in (owner, *bases_of(program, owner)) for m in c.methods)


def bases_of(program: Program, owner: Class) -> list[Class]:
    """All classes that a class is derived from."""
    found: list[Class] = []
    for name in owner.bases:
        base = program.classes.get(name)
        if base is not None:
            found += [base, *bases_of(program, base)]
    return found


def derived_from(program: Program, base: Class) -> list[Class]:
    """The classes with objects that are derived from a class."""
    return [c for c in program.classes.values() if not c.abstract and base in bases_of(program, c)]


def needs_making(program: Program, owner: Class) -> bool:
    """Whether an object is more than its bytes, all of which may be zero at first."""
    if is_dynamic(program, owner) or owner.abstract:
        return True
    made = [m for m in owner.constructors if m.short == owner.name or not m.implicit]
    bodies = [program.functions.get(m.name) for m in made]
    if "<" in owner.name and None in bodies:
        return True  # of a template, and nobody has used it so far
    return any(f is not None and any(b.statements for b in f.blocks) for f in bodies)


def needs_text(program: Program, passed: Passed) -> bool:
    """Whether a parameter takes something that is neither a number nor memory that starts at zero."""
    match passed.shape:
        case Number() | Nothing():
            return False
        case Other(spelled):
            return spelled.startswith("std::")  # an object that nobody can make, so that it is not called
        case Text(spelled):
            return not spelled.endswith("*")
        case Instance(_, record):
            owner = program.classes.get(record)
            if owner is None:
                return is_hidden(program, record) or passed.manner in (Manner.VALUE, Manner.RVALUE)
            return needs_making(program, owner) if is_thing(program, passed) else True
        case _:
            return True


def is_hidden(program: Program, record: str) -> bool:
    """Whether a type is declared and defined nowhere, so that nobody can have an object of it."""
    layout = program.records.get(record)
    return layout is not None and bool(layout.unsupported)


def is_value(program: Program, passed: Passed) -> bool:
    """Whether a value can be passed as it is made."""
    if isinstance(passed.shape, Owner | Called | Nothing | Other) or is_thing(program, passed):
        return False
    return passed.manner in (Manner.VALUE, Manner.RVALUE) or (passed.manner is Manner.REFERENCE and passed.constant)


def constructors_of(owner: Class) -> list[Method]:
    """The constructors that everybody may call, without those that copy."""
    public = [m for m in owner.constructors if m.access is Access.PUBLIC]
    return [m for m in public if not any(_is_of(p, owner) for p in m.parameters)]


def _is_of(passed: Passed, owner: Class) -> bool:
    return isinstance(passed.shape, Instance) and passed.shape.record == owner.record


def is_plain(program: Program, shape: Shape) -> bool:
    """Whether copying something is copying its bytes: numbers, and records and arrays of them."""
    match shape:
        case Number():
            return True
        case Sequence(spelled, element):
            return spelled.endswith("]") and is_plain(program, element)
        case Instance(_, record):
            owner = program.classes.get(record)
            members = aggregate(owner) if owner is not None else None
            return members is not None and all(is_plain(program, member) for _, member in members)
        case _:
            return False


def aggregate(owner: Class) -> tuple[tuple[str, Shape], ...] | None:
    """The members of a class that is made by listing their values; None if a constructor makes it."""
    written = [m for m in owner.constructors if not m.implicit]
    if owner.bases or written or any(m.access is not Access.PUBLIC for m in owner.members):
        return None
    return tuple((m.name, m.shape) for m in owner.members)


def called_virtually(program: Program) -> frozenset[FunctionType]:
    """What all functions take and return, the object included, that are called by way of an object."""
    found: set[FunctionType] = set()
    for function in program.functions.values():
        for statement in statements_of(function.blocks):
            if isinstance(statement, Call) and not isinstance(statement.callee, str):
                type = statement.callee.type
                if isinstance(type, Pointer) and isinstance(type.target, FunctionType):
                    found.add(type.target)
    return frozenset(found)
