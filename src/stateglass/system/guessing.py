"""A first guess at a system: which functions the environment calls, and bounds to begin with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.program import Call, FunctionReference, Program
from stateglass.program.callgraph import reachable, statements_of
from stateglass.program.walk import nodes_in
from stateglass.source import Code, Diagnostic, Severity, input_error
from stateglass.system.bounds import default_values, describe_missing, example_bound
from stateglass.system.building import check_names
from stateglass.system.inputs import possible_inputs

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


def guess_system(
    program: Program, functions: tuple[str, ...], init: str | None, mode: str | None, bounds: Mapping[str, str]
) -> Guess:
    """What is given is kept; the rest is guessed."""
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
    found = []
    impossible = []
    for need in possible_inputs(program, roots, reachable(program, roots)):
        given = bounds.get(need.name)
        if given is not None:
            found.append(GuessedBound(need.name, given, str(need.type)))
        elif need.required and default_values(need.type, program.enums) is None:
            example = example_bound(need.type)
            if example is not None:
                found.append(GuessedBound(need.name, example, f"{need.type}: a guess"))
            else:
                impossible.append((need.name, need.type))
    warnings = tuple(replace(d, severity=Severity.WARNING) for d in describe_missing(impossible))
    return Guess(chosen[0], chosen, init, mode, tuple(found), warnings)


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
