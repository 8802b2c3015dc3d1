"""The names that the code has for the constants it compares a variable with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import (
    Aggregate,
    Assign,
    Binary,
    BinaryOperator,
    Call,
    Compare,
    Constant,
    Convert,
    Element,
    Enum,
    Expression,
    Function,
    Global,
    Input,
    Int,
    Load,
    Local,
    Member,
    Place,
    Program,
    Unary,
    UnaryOperator,
)
from stateglass.program.callgraph import reachable, statements_of
from stateglass.program.names import is_static_local
from stateglass.program.walk import nodes_in
from stateglass.reflexion.arithmetic import INT, literal_type
from stateglass.reflexion.spelling import Spelling, is_sum

_LAST: Final = re.compile(r"(\w+)(~\d+)?(@[^\]]*)?(\[\d+\])*$")
_MASKS: Final = (BinaryOperator.AND, BinaryOperator.OR, BinaryOperator.XOR)


@final
@dataclass(frozen=True, slots=True)
class Spelled:
    """A constant as the code has it, and its type there."""

    text: str
    type: Int

    @property
    def is_sum(self) -> bool:
        return is_sum(self.text)


Constants = Mapping[tuple[str, int, bool], Spelled]
"""By the name of the variable, the value, and whether it picks bits of the variable."""


def constants_for(program: Program, function: Function, names: Iterable[str]) -> Constants:
    """How the code spells the constants that it uses with these variables.

    Only where it has one spelling for a value of a variable, and the spelling means the same where conditions are read.
    """
    looking = _Looking(program, function)
    return {
        (name, value, is_mask): found
        for name in dict.fromkeys(names)
        for (value, is_mask), spelled in looking.of(name).items()
        if len(spelled) == 1 and (found := next(iter(spelled))).text and not looking.hides(found.text)
    }


@final
class _Looking:
    """Looks through all that a function reaches. What is copied from one variable to another has one set of names."""

    def __init__(self, program: Program, function: Function) -> None:
        self._program = program
        self._function = function
        self._same: dict[str, str] = {}
        self._found: list[tuple[str, int, bool, Spelled]] = []
        self._enumerators = {name for e in program.enums.values() for name, _ in e.members}
        self._spelling = Spelling(function.span.file, self._enumerators | {_last(n) for n in program.variables})
        own = set(program.own_functions)
        for name in reachable(program, [function.name]).functions:
            if name in own:
                self._look(program.functions[name])
        self._by_word: dict[str, dict[tuple[int, bool], set[Spelled]]] = {}
        for word, value, is_mask, spelled in self._found:
            self._by_word.setdefault(self._first(word), {}).setdefault((value, is_mask), set()).add(spelled)

    def hides(self, text: str) -> bool:
        """Whether a word is something else inside the function, where conditions are read."""
        function = self._function
        own = {p.name for p in function.parameters}
        own |= {_last(v) for v in self._program.variables if v.startswith(f"{function.name}::")}
        return not own.isdisjoint(re.findall(r"\w+", text))

    def of(self, name: str) -> dict[tuple[int, bool], set[Spelled]]:
        word = _last(name)
        if any(p.name == name for p in self._function.parameters):
            word = _local(self._function, name)
        return self._by_word.get(self._first(word), {})

    def _first(self, word: str) -> str:
        while word in self._same:
            word = self._same[word]
        return word

    def _join(self, one: str | None, other: str | None) -> None:
        if one is not None and other is not None:
            first, second = self._first(one), self._first(other)
            if first != second:
                self._same[first] = second

    def _look(self, function: Function) -> None:
        for node in statements_of(function.blocks):
            if isinstance(node, Assign):
                self._join(self._word(node.place, function), self._word_of(node.value, function))
                self._note(node.place, node.value, function)
            elif isinstance(node, Input):
                self._join(self._word(node.place, function), node.name)
            elif isinstance(node, Call) and isinstance(node.callee, str):
                self._call(node, node.callee, function)
            for inner in nodes_in(node):
                if isinstance(inner, Compare) or (isinstance(inner, Binary) and inner.operator in _MASKS):
                    is_mask = isinstance(inner, Binary)
                    for one, other in ((inner.left, inner.right), (inner.right, inner.left)):
                        for place, by in _solved(one):
                            self._note(place, other, function, by=by, is_mask=is_mask)

    def _call(self, node: Call, callee: str, function: Function) -> None:
        if callee not in self._program.functions:
            # What it returns is called by it.
            self._join(None if node.result is None else self._word(node.result, function), f"{callee}()")
            return
        called = self._program.functions[callee]
        for parameter, given in zip(called.parameters, node.arguments, strict=False):
            if not isinstance(given, Aggregate):
                self._join(_local(called, parameter.name), self._word_of(given, function))

    def _note(self, place: Place, other: Expression, function: Function, *, by: int = 0, is_mask: bool = False) -> None:
        word, constant = self._word(place, function), self._constant(other)
        if word is None or constant is None:
            return
        value, type = constant
        text = self._spelling.of(_stripped(other).span)
        if text is None:
            return
        if text in self._enumerators:
            type = literal_type(value)
        if by and text:
            # `x + 1 == LIMIT` says of `x` that it is `LIMIT - 1`.
            text = f"{text} {'-' if by > 0 else '+'} {abs(by)}" if text.isidentifier() else ""
            type = type if type.bits >= INT.bits else INT
        self._found.append((word, value - by, is_mask, Spelled(text, type if text else INT)))

    def _constant(self, expression: Expression) -> tuple[int, Int] | None:
        """The value and the type of a constant, or of a variable that is always the same."""
        match _stripped(expression):
            case Load(Global(name), Int() as type):
                variable = self._program.variables[name]
                is_fixed = variable.readonly and variable.defined and not (variable.volatile or variable.unsupported)
                if not is_fixed or is_static_local(name):
                    return None
                held = _constant(variable.initial[0].value) if variable.initial else (0, type)
                return None if held is None else (held[0], type)
            case inner:
                return _constant(inner)

    def _word_of(self, value: Expression, function: Function) -> str | None:
        inner = _stripped(value)
        return self._word(inner.place, function) if isinstance(inner, Load) else None

    def _word(self, place: Place, function: Function) -> str | None:
        match place:
            case Global(name):
                return _last(name)
            case Local(name):
                return _local(function, name)
            case Member(_, field) if field:
                return field
            case Element(base):
                return self._word(base, function)
            case _:
                return None


def _last(name: str) -> str:
    """The variable, or the member of one, that a name is about; all elements of an array are the same."""
    match = _LAST.search(name)
    return match[1] if match is not None else name


def _local(function: Function, name: str) -> str:
    return f"{function.name}::{name}"


def _stripped(expression: Expression) -> Expression:
    while isinstance(expression, Convert) and isinstance(expression.operand.type, Int | Enum):
        expression = expression.operand
    return expression


def _solved(expression: Expression) -> Iterator[tuple[Place, int]]:
    """The variable that an expression is, with what is added to it."""
    inner = _stripped(expression)
    if isinstance(inner, Load):
        yield inner.place, 0
    elif isinstance(inner, Binary) and inner.operator in (BinaryOperator.ADD, BinaryOperator.SUBTRACT):
        by = _constant(inner.right)
        if by is not None:
            sign = 1 if inner.operator is BinaryOperator.ADD else -1
            yield from ((place, more + sign * by[0]) for place, more in _solved(inner.left))


def _constant(expression: Expression) -> tuple[int, Int] | None:
    """The value of an expression of constants alone, as far as it is a small one, and its type."""
    match _stripped(expression):
        case Constant(value, Int() as type):
            return value, type
        case Constant(value, Enum(_, type)):
            return value, type
        case Unary(UnaryOperator.NEGATE, operand, Int() as type) if (inner := _constant(operand)) is not None:
            value = -inner[0]
        case Binary(operator, left, right, Int() as type) if operator in _FOLDED:
            one, other = _constant(left), _constant(right)
            if one is None or other is None:
                return None
            value = _FOLDED[operator](one[0], other[0])
        case _:
            return None
    return (value, type) if type.low <= value <= type.high else None


_FOLDED: Final = {
    BinaryOperator.ADD: int.__add__,
    BinaryOperator.SUBTRACT: int.__sub__,
    BinaryOperator.MULTIPLY: int.__mul__,
}
