"""The same laws at the widths that C has, on random values and random numbers in them."""

from __future__ import annotations

import struct

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stateglass.program import (
    BOOL,
    BinaryOperator,
    Bool,
    Comparison,
    Enum,
    Float,
    Int,
    Pointer,
    Scalar,
    UnaryOperator,
    Void,
    representation,
)
from stateglass.source import NOWHERE
from stateglass.values import Fault, FaultKind
from stateglass.values.abstract import (
    TOP,
    Abstraction,
    Interval,
    MinMax,
    Mod,
    Part,
    Pieces,
    Remainders,
    Truth,
    Value,
    atoms,
    contains,
    is_subset,
    join,
    keep,
    may_fault,
    may_fault_converting,
    meet,
    must_fault,
    narrow,
    narrow_converted,
    rejoined,
    remove,
)
from tests.values.catalogue import least_and_most, member
from tests.values.soundness import ABSTRACT, SHIFTS, STRICT, WRAPPING

TYPES = [Int(bits, signed) for bits in (8, 16, 32, 64) for signed in (True, False)]
DOUBLE, SINGLE = Float(53, 8), Float(24, 4)
SCALARS: list[Scalar] = [*TYPES, BOOL, Enum("e", Int(32, signed=False)), Pointer(Void(), 8), Int(5, signed=True)]
EXAMPLES = settings(max_examples=200)


def number_of(type: Scalar) -> st.SearchStrategy[int]:
    """Numbers of a type, those at its ends and near powers of two more often."""
    least, most = least_and_most(type)
    near = st.builds(
        lambda power, sign, off: min(max(sign * (1 << power) + off, least), most),
        st.integers(0, 64),
        st.sampled_from((1, -1)),
        st.integers(-2, 2),
    )
    return near | st.integers(max(least, -20), min(most, 20)) | st.integers(least, most)


@st.composite
def value_with(draw: st.DrawFn, type: Scalar) -> tuple[Value, int]:
    """A value that means at least two numbers, or one, and a number in it."""
    number = draw(number_of(type))
    least, most = least_and_most(type)
    match draw(st.sampled_from(("int", "top", "interval", "remainders", "pieces"))):
        case "int":
            return number, number
        case "top":
            return TOP, number
        case "interval":
            other = draw(number_of(type))
            low, high = min(number, other), max(number, other)
            return (Interval(low, high), number) if low < high else (number, number)
        case "remainders":
            modulus = draw(st.sampled_from((2, 3, 4, 6, 8, 10, 16, 100, 256, 1000)))
            mask = 1 << number % modulus | draw(st.integers(0, (1 << modulus) - 1) | st.just(0))
            value: Value = Remainders(modulus, mask)
        case _:
            points = tuple(sorted(draw(st.sets(number_of(type) | st.integers(-5, 300), min_size=1, max_size=6))))
            mask = draw(st.integers(0, (1 << (len(points) + 1)) - 1))
            value = Pieces(points, mask | 1 << sum(point <= number for point in points))
    # One that means a single number is no set, and pieces beyond the type are never there.
    alone = meet(value, Interval(least, most), type) if isinstance(type, Bool) else keep_canonical(value, type)
    assert alone is not None
    return alone, number


def keep_canonical(value: Value, type: Scalar) -> Value:
    match value:
        case Remainders(modulus, _):
            return keep(Mod(modulus), value, type)
        case Pieces(points, mask):
            return rejoined([keep(Part(points), p, type) for p in _pieces(points, mask, type)], type, Part(points))
        case _:
            return value


def _pieces(points: tuple[int, ...], mask: int, type: Scalar) -> list[int]:
    """A number of every piece that has one in the type."""
    least, most = least_and_most(type)
    starts = (least, *(max(point, least) for point in points))
    ends = (*(min(point - 1, most) for point in points), most)
    return [starts[i] for i in range(len(starts)) if mask >> i & 1 and starts[i] <= ends[i]]


def abstraction_of(type: Scalar) -> st.SearchStrategy[Abstraction]:
    parts = st.sets(number_of(type), min_size=1, max_size=5).map(lambda points: Part(tuple(sorted(points))))
    return parts | st.sampled_from((2, 3, 4, 10, 256)).map(Mod) | st.sampled_from((MinMax(), Truth()))


@EXAMPLES
@given(st.data(), st.sampled_from(TYPES), st.sampled_from(BinaryOperator))
def test_binary(data: st.DataObject, type: Int, operator: BinaryOperator) -> None:
    counted = data.draw(st.sampled_from(TYPES)) if operator in SHIFTS else None
    (a, x), (b, y) = data.draw(value_with(type)), data.draw(value_with(counted or type))
    try:
        expected = WRAPPING.binary(operator, type, NOWHERE)(x, y)
    except Fault as fault:
        assert fault.kind is FaultKind.DIVISION
        assert FaultKind.DIVISION in may_fault(operator, a, b, type)
        return
    for known in {counted, None}:
        assert member(ABSTRACT.binary(operator, type, NOWHERE, known)(a, b), expected)
    try:
        assert STRICT.binary(operator, type, NOWHERE)(x, y) == expected
        assert not must_fault(operator, a, b, type, counted)
    except Fault as fault:
        assert fault.kind in may_fault(operator, a, b, type, counted)
        assert fault.kind in may_fault(operator, a, b, type)


@EXAMPLES
@given(st.data(), st.sampled_from(TYPES), st.sampled_from(UnaryOperator))
def test_unary(data: st.DataObject, type: Int, operator: UnaryOperator) -> None:
    a, x = data.draw(value_with(type))
    assert member(ABSTRACT.unary(operator, type, NOWHERE)(a), WRAPPING.unary(operator, type, NOWHERE)(x))
    try:
        STRICT.unary(operator, type, NOWHERE)(x)
    except Fault as fault:
        assert may_fault(operator, a, 0, type) == (fault.kind,)


@EXAMPLES
@given(st.data(), st.sampled_from(SCALARS), st.sampled_from(Comparison))
def test_comparisons_and_what_they_tell(data: st.DataObject, type: Scalar, operator: Comparison) -> None:
    (a, x), (b, y) = data.draw(value_with(type)), data.draw(value_with(type))
    outcome = bool(WRAPPING.compare(operator, type)(x, y))
    result = ABSTRACT.compare(operator, type)(a, b)
    assert member(result, int(outcome))
    assert ABSTRACT.decide(result) in (None, outcome)
    found = narrow(operator, a, b, type, outcome)
    assert found is not None
    assert member(found[0], x)
    assert member(found[1], y)
    assert is_subset(found[0], a, type)
    assert is_subset(found[1], b, type)
    if ABSTRACT.decide(result) is not None:
        assert narrow(operator, a, b, type, not outcome) is None


@EXAMPLES
@given(st.data(), st.sampled_from(SCALARS), st.sampled_from(Comparison))
def test_narrowing_a_variable(data: st.DataObject, type: Scalar, operator: Comparison) -> None:
    abstraction = data.draw(abstraction_of(type))
    (a, x), (b, y) = data.draw(value_with(type)), data.draw(value_with(type))
    before = keep(abstraction, a, type)
    found = narrow(operator, before, b, type, bool(WRAPPING.compare(operator, type)(x, y)))
    assert found is not None
    kept = keep(abstraction, found[0], type)
    assert member(kept, x)
    assert is_subset(kept, before, type)


@EXAMPLES
@given(st.data(), st.sampled_from(SCALARS), st.sampled_from(SCALARS))
def test_conversions(data: st.DataObject, source: Scalar, target: Scalar) -> None:
    a, x = data.draw(value_with(source))
    change, concrete = ABSTRACT.convert(source, target, NOWHERE), WRAPPING.convert(source, target, NOWHERE)
    result, expected = a if change is None else change(a), x if concrete is None else concrete(x)
    assert member(result, expected)
    narrowed, _ = data.draw(value_with(target))
    assume(member(narrowed, expected))
    before = narrow_converted(a, narrowed, source, target)
    assert before is not None
    assert member(before, x)
    assert is_subset(before, a, source)


@EXAMPLES
@given(st.data(), st.sampled_from(SCALARS))
def test_values_as_sets(data: st.DataObject, type: Scalar) -> None:
    (a, x), (b, y) = data.draw(value_with(type)), data.draw(value_with(type))
    joined = join(a, b, type)
    assert contains(joined, x, type)
    assert contains(joined, y, type)
    assert is_subset(a, joined, type)
    assert is_subset(b, joined, type)
    common = meet(a, b, type)
    assert common is None or is_subset(common, a, type)
    assert not member(b, x) or (common is not None and member(common, x))
    less = remove(a, y, type)
    assert x == y or (less is not None and member(less, x) and is_subset(less, a, type))
    assert contains(a, y, type) is member(a, y)


@EXAMPLES
@given(st.data(), st.sampled_from(SCALARS))
def test_what_a_variable_keeps(data: st.DataObject, type: Scalar) -> None:
    """Never less than was assigned, the same when kept again, and less of less; its atoms are all of it."""
    abstraction = data.draw(abstraction_of(type))
    (a, x), (b, _) = data.draw(value_with(type)), data.draw(value_with(type))
    kept = keep(abstraction, a, type)
    assert member(kept, x)
    assert is_subset(a, kept, type)
    assert keep(abstraction, kept, type) == kept
    assert is_subset(kept, keep(abstraction, join(a, b, type), type), type)
    parts = atoms(kept, type, abstraction)
    assert any(member(part, x) for part in parts)
    assert all(keep(abstraction, part, type) == part or len(parts) > 1 for part in parts)
    assert rejoined(parts, type, abstraction) == kept


# ---- floating-point numbers: one bit pattern, or anything

PATTERNS = st.floats(width=64).map(lambda f: int(struct.unpack("<Q", struct.pack("<d", f))[0]))


@given(PATTERNS, PATTERNS, st.sampled_from(BinaryOperator), st.sampled_from(Comparison))
def test_floating_point(a: int, b: int, operator: BinaryOperator, comparison: Comparison) -> None:
    if operator in (BinaryOperator.ADD, BinaryOperator.SUBTRACT, BinaryOperator.MULTIPLY, BinaryOperator.DIVIDE):
        apply = ABSTRACT.binary(operator, DOUBLE, NOWHERE)
        assert apply(a, b) == WRAPPING.binary(operator, DOUBLE, NOWHERE)(a, b)
        assert apply(TOP, b) is TOP
        assert apply(a, TOP) is TOP
        assert may_fault(operator, TOP, b, DOUBLE) == ()
    outcome = WRAPPING.compare(comparison, DOUBLE)(a, b)
    assert ABSTRACT.compare(comparison, DOUBLE)(a, b) == outcome
    assert ABSTRACT.decide(ABSTRACT.compare(comparison, DOUBLE)(a, TOP)) is None
    assert narrow(comparison, a, b, DOUBLE, bool(outcome)) == (a, b)
    assert narrow(comparison, a, b, DOUBLE, not outcome) is None
    assert narrow(comparison, a, TOP, DOUBLE, True) == (a, TOP)
    assert join(a, b, DOUBLE) == (a if a == b else join(b, a, DOUBLE))


@given(PATTERNS, st.sampled_from([*SCALARS, SINGLE]))
def test_from_floating_point(pattern: int, target: Scalar) -> None:
    change, concrete = ABSTRACT.convert(DOUBLE, target, NOWHERE), WRAPPING.convert(DOUBLE, target, NOWHERE)
    assert change is not None
    assert concrete is not None
    assert change(pattern) == concrete(pattern)
    assert change(TOP) is TOP
    strict = STRICT.convert(DOUBLE, target, NOWHERE)
    assert strict is not None
    try:
        strict(pattern)
        assert may_fault_converting(pattern, DOUBLE, target) == ()
    except Fault as fault:
        assert may_fault_converting(pattern, DOUBLE, target) == (fault.kind,)
        assert may_fault_converting(TOP, DOUBLE, target) == (fault.kind,)


@given(st.data(), st.sampled_from(SCALARS))
def test_to_floating_point(data: st.DataObject, source: Scalar) -> None:
    a, x = data.draw(value_with(source))
    change, concrete = ABSTRACT.convert(source, DOUBLE, NOWHERE), WRAPPING.convert(source, DOUBLE, NOWHERE)
    assert change is not None
    assert concrete is not None
    assert change(x) == concrete(x)
    assert isinstance(a, int) or change(a) is TOP


@pytest.mark.parametrize("type", SCALARS, ids=str)
def test_top_means_the_whole_type(type: Scalar) -> None:
    least, most = least_and_most(type)
    assert contains(TOP, least, type)
    assert contains(TOP, most, type)
    assert not contains(TOP, most + 1, type)
    assert representation(type).high >= most
