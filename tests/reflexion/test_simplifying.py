"""Simplified conditions: they are C, and mean what they meant, for all valuations that they are about."""

from __future__ import annotations

import ctypes
import random
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stateglass.program import BOOL, Enum, Enumeration, Int, Scalar
from stateglass.program.bits import signed
from stateglass.reflexion.formula import WIDTH, Formula
from stateglass.reflexion.intervals import Intervals, cells, contains, joined, moved, shared, without
from stateglass.reflexion.simplifying import Simplifier
from stateglass.reflexion.subjects import Number, Order, Reader, Subject
from stateglass.reflexion.wording import NoWords, Vocabulary, Wording
from stateglass.smt import Answer, Operator, Solver, Term, Terms, evaluated
from tests.generator.gcc import gcc_available

SIGNATURE = "signed char a, unsigned char b, short c, int i, unsigned n, enum mode m, _Bool f"
HEAD = "enum mode { OFF, ON, LIMP, FAIL };\n"
MODE = Enum("mode", Int(32, signed=False))
TYPES: dict[str, Scalar] = {
    "a": Int(8, signed=True),
    "b": Int(8, signed=False),
    "c": Int(16, signed=True),
    "i": Int(32, signed=True),
    "n": Int(32, signed=False),
    "m": MODE,
    "f": BOOL,
}
ARGUMENTS = [ctypes.c_byte, ctypes.c_ubyte, ctypes.c_short, ctypes.c_int, ctypes.c_uint, ctypes.c_uint, ctypes.c_bool]
VOCABULARY = Vocabulary(
    {"mode": Enumeration("mode", (("OFF", 0), ("ON", 1), ("LIMP", 2), ("FAIL", 3)))},
    {},
)
LIMITS = [0, 1, 2, 3, 4, 5, 7, 8, 14, 15, 16, 127, 128, 200, 255, 256, -1, -2, -3, -128, -129, 32767, -32768]
NUMBERS = st.sampled_from(LIMITS)
SIZES = {name: getattr(type, "bits", 32) for name, type in TYPES.items()} | {"f": 1}


@dataclass(frozen=True)
class World:
    """The unknowns of `SIGNATURE`."""

    terms: Terms
    variables: dict[str, Term]

    @property
    def names(self) -> dict[Term, tuple[str, Scalar]]:
        found = {v: (n, TYPES[n]) for n, v in self.variables.items()}
        return found | {self.terms.extend(self.variables["f"], 8, is_signed=False): ("f", BOOL)}

    def promoted(self, name: str) -> Term:
        return self.terms.extend(self.variables[name], 32, is_signed=name in ("a", "c"))


def world() -> World:
    terms = Terms()
    return World(terms, {name: terms.variable(name, SIZES[name]) for name in TYPES})


@st.composite
def numbers(draw: st.DrawFn, w: World) -> Term:
    """A number that code may compare: a variable with something done to it."""
    terms = w.terms
    found = w.promoted(draw(st.sampled_from(sorted(TYPES))))
    for _ in range(draw(st.integers(0, 2))):
        operator = draw(
            st.sampled_from(
                [Operator.ADD, Operator.BIT_AND, Operator.SIGNED_DIVIDE, Operator.DIVIDE, Operator.SHIFT_RIGHT, None]
            )
        )
        if operator is None:
            width = draw(st.sampled_from([8, 16]))
            found = terms.extend(terms.part(found, width - 1, 0), 32, is_signed=draw(st.booleans()))
        elif operator is Operator.SHIFT_RIGHT:
            found = terms.binary(operator, found, terms.constant(draw(st.integers(0, 4)), 32))
        elif operator in (Operator.DIVIDE, Operator.SIGNED_DIVIDE):
            found = terms.binary(operator, found, terms.constant(draw(st.integers(1, 9)), 32))
        else:
            found = terms.binary(operator, found, terms.constant(draw(NUMBERS), 32))
    if draw(st.booleans()) and draw(st.booleans()):
        found = terms.unary(draw(st.sampled_from([Operator.NEGATE, Operator.COMPLEMENT])), found)
    return found


@st.composite
def comparisons(draw: st.DrawFn, w: World, some: Sequence[Term] = ()) -> Term:
    """Of one of some numbers, or of any."""
    terms = w.terms
    left = draw(st.sampled_from(some)) if some else draw(numbers(w))
    right = terms.constant(draw(NUMBERS), 32) if draw(st.integers(0, 3)) else w.promoted(draw(st.sampled_from("abcin")))
    if draw(st.booleans()):
        left, right = right, left
    operator = draw(
        st.sampled_from(
            [
                Operator.EQUAL,
                Operator.LESS,
                Operator.LESS_EQUAL,
                Operator.SIGNED_LESS,
                Operator.SIGNED_LESS_EQUAL,
            ]
        )
    )
    found = terms.equal(left, right) if operator is Operator.EQUAL else terms.compare(operator, left, right)
    return terms.negation(found) if draw(st.booleans()) else found


def valuations(w: World, seed: int, count: int) -> Iterator[dict[Term, int]]:
    """Some of them where things change."""
    pick = random.Random(seed)
    for _ in range(count):
        chosen = (pick.choice(LIMITS) if pick.random() < 0.7 else pick.randrange(1 << 32) for _ in w.variables)
        yield {v: x & ((1 << SIZES[n]) - 1) for (n, v), x in zip(w.variables.items(), chosen, strict=True)}


# ---- intervals

SMALL = st.frozensets(st.integers(-4, 11))


def intervals(some: frozenset[int]) -> Intervals:
    return joined((value, value) for value in some)


def members(some: Intervals) -> set[int]:
    return {value for low, high in some for value in range(low, high + 1)}


@given(SMALL, SMALL, st.integers(-40, 40))
def test_intervals_are_sets(one: frozenset[int], other: frozenset[int], by: int) -> None:
    domain = -4, 11
    first, second = intervals(one), intervals(other)
    assert members(first) == one
    assert all(a[1] + 1 < b[0] for a, b in pairwise(first))
    assert members(shared(first, second)) == one & other
    assert members(without(domain, first)) == set(range(-4, 12)) - one
    assert contains(first, second) == (other <= one)
    assert members(moved(first, by, domain)) == {(value + by + 4) % 16 - 4 for value in one}
    parts = cells(domain, [first, second])
    assert members(parts) == set(range(-4, 12))
    assert all(members((part,)) <= some or not members((part,)) & some for part in parts for some in (one, other))


# ---- what comparisons say


def value_of(subject: Subject, valuation: dict[Term, int]) -> int:
    if isinstance(subject, Number):
        [bits] = evaluated([subject.term], valuation)
        return signed(bits, subject.term.width) if subject.is_signed else bits
    if isinstance(subject, Order):
        sides = evaluated([subject.left, subject.right], valuation)
        one, other = (signed(x, subject.left.width) if subject.is_signed else x for x in sides)
        return (one > other) - (one < other)
    return evaluated([subject.term], valuation)[0]


@settings(max_examples=300)
@given(st.data(), st.booleans(), st.integers(0, 1000))
def test_a_comparison_says_of_its_subject_what_it_says(data: st.DataObject, divides: bool, seed: int) -> None:
    w = world()
    comparison = data.draw(comparisons(w))
    wording = Wording(w.terms, w.names, VOCABULARY, lambda _: False)
    subject, holds = Reader(w.terms, wording.is_signed, divides=divides).read(comparison)
    for valuation in valuations(w, seed, 40):
        [truth] = evaluated([comparison], valuation)
        value = value_of(subject, valuation)
        assert bool(truth) == any(low <= value <= high for low, high in holds), (subject, holds, value)


def test_a_subject_has_no_name_of_its_own_around_it() -> None:
    w = world()
    terms, b = w.terms, w.variables["b"]
    less = terms.binary(Operator.ADD, w.promoted("b"), terms.constant(-1, 32))
    wrapped = terms.equal(terms.part(less, 7, 0), terms.constant(0, 8))
    wording = Wording(terms, w.names, VOCABULARY, lambda _: False)
    assert Reader(terms, wording.is_signed).read(wrapped) == (Number(b, is_signed=False), ((1, 1),))


# ---- simplified conditions


@dataclass(frozen=True)
class Asked:
    """A condition, and what is known where it is to hold."""

    world: World
    cases: list[list[Term]]
    here: Term
    counts: Term


@st.composite
def conditions(draw: st.DrawFn) -> Asked:
    w = world()
    names = draw(st.lists(st.sampled_from(sorted(TYPES)), min_size=1, max_size=3, unique=True))
    some = [*map(w.promoted, names), draw(numbers(w))]
    atoms = draw(st.lists(comparisons(w, some), min_size=3, max_size=6))
    atoms = [a for a in atoms if a.operator is not Operator.VALUE] or [
        w.terms.equal(w.variables["i"], w.terms.constant(3, 32))
    ]
    literals = [x for a in atoms for x in (a, w.terms.negation(a))]
    case = st.lists(st.sampled_from(literals), min_size=1, max_size=3, unique_by=lambda t: t.number)
    return Asked(
        w,
        draw(st.lists(case, min_size=1, max_size=4) | either_of_each(w)),
        w.terms.both(*draw(st.lists(st.sampled_from(literals) | comparisons(w, some), max_size=2))),
        w.terms.both(*draw(st.lists(comparisons(w, some), max_size=1))),
    )


@st.composite
def either_of_each(draw: st.DrawFn, w: World) -> list[list[Term]]:
    """`(a == 1 || a == 7) && (b > 2 || c < 0)`, multiplied out: all cases have in common what is said of one number."""
    names = draw(st.permutations(sorted(set(TYPES) - {"f"})))
    terms, values = w.terms, st.integers(2, 9)
    first = [terms.equal(w.promoted(names[0]), terms.constant(n, 32)) for n in draw(st.tuples(values, values))]
    if draw(st.booleans()):
        first = [terms.both(*map(terms.negation, first))]
    second = [
        draw(st.sampled_from([one, terms.negation(one)]))
        for name in names[1:3]
        for one in [terms.compare(Operator.SIGNED_LESS, w.promoted(name), terms.constant(draw(values), 32))]
    ]
    clauses = [first, second] if draw(st.booleans()) else [second, first]
    cases = [list(case) for case in product(*clauses)]
    return [[x for c in case for x in (c.operands if c.operator is Operator.AND else (c,))] for case in cases]


def simplified(asked: Asked) -> str | None:
    terms, names = asked.world.terms, asked.world.names
    solver = Solver()
    wording = Wording(terms, names, VOCABULARY, lambda c: solver.check([terms.negation(c)]) is Answer.NO)
    words: dict[Term, str] = {}
    for literal in (x for case in asked.cases for x in case):
        for each in (literal, terms.negation(literal)):
            try:
                words[each] = wording.truth(each)
            except NoWords:
                return None
    formula = Formula(terms, asked.counts, terms.constant(0, WIDTH), (), (), ())
    return Simplifier(formula, names, VOCABULARY, words, (0, None)).text(asked.cases, asked.here)


def compiled(texts: Sequence[str], folder: Path) -> ctypes.CDLL:
    functions = "".join(f"int c{n}({SIGNATURE}) {{ return {text}; }}\n" for n, text in enumerate(texts))
    source, library = folder / "words.c", folder / "words.so"
    source.write_text(HEAD + functions, encoding="utf-8")
    subprocess.run(["gcc", "-w", "-O0", "-fPIC", "-shared", "-o", library, source], check=True, timeout=60)
    return ctypes.CDLL(str(library))


@pytest.mark.skipif(not gcc_available(), reason="gcc is not installed: nothing says what words mean")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(conditions(), min_size=1, max_size=6), st.integers(0, 1000))
def test_simplified_words_mean_what_was_simplified(
    tmp_path_factory: pytest.TempPathFactory, every: list[Asked], seed: int
) -> None:
    found = [(asked, text) for asked in every if (text := simplified(asked)) is not None]
    texts = ["1" if text == "always" else text for _, text in found]
    library = compiled(texts, tmp_path_factory.mktemp("words"))
    for number, (asked, text) in enumerate(found):
        terms = asked.world.terms
        whole = terms.either(*(terms.both(*case) for case in asked.cases))
        function = getattr(library, f"c{number}")
        function.argtypes = ARGUMENTS
        for valuation in valuations(asked.world, seed, 60):
            counts, truth = evaluated([terms.both(asked.here, asked.counts), whole], valuation)
            if counts:
                values = [valuation[v] for v in asked.world.variables.values()]
                assert bool(function(*values)) == bool(truth), (text, values)
