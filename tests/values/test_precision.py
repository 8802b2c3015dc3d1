"""What the abstract domain must not lose: the kinds of the paper's table of combinations, and useful results."""

from __future__ import annotations

import copy
import pickle
from itertools import product

import pytest

from stateglass.program import BOOL, BinaryOperator, Comparison, Float, Int, Scalar, UnaryOperator
from stateglass.source import NOWHERE
from stateglass.values import Fault, FaultKind
from stateglass.values.abstract import (
    MAYBE,
    TOP,
    Abstraction,
    Anything,
    Exact,
    Free,
    Interval,
    MinMax,
    Mod,
    Part,
    Pieces,
    Remainders,
    Top,
    Truth,
    Value,
    atoms,
    high,
    join,
    keep,
    keeper,
    low,
    may_fault,
    must_fault,
    narrow,
    narrow_converted,
    possible,
    size,
    text,
)
from tests.values.catalogue import abstractions, catalogue, meaning, members, small_types
from tests.values.soundness import ABSTRACT, WRAPPING

INT, UNSIGNED, CHAR = Int(32, signed=True), Int(32, signed=False), Int(8, signed=True)
PAPER = Part((3, 4, 5, 6))
PLUS, MINUS, TIMES = BinaryOperator.ADD, BinaryOperator.SUBTRACT, BinaryOperator.MULTIPLY


def compute(a: Value, operator: BinaryOperator, b: Value, type: Int = INT) -> Value:
    return ABSTRACT.binary(operator, type, NOWHERE)(a, b)


def compare(a: Value, operator: Comparison, b: Value, type: Scalar = INT) -> bool | None:
    return ABSTRACT.decide(ABSTRACT.compare(operator, type)(a, b))


INTERVAL, REMAINDERS, OTHERS = Interval(2, 700), Remainders(8, 0b1), Remainders(12, 0b11)
PIECES = Pieces((0, 100, 200, 300), 0b01010)


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        (TOP, INTERVAL, Anything),
        (TOP, REMAINDERS, Anything),
        (TOP, PIECES, Anything),
        (TOP, 7, Anything),
        (INTERVAL, REMAINDERS, Interval),
        (INTERVAL, PIECES, Interval),
        (INTERVAL, 7, Interval),
        (REMAINDERS, OTHERS, Remainders),
        (REMAINDERS, Interval(5, 6), Remainders),
        (REMAINDERS, Pieces((5, 6, 7, 8), 0b01010), Remainders),
        (REMAINDERS, 7, Remainders),
        (PIECES, Pieces((0, 1), 0b010 | 0b100), Pieces),
        (PIECES, 7, Pieces),
    ],
)
def test_the_papers_table_of_combinations(a: Value, b: Value, kind: type) -> None:
    """Coarse sets stay coarse sets; what the table does not foresee is that a sum of few numbers is listed."""
    results = [compute(a, PLUS, b, UNSIGNED), compute(b, PLUS, a, UNSIGNED)]
    assert results[0] == results[1]
    assert isinstance(results[0], kind | Anything)
    if isinstance(a, Remainders) and isinstance(b, Remainders):
        assert results[0] == Remainders(4, 0b11)


@pytest.mark.parametrize("type", small_types((4,)), ids=str)
@pytest.mark.parametrize("operator", [PLUS, MINUS, TIMES])
def test_remainders_of_powers_of_two_are_exact(operator: BinaryOperator, type: Int) -> None:
    """Modulo a divisor of the type's size nothing is lost to wrapping: as narrow as the modulus allows."""
    concrete = WRAPPING.binary(operator, type, NOWHERE)
    values = [Remainders(k, mask) for k in (2, 4) for mask in range(1, (1 << k) - 1)]
    for a, b in product(values, repeat=2):
        smaller = min(a.modulus, b.modulus)
        xs, ys = members(meaning(a, type), type), members(meaning(b, type), type)
        residues = {concrete(x, y) % smaller for x, y in product(xs, ys)}
        found = members(meaning(compute(a, operator, b, type), type), type)
        assert {n % smaller for n in found} == residues


@pytest.mark.parametrize("type", small_types((4,)), ids=str)
@pytest.mark.parametrize("operator", [PLUS, MINUS])
def test_sums_of_ranges_are_exact(operator: BinaryOperator, type: Int) -> None:
    concrete = WRAPPING.binary(operator, type, NOWHERE)
    values = [v for v in catalogue(type) if not isinstance(v, Remainders)]
    for a, b in product(values, repeat=2):
        xs, ys = members(meaning(a, type), type), members(meaning(b, type), type)
        exact = {concrete(x, y) for x, y in product(xs, ys)}
        assert set(members(meaning(compute(a, operator, b, type), type), type)) == exact


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (compute(compute(Remainders(8, 1 << 7), PLUS, 1), BinaryOperator.AND, 7), 0),
        (compute(Remainders(8, 1 << 3), BinaryOperator.REMAINDER, 8, UNSIGNED), 3),
        (compute(Remainders(8, 1 << 3), BinaryOperator.REMAINDER, 4, UNSIGNED), 3),
        (compute(Remainders(8, 1 << 3), BinaryOperator.REMAINDER, 8), Pieces((-5, -4, 3, 4), 0b01010)),
        (compute(compute(Remainders(4, 1 << 3), BinaryOperator.SHIFT_LEFT, 3), BinaryOperator.AND, 31), 24),
        (compute(Remainders(8, 1 << 6), BinaryOperator.SHIFT_RIGHT, 1), Remainders(4, 1 << 3)),
        (compute(Remainders(8, 1 << 6), BinaryOperator.DIVIDE, 2, UNSIGNED), Remainders(4, 1 << 3)),
        (compute(Remainders(3, 1 << 0), PLUS, 1), Remainders(3, 1 << 1)),
        (compute(TOP, BinaryOperator.AND, 255), Interval(0, 255)),
        (compute(TOP, BinaryOperator.AND, 5), Pieces((0, 2, 4, 6), 0b01010)),
        (compute(TOP, BinaryOperator.REMAINDER, 10, UNSIGNED), Interval(0, 9)),
        (compute(TOP, BinaryOperator.REMAINDER, 10), Interval(-9, 9)),
        (compute(TOP, TIMES, 0), 0),
        (compute(TOP, BinaryOperator.SHIFT_RIGHT, 28, UNSIGNED), Interval(0, 15)),
        (compute(Interval(0, 10), PLUS, 2**31 - 6), Pieces((-(2**31) + 5, 2**31 - 6), 0b101)),
        (compute(Interval(0, 1), MINUS, 1, UNSIGNED), Pieces((1, 2**32 - 1), 0b101)),
        (compute(Interval(-128, 127), TIMES, Interval(-1, 1)), Interval(-128, 128)),
        (compute(Interval(10, 20), BinaryOperator.DIVIDE, Interval(0, 5)), Interval(2, 20)),
        (compute(-(2**31), BinaryOperator.DIVIDE, Interval(-1, 0)), -(2**31)),
        (compute(Interval(6, 9), BinaryOperator.REMAINDER, 8), Pieces((0, 2, 6, 8), 0b01010)),
        (compute(Interval(16, 1000), BinaryOperator.OR, 15), Interval(31, 1007)),
        (compute(Interval(0, 100), BinaryOperator.XOR, Interval(0, 27)), Interval(0, 127)),
    ],
)
def test_useful_results(found: Value, expected: Value) -> None:
    assert found == expected


def test_comparisons_of_pieces() -> None:
    small, large = keep(PAPER, 4, INT), keep(PAPER, 99, INT)
    assert small == 4
    assert compare(small, Comparison.LESS, large) is True
    assert compare(large, Comparison.EQUAL, 4) is False
    assert compare(large, Comparison.GREATER, 5) is True
    assert compare(large, Comparison.GREATER, 6) is None
    assert compare(Remainders(4, 0b0001), Comparison.UNEQUAL, 6) is True
    assert compare(Remainders(4, 0b0001), Comparison.EQUAL, Remainders(6, 0b001000)) is False
    assert compare(Remainders(4, 0b0001), Comparison.EQUAL, Remainders(6, 0b000100)) is None
    assert compare(TOP, Comparison.LESS, 0, UNSIGNED) is False
    assert compare(TOP, Comparison.LESS_EQUAL, 127, CHAR) is True


def test_a_value_in_several_pieces_decides_only_what_all_of_them_say() -> None:
    both = join(4, keep(PAPER, 6, INT), INT)
    assert text(both, INT) == "[4..4]|[6..]"
    assert compare(both, Comparison.UNEQUAL, 5) is True
    assert compare(both, Comparison.EQUAL, 4) is None
    assert ABSTRACT.decide(both) is True
    assert ABSTRACT.decide(MAYBE) is None
    assert ABSTRACT.decide(Remainders(4, 0b0010)) is True
    assert ABSTRACT.decide(Remainders(4, 0b0011)) is None


@pytest.mark.parametrize(
    ("abstraction", "value", "type", "kept", "written"),
    [
        (Top(), 5, INT, TOP, "top"),
        (MinMax(), Pieces((2, 3, 7, 8), 0b01010), INT, Interval(2, 7), "2..7"),
        (MinMax(), TOP, INT, TOP, "top"),
        (Mod(4), 8, INT, Remainders(4, 0b0001), "0 mod 4"),
        (Mod(4), -1, INT, Remainders(4, 0b1000), "3 mod 4"),
        (Mod(4), Interval(0, 1), INT, Remainders(4, 0b0011), "0|1 mod 4"),
        (Mod(300), 3, Int(8, signed=False), 3, "3"),
        (PAPER, 4, INT, 4, "4"),
        (PAPER, 2, INT, Pieces(PAPER.points, 0b00001), "[..2]"),
        (PAPER, Interval(5, 6), INT, Pieces(PAPER.points, 0b11000), "[5..5]|[6..]"),
        (PAPER, Interval(-5, 50), INT, TOP, "top"),
        (Part((0, 1)), 200, Int(8, signed=False), Pieces((0, 1), 0b100), "[1..]"),
        (Part((0, 1)), TOP, BOOL, TOP, "top"),
        (Exact(), 7, INT, 7, "7"),
        (Exact(), Interval(7, 8), INT, TOP, "top"),
        (Truth(), 5, INT, Pieces((0, 1), 0b101), "true"),
        (Truth(), 0, INT, 0, "false"),
        (Truth(), 1, BOOL, 1, "true"),
        (Truth(), Interval(0, 1), INT, MAYBE, "maybe"),
        (Truth(), Interval(0, 2), INT, TOP, "maybe"),
        (Free(), Interval(0, 2), INT, Interval(0, 2), "0..2"),
        (PAPER, 4, Float(53, 8), TOP, "top"),
        (Exact(), 4, Float(53, 8), 4, "4"),
    ],
)
def test_what_is_kept_and_how_it_is_written(
    abstraction: Abstraction, value: Value, type: Scalar, kept: Value, written: str
) -> None:
    assert keep(abstraction, value, type) == kept
    assert text(kept, type, abstraction) == written


def test_abstractions_are_written_as_in_a_map() -> None:
    kinds: list[Abstraction] = [Top(), MinMax(), Mod(4), Part((0, 1, 2)), Exact(), Truth(), Free()]
    assert [str(k) for k in kinds] == ["top", "minmax", "mod(4)", "part(0, 1, 2)", "int", "bool", "free"]


@pytest.mark.parametrize("wrong", [lambda: Mod(0), lambda: Mod(1 << 20), lambda: Part(()), lambda: Part((2, 1))])
def test_abstractions_that_make_no_sense(wrong: type) -> None:
    with pytest.raises(ValueError, match=r"modulus|points"):
        wrong()


@pytest.mark.parametrize(
    ("before", "comparison", "other", "outcome", "abstraction", "after"),
    [
        (TOP, Comparison.EQUAL, 7, True, Part((0, 5, 10)), Pieces((0, 5, 10), 0b0100)),
        (TOP, Comparison.LESS, 5, False, Part((0, 5, 10)), Pieces((0, 5, 10), 0b1100)),
        (TOP, Comparison.EQUAL, 4, False, PAPER, Pieces(PAPER.points, 0b11011)),
        (Pieces(PAPER.points, 0b00110), Comparison.EQUAL, 3, False, PAPER, 4),
        (TOP, Comparison.EQUAL, 7, True, Exact(), 7),
        (TOP, Comparison.EQUAL, 7, True, Top(), TOP),
        (TOP, Comparison.UNEQUAL, 0, True, Truth(), Pieces((0, 1), 0b101)),
        (TOP, Comparison.UNEQUAL, 0, False, Truth(), 0),
        (Interval(0, 9), Comparison.GREATER, 3, True, MinMax(), Interval(4, 9)),
        (Interval(0, 9), Comparison.EQUAL, 9, False, MinMax(), Interval(0, 8)),
        (Interval(0, 9), Comparison.LESS_EQUAL, Interval(-4, 2), True, MinMax(), Interval(0, 2)),
        (Remainders(8, 0b110), Comparison.EQUAL, 2, True, Mod(8), Remainders(8, 0b100)),
        (Remainders(8, 0b110), Comparison.EQUAL, Remainders(4, 0b0010), True, Mod(8), Remainders(8, 0b010)),
        (Remainders(8, 0b110), Comparison.LESS, 100, True, Mod(8), Remainders(8, 0b110)),
        (TOP, Comparison.LESS, Interval(-100, 0), True, Free(), Interval(-(2**31), -1)),
    ],
)
def test_what_a_condition_tells_about_a_variable(
    before: Value, comparison: Comparison, other: Value, outcome: bool, abstraction: Abstraction, after: Value
) -> None:
    found = narrow(comparison, before, other, INT, outcome)
    assert found is not None
    assert keep(abstraction, found[0], INT) == after


def test_outcomes_that_cannot_be() -> None:
    assert narrow(Comparison.EQUAL, Remainders(8, 0b110), 3, INT, True) is None
    assert narrow(Comparison.LESS, Interval(0, 9), 0, INT, True) is None
    assert narrow(Comparison.EQUAL, 3, 3, INT, False) is None
    assert narrow(Comparison.UNEQUAL, 1, 1, BOOL, True) is None


def test_the_operand_of_a_promotion_learns_from_the_comparison() -> None:
    """`ch == 'a'` compares an int; the char it was converted from is what the map is about."""
    letters = Part((0, 10, 11, 97, 98, 99))
    promote = ABSTRACT.convert(CHAR, INT, NOWHERE)
    assert promote is not None
    assert promote(TOP) == Interval(-128, 127)
    found = narrow(Comparison.EQUAL, promote(TOP), 97, INT, True)
    assert found is not None
    assert narrow_converted(TOP, found[0], CHAR, INT) == 97
    found = narrow(Comparison.LESS, promote(TOP), 0, INT, True)
    assert found is not None
    negative = narrow_converted(TOP, found[0], CHAR, INT)
    assert negative is not None
    assert keep(letters, negative, CHAR) == Pieces(letters.points, 1)
    assert narrow_converted(TOP, 200, CHAR, INT) is None
    assert narrow_converted(TOP, 255, INT, Int(8, signed=False)) == TOP  # one of many
    assert narrow_converted(TOP, 1, INT, BOOL) == Pieces((0, 1), 0b101)


def test_atoms() -> None:
    assert [text(a, INT) for a in atoms(TOP, INT, PAPER)] == ["[..2]", "3", "4", "5", "[6..]"]
    assert [text(a, INT) for a in atoms(Remainders(4, 0b0101), INT, Mod(4))] == ["0 mod 4", "2 mod 4"]
    assert [text(a, INT) for a in atoms(TOP, INT, Truth())] == ["0", "[..-1]|[1..]"]
    assert atoms(Interval(2, 4), INT, MinMax()) == (2, 3, 4)
    assert atoms(TOP, INT, Top()) == (TOP,)
    assert atoms(TOP, INT, Exact()) == (TOP,)


@pytest.mark.parametrize(
    ("operator", "a", "b", "type", "kinds", "certain"),
    [
        (PLUS, Interval(0, 9), Interval(0, 9), INT, (), False),
        (PLUS, TOP, 1, INT, (FaultKind.OVERFLOW,), False),
        (PLUS, TOP, 1, UNSIGNED, (), False),
        (PLUS, Interval(2**31 - 3, 2**31 - 1), 5, INT, (FaultKind.OVERFLOW,), True),
        (BinaryOperator.DIVIDE, TOP, TOP, INT, (FaultKind.DIVISION, FaultKind.OVERFLOW), False),
        (BinaryOperator.DIVIDE, TOP, TOP, UNSIGNED, (FaultKind.DIVISION,), False),
        (BinaryOperator.REMAINDER, TOP, Remainders(4, 0b0010), UNSIGNED, (), False),
        (BinaryOperator.REMAINDER, TOP, 0, UNSIGNED, (FaultKind.DIVISION,), True),
        (BinaryOperator.SHIFT_RIGHT, TOP, Interval(0, 31), INT, (), False),
        (BinaryOperator.SHIFT_RIGHT, TOP, Interval(32, 40), INT, (FaultKind.SHIFT,), True),
        (BinaryOperator.SHIFT_LEFT, Interval(-5, -1), TOP, INT, (FaultKind.SHIFT,), False),
        (BinaryOperator.SHIFT_LEFT, Interval(-5, -1), 3, INT, (FaultKind.SHIFT,), True),
        (BinaryOperator.SHIFT_LEFT, Interval(0, 3), Interval(0, 29), INT, (), False),
        (BinaryOperator.AND, TOP, TOP, INT, (), False),
        (UnaryOperator.NEGATE, TOP, 0, INT, (FaultKind.OVERFLOW,), False),
        (UnaryOperator.NEGATE, Interval(-5, 5), 0, INT, (), False),
        (UnaryOperator.COMPLEMENT, TOP, 0, INT, (), False),
    ],
)
def test_faults(
    operator: UnaryOperator | BinaryOperator, a: Value, b: Value, type: Int, kinds: tuple[FaultKind, ...], certain: bool
) -> None:
    assert may_fault(operator, a, b, type) == kinds
    assert must_fault(operator, a, b, type) is certain


def test_a_division_by_zero_alone_has_no_result() -> None:
    with pytest.raises(Fault):
        compute(TOP, BinaryOperator.DIVIDE, 0)


@pytest.mark.parametrize("value", [TOP, INTERVAL, REMAINDERS, PIECES])
def test_equal_values_are_one_object(value: Value) -> None:
    assert pickle.loads(pickle.dumps(value)) is value
    assert copy.deepcopy(value) is value


@pytest.mark.parametrize("type", [*small_types((4,)), BOOL], ids=str)
def test_values_as_sets(type: Scalar) -> None:
    for value in catalogue(type, dense=True):
        numbers = members(meaning(value, type), type)
        assert list(possible(value, type)) == numbers
        assert (size(value, type), low(value, type), high(value, type)) == (len(numbers), numbers[0], numbers[-1])


@pytest.mark.parametrize("type", small_types((4,)), ids=str)
def test_what_is_kept_is_the_least_that_the_abstraction_can_say(type: Int) -> None:
    """No atom without a number of the value, and one representation for each set: states are compared by it."""
    for abstraction in abstractions(type):
        seen: dict[int, Value] = {}
        for value in catalogue(type, dense=True):
            kept = keep(abstraction, value, type)
            assert keeper(abstraction, type)(value) == kept
            if isinstance(abstraction, Part | Mod):
                parts = atoms(kept, type, abstraction)
                assert all(meaning(part, type) & meaning(value, type) for part in parts)
            if not isinstance(abstraction, Free):
                assert seen.setdefault(meaning(kept, type), kept) == kept
