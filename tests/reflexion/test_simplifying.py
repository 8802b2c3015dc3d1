from tests.generator.gcc import gcc_available
"""Simplified conditions: they are C, and mean what they meant, for all valuations that they are about."""
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
from __future__ import annotations
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
import ctypes
from tests.generator.gcc import gcc_available
import random
from tests.generator.gcc import gcc_available
import subprocess
from tests.generator.gcc import gcc_available
from collections.abc import Iterator, Sequence
from tests.generator.gcc import gcc_available
from dataclasses import dataclass
from tests.generator.gcc import gcc_available
from itertools import pairwise, product
from tests.generator.gcc import gcc_available
from pathlib import Path
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
import pytest
from tests.generator.gcc import gcc_available
from hypothesis import HealthCheck, given, settings
from tests.generator.gcc import gcc_available
from hypothesis import strategies as st
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
from stateglass.program import BOOL, Enum, Enumeration, Int, Scalar
from tests.generator.gcc import gcc_available
from stateglass.program.bits import signed
from tests.generator.gcc import gcc_available
from stateglass.reflexion.formula import WIDTH, Formula
from tests.generator.gcc import gcc_available
from stateglass.reflexion.intervals import Intervals, cells, contains, joined, moved, shared, without
from tests.generator.gcc import gcc_available
from stateglass.reflexion.simplifying import Simplifier
from tests.generator.gcc import gcc_available
from stateglass.reflexion.subjects import Number, Order, Reader, Subject
from tests.generator.gcc import gcc_available
from stateglass.reflexion.wording import NoWords, Vocabulary, Wording
from tests.generator.gcc import gcc_available
from stateglass.smt import Answer, Operator, Solver, Term, Terms, evaluated
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
SIGNATURE = "signed char a, unsigned char b, short c, int i, unsigned n, enum mode m, _Bool f"
from tests.generator.gcc import gcc_available
HEAD = "enum mode { OFF, ON, LIMP, FAIL };\n"
from tests.generator.gcc import gcc_available
MODE = Enum("mode", Int(32, signed=False))
from tests.generator.gcc import gcc_available
TYPES: dict[str, Scalar] = {
from tests.generator.gcc import gcc_available
    "a": Int(8, signed=True),
from tests.generator.gcc import gcc_available
    "b": Int(8, signed=False),
from tests.generator.gcc import gcc_available
    "c": Int(16, signed=True),
from tests.generator.gcc import gcc_available
    "i": Int(32, signed=True),
from tests.generator.gcc import gcc_available
    "n": Int(32, signed=False),
from tests.generator.gcc import gcc_available
    "m": MODE,
from tests.generator.gcc import gcc_available
    "f": BOOL,
from tests.generator.gcc import gcc_available
}
from tests.generator.gcc import gcc_available
ARGUMENTS = [ctypes.c_byte, ctypes.c_ubyte, ctypes.c_short, ctypes.c_int, ctypes.c_uint, ctypes.c_uint, ctypes.c_bool]
from tests.generator.gcc import gcc_available
VOCABULARY = Vocabulary(
from tests.generator.gcc import gcc_available
    {"mode": Enumeration("mode", (("OFF", 0), ("ON", 1), ("LIMP", 2), ("FAIL", 3)))},
from tests.generator.gcc import gcc_available
    {},
from tests.generator.gcc import gcc_available
)
from tests.generator.gcc import gcc_available
LIMITS = [0, 1, 2, 3, 4, 5, 7, 8, 14, 15, 16, 127, 128, 200, 255, 256, -1, -2, -3, -128, -129, 32767, -32768]
from tests.generator.gcc import gcc_available
NUMBERS = st.sampled_from(LIMITS)
from tests.generator.gcc import gcc_available
SIZES = {name: getattr(type, "bits", 32) for name, type in TYPES.items()} | {"f": 1}
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
@dataclass(frozen=True)
from tests.generator.gcc import gcc_available
class World:
from tests.generator.gcc import gcc_available
    """The unknowns of `SIGNATURE`."""
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
    terms: Terms
from tests.generator.gcc import gcc_available
    variables: dict[str, Term]
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
    @property
from tests.generator.gcc import gcc_available
    def names(self) -> dict[Term, tuple[str, Scalar]]:
from tests.generator.gcc import gcc_available
        found = {v: (n, TYPES[n]) for n, v in self.variables.items()}
from tests.generator.gcc import gcc_available
        return found | {self.terms.extend(self.variables["f"], 8, is_signed=False): ("f", BOOL)}
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
    def promoted(self, name: str) -> Term:
from tests.generator.gcc import gcc_available
        return self.terms.extend(self.variables[name], 32, is_signed=name in ("a", "c"))
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
def world() -> World:
from tests.generator.gcc import gcc_available
    terms = Terms()
from tests.generator.gcc import gcc_available
    return World(terms, {name: terms.variable(name, SIZES[name]) for name in TYPES})
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
@st.composite
from tests.generator.gcc import gcc_available
def numbers(draw: st.DrawFn, w: World) -> Term:
from tests.generator.gcc import gcc_available
    """A number that code may compare: a variable with something done to it."""
from tests.generator.gcc import gcc_available
    terms = w.terms
from tests.generator.gcc import gcc_available
    found = w.promoted(draw(st.sampled_from(sorted(TYPES))))
from tests.generator.gcc import gcc_available
    for _ in range(draw(st.integers(0, 2))):
from tests.generator.gcc import gcc_available
        operator = draw(
from tests.generator.gcc import gcc_available
            st.sampled_from(
from tests.generator.gcc import gcc_available
                [Operator.ADD, Operator.BIT_AND, Operator.SIGNED_DIVIDE, Operator.DIVIDE, Operator.SHIFT_RIGHT, None]
from tests.generator.gcc import gcc_available
            )
from tests.generator.gcc import gcc_available
        )
from tests.generator.gcc import gcc_available
        if operator is None:
from tests.generator.gcc import gcc_available
            width = draw(st.sampled_from([8, 16]))
from tests.generator.gcc import gcc_available
            found = terms.extend(terms.part(found, width - 1, 0), 32, is_signed=draw(st.booleans()))
from tests.generator.gcc import gcc_available
        elif operator is Operator.SHIFT_RIGHT:
from tests.generator.gcc import gcc_available
            found = terms.binary(operator, found, terms.constant(draw(st.integers(0, 4)), 32))
from tests.generator.gcc import gcc_available
        elif operator in (Operator.DIVIDE, Operator.SIGNED_DIVIDE):
from tests.generator.gcc import gcc_available
            found = terms.binary(operator, found, terms.constant(draw(st.integers(1, 9)), 32))
from tests.generator.gcc import gcc_available
        else:
from tests.generator.gcc import gcc_available
            found = terms.binary(operator, found, terms.constant(draw(NUMBERS), 32))
from tests.generator.gcc import gcc_available
    if draw(st.booleans()) and draw(st.booleans()):
from tests.generator.gcc import gcc_available
        found = terms.unary(draw(st.sampled_from([Operator.NEGATE, Operator.COMPLEMENT])), found)
from tests.generator.gcc import gcc_available
    return found
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
@st.composite
from tests.generator.gcc import gcc_available
def comparisons(draw: st.DrawFn, w: World, some: Sequence[Term] = ()) -> Term:
from tests.generator.gcc import gcc_available
    """Of one of some numbers, or of any."""
from tests.generator.gcc import gcc_available
    terms = w.terms
from tests.generator.gcc import gcc_available
    left = draw(st.sampled_from(some)) if some else draw(numbers(w))
from tests.generator.gcc import gcc_available
    right = terms.constant(draw(NUMBERS), 32) if draw(st.integers(0, 3)) else w.promoted(draw(st.sampled_from("abcin")))
from tests.generator.gcc import gcc_available
    if draw(st.booleans()):
from tests.generator.gcc import gcc_available
        left, right = right, left
from tests.generator.gcc import gcc_available
    operator = draw(
from tests.generator.gcc import gcc_available
        st.sampled_from(
from tests.generator.gcc import gcc_available
            [
from tests.generator.gcc import gcc_available
                Operator.EQUAL,
from tests.generator.gcc import gcc_available
                Operator.LESS,
from tests.generator.gcc import gcc_available
                Operator.LESS_EQUAL,
from tests.generator.gcc import gcc_available
                Operator.SIGNED_LESS,
from tests.generator.gcc import gcc_available
                Operator.SIGNED_LESS_EQUAL,
from tests.generator.gcc import gcc_available
            ]
from tests.generator.gcc import gcc_available
        )
from tests.generator.gcc import gcc_available
    )
from tests.generator.gcc import gcc_available
    found = terms.equal(left, right) if operator is Operator.EQUAL else terms.compare(operator, left, right)
from tests.generator.gcc import gcc_available
    return terms.negation(found) if draw(st.booleans()) else found
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
def valuations(w: World, seed: int, count: int) -> Iterator[dict[Term, int]]:
from tests.generator.gcc import gcc_available
    """Some of them where things change."""
from tests.generator.gcc import gcc_available
    pick = random.Random(seed)
from tests.generator.gcc import gcc_available
    for _ in range(count):
from tests.generator.gcc import gcc_available
        chosen = (pick.choice(LIMITS) if pick.random() < 0.7 else pick.randrange(1 << 32) for _ in w.variables)
from tests.generator.gcc import gcc_available
        yield {v: x & ((1 << SIZES[n]) - 1) for (n, v), x in zip(w.variables.items(), chosen, strict=True)}
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
# ---- intervals
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
SMALL = st.frozensets(st.integers(-4, 11))
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
def intervals(some: frozenset[int]) -> Intervals:
from tests.generator.gcc import gcc_available
    return joined((value, value) for value in some)
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
def members(some: Intervals) -> set[int]:
from tests.generator.gcc import gcc_available
    return {value for low, high in some for value in range(low, high + 1)}
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
@given(SMALL, SMALL, st.integers(-40, 40))
from tests.generator.gcc import gcc_available
def test_intervals_are_sets(one: frozenset[int], other: frozenset[int], by: int) -> None:
from tests.generator.gcc import gcc_available
    domain = -4, 11
from tests.generator.gcc import gcc_available
    first, second = intervals(one), intervals(other)
from tests.generator.gcc import gcc_available
    assert members(first) == one
from tests.generator.gcc import gcc_available
    assert all(a[1] + 1 < b[0] for a, b in pairwise(first))
from tests.generator.gcc import gcc_available
    assert members(shared(first, second)) == one & other
from tests.generator.gcc import gcc_available
    assert members(without(domain, first)) == set(range(-4, 12)) - one
from tests.generator.gcc import gcc_available
    assert contains(first, second) == (other <= one)
from tests.generator.gcc import gcc_available
    assert members(moved(first, by, domain)) == {(value + by + 4) % 16 - 4 for value in one}
from tests.generator.gcc import gcc_available
    parts = cells(domain, [first, second])
from tests.generator.gcc import gcc_available
    assert members(parts) == set(range(-4, 12))
from tests.generator.gcc import gcc_available
    assert all(members((part,)) <= some or not members((part,)) & some for part in parts for some in (one, other))
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
# ---- what comparisons say
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
def value_of(subject: Subject, valuation: dict[Term, int]) -> int:
from tests.generator.gcc import gcc_available
    if isinstance(subject, Number):
from tests.generator.gcc import gcc_available
        [bits] = evaluated([subject.term], valuation)
from tests.generator.gcc import gcc_available
        return signed(bits, subject.term.width) if subject.is_signed else bits
from tests.generator.gcc import gcc_available
    if isinstance(subject, Order):
from tests.generator.gcc import gcc_available
        sides = evaluated([subject.left, subject.right], valuation)
from tests.generator.gcc import gcc_available
        one, other = (signed(x, subject.left.width) if subject.is_signed else x for x in sides)
from tests.generator.gcc import gcc_available
        return (one > other) - (one < other)
from tests.generator.gcc import gcc_available
    return evaluated([subject.term], valuation)[0]
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
@settings(max_examples=300)
from tests.generator.gcc import gcc_available
@given(st.data(), st.booleans(), st.integers(0, 1000))
from tests.generator.gcc import gcc_available
def test_a_comparison_says_of_its_subject_what_it_says(data: st.DataObject, divides: bool, seed: int) -> None:
from tests.generator.gcc import gcc_available
    w = world()
from tests.generator.gcc import gcc_available
    comparison = data.draw(comparisons(w))
from tests.generator.gcc import gcc_available
    wording = Wording(w.terms, w.names, VOCABULARY, lambda _: False)
from tests.generator.gcc import gcc_available
    subject, holds = Reader(w.terms, wording.is_signed, divides=divides).read(comparison)
from tests.generator.gcc import gcc_available
    for valuation in valuations(w, seed, 40):
from tests.generator.gcc import gcc_available
        [truth] = evaluated([comparison], valuation)
from tests.generator.gcc import gcc_available
        value = value_of(subject, valuation)
from tests.generator.gcc import gcc_available
        assert bool(truth) == any(low <= value <= high for low, high in holds), (subject, holds, value)
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
def test_a_subject_has_no_name_of_its_own_around_it() -> None:
from tests.generator.gcc import gcc_available
    w = world()
from tests.generator.gcc import gcc_available
    terms, b = w.terms, w.variables["b"]
from tests.generator.gcc import gcc_available
    less = terms.binary(Operator.ADD, w.promoted("b"), terms.constant(-1, 32))
from tests.generator.gcc import gcc_available
    wrapped = terms.equal(terms.part(less, 7, 0), terms.constant(0, 8))
from tests.generator.gcc import gcc_available
    wording = Wording(terms, w.names, VOCABULARY, lambda _: False)
from tests.generator.gcc import gcc_available
    assert Reader(terms, wording.is_signed).read(wrapped) == (Number(b, is_signed=False), ((1, 1),))
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
# ---- simplified conditions
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
@dataclass(frozen=True)
from tests.generator.gcc import gcc_available
class Asked:
from tests.generator.gcc import gcc_available
    """A condition, and what is known where it is to hold."""
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
    world: World
from tests.generator.gcc import gcc_available
    cases: list[list[Term]]
from tests.generator.gcc import gcc_available
    here: Term
from tests.generator.gcc import gcc_available
    counts: Term
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
@st.composite
from tests.generator.gcc import gcc_available
def conditions(draw: st.DrawFn) -> Asked:
from tests.generator.gcc import gcc_available
    w = world()
from tests.generator.gcc import gcc_available
    names = draw(st.lists(st.sampled_from(sorted(TYPES)), min_size=1, max_size=3, unique=True))
from tests.generator.gcc import gcc_available
    some = [*map(w.promoted, names), draw(numbers(w))]
from tests.generator.gcc import gcc_available
    atoms = draw(st.lists(comparisons(w, some), min_size=3, max_size=6))
from tests.generator.gcc import gcc_available
    atoms = [a for a in atoms if a.operator is not Operator.VALUE] or [
from tests.generator.gcc import gcc_available
        w.terms.equal(w.variables["i"], w.terms.constant(3, 32))
from tests.generator.gcc import gcc_available
    ]
from tests.generator.gcc import gcc_available
    literals = [x for a in atoms for x in (a, w.terms.negation(a))]
from tests.generator.gcc import gcc_available
    case = st.lists(st.sampled_from(literals), min_size=1, max_size=3, unique_by=lambda t: t.number)
from tests.generator.gcc import gcc_available
    return Asked(
from tests.generator.gcc import gcc_available
        w,
from tests.generator.gcc import gcc_available
        draw(st.lists(case, min_size=1, max_size=4) | either_of_each(w)),
from tests.generator.gcc import gcc_available
        w.terms.both(*draw(st.lists(st.sampled_from(literals) | comparisons(w, some), max_size=2))),
from tests.generator.gcc import gcc_available
        w.terms.both(*draw(st.lists(comparisons(w, some), max_size=1))),
from tests.generator.gcc import gcc_available
    )
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
@st.composite
from tests.generator.gcc import gcc_available
def either_of_each(draw: st.DrawFn, w: World) -> list[list[Term]]:
from tests.generator.gcc import gcc_available
    """`(a == 1 || a == 7) && (b > 2 || c < 0)`, multiplied out: all cases have in common what is said of one number."""
from tests.generator.gcc import gcc_available
    names = draw(st.permutations(sorted(set(TYPES) - {"f"})))
from tests.generator.gcc import gcc_available
    terms, values = w.terms, st.integers(2, 9)
from tests.generator.gcc import gcc_available
    first = [terms.equal(w.promoted(names[0]), terms.constant(n, 32)) for n in draw(st.tuples(values, values))]
from tests.generator.gcc import gcc_available
    if draw(st.booleans()):
from tests.generator.gcc import gcc_available
        first = [terms.both(*map(terms.negation, first))]
from tests.generator.gcc import gcc_available
    second = [
from tests.generator.gcc import gcc_available
        draw(st.sampled_from([one, terms.negation(one)]))
from tests.generator.gcc import gcc_available
        for name in names[1:3]
from tests.generator.gcc import gcc_available
        for one in [terms.compare(Operator.SIGNED_LESS, w.promoted(name), terms.constant(draw(values), 32))]
from tests.generator.gcc import gcc_available
    ]
from tests.generator.gcc import gcc_available
    clauses = [first, second] if draw(st.booleans()) else [second, first]
from tests.generator.gcc import gcc_available
    cases = [list(case) for case in product(*clauses)]
from tests.generator.gcc import gcc_available
    return [[x for c in case for x in (c.operands if c.operator is Operator.AND else (c,))] for case in cases]
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
def simplified(asked: Asked) -> str | None:
from tests.generator.gcc import gcc_available
    terms, names = asked.world.terms, asked.world.names
from tests.generator.gcc import gcc_available
    solver = Solver()
from tests.generator.gcc import gcc_available
    wording = Wording(terms, names, VOCABULARY, lambda c: solver.check([terms.negation(c)]) is Answer.NO)
from tests.generator.gcc import gcc_available
    words: dict[Term, str] = {}
from tests.generator.gcc import gcc_available
    for literal in (x for case in asked.cases for x in case):
from tests.generator.gcc import gcc_available
        for each in (literal, terms.negation(literal)):
from tests.generator.gcc import gcc_available
            try:
from tests.generator.gcc import gcc_available
                words[each] = wording.truth(each)
from tests.generator.gcc import gcc_available
            except NoWords:
from tests.generator.gcc import gcc_available
                return None
from tests.generator.gcc import gcc_available
    formula = Formula(terms, asked.counts, terms.constant(0, WIDTH), (), (), ())
from tests.generator.gcc import gcc_available
    return Simplifier(formula, names, VOCABULARY, words, (0, None)).text(asked.cases, asked.here)
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
def compiled(texts: Sequence[str], folder: Path) -> ctypes.CDLL:
from tests.generator.gcc import gcc_available
    functions = "".join(f"int c{n}({SIGNATURE}) {{ return {text}; }}\n" for n, text in enumerate(texts))
from tests.generator.gcc import gcc_available
    source, library = folder / "words.c", folder / "words.so"
from tests.generator.gcc import gcc_available
    source.write_text(HEAD + functions, encoding="utf-8")
from tests.generator.gcc import gcc_available
    subprocess.run(["gcc", "-w", "-O0", "-fPIC", "-shared", "-o", library, source], check=True, timeout=60)
from tests.generator.gcc import gcc_available
    return ctypes.CDLL(str(library))
from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available

from tests.generator.gcc import gcc_available
@pytest.mark.skipif(not gcc_available(), reason="gcc is not installed: nothing says what words mean")
from tests.generator.gcc import gcc_available
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
from tests.generator.gcc import gcc_available
@given(st.lists(conditions(), min_size=1, max_size=6), st.integers(0, 1000))
from tests.generator.gcc import gcc_available
def test_simplified_words_mean_what_was_simplified(
from tests.generator.gcc import gcc_available
    tmp_path_factory: pytest.TempPathFactory, every: list[Asked], seed: int
from tests.generator.gcc import gcc_available
) -> None:
from tests.generator.gcc import gcc_available
    found = [(asked, text) for asked in every if (text := simplified(asked)) is not None]
from tests.generator.gcc import gcc_available
    texts = ["1" if text == "always" else text for _, text in found]
from tests.generator.gcc import gcc_available
    library = compiled(texts, tmp_path_factory.mktemp("words"))
from tests.generator.gcc import gcc_available
    for number, (asked, text) in enumerate(found):
from tests.generator.gcc import gcc_available
        terms = asked.world.terms
from tests.generator.gcc import gcc_available
        whole = terms.either(*(terms.both(*case) for case in asked.cases))
from tests.generator.gcc import gcc_available
        function = getattr(library, f"c{number}")
from tests.generator.gcc import gcc_available
        function.argtypes = ARGUMENTS
from tests.generator.gcc import gcc_available
        for valuation in valuations(asked.world, seed, 60):
from tests.generator.gcc import gcc_available
            counts, truth = evaluated([terms.both(asked.here, asked.counts), whole], valuation)
from tests.generator.gcc import gcc_available
            if counts:
from tests.generator.gcc import gcc_available
                values = [valuation[v] for v in asked.world.variables.values()]
from tests.generator.gcc import gcc_available
                assert bool(function(*values)) == bool(truth), (text, values)
