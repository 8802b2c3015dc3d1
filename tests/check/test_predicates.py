"""Predicates against a plain evaluator of one state at a time; values of abstractions against all that they may be."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from stateglass.check.events import labels_meant
from stateglass.check.predicates import predicate_truth
from stateglass.check.sets import WIDE, content
from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate, Text
from stateglass.model import Model, ModelBuilder, Origin, Proposition, Relation, Sort
from stateglass.source import InputError
from stateglass.values.abstract import contains
from tests.relate.random_models import built

LOW, HIGH = -(1 << 63), (1 << 63) - 1
INTERESTING = [0, 1, -1, 2, 3, -7, 63, 64, LOW, HIGH, LOW + 1, 1 << 40, -(1 << 62)]
UNARY = (Operator.NOT, Operator.MINUS, Operator.COMPLEMENT)
BINARY = tuple(operator for operator in Operator if operator not in (Operator.NOT, Operator.COMPLEMENT))


def random_predicate(chance: random.Random, depth: int, names: list[str]) -> Predicate:
    if depth == 0:
        return Named(chance.choice(names)) if chance.random() < 0.7 else Number(chance.choice([0, 1, 2, 5, -3, 63]))
    operator = chance.choice([*UNARY, *BINARY])
    count = 1 if operator in (Operator.NOT, Operator.COMPLEMENT) else chance.choice([1, 2])
    if operator is not Operator.MINUS and operator not in UNARY:
        count = 2
    inner = tuple(random_predicate(chance, chance.randrange(depth), names) for _ in range(count))
    return Applied(operator, inner)


def value(predicate: Predicate, values: dict[str, int | None]) -> int | None:
    """C's result for 64 bits with a sign; None: there is none."""
    match predicate:
        case Number():
            return int(predicate.value)
        case Named():
            return values[predicate.name]
        case Text():
            raise AssertionError("texts are tried elsewhere")
        case Applied(operator, operands):
            first = value(operands[0], values)
            if first is None:
                return None
            if operator in (Operator.AND_ALSO, Operator.OR_ELSE):
                if (first != 0) is (operator is Operator.OR_ELSE):
                    return int(operator is Operator.OR_ELSE)
                second = value(operands[1], values)
                return None if second is None else int(second != 0)
            if len(operands) == 1:
                alone = {Operator.NOT: int(first == 0), Operator.MINUS: -first, Operator.COMPLEMENT: ~first}
                return fitting(alone[operator])
            second = value(operands[1], values)
            return None if second is None else fitting(applied(operator, first, second))


def fitting(number: int | None) -> int | None:
    return None if number is None or not LOW <= number <= HIGH else number


def applied(operator: Operator, a: int, b: int) -> int | None:
    if operator in (Operator.DIVIDE, Operator.REMAINDER):
        if b == 0 or (a == LOW and b == -1):
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if operator is Operator.DIVIDE else a - quotient * b
    if operator in (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT):
        if not 0 <= b <= 63 or (operator is Operator.SHIFT_LEFT and a < 0):
            return None
        return a << b if operator is Operator.SHIFT_LEFT else a >> b
    rest: dict[Operator, Callable[[int, int], int]] = {
        Operator.MINUS: lambda a, b: a - b,
        Operator.MULTIPLY: lambda a, b: a * b,
        Operator.ADD: lambda a, b: a + b,
        Operator.LESS: lambda a, b: a < b,
        Operator.LESS_EQUAL: lambda a, b: a <= b,
        Operator.GREATER: lambda a, b: a > b,
        Operator.GREATER_EQUAL: lambda a, b: a >= b,
        Operator.EQUAL: lambda a, b: a == b,
        Operator.NOT_EQUAL: lambda a, b: a != b,
        Operator.BIT_AND: lambda a, b: a & b,
        Operator.BIT_OR: lambda a, b: a | b,
        Operator.BIT_XOR: lambda a, b: a ^ b,
    }
    return int(rest[operator](a, b))


def with_columns(*columns: Proposition) -> Model:
    return ModelBuilder().build(len(columns[0].values), propositions=columns)


@pytest.mark.parametrize("seed", range(4))
def test_integers(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(400):
        states = 8
        numbers = {name: [chance.choice(INTERESTING) for _ in range(states)] for name in ("x", "y")}
        known = [chance.random() < 0.8 for _ in range(states)]
        model = with_columns(
            Proposition("x", Sort.INT, np.array(numbers["x"], dtype=np.int64)),
            Proposition("y", Sort.INT, np.array(numbers["y"], dtype=np.int64), (), np.array(known)),
        )
        predicate = random_predicate(chance, chance.randint(0, 4), ["x", "y"])
        truth = predicate_truth(predicate, model)
        assert truth.is_known
        for state in range(states):
            values = {"x": numbers["x"][state], "y": numbers["y"][state] if known[state] else None}
            expected = value(predicate, values)
            assert bool(truth.must[state]) == (expected is not None and expected != 0), (predicate, values)


def test_all_bits_without_a_sign() -> None:
    most = (1 << 64) - 1
    model = with_columns(
        Proposition("u", Sort.INT, np.array([0, 5, most, 1 << 63], dtype=np.uint64)),
        Proposition("i", Sort.INT, np.array([-1, 5, -1, LOW], dtype=np.int64)),
    )

    def where(operator: Operator, left: Predicate, right: Predicate) -> list[bool]:
        found: list[bool] = predicate_truth(Applied(operator, (left, right)), model).must.tolist()
        return found

    u, i = Named("u"), Named("i")
    assert where(Operator.GREATER, u, i) == [True, False, True, True]  # exactly, not as C converts
    assert where(Operator.EQUAL, u, Number(most)) == [False, False, True, False]
    # Nothing wraps: what 64 bits do not hold is no value.
    added = Applied(Operator.ADD, (u, Number(1)))
    assert where(Operator.EQUAL, added, Number(0)) == [False] * 4
    assert where(Operator.GREATER, added, u) == [True, True, False, True]
    less = Applied(Operator.MINUS, (u, Number(1)))
    assert where(Operator.LESS, less, Number(0)) == [True, False, False, False]
    assert where(Operator.EQUAL, Applied(Operator.COMPLEMENT, (u,)), Number(-1)) == [True, False, False, False]
    with pytest.raises(InputError, match="does not fit into 64 bits"):
        where(Operator.EQUAL, u, Number(most + 1))


@pytest.mark.parametrize("operator", [o for o in BINARY if o not in (Operator.AND_ALSO, Operator.OR_ELSE)])
def test_numbers_with_and_without_a_sign_together(operator: Operator) -> None:
    large = [0, 1, 5, 63, 64, HIGH, HIGH + 1, (1 << 64) - 1]
    pairs = [(a, b) for a in large for b in INTERESTING]
    model = with_columns(
        Proposition("u", Sort.INT, np.array([a for a, _ in pairs], dtype=np.uint64)),
        Proposition("i", Sort.INT, np.array([b for _, b in pairs], dtype=np.int64)),
        # `u - b + b` is u, but by way of numbers of which some are negative and some need all bits.
        Proposition("b", Sort.INT, np.array([abs(b) % 8 for _, b in pairs], dtype=np.int64)),
    )
    mixed = Applied(Operator.ADD, (Applied(Operator.MINUS, (Named("u"), Named("b"))), Named("b")))
    for left in (Named("u"), mixed):
        result = Applied(operator, (left, Named("i")))
        found = predicate_truth(Applied(Operator.NOT_EQUAL, (result, Number(0))), model).must
        none = predicate_truth(Applied(Operator.EQUAL, (result, Number(0))), model).must
        for place, (a, b) in enumerate(pairs):
            expected = applied(operator, a, b)
            fits = expected is not None and LOW <= expected < 1 << 64
            assert (bool(found[place]), bool(none[place])) == (fits and expected != 0, fits and expected == 0), (a, b)


def test_floating_point_numbers() -> None:
    model = with_columns(Proposition("f", Sort.FLOAT, np.array([0.5, -0.0, np.nan, np.inf])))
    half = Applied(Operator.EQUAL, (Applied(Operator.MULTIPLY, (Named("f"), Number(2))), Number(1)))
    assert predicate_truth(half, model).must.tolist() == [True, False, False, False]
    assert predicate_truth(Applied(Operator.EQUAL, (Named("f"), Number(0.0))), model).must[1]
    assert not predicate_truth(Applied(Operator.EQUAL, (Named("f"), Named("f"))), model).must[2]
    with pytest.raises(InputError, match="needs integers"):
        predicate_truth(Applied(Operator.REMAINDER, (Named("f"), Number(2))), model)


def test_enumerators_and_texts() -> None:
    model = with_columns(
        Proposition("mode", Sort.ENUM, np.array([0, 1, 2]), ((0, "OFF"), (1, "ON"))),
        Proposition("other", Sort.ENUM, np.array([0, 1, 1]), ((0, "ON"), (1, "OFF"))),
        Proposition("p", Sort.POINTER, np.array([0, 16, 16]), ((0, "NULL"), (16, "&buffer"))),
    )

    def where(operator: Operator, left: Predicate, right: Predicate) -> list[bool]:
        found: list[bool] = predicate_truth(Applied(operator, (left, right)), model).must.tolist()
        return found

    assert where(Operator.EQUAL, Named("mode"), Named("ON")) == [False, True, False]
    assert where(Operator.EQUAL, Named("OFF"), Named("other")) == [False, True, True]
    assert where(Operator.EQUAL, Named("p"), Text("&buffer")) == [False, True, True]
    assert where(Operator.NOT_EQUAL, Text("NULL"), Named("p")) == [False, True, True]
    assert predicate_truth(Named("p"), model).must.tolist() == [False, True, True]
    with pytest.raises(InputError, match="`ON` has several values: 0, 1"):
        where(Operator.EQUAL, Applied(Operator.ADD, (Named("mode"), Number(1))), Named("ON"))
    with pytest.raises(InputError, match="can only be compared"):
        where(Operator.LESS, Named("p"), Text("&buffer"))
    with pytest.raises(InputError, match="no proposition or enumerator `mood`") as caught:
        where(Operator.EQUAL, Named("mood"), Named("ONN"))
    assert len(caught.value.diagnostics) == 2
    assert "did you mean `mode`?" in caught.value.diagnostics[0].help


SETS = ["5", "top", "[4..6]", "0|2 mod 4", "-3..3", "[..4]|[9..]", "[..-1]"]
TRIED = [*range(-12, 13), 100, -100, LOW, HIGH]


@pytest.mark.parametrize("seed", range(3))
def test_abstract_values_stand_for_all_that_they_may_be(seed: int) -> None:
    chance = random.Random(seed)
    decided = 0
    for _ in range(150):
        texts = [chance.choice(SETS) for _ in range(3)]
        names = tuple(enumerate(dict.fromkeys(texts)))
        number = {text: code for code, text in names}
        exact = [chance.randrange(-4, 5) for _ in range(3)]
        model = replace(
            with_columns(
                Proposition("x", Sort.ENUM, np.array([number[text] for text in texts]), names),
                Proposition("y", Sort.INT, np.array(exact, dtype=np.int64)),
            ),
            origin=Origin(relation=Relation.OVER),
        )
        if not any(text != "5" for text in texts):
            continue
        predicate = random_predicate(chance, chance.randint(1, 3), ["x", "x", "y"])
        truth = predicate_truth(predicate, model)
        assert (truth.must <= truth.may).all()
        for state in range(3):
            possible = content(texts[state])
            members = [n for n in TRIED if isinstance(possible, int) and n == possible] or [
                n for n in TRIED if not isinstance(possible, int) and _contains(possible, n)
            ]
            results = {value(predicate, {"x": n, "y": exact[state]}) not in (None, 0) for n in members}
            assert truth.may[state] or True not in results, (predicate, texts[state], exact[state])
            assert not truth.must[state] or False not in results, (predicate, texts[state], exact[state])
            decided += bool(truth.must[state]) or not truth.may[state]
    assert decided > 60


def _contains(possible: object, number: int) -> bool:
    return contains(possible, number, WIDE)  # type: ignore[arg-type]


def test_names_of_abstract_values() -> None:
    model = replace(
        with_columns(Proposition("p", Sort.ENUM, np.array([0, 1, 2]), ((0, "&a"), (1, "&a|&b"), (2, "top")))),
        origin=Origin(relation=Relation.OVER),
    )
    truth = predicate_truth(Applied(Operator.EQUAL, (Named("p"), Text("&a"))), model)
    assert truth.must.tolist() == [True, False, False]
    assert truth.may.tolist() == [True, True, True]
    other = predicate_truth(Applied(Operator.NOT_EQUAL, (Text("&c"), Named("p"))), model)
    assert other.must.tolist() == [True, True, False]
    by_text = predicate_truth(Applied(Operator.EQUAL, (Named("p"), Text("&a|&b"))), model)
    assert by_text.must.tolist() == by_text.may.tolist() == [False, True, False]


def test_deep_predicates() -> None:
    model = with_columns(Proposition("x", Sort.INT, np.array([0, 1])))
    predicate: Predicate = Named("x")
    for _ in range(10_000):
        predicate = Applied(Operator.NOT, (predicate,))
    assert predicate_truth(predicate, model).must.tolist() == [False, True]


LABELS = ["f", "f(1)", "f(2, 3)", "g(1)", "call(f)", "call(f, 1)", "tau"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("f", ["f", "f(1)", "f(2, 3)"]),
        ("f(1)", ["f(1)"]),
        ("f(*)", ["f(1)", "f(2, 3)"]),
        ("call(f, *)", ["call(f, 1)"]),
        ("call(f*", ["call(f)", "call(f, 1)"]),
        ("?", ["f", "f(1)", "f(2, 3)", "g(1)"]),
        ("re:[fg]", ["f"]),
        ("re:[fg]\\(1\\)", ["f(1)", "g(1)"]),
        ("tau", ["tau"]),
        ("no*", []),
    ],
)
def test_events(pattern: str, expected: list[str]) -> None:
    model = built([(0, label, 0) for label in LABELS], 1)
    truth = labels_meant(pattern, model)
    assert [label for label, there in zip(model.labels, truth.must, strict=True) if there] == expected
    assert truth.is_known


@pytest.mark.parametrize(
    ("pattern", "must", "may"),
    [
        ("f", True, True),
        ("f(*)", True, True),
        ("f(5)", False, True),
        ("f(7)", False, False),
        ("f(1?)", False, True),
        ("re:f\\([0-9]\\)", False, True),
        ("g(5)", False, False),
    ],
)
def test_events_of_abstractions(pattern: str, must: bool, may: bool) -> None:
    model = replace(built([(0, "f([4..6])", 0), (0, "g(1)", 0)], 1), origin=Origin(relation=Relation.OVER))
    truth = labels_meant(pattern, model)
    which = model.labels.index("f([4..6])")
    assert (bool(truth.must[which]), bool(truth.may[which])) == (must, may)
