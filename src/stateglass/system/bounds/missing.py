"""The one error for all inputs that need a bound and have none, with what to paste."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, assert_never

from stateglass.program.types import (
    Array,
    Bool,
    Enum,
    Float,
    FunctionType,
    Int,
    Opaque,
    Pointer,
    Record,
    Type,
    Void,
)
from stateglass.source import Code, Diagnostic

MOST_WIDTH: Final = 68
"""What a line of options may have beside its indentation; more of them stand one below the other."""

MOST_TWICE: Final = 8
"""So many bounds are shown in both notations; for more of them a file is the place."""


def describe_missing(inputs: Sequence[tuple[str, Type]], system: str = "main") -> list[Diagnostic]:
    """Names every input without a bound at once, with ready bounds to choose from, for the project's `system`."""
    distinct = list(dict.fromkeys(inputs))
    bounded = [(name, type, example) for name, type in distinct if (example := example_bound(type)) is not None]
    unbounded = [(name, type) for name, type in distinct if example_bound(type) is None]
    diagnostics = []
    if bounded:
        names = ", ".join(f"`{name}` ({type})" for name, type, _ in bounded)
        verb = "1 input needs a bound" if len(bounded) == 1 else f"{len(bounded)} inputs need a bound"
        which = "it takes" if len(bounded) == 1 else "they take"
        lines = "\n".join(f"    {json.dumps(n, ensure_ascii=False)} = {json.dumps(e)}" for n, _, e in bounded)
        help = f"say which values {which}, on the command line:\n    {_options([(n, e) for n, _, e in bounded])}\n"
        if len(bounded) <= MOST_TWICE:
            help += f"or in stateglass.toml:\n    [system.{_key(system)}.bounds]\n{lines}"
        else:
            help += "or let `stateglass init` write a project file with these bounds, and go on from there"
        diagnostics.append(Diagnostic(Code.MISSING_BOUND, f"{verb}: {names}", help=help))
    if unbounded:
        names = ", ".join(f"`{name}` ({type})" for name, type in unbounded)
        help = "only numbers, bool and enums can be inputs: call the code from a function that sets these up"
        diagnostics.append(
            Diagnostic(Code.MISSING_BOUND, f"no bound can say which values these take: {names}", help=help)
        )
    return diagnostics


def example_bound(type: Type) -> str | None:
    """A bound that suits a type; None if a bound cannot be given for it.

    An enum is here only if its enumerators are unknown, or else it would need no bound: so it is like an integer.
    """
    match type:
        case Bool():
            return "bool"
        case Int():
            return f"{max(type.low, -10)}..{min(type.high, 10)}"
        case Enum():
            return example_bound(type.representation)
        case Float():
            return "0..1 step 0.25"
        case Void() | Pointer() | Array() | Record() | FunctionType() | Opaque():
            return None
        case _:
            assert_never(type)


def _key(name: str) -> str:
    """A name as TOML has it in the head of a table."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _options(bounds: Sequence[tuple[str, str]]) -> str:
    options = [f"--bound '{name}={example}'" for name, example in bounds]
    line = " ".join(options)
    return line if len(line) <= MOST_WIDTH else " \\\n    ".join(options)
