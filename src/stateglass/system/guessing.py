"""A first guess at a system: which functions the environment calls, and bounds to begin with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.program import Array, Call, FunctionReference, Program
from stateglass.program.callgraph import reachable, statements_of
from stateglass.program.walk import nodes_in
from stateglass.source import Code, Diagnostic, Severity, input_error
from stateglass.system.bounds import default_values, describe_missing, shown_type
from stateglass.system.building import check_names
from stateglass.system.examples import example_for
from stateglass.system.inputs import InputKind, Need, element_of, possible_inputs

_INIT: Final = re.compile(r"(?:.*_)?(?:init|initialise|initialize|setup)", re.IGNORECASE)


@final
@dataclass(frozen=True, slots=True)
class GuessedBound:
    """A bound for an input that needs one."""

    name: str
    spec: str
    comment: str


@final
@dataclass(frozen=True, slots=True)
class Guess:
    """What a project file could say."""

    name: str
    functions: tuple[str, ...]
    init: str | None
    mode: str | None
    bounds: tuple[GuessedBound, ...]
    without_bound: tuple[Diagnostic, ...]  # about inputs that no bound can be given for
    left_out: tuple[str, ...]  # functions of the files that are not called, such as interrupt handlers


def default_function(program: Program) -> str:
    """The function that is meant if none is named: `main`, or the only one."""
    names = program.own_functions
    if "main" in names:
        return "main"
    from_outside = [name for name in names if not program.functions[name].internal]
    if len(from_outside or names) == 1:
        return (from_outside or names)[0]
    if not names:
        files = ", ".join(program.files)
        raise input_error(Code.UNKNOWN_NAME, f"there is no function with a body in {files}")
    shown = ", ".join(f"`{n}`" for n in names[:20]) + (", …" if len(names) > 20 else "")
    raise input_error(
        Code.USAGE, "say which function the environment calls", help=f"add --function NAME; there is {shown}"
    )


def guess_system(
    program: Program, functions: tuple[str, ...], init: str | None, mode: str | None, bounds: Mapping[str, str]
) -> Guess:
    """A system for a program: what is given is kept, and the rest is guessed."""
    if not program.own_functions:
        raise input_error(Code.UNKNOWN_NAME, f"there is no function with a body in {', '.join(program.files)}")
    check_names(program, functions, init)
    chosen = functions or _entries(program)
    if init is None and not functions:
        candidates = [name for name in chosen if _INIT.fullmatch(name)]
        if candidates and len(chosen) > 1:
            init = candidates[0]
            chosen = tuple(name for name in chosen if name != init)
    roots = (*chosen, *([init] if init is not None else []))
    found: list[GuessedBound] = []
    impossible = []
    called = reachable(program, roots)
    for need in possible_inputs(program, roots, called):
        given = {n: b for n, b in bounds.items() if _is_about(n, need)}
        found += [
            GuessedBound(n, b, shown_type(need.type)) for n, b in given.items() if n not in {f.name for f in found}
        ]
        if given or not _is_open(need, program):
            continue
        example = example_for(need, program)
        if example is not None:
            found.append(GuessedBound(need.name, example, f"{shown_type(need.type)}: a guess"))
        elif need.required:
            impossible.append((need.name, need.type))
    warnings = tuple(replace(d, severity=Severity.WARNING) for d in describe_missing(impossible))
    left_out = tuple(name for name in program.own_functions if name not in called.functions)
    return Guess(chosen[0], chosen, init, mode, tuple(found), warnings, left_out)


def _is_about(name: str, need: Need) -> bool:
    """Whether a bound of this name is for an input, for one of its elements, or for what it is part of."""
    if need.kind is InputKind.VOLATILE and need.name.startswith((f"{name}.", f"{name}[")):
        return True
    element = name.startswith(f"{need.name}[") and (need.several or isinstance(need.type, Array))
    return element or name == need.name


def _is_open(need: Need, program: Program) -> bool:
    """Whether an input is worth a bound: it needs one, or without one the model would end where it is used."""
    if need.required:
        return default_values(element_of(need.type), program.enums) is None
    return need.kind in (InputKind.WRITTEN, InputKind.RESULT)


def _entries(program: Program) -> tuple[str, ...]:
    """`main`, or else the functions that no other one calls or points to."""
    if "main" in program.functions:
        return ("main",)
    called = set()
    for function in program.functions.values():
        for node in statements_of(function.blocks):
            if isinstance(node, Call) and isinstance(node.callee, str) and node.callee != function.name:
                called.add(node.callee)
            called.update(n.name for n in nodes_in(node) if isinstance(n, FunctionReference))
    own = program.own_functions
    return tuple(n for n in own if n not in called) or tuple(own)
