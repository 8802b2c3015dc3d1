"""The assumptions of a run for all inputs: what it takes for granted of code that nobody has seen."""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import groupby
from typing import Final

from stateglass.explore.merging import Outcome
from stateglass.program import Declaration, FunctionType, Pointer, Program, Void, is_scalar

MOST_PLACES: Final = 8
"""So many places are named at which something comes from outside."""


def taken_for_granted(outcome: Outcome, program: Program) -> Iterator[str]:
    """Sentences about each function without a body and each volatile variable that the run has met."""
    for name, written in outcome.called_out.items():
        yield from _function(program.declarations[name], written)
        yield from _numbers(outcome, name, "comes from the call")
    for name in outcome.volatile:
        yield f"each read of `{name}` gives any value of its type"
        yield from _numbers(outcome, name, "is what is read")


def _numbers(outcome: Outcome, origin: str, is_what: str) -> Iterator[str]:
    """A sentence that says where the numbered values of one origin come from."""
    numbered = [f for f in outcome.fresh if f.origin == origin and "#" in f.name]
    numbered.sort(key=lambda f: f.span.start)
    parts = []
    for span, values in groupby(numbered, key=lambda f: f.span):
        names = [f.name for f in values]
        parts.append(f"`{names[0]}`{f' to `{names[-1]}`' if len(names) > 1 else ''} at {span}")
    if parts:
        more = f", … {len(parts) - MOST_PLACES:,} more" if len(parts) > MOST_PLACES else ""
        first, *rest = parts[:MOST_PLACES]
        yield f"{first.replace(' at ', f' {is_what} at ', 1)}{''.join(f', {part}' for part in rest)}{more}"


def _function(declaration: Declaration, written: Set[int]) -> Iterator[str]:
    subject = f"`{declaration.name}` has no body"
    if declaration.noreturn:
        yield f"{subject}: a call of it ends the program"
        return
    through = sorted(written)
    does = []
    if is_scalar(declaration.result) and not isinstance(declaration.result, Pointer):
        does.append("it returns any value")
    elif not isinstance(declaration.result, Void):
        does.append("what follows a call of it is not known")
    does += [f"it sets all of what {_argument(declaration, n)} points to, to any value" for n in through]
    rest = "and changes nothing else" if through else "and changes nothing"
    yield f"{subject}: {', '.join(does)}{',' if through else ''} {rest}" if does else f"{subject}: it returns {rest}"
    for number in range(len(declaration.parameters)):
        if _is_function(declaration, number):
            yield f"{subject}: it does not call {_argument(declaration, number)}"


def _is_function(declaration: Declaration, number: int) -> bool:
    if number >= len(declaration.parameters):
        return False
    type = declaration.parameters[number].type
    return isinstance(type, Pointer) and isinstance(type.target, FunctionType)


def _argument(declaration: Declaration, number: int) -> str:
    named = number < len(declaration.parameters) and declaration.parameters[number].name
    return f"`{named}`" if named and named.isidentifier() else f"argument {number + 1}"
