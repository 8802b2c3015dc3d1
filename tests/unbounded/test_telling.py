"""Conditions over slots as text: comparisons as people write them, signs by type, names of enumerators."""

from __future__ import annotations

from stateglass.explore.stretches import Part, Phase, Rest, Slot
from stateglass.program import Bool, Enum, Enumeration, Int, Scalar
from stateglass.smt import Operator, Term, Terms
from stateglass.source import Span
from stateglass.unbounded.telling import MOST_TEXT, condition_text, place_of
from stateglass.values import FaultKind

INT, UINT, STATE = Int(32, signed=True), Int(32, signed=False), Enum("State", Int(32, signed=False))
ENUMS = {"State": Enumeration("State", (("IDLE", 0), ("BUSY", 1)))}


class Scene:
    """A rest with variables of several types."""

    def __init__(self) -> None:
        self.terms = Terms()
        self.slots: list[Slot] = []
        self.x = self.add("main::x", INT)
        self.n = self.add("n", UINT)
        self.state = self.add("state", STATE)
        self.on = self.add("on", Bool(), 1, Part.BIT)
        self.unset = self.add("y", INT, 0, Part.ABSENT)
        self.where = self.add("p", INT, 2, Part.INDEX, addresses=(0, 4096, 8192))

    def add(
        self, name: str, type: Scalar, width: int = 32, part: Part = Part.VALUE, addresses: tuple[int, ...] = ()
    ) -> Term:
        term = self.terms.variable(f"{name}#{len(self.slots)}", width)
        absent = FaultKind.UNINITIALISED if part is Part.ABSENT else None
        self.slots.append(Slot(len(self.slots), name, type, part, term, absent, addresses))
        return term

    def number(self, value: int) -> Term:
        return self.terms.constant(value, 32)

    def text(self, term: Term) -> str:
        return condition_text(term, Rest(1, Phase.LOOP, tuple(self.slots)), ENUMS)


def test_comparisons_are_written_as_people_do() -> None:
    scene = Scene()
    terms, x, n = scene.terms, scene.x, scene.n
    less = terms.compare(Operator.SIGNED_LESS, scene.number(-1), x)
    assert scene.text(less) == "main::x > -1"
    assert scene.text(terms.negation(less)) == "main::x <= -1"
    assert scene.text(terms.equal(x, scene.number(-7))) == "main::x == -7"
    assert scene.text(terms.compare(Operator.LESS, n, scene.number(-1))) == "n < 4294967295"
    assert scene.text(terms.compare(Operator.LESS, x, n)) == "(unsigned)main::x < n"


def test_sums_and_widened_numbers() -> None:
    scene = Scene()
    terms, x, n = scene.terms, scene.x, scene.n
    before = terms.binary(Operator.ADD, x, scene.number(-3))
    assert scene.text(terms.equal(before, n)) in ("main::x - 3 == n", "n == main::x - 3")
    wide = terms.extend(x, 40, is_signed=True)
    assert scene.text(terms.compare(Operator.SIGNED_LESS, wide, terms.constant(5000, 40))) == "main::x < 5000"
    more = terms.binary(Operator.ADD, wide, terms.constant(1, 40))
    assert scene.text(terms.compare(Operator.SIGNED_LESS, terms.constant(0, 40), more)) == "main::x > -1"
    # What may wrap around stays as it is.
    narrow = terms.binary(Operator.ADD, x, scene.number(1))
    assert scene.text(terms.compare(Operator.SIGNED_LESS, scene.number(0), narrow)) == "main::x + 1 > 0"
    overflows = terms.overflows(Operator.SUBTRACT_OVERFLOWS, scene.number(4), x)
    assert scene.text(overflows) == "4 - main::x overflows"
    assert scene.text(terms.equal(terms.part(x, 3, 0), terms.constant(9, 4))) == "(main::x & 0xf) == 9"


def test_words_for_what_is_no_number() -> None:
    scene = Scene()
    terms = scene.terms
    assert scene.text(terms.equal(scene.state, scene.number(1))) == "state == BUSY"
    assert scene.text(terms.negation(terms.equal(scene.state, scene.number(0)))) == "state != IDLE"
    assert scene.text(terms.equal(scene.on, terms.constant(1, 1))) == "on"
    assert scene.text(terms.equal(scene.on, terms.constant(0, 1))) == "!on"
    assert scene.text(scene.unset) == "y has no value"
    assert scene.text(terms.negation(scene.unset)) == "y has a value"
    assert scene.text(terms.equal(scene.where, terms.constant(0, 2))) == "p == 0"


def test_conjunctions_in_parentheses_and_long_texts_cut() -> None:
    scene = Scene()
    terms, x = scene.terms, scene.x
    small = [terms.equal(x, scene.number(value)) for value in (1, 2)]
    either = terms.either(*small)
    assert scene.text(either) == "main::x == 1 || main::x == 2"
    both = terms.both(either, terms.equal(scene.n, scene.number(3)))
    assert scene.text(both) in ("(main::x == 1 || main::x == 2) && n == 3", "n == 3 && (main::x == 1 || main::x == 2)")
    many = terms.either(*(terms.equal(x, scene.number(7 * value)) for value in range(90)))
    assert len(scene.text(many)) == MOST_TEXT


def test_two_ends_that_meet_are_one_value() -> None:
    scene = Scene()
    terms, x = scene.terms, scene.x
    above = terms.compare(Operator.SIGNED_LESS, scene.number(7), x)
    for end, text in ((9, "main::x == 8"), (10, "main::x > 7 && main::x < 10")):
        below = terms.compare(Operator.SIGNED_LESS, x, scene.number(end))
        assert scene.text(terms.both(above, below)) == text


def test_places() -> None:
    loop = Rest(1, Phase.LOOP, (), span=Span.at("a.c", 3))
    assert place_of(loop) == "loop at a.c:3"
    assert place_of(Rest(1, Phase.STABLE, ())) == "between calls"
