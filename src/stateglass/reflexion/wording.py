"""Terms over the unknowns as C that a person would have written, and that means the same when it is read.

What C makes of the words, with its promotions and conversions, is put together along with them and held against the
term: words that say something else, or that have no meaning for some values, are none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import (
    BinaryOperator,
    Bool,
    Comparison,
    Enum,
    Enumeration,
    Int,
    Scalar,
    UnaryOperator,
    representation,
)
from stateglass.program.bits import ones, signed
from stateglass.reflexion import float_words
from stateglass.reflexion.arithmetic import INT, cast_to, common, literal_type, promoted
from stateglass.reflexion.arithmetic import NoWords as NoWords
from stateglass.reflexion.constants import Constants
from stateglass.reflexion.faults import comparisons_of
from stateglass.reflexion.joining import all_of, any_of
from stateglass.smt import Operator, Term, Terms
from stateglass.source import NOWHERE, Span
from stateglass.values import FaultKind
from stateglass.values.symbolic import Symbolic

LARGEST: Final = 15
"""A condition that is made of more terms than this says less to a person than an example does."""


_COMPARISONS: Final = {
    Operator.EQUAL: ("==", "!="),
    Operator.LESS: ("<", ">="),
    Operator.LESS_EQUAL: ("<=", ">"),
    Operator.SIGNED_LESS: ("<", ">="),
    Operator.SIGNED_LESS_EQUAL: ("<=", ">"),
}
_MIRRORED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_ARITHMETIC: Final = {
    Operator.ADD: ("+", 12, None),
    Operator.SUBTRACT: ("-", 12, None),
    Operator.MULTIPLY: ("*", 13, None),
    Operator.DIVIDE: ("/", 13, False),
    Operator.SIGNED_DIVIDE: ("/", 13, True),
    Operator.REMAINDER: ("%", 13, False),
    Operator.SIGNED_REMAINDER: ("%", 13, True),
    Operator.BIT_AND: ("&", 8, None),
    Operator.BIT_XOR: ("^", 7, None),
    Operator.BIT_OR: ("|", 6, None),
    Operator.SHIFT_LEFT: ("<<", 11, None),
    Operator.SHIFT_RIGHT: (">>", 11, False),
    Operator.SIGNED_SHIFT_RIGHT: (">>", 11, True),
}
"""The sign, how tightly it binds, and whether its operands are signed, if that matters."""
_SUM, _UNARY, _ATOM = 12, 14, 16
LEAST: Final = Int(64, signed=True)
_MOST_NEGATIVE: Final = -(1 << 15)
"""`n & -8` is as plain as `n & 4294967288`, but a multiplier of many digits has no sign."""
_MANNERS: Final = ((False, True), (False, False), (True, True), (True, False))
"""Whether casts are written that need not be, and whether constants have their names: the first that will do."""


@final
@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that a file has for numbers."""

    enums: Mapping[str, Enumeration]
    constants: Constants


@final
@dataclass(frozen=True, slots=True)
class _Said:
    """An expression: its words, how tightly they are bound, and the value and type that C gives them."""

    text: str
    level: int
    value: Term
    type: Int


@final
class Wording:
    """Writes terms; `names` are those of the unknowns, with their types."""

    def __init__(
        self,
        terms: Terms,
        names: Mapping[Term, tuple[str, Scalar]],
        vocabulary: Vocabulary,
        proven: Callable[[Term], bool],
        reached: Mapping[Term, Term] | None = None,
    ) -> None:
        """`proven` says whether something always holds; `reached` is when a name is right that is not always."""
        self._terms = terms
        self._domain = Symbolic(terms, self._note)
        self._names = names
        self._vocabulary = vocabulary
        self._proven = proven
        self._known: dict[Term, str | None] = {}
        self._reached = reached or {}
        self._faults: list[Term] = []
        self._careful = False
        self._floats = float_words.FloatWords(terms, names, self._as_number, self._note, self._use)
        self._spells = True

    def truth(self, term: Term) -> str:
        """A condition as text."""
        if term not in self._known:
            self._known[term] = self._worded(term)
        found = self._known[term]
        if found is None:
            raise NoWords
        return found

    def learn(self, term: Term, text: str) -> None:
        """Words for a condition."""
        self._known[term] = text

    def partial(self, term: Term) -> tuple[str, Term]:
        """A condition as text that means the same where it has a meaning, and where it has none."""
        terms = self._terms
        if _size(term) <= LARGEST:
            for self._careful, self._spells in _MANNERS:
                self._faults = []
                text, meaning = self._truth(term, positive=True)
                undefined = terms.either(*self._faults)
                right = terms.either(undefined, terms.equal(term, meaning))
                if right is terms.true or (undefined is not terms.true and self._proven(right)):
                    return text, undefined
        raise NoWords

    def is_signed(self, term: Term) -> bool | None:
        """Whether C reads an unknown as a signed number; None for what is not a number with a name."""
        type = self._names[term][1] if term in self._names else None
        if isinstance(type, Bool):
            return False if term.width == 1 else None
        return representation(type).signed if isinstance(type, Int | Enum) else None

    def is_enumeration(self, term: Term) -> bool:
        return isinstance(self._type(term), Enum)

    def _worded(self, term: Term) -> str | None:
        """A condition as text, with as few casts as possible and the code's names for numbers where they fit."""
        if _size(term) > LARGEST:
            return None
        for self._careful, self._spells in _MANNERS:
            self._faults = []
            try:
                text, meaning = self._truth(term, positive=True)
            except NoWords:
                return None
            if self._is_faithful(term, meaning):
                return text
        return None

    def _is_faithful(self, term: Term, meaning: Term) -> bool:
        terms = self._terms
        right = terms.both(terms.equal(term, meaning), *(terms.negation(f) for f in self._faults))
        return right is terms.true or (right is not terms.false and self._proven(right))

    def _truth(self, term: Term, *, positive: bool) -> tuple[str, Term]:
        known = self._known.get(term if positive else self._terms.negation(term))
        if known is not None:
            return known, term if positive else self._terms.negation(term)
        if term.operator is Operator.NOT:
            return self._truth(term.operands[0], positive=not positive)
        if term.operator in (Operator.AND, Operator.OR):
            together = (term.operator is Operator.AND) is positive
            parts = self._in_turn(term.operands, positive=positive, together=together)
            meanings = [m for _, m in parts]
            if together:
                return all_of(p for p, _ in parts), self._terms.both(*meanings)
            return any_of(p for p, _ in parts), self._terms.either(*meanings)
        if term.operator in _COMPARISONS:
            return self._comparison(term, positive=positive)
        if term.operator in float_words.COMPARISONS:
            return self._floats.comparison(term, positive=positive)
        if term.operator is Operator.MULTIPLY_OVERFLOWS:
            return self._product(term, positive=positive)
        compared = list(comparisons_of(self._terms, term))
        if compared:
            fits = term.operator is Operator.FLOAT_FITS
            joined = self._terms.both(*compared) if fits else self._terms.either(*compared)
            return self._truth(joined, positive=positive)
        raise NoWords

    def _product(self, term: Term, *, positive: bool) -> tuple[str, Term]:
        """Whether a product overflows: what it comes to in a type that has room for it says so by itself."""
        left, right = term.operands
        type, wide = Int(left.width, True), cast_to(Int(2 * left.width, True))
        one, other = (self._value(o, True) for o in (left, right))
        for said, operand in ((one, left), (other, right)):
            if self._terms.resize(said.value, left.width, is_signed=said.type.signed) is not operand:
                raise NoWords
        # A narrower operand, or a constant, is the same number in any type that is wide enough.
        if wide is None or not all(_is_kept(said.type, type) for said in (one, other)):
            raise NoWords
        product = f"({wide}){self._bound(one, _UNARY - 1)} * {self._bound(other, _ARITHMETIC[Operator.MULTIPLY][1])}"
        if positive:
            return any_of((f"{product} > {type.high}", f"{product} < {type.low}")), term
        return all_of((f"{product} <= {type.high}", f"{product} >= {type.low}")), self._terms.negation(term)

    def _in_turn(self, operands: Sequence[Term], *, positive: bool, together: bool) -> list[tuple[str, Term]]:
        """C looks at an operand only if those before it leave that open."""
        found: list[tuple[str, Term]] = []
        before: list[Term] = []
        for operand in operands:
            known = len(self._faults)
            text, meaning = self._truth(operand, positive=positive)
            self._faults[known:] = [self._terms.both(*before, f) for f in self._faults[known:]]
            before.append(meaning if together else self._terms.negation(meaning))
            found.append((text, meaning))
        return found

    def _comparison(self, term: Term, *, positive: bool) -> tuple[str, Term]:
        left, right = term.operands
        word = _COMPARISONS[term.operator][0 if positive else 1]
        is_signed = term.operator in (Operator.SIGNED_LESS, Operator.SIGNED_LESS_EQUAL)
        if left.operator is Operator.VALUE:
            left, right, word = right, left, _MIRRORED[word]
        type = self._type(left) or self._type(right)
        if isinstance(type, Bool) and right.value in (0, 1) and word in ("==", "!="):
            said = self._value(left, is_signed)
            truth = self._domain.truth(said.value)
            if bool(right.value) is (word == "=="):
                return said.text, truth
            return f"!{self._bound(said, _UNARY - 1)}", self._terms.negation(truth)
        if term.operator is Operator.EQUAL:
            is_signed = type is None or representation(type).signed
        one = self._fitted(self._value(left, is_signed), left.width, is_signed)
        number = right.value
        if number is not None:
            # `x > 4` rather than `x >= 5` where the code or the state says so is a matter of taste; 0 and 1 are not.
            plain = signed(number, right.width) if is_signed else number
            if word == ">=" and plain == 1:
                word, number = ">", number - 1
            elif word == "<" and plain == 1:
                word, number = "<=", number - 1
            other = self._constant(number & ones(right.width), right.width, type, is_signed, self.name_of(left))
        else:
            other = self._fitted(self._value(right, is_signed), right.width, is_signed)
        a, b, wide = common(self._terms, (one.value, one.type), (other.value, other.type))
        meaning = self._domain.holds(Comparison(word), wide, a, b)
        return f"{self._bound(one, 10)} {word} {self._bound(other, 10)}", meaning

    def _note(self, kind: FaultKind, when: Term, span: Span) -> None:
        self._faults.append(when)

    def _bound(self, said: _Said, around: int) -> str:
        return said.text if said.level > around else f"({said.text})"

    def _fitted(self, said: _Said, width: int, is_signed: bool) -> _Said:
        """An expression in this type, with a cast if its own type is another one and that may matter."""
        if not self._careful or (said.type.bits, said.type.signed) == (width, is_signed):
            return said
        return self._cast(said, Int(width, is_signed))

    def _cast(self, said: _Said, type: Int) -> _Said:
        name = cast_to(type)
        if name is None:
            return said
        value = self._terms.resize(said.value, type.bits, is_signed=said.type.signed)
        return _Said(f"({name}){self._bound(said, _UNARY - 1)}", _UNARY, value, type)

    def _value(self, term: Term, is_signed: bool) -> _Said:
        """A number."""
        if term in self._names:
            return self._named(term)
        match term.operator:
            case Operator.VALUE:
                return self._constant(term.extra, term.width, None, is_signed)
            case Operator.ZERO_EXTEND | Operator.SIGN_EXTEND:
                inner, with_sign = term.operands[0], term.operator is Operator.SIGN_EXTEND
                return self._fitted(self._value(inner, with_sign), inner.width, with_sign)
            case Operator.PART if term.extra[1] == 0 and cast_to(Int(term.width, is_signed)) is not None:
                return self._cast(self._value(term.operands[0], is_signed), Int(term.width, is_signed))
            case Operator.NEGATE | Operator.COMPLEMENT:
                said = self._fitted(self._value(term.operands[0], is_signed), term.width, is_signed)
                operator = UnaryOperator.NEGATE if term.operator is Operator.NEGATE else UnaryOperator.COMPLEMENT
                value, type = promoted(self._terms, said.value, said.type)
                value = self._domain.unary(operator, type, NOWHERE)(value)
                return _Said(f"{operator.value}{self._bound(said, _UNARY - 1)}", _UNARY, value, type)
            case operator if operator in _ARITHMETIC:
                return self._arithmetic(term, is_signed)
            case Operator.FLOAT_TO_INTEGER:
                number = self._floats.truncated(term)
                assert isinstance(number.type, Int)
                return _Said(number.text, number.level, number.value, number.type)
            case _:
                raise NoWords

    def _as_number(self, term: Term, is_signed: bool) -> float_words.Number:
        said = self._value(term, is_signed)
        return float_words.Number(said.text, said.level, said.value, said.type)

    def _named(self, term: Term) -> _Said:
        name, type = self._names[term]
        self._use(term)
        if not isinstance(type, Int | Bool | Enum):
            raise NoWords
        if isinstance(type, Bool):
            return _Said(name, _ATOM, self._terms.resize(term, 8, is_signed=False), Int(8, False))
        return _Said(name, _ATOM, term, representation(type))

    def _use(self, term: Term) -> None:
        """A name is wrong where a pointer in it leads elsewhere."""
        if term in self._reached:
            self._faults.append(self._terms.negation(self._reached[term]))

    def _arithmetic(self, term: Term, is_signed: bool) -> _Said:
        sign, level, wanted = _ARITHMETIC[term.operator]
        is_signed = is_signed if wanted is None else wanted
        left, right = term.operands
        one = self._fitted(self._value(left, is_signed), left.width, is_signed)
        by = right.value
        if term.operator is Operator.ADD and by is not None and signed(by, right.width) < 0:
            sign, by = "-", -by & ones(right.width)
        if by is None:
            other = self._value(right, is_signed)
            # Where one operand has the type, the other one gets it without a cast.
            if common(self._terms, (one.value, one.type), (other.value, other.type))[2] != Int(right.width, is_signed):
                other = self._fitted(other, right.width, is_signed)
        else:
            is_mask = term.operator in (Operator.BIT_AND, Operator.BIT_OR, Operator.BIT_XOR)
            of = self.name_of(left) if is_mask else ""
            other = self._constant(by, right.width, None, sign != "-" and is_signed, of, is_mask)
            if sign != "-" and self._is_large(by, left):
                other = _Said(f"{by}u", _ATOM, right, Int(right.width, signed=False))
        # Nobody remembers how tightly these bind.
        around = _UNARY - 1 if level < _SUM else level
        text = f"{self._bound(one, level - 1 if one.level == level else around)} {sign} {self._bound(other, around)}"
        operator = BinaryOperator(sign)
        if operator in (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT):
            a, type = promoted(self._terms, one.value, one.type)
            b, counted = promoted(self._terms, other.value, other.type)
            return _Said(text, level, self._domain.binary(operator, type, NOWHERE, counted)(a, b), type)
        a, b, type = common(self._terms, (one.value, one.type), (other.value, other.type))
        return _Said(text, level, self._domain.binary(operator, type, NOWHERE)(a, b), type)

    def _is_large(self, constant: int, beside: Term) -> bool:
        """Whether a constant beside a number without a sign is one that nobody would write as a negative number."""
        type = self._names[beside][1] if beside in self._names else None
        is_plain = isinstance(type, Int) and not type.signed and beside.width in (INT.bits, LEAST.bits)
        return is_plain and signed(constant, beside.width) < _MOST_NEGATIVE

    def _type(self, term: Term) -> Scalar | None:
        found = self._names.get(self._unextended(term))
        return found[1] if found is not None else None

    def name_of(self, term: Term) -> str:
        """What a number is called, if it is an unknown; nothing otherwise."""
        found = self._names.get(self._unextended(term))
        return found[0] if found is not None else ""

    def _unextended(self, term: Term) -> Term:
        while term.operator in (Operator.ZERO_EXTEND, Operator.SIGN_EXTEND) and term not in self._names:
            term = term.operands[0]
        return term

    def _constant(
        self, value: int, width: int, type: Scalar | None, is_signed: bool, beside: str = "", is_mask: bool = False
    ) -> _Said:
        """A number; `beside` is the variable that it belongs to."""
        if isinstance(type, Enum):
            plain = representation(type)
            number = signed(value & ones(plain.bits), plain.bits) if plain.signed else value & ones(plain.bits)
            enums = self._vocabulary.enums
            for name, member in enums[type.name].members if type.name in enums else ():
                if member == number:
                    known = literal_type(member)
                    return _Said(name, _ATOM, self._terms.constant(member, known.bits), known)
        number = signed(value, width) if is_signed else value
        spelled = self._vocabulary.constants.get((beside, number, is_mask))
        if spelled is not None and self._spells:
            level = _SUM if spelled.is_sum else _ATOM
            return _Said(spelled.text, level, self._terms.constant(number, spelled.type.bits), spelled.type)
        if number == LEAST.low:
            # The least number has no literal.
            return _Said(f"({number + 1} - 1)", _ATOM, self._terms.constant(number, LEAST.bits), LEAST)
        own = literal_type(number)
        text = f"{number}{'' if own.signed else 'u'}"
        return _Said(text, _UNARY if number < 0 else _ATOM, self._terms.constant(number, own.bits), own)


def _is_kept(type: Int, wider: Int) -> bool:
    """Whether all values of a type are values of a signed one."""
    return type.bits < wider.bits or (type.bits == wider.bits and type.signed)


def _size(term: Term) -> int:
    count, stack = 0, [term]
    while stack and count <= LARGEST:
        found = stack.pop()
        count += found.operator not in (Operator.ZERO_EXTEND, Operator.SIGN_EXTEND, Operator.NOT)
        stack.extend(found.operands)
    return count
