"""Every operator and conversion of the concrete domain on boundary values, against what gcc computes.

One C program prints all results; it leaves out what C leaves undefined, and exactly there we must have a fault.
"""

from __future__ import annotations

import subprocess
from itertools import product
from pathlib import Path

import pytest

from stateglass.program import BOOL, BinaryOperator, Bool, Comparison, Int, UnaryOperator
from stateglass.source import NOWHERE
from stateglass.values import Concrete, Fault, FaultKind
from tests.generator.gcc import gcc_available

WIDTHS = (8, 16, 32, 64)
TYPES = [Int(bits, signed) for bits in WIDTHS for signed in (True, False)]
# The types that C computes in: narrower ones are promoted first.
WIDE = [t for t in TYPES if t.bits >= 32]
SHIFTS = (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT)
DIVISIONS = (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER)
TARGETS: list[Int | Bool] = [*TYPES, BOOL]
COMPUTED = "computed"


def boundary_values(type: Int) -> list[int]:
    middle = 1 << (type.bits // 2)
    near = {
        type.low,
        type.low + 1,
        type.high // 2,
        type.high - 1,
        type.high,
        middle,
        -middle,
        0,
        1,
        2,
        3,
        7,
        -1,
        -2,
        -7,
    }
    return sorted(v for v in near if type.low <= v <= type.high)


def counts(type: Int) -> list[int]:
    return [-1, 0, 1, type.bits // 2, type.bits - 1, type.bits, type.bits + 1]


def c_name(type: Int | Bool) -> str:
    return "_Bool" if isinstance(type, Bool) else f"{type}_t"


def operands(operator: BinaryOperator, type: Int) -> list[tuple[int, int]]:
    rights = counts(type) if operator in SHIFTS else boundary_values(type)
    return list(product(boundary_values(type), rights))


def expected_fault(operator: BinaryOperator, type: Int, a: int, b: int) -> FaultKind | None:
    """What C leaves undefined."""
    if operator in SHIFTS:
        if not 0 <= b < type.bits:
            return FaultKind.SHIFT
        spilled = type.signed and operator is BinaryOperator.SHIFT_LEFT and not 0 <= a << b <= type.high
        return FaultKind.SHIFT if spilled else None
    if operator in DIVISIONS:
        if b == 0:
            return FaultKind.DIVISION
        return FaultKind.OVERFLOW if type.signed and (a, b) == (type.low, -1) else None
    exact = {
        BinaryOperator.ADD: a + b,
        BinaryOperator.SUBTRACT: a - b,
        BinaryOperator.MULTIPLY: a * b,
    }.get(operator, 0)
    return None if not type.signed or type.low <= exact <= type.high else FaultKind.OVERFLOW


# ---- our side: rows in the order of the C program


def our_rows(domain: Concrete) -> list[tuple[str, str]]:
    """Each computation with its result, or the kind of the fault."""
    rows: list[tuple[str, str]] = []
    for type in WIDE:
        for operator in BinaryOperator:
            compute = domain.binary(operator, type, NOWHERE)
            for a, b in operands(operator, type):
                rows.append((f"{type}: {a} {operator.value} {b}", outcome(lambda f=compute, x=a, y=b: f(x, y))))
        for unary in UnaryOperator:
            change = domain.unary(unary, type, NOWHERE)
            for a in boundary_values(type):
                rows.append((f"{type}: {unary.value}{a}", outcome(lambda f=change, x=a: f(x))))
        for comparison in Comparison:
            test = domain.compare(comparison, type)
            for a, b in product(boundary_values(type), repeat=2):
                rows.append((f"{type}: {a} {comparison.value} {b}", str(test(a, b))))
    for source, target in product(TYPES, TARGETS):
        convert = domain.convert(source, target, NOWHERE) or (lambda value: value)
        for a in boundary_values(source):
            rows.append((f"{target}({source} {a})", str(convert(a))))
    return rows


def outcome(compute: object) -> str:
    assert callable(compute)
    try:
        return str(compute())
    except Fault as fault:
        return fault.kind.value


# ---- gcc's side


def c_program() -> str:
    """Prints one line for each row that is defined."""
    lines: list[str] = []
    tables: list[str] = []
    for type in TYPES:
        values = ", ".join(literal(v, type) for v in boundary_values(type))
        tables.append(f"static {c_name(type)} volatile {type}_values[] = {{{values}}};")
    for type in WIDE:
        name = c_name(type)
        for operator in BinaryOperator:
            for a, b in operands(operator, type):
                if expected_fault(operator, type, a, b) is None:
                    right = f"(int){b}" if operator in SHIFTS else element(b, type)
                    lines.append(show(f"({name})({element(a, type)} {operator.value} {right})", type))
        for unary in UnaryOperator:
            for a in boundary_values(type):
                if not (unary is UnaryOperator.NEGATE and type.signed and a == type.low):
                    lines.append(show(f"({name})({unary.value}{element(a, type)})", type))
        for comparison in Comparison:
            for a, b in product(boundary_values(type), repeat=2):
                lines.append(show(f"{element(a, type)} {comparison.value} {element(b, type)}", WIDE[0]))
    for source, target in product(TYPES, TARGETS):
        for a in boundary_values(source):
            lines.append(
                show(f"({c_name(target)}){element(a, source)}", WIDE[0] if isinstance(target, Bool) else target)
            )
    return "\n".join(
        ["#include <stdint.h>", "#include <stdio.h>", *tables, "int main(void) {", *lines, "    return 0;", "}", ""]
    )


def literal(value: int, type: Int) -> str:
    if not type.signed:
        return f"{value}u" if type.bits < 64 else f"{value}ull"
    return f"{value}" if value > -(1 << 63) else "INT64_MIN"


def element(value: int, type: Int) -> str:
    """The value out of a volatile table, so that gcc cannot compute with it beforehand."""
    return f"{type}_values[{boundary_values(type).index(value)}]"


def show(expression: str, type: Int) -> str:
    kind, format = ("long long", "%lld") if type.signed else ("unsigned long long", "%llu")
    return f'    printf("{format}\\n", ({kind})({expression}));'


@pytest.mark.skipif(not gcc_available(), reason="gcc is not installed: no operator is compared")
def test_operators_and_conversions_agree_with_gcc(tmp_path: Path) -> None:
    source, program = tmp_path / "operators.c", tmp_path / "operators"
    source.write_text(c_program(), encoding="utf-8")
    # -fwrapv: what we show to be defined must not depend on it, and if we are wrong gcc's value is what is compared.
    subprocess.run(["gcc", "-w", "-O0", "-fwrapv", "-o", program, source], check=True)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    faults = {kind.value for kind in FaultKind}
    ours = [(text, result) for text, result in our_rows(Concrete()) if result not in faults]
    assert len(ours) == len(printed)
    assert [(text, result) for (text, result), gcc in zip(ours, printed, strict=True) if result != gcc] == []


def test_faults_are_exactly_where_a_result_is_not_defined() -> None:
    domain = Concrete()
    for type in WIDE:
        for operator in BinaryOperator:
            compute = domain.binary(operator, type, NOWHERE)
            for a, b in operands(operator, type):
                result = outcome(lambda f=compute, x=a, y=b: f(x, y))
                fault = expected_fault(operator, type, a, b)
                text = f"{type}: {a} {operator.value} {b}"
                assert (text, result if fault else COMPUTED) == (text, fault.value if fault else COMPUTED)
                if fault is None:
                    assert type.low <= int(result) <= type.high, text
        negate = domain.unary(UnaryOperator.NEGATE, type, NOWHERE)
        lowest = outcome(lambda f=negate, t=type: f(t.low))
        assert lowest == (FaultKind.OVERFLOW.value if type.signed else "0")


def test_wrapping_leaves_only_division_by_zero() -> None:
    domain = Concrete({FaultKind.OVERFLOW, FaultKind.SHIFT})
    for type in WIDE:
        for operator in BinaryOperator:
            compute = domain.binary(operator, type, NOWHERE)
            for a, b in operands(operator, type):
                result = outcome(lambda f=compute, x=a, y=b: f(x, y))
                if operator in DIVISIONS and b == 0:
                    assert result == FaultKind.DIVISION.value
                else:
                    assert type.low <= int(result) <= type.high, f"{type}: {a} {operator.value} {b}"
    signed = Int(32, signed=True)
    assert domain.binary(BinaryOperator.ADD, signed, NOWHERE)(signed.high, 1) == signed.low
    assert domain.binary(BinaryOperator.DIVIDE, signed, NOWHERE)(signed.low, -1) == signed.low
    assert domain.binary(BinaryOperator.REMAINDER, signed, NOWHERE)(signed.low, -1) == 0
    assert domain.binary(BinaryOperator.SHIFT_LEFT, signed, NOWHERE)(1, 33) == 2
