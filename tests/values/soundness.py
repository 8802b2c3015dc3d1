"""Laws of the abstract domain, tried on every pair of given values: each gives the first counterexample, or none.

The reference is `Concrete` with overflow and shifts that wrap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import product
from operator import or_ as operator_or

from stateglass.program import BinaryOperator, Comparison, Int, Scalar, UnaryOperator
from stateglass.source import NOWHERE
from stateglass.values import Concrete, Fault, FaultKind
from stateglass.values.abstract import (
    AbstractDomain,
    Abstraction,
    Value,
    keep,
    may_fault,
    must_fault,
    narrow,
    narrow_converted,
)
from tests.values.catalogue import catalogue, is_proper, meaning, members, numbers, set_of

WRAPPING = Concrete(wrap=(FaultKind.OVERFLOW, FaultKind.SHIFT))
STRICT = Concrete()
ABSTRACT = AbstractDomain()
SHIFTS = (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT)


class Tried:
    """Counts what was tried, so that a run can say how much it rests on."""

    def __init__(self) -> None:
        self.count = 0


def _extensions(values: Iterable[Value], type: Scalar) -> dict[Value, list[int]]:
    return {value: members(meaning(value, type), type) for value in values}


def binary(
    operator: BinaryOperator, type: Int, values: Sequence[Value], tried: Tried, counted: Int | None = None
) -> Iterator[str]:
    """The result contains what each pair gives. With `counted`, the right operands are all kinds of values of it."""
    apply = ABSTRACT.binary(operator, type, NOWHERE, counted)
    concrete = WRAPPING.binary(operator, type, NOWHERE)
    right_type, rights = (type, values) if counted is None else (counted, catalogue(counted))
    table = {(x, y): _result(concrete, x, y) for x in numbers(type) for y in numbers(right_type)}
    lefts = _extensions(values, type)
    for b, ys in _extensions(rights, right_type).items():
        rows = {x: set_of([r for y in ys if (r := table[x, y]) is not None], type) for x in numbers(type)}
        for a, xs in lefts.items():
            tried.count += 1
            expected = 0
            for x in xs:
                expected |= rows[x]
            try:
                result = apply(a, b)
            except Fault as fault:
                if expected or fault.kind is not FaultKind.DIVISION:
                    yield f"{a} {operator.value} {b} in {type}: {fault.kind}"
                continue
            found = meaning(result, type)
            if not is_proper(result, type):
                yield f"{a} {operator.value} {b} in {type}: {result} is no value"
            if expected & ~found:
                yield f"{a} {operator.value} {b} in {type}: lacks {members(expected & ~found, type)}"
            if isinstance(a, int) and isinstance(b, int) and found != expected:
                yield f"{a} {operator.value} {b} in {type}: not exact"


def _result(concrete: object, x: int, y: int) -> int | None:
    assert callable(concrete)
    try:
        result: int = concrete(x, y)
    except Fault:
        return None
    return result


def unary(operator: UnaryOperator, type: Int, values: Sequence[Value], tried: Tried) -> Iterator[str]:
    apply, concrete = ABSTRACT.unary(operator, type, NOWHERE), WRAPPING.unary(operator, type, NOWHERE)
    for a in values:
        tried.count += 1
        expected = set_of([concrete(x) for x in members(meaning(a, type), type)], type)
        if expected & ~meaning(apply(a), type) or not is_proper(apply(a), type):
            yield f"{operator.value}{a} in {type}"


def convert(source: Scalar, target: Scalar, values: Sequence[Value], tried: Tried) -> Iterator[str]:
    """The converted set, and narrowing its operand when some results are excluded."""
    change, concrete = ABSTRACT.convert(source, target, NOWHERE), WRAPPING.convert(source, target, NOWHERE)
    for a in values:
        tried.count += 1
        after = {x: x if concrete is None else concrete(x) for x in members(meaning(a, source), source)}
        result = a if change is None else change(a)
        if set_of(list(after.values()), target) & ~meaning(result, target) or (
            change is not None and not is_proper(result, target)
        ):
            yield f"{a} from {source} to {target}: {result}"


def convert_back(
    source: Scalar,
    target: Scalar,
    values: Sequence[Value],
    results: Sequence[Value],
    abstractions: Sequence[Abstraction],
    tried: Tried,
) -> Iterator[str]:
    concrete = WRAPPING.convert(source, target, NOWHERE)
    for abstraction in abstractions:
        for operand in dict.fromkeys(keep(abstraction, v, source) for v in values):
            before = meaning(operand, source)
            for result in results:
                tried.count += 1
                allowed = meaning(result, target)
                feasible = [
                    x
                    for x in members(before, source)
                    if allowed & set_of([x if concrete is None else concrete(x)], target)
                ]
                narrowed = narrow_converted(operand, result, source, target)
                kept = None if narrowed is None else keep(abstraction, narrowed, source)
                found = 0 if kept is None else meaning(kept, source)
                if set_of(feasible, source) & ~found or found & ~before:
                    yield f"{operand} from {source} to {target} in {result} with {abstraction}: {kept}"


def compare(operator: Comparison, type: Scalar, values: Sequence[Value], tried: Tried) -> Iterator[str]:
    apply, concrete = ABSTRACT.compare(operator, type), WRAPPING.compare(operator, type)
    extensions = _extensions(values, type)
    for a, xs in extensions.items():
        for b, ys in extensions.items():
            tried.count += 1
            outcomes = {bool(concrete(x, y)) for x in xs for y in ys}
            decided = ABSTRACT.decide(apply(a, b))
            if decided is not None and outcomes != {decided}:
                yield f"{a} {operator.value} {b} in {type}: {decided}"


def narrowing(
    operator: Comparison,
    type: Scalar,
    lefts: Sequence[Value],
    rights: Sequence[Value],
    abstractions: tuple[Abstraction, Abstraction],
    tried: Tried,
) -> Iterator[str]:
    """Every feasible pair stays, neither side grows, and what is left fits the abstraction of its side."""
    concrete = WRAPPING.compare(operator, type)
    everything = numbers(type)
    rows = {x: set_of([y for y in everything if concrete(x, y)], type) for x in everything}
    left_extensions = _extensions(dict.fromkeys(keep(abstractions[0], v, type) for v in lefts), type)
    right_values = list(dict.fromkeys(keep(abstractions[1], v, type) for v in rights))
    for (a, xs), b, outcome in product(left_extensions.items(), right_values, (True, False)):
        tried.count += 1
        ys = meaning(b, type)
        partners = {x: (rows[x] if outcome else ~rows[x]) & ys for x in xs}
        feasible = set_of([x for x, found in partners.items() if found], type), _united(partners.values())
        narrowed = narrow(operator, a, b, type, outcome)
        found = None if narrowed is None else [keep(k, v, type) for k, v in zip(abstractions, narrowed, strict=True)]
        left, right = (0, 0) if found is None else (meaning(v, type) for v in found)
        wrong = ""
        if feasible[0] & ~left or feasible[1] & ~right:
            wrong = "lost"
        if left & ~meaning(a, type) or right & ~ys:
            wrong = "grown"
        if found is not None and any(keep(k, v, type) != v for k, v in zip(abstractions, found, strict=True)):
            wrong = "not kept"
        if wrong:
            yield f"{wrong}: {a} {operator.value} {b} in {type} is {outcome} with {abstractions}: {found}"


def _united(sets: Iterable[int]) -> int:
    return reduce(operator_or, sets, 0)


def faults(
    operator: BinaryOperator, type: Int, values: Sequence[Value], tried: Tried, counted: Int | None = None
) -> Iterator[str]:
    """Every kind of fault that a pair has is announced; a fault that must happen happens for every pair."""
    strict = STRICT.binary(operator, type, NOWHERE)
    right_type, rights = (type, values) if counted is None else (counted, catalogue(counted))
    table = {(x, y): _fault(strict, x, y) for x in numbers(type) for y in numbers(right_type)}
    lefts = _extensions(values, type)
    for b, ys in _extensions(rights, right_type).items():
        for a, xs in lefts.items():
            tried.count += 1
            kinds = {table[x, y] for x in xs for y in ys}
            if kinds - {None} - set(may_fault(operator, a, b, type, counted)):
                yield f"{a} {operator.value} {b} in {type}: {kinds} may happen"
            if must_fault(operator, a, b, type, counted) and None in kinds:
                yield f"{a} {operator.value} {b} in {type}: a fault need not happen"


def _fault(strict: object, x: int, y: int) -> FaultKind | None:
    assert callable(strict)
    try:
        strict(x, y)
    except Fault as fault:
        return fault.kind
    return None
