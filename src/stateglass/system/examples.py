"""Bounds to begin with: for each input one that suits its type and what the program does with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import Final, final

from stateglass.program import (
    AddressOf,
    Array,
    Call,
    Convert,
    Declaration,
    Int,
    Pointer,
    Program,
    Record,
    Type,
    Void,
    size_of,
)
from stateglass.program.callgraph import statements_of
from stateglass.program.layout import count_cells
from stateglass.system.bounds import Range, default_values, example_bound, is_list, parse_bound
from stateglass.system.inputs import InputKind, Need, element_of

NULL: Final = "null"
MOST_TRIED: Final = 8
"""Up to so many elements are tried with two values each; more of them would give too many rows."""
MOST_WAYS: Final = 1_000
"""A first model in which one call can be made in more ways takes long, and nobody could look at it."""
LISTED: Final = 2
"""Lists have up to so many elements to begin with."""
MOST_FILLED: Final = 4
"""An array of up to so many elements is filled to begin with."""
NOTHING: Final = "list 0 of {0}"
TEXTS: Final = '{"", "a"}'


def example_for(need: Need, program: Program) -> str | None:
    """A bound to begin with for an input; None if no bound can be given for it."""
    match need.kind:
        case InputKind.RESULT if isinstance(need.type, Pointer):
            return _pointer_result(program.declarations[need.owner], need.type)
        case InputKind.POINTED if need.several:
            return _pointed(need, program)
        case InputKind.WRITTEN if need.several:
            return _written(need, program)
        case _:
            if isinstance(need.type, Array):
                return _each(need.type, count_cells(need.type, program.records))
            return example_bound(need.type)


def examples_for(needs: Iterable[Need], program: Program) -> dict[str, str]:
    """Bounds to begin with for several inputs; where one call would be made in very many ways, with fewer numbers."""
    found: dict[str, dict[str, str]] = {}
    for need in needs:
        if example := example_for(need, program):
            found.setdefault(need.owner, {})[need.name] = example
    fewer = {name: e for together in found.values() for name, e in _fewer(together).items()}
    return {name: fewer[name] for together in found.values() for name in together}


def _fewer(together: dict[str, str]) -> dict[str, str]:
    """Bounds for what is chosen together, with fewer numbers if that would be possible in very many ways."""
    ranges = {name: found for name, example in together.items() if (found := _numbers(example))}
    widest = prod(map(len, ranges.values()))
    for low, high in ((-1, 1), (0, 1), (0, 0)) if widest > MOST_WAYS else ():
        ranges = {name: range(max(r[0], low), min(r[-1], high) + 1) for name, r in ranges.items()}
        if prod(map(len, ranges.values())) <= MOST_WAYS:
            break
    else:
        return together
    shown = {name: f"{r[0]}..{r[-1]}" if len(r) > 1 else str(r[0]) for name, r in ranges.items()}
    return {**together, **shown}


def _numbers(example: str) -> range | None:
    """The numbers of a bound that is a range of integers."""
    spec = parse_bound(example)
    if not isinstance(spec, Range) or spec.step != 1:
        return None
    return range(int(spec.low), int(spec.high) + 1)


def list_example(need: Need, program: Program) -> str | None:
    """A bound to begin with for what a pointer leads to; it always says how many elements there are."""
    example = example_for(need, program)
    return example if example is None or is_list(parse_bound(example)) else f"list 1 of {example}"


def _each(type: Type, count: int) -> str | None:
    """A bound for each of so many elements."""
    element = example_bound(element_of(type))
    if element is None or count <= 1:
        return element
    return "{0, 1}" if count <= MOST_TRIED else "0"


def _list(type: Type, count: int, *, any_length: bool) -> str:
    length = f"0..{min(count, LISTED)}" if any_length else str(count)
    return f"list {length} of {_each(type, LISTED if any_length else max(count, 2))}"


def _pointed(need: Need, program: Program) -> str | None:
    parameter = program.functions[need.owner].parameters[need.position].type
    assert isinstance(parameter, Pointer)
    if isinstance(need.type, Void):
        return _list(need.type, LISTED, any_length=True)
    if parameter.readonly and _is_character(need.type):
        return TEXTS
    if default_values(need.type, program.enums) is not None:
        return None
    return example_bound(need.type)


def _written(need: Need, program: Program) -> str | None:
    pointer = program.declarations[need.owner].parameters[need.position].type
    if isinstance(need.type, Void) and isinstance(pointer, Pointer) and isinstance(pointer.target, Record):
        return NOTHING
    given = _given(need, program)
    if isinstance(need.type, Void):
        # What is no array has to be written as a whole, or the rest of it has no value.
        whole = given is not None and not given.array
        return _list(need.type, given.bytes if given is not None else LISTED, any_length=not whole)
    if given is None or not given.array:
        return example_bound(need.type)
    if _is_character(need.type) and given.bytes > 1:
        return TEXTS
    count = given.bytes // size_of(need.type, program.records)
    return _list(need.type, count, any_length=count > MOST_FILLED)


def _is_character(type: Type) -> bool:
    return isinstance(type, Int) and type.bits == 8 and type.signed


@final
@dataclass(frozen=True, slots=True)
class _Given:
    """What the program gives a function to write: an array or one object, and its size."""

    array: bool
    bytes: int


def _given(need: Need, program: Program) -> _Given | None:
    """The smallest object that a function is given to write; None if that cannot be told."""
    found = []
    for function in program.functions.values():
        for node in statements_of(function.blocks):
            if isinstance(node, Call) and node.callee == need.owner and need.position < len(node.arguments):
                argument = node.arguments[need.position]
                while isinstance(argument, Convert):
                    argument = argument.operand
                if isinstance(argument, AddressOf):
                    type = argument.place.type
                    found.append(_Given(isinstance(type, Array), size_of(type, program.records)))
    return min(found, key=lambda g: (g.bytes, g.array)) if found else None


def _pointer_result(declaration: Declaration, type: Pointer) -> str | None:
    """A bound for a pointer that is returned: null, or the parameter that is probably meant, one of the same type.

    Null alone would leave out everything that happens when the function succeeds.
    """
    same = [p.name for p in declaration.parameters if isinstance(p.type, Pointer) and p.type.target == type.target]
    return f"{{{NULL}, {same[0]}}}" if same else None
