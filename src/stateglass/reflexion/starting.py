"""A hypothesis when there is none yet: the ranges of some variables that the code tells apart as states."""

from __future__ import annotations

from collections.abc import Sequence

from stateglass.program import Program
from stateglass.reflexion.candidates import counter_states, product_parts
from stateglass.reflexion.hypothesis import Hypothesis, StateClaim
from stateglass.source import Code, Span, Words, input_error


def starting_hypothesis(
    program: Program,
    functions: Sequence[str],
    files: tuple[str, ...],
    variables: Sequence[str],
    counter: tuple[str, str] | None,
    start: str | None = None,
) -> Hypothesis:
    """States alone: the product of the ranges of variables, or those of a counter with its maximum; perhaps only those
    that can be reached from a condition."""
    function = _only_function(program, functions)
    found: list[tuple[str, tuple[str, ...]]]
    if counter:
        found = [(name, (condition,)) for name, condition in counter_states(program, function, *counter)]
    else:
        found = product_parts(program, function, variables)
    option = Span.at("--counter" if counter else "--states")
    states = tuple(
        StateClaim(
            name,
            Words(" && ".join(conditions), option),
            span=option,
            parts=tuple(Words(c, option) for c in conditions) if len(conditions) > 1 else (),
        )
        for name, conditions in found
    )
    words = None if start is None else Words(start, Span.at("--reachable-from"))
    return Hypothesis(function, function, files, states=states, start=words)


def _only_function(program: Program, functions: Sequence[str]) -> str:
    if len(functions) == 1:
        return functions[0]
    own = [name for name in program.own_functions if name != "main"]
    if functions or len(own) != 1:
        shown = ", ".join(f"`{name}`" for name in own[:20]) + (", …" if len(own) > 20 else "")
        raise input_error(Code.USAGE, "name the one function to look at", help=f"--function F; there is {shown}")
    return own[0]
