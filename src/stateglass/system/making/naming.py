"""What inputs and the objects for them are called: in full, in short, and as the object keeps them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from stateglass.program import Dereference, Load, Local, Member, Pointer, Program, Record, Type
from stateglass.program.callgraph import statements_of
from stateglass.program.classes import Method
from stateglass.program.names import THIS
from stateglass.program.shapes import Passed
from stateglass.program.walk import nodes_in


def short_names(whole: str, function: str, owner: str) -> Iterator[str]:
    """`move.up`, `Base.move.up` and, without the types of an overload, `C.move.up` for `C.move<bool>.up`."""
    called, _, parameter = whole.rpartition(".")
    plain = called.partition("<")[0] if called.endswith((">", " const")) else called
    for name in dict.fromkeys((called, plain, function.rstrip("#"))):
        yield f"{name}.{parameter}"
        if name.startswith(f"{owner}."):
            yield f"{name.removeprefix(f'{owner}.')}.{parameter}"


def meant_by(name: str, roots: Mapping[str, Mapping[str, None]]) -> Iterator[str]:
    """The whole names that a name, or what it begins with, is short for."""
    ends = [len(name), *(m.start() for m in re.finditer(r"\.|\[", name))]
    for end in sorted(ends, reverse=True):
        if name[:end] in roots:
            yield from (whole + name[end:] for whole in roots[name[:end]])
            return


def kept_in(program: Program, constructor: Method, parameter: Passed) -> str:
    """The variable of the object that keeps what the constructor is given; empty if that cannot be told."""
    function = program.functions.get(constructor.name)
    if function is None or not parameter.name:
        return ""
    found: dict[str, None] = {}
    for statement in statements_of(function.blocks):
        nodes = list(nodes_in(statement))
        given = {_referred(n.type) for n in nodes if isinstance(n, Local) and n.name == parameter.name}
        found |= {n.field: None for n in nodes if isinstance(n, Member) and _is_kept(n, program, given)}
    return next(iter(found)) if len(found) == 1 else ""


def _referred(type: Type) -> Type:
    """The type of an object, be it there or behind a pointer."""
    return type.target if isinstance(type, Pointer) else type


def _is_kept(member: Member, program: Program, given: set[Type]) -> bool:
    """Whether it is a variable of the object that may keep what is given; the part of a base class is none."""
    if not _is_own(member) or _referred(member.type) not in given:
        return False
    owner = member.base.type
    return not (isinstance(owner, Record) and member.field in {f.name for f, _ in program.bases_in(owner.name)})


def _is_own(member: Member) -> bool:
    """Whether it is a member of the object that a function is called for."""
    base = member.base
    return (
        isinstance(base, Dereference)
        and isinstance(base.pointer, Load)
        and isinstance(base.pointer.place, Local)
        and base.pointer.place.name == THIS
    )
