"""Which machine the files are for, and where gcc for it computes otherwise than we do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from clang.cindex import TypeKind

from stateglass.frontend.building.flags import FileFlags
from stateglass.frontend.clang import libclang
from stateglass.frontend.linking.library import library_flags
from stateglass.program import Target
from stateglass.source import Assumption, Code, Diagnostic, InputError, Severity, Topic

_X87: Final = re.compile(r"i[3-6]86(-|$)")


def one_target(chosen: Sequence[FileFlags]) -> Target:
    """The machine that all files are for."""
    targets = {use.file: target_of(library_flags(use.flags)) for use in chosen}
    first, *rest = targets
    target = targets[first]
    problems = []
    for file in rest:
        if targets[file] != target:
            message = f"`{file}` is for {_machine(targets[file])}, but `{first}` for {_machine(target)}"
            help = "the flags of the files differ; --target names one machine for all"
            problems.append(Diagnostic(Code.FLAG, message, help=help))
    if problems:
        raise InputError(problems)
    return target


def _machine(target: Target) -> str:
    return f"{target.triple} with {8 * target.pointer_size}-bit pointers and {target.int_bits}-bit int"


@lru_cache(maxsize=64)
def target_of(flags: tuple[str, ...]) -> Target:
    """Sizes and byte order of the target the flags choose; flags about the text of a program are not among them."""
    macros = ("__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__", "__FLT_MANT_DIG__", "__DBL_MANT_DIG__", "__LDBL_MANT_DIG__")
    probe = "int i; void *p;" + "".join(f" int v{n} = {macro};" for n, macro in enumerate(macros))
    unit, problems = libclang.parse("target.c", flags, probe)
    if any(d.severity is Severity.ERROR for d in problems):
        raise InputError(problems)
    i, p, *rest = libclang.children(unit.cursor)[-2 - len(macros) :]
    assert i.type.kind is TypeKind.INT
    big_endian, *digits = (libclang.evaluate(libclang.children(v)[-1]) or 0 for v in rest)
    triple = next((f.split("=", 1)[1] for f in flags if f.startswith("--target=")), "host")
    return Target(triple, p.type.get_size(), 8 * i.type.get_size(), bool(big_endian), (digits[0], digits[1], digits[2]))


def about_machine(target: Target, floats: frozenset[TypeKind], flags: tuple[str, ...]) -> tuple[Assumption, ...]:
    """Where gcc computes otherwise than we do, if the program has what is concerned."""
    if target.triple.startswith("avr") and TypeKind.LONGDOUBLE in floats:
        text = "it has 4 bytes, as clang has it: avr-gcc from version 10 on gives it 8"
        return (Assumption(Topic.TARGET, "long double", text),)
    in_registers = "-mfpmath=sse" not in flags and {TypeKind.FLOAT, TypeKind.DOUBLE} & floats
    if _X87.match(target.triple) and in_registers:
        text = (
            "every result is rounded to its type: gcc may keep more digits on this machine, but not with -mfpmath=sse"
        )
        return (Assumption(Topic.TARGET, "floating point", text),)
    return ()
