"""Reads the code of functions for what it does with variables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never, final

from stateglass.program import (
    AddressOf,
    Aggregate,
    Allocate,
    AllocatedSize,
    Apart,
    Array,
    Assign,
    Binary,
    BinaryOperator,
    Bool,
    Branch,
    Call,
    Clear,
    Compare,
    Comparison,
    Constant,
    Convert,
    Copy,
    CopyBytes,
    Declare,
    DeclareArray,
    Dereference,
    Drop,
    Element,
    End,
    Enum,
    Exit,
    Expression,
    Fail,
    Float,
    Function,
    FunctionReference,
    Input,
    Int,
    Jump,
    Load,
    Pointer,
    Program,
    Release,
    Return,
    Statement,
    Switch,
    Terminator,
    Unsupported,
    is_scalar,
    representation,
)
from stateglass.program.callgraph import nodes_of, statements_of
from stateglass.program.nodes import Place
from stateglass.program.walk import base_of, nodes_in
from stateglass.system.maps.conditions import VariableName
from stateglass.system.proposing.facts import Ledger
from stateglass.system.proposing.objects import RESULT, Key, Objects

_SWAPPED: Final = {
    Comparison.EQUAL: Comparison.EQUAL,
    Comparison.UNEQUAL: Comparison.UNEQUAL,
    Comparison.LESS: Comparison.GREATER,
    Comparison.LESS_EQUAL: Comparison.GREATER_EQUAL,
    Comparison.GREATER: Comparison.LESS,
    Comparison.GREATER_EQUAL: Comparison.LESS_EQUAL,
}
_BITWISE: Final = (BinaryOperator.AND, BinaryOperator.OR, BinaryOperator.XOR)


@final
class Gathering:
    """Looks at functions one after the other and enters what it finds into a ledger."""

    def __init__(self, program: Program, objects: Objects, ledger: Ledger) -> None:
        self._program = program
        self._objects = objects
        self._ledger = ledger
        self._function = ""
        self._pointed = _pointed_to(program)

    def function(self, function: Function) -> None:
        self._function = function.name
        for node in statements_of(function.blocks):
            self._look(node)
            for inner in nodes_in(node):
                self._mention(inner)

    def start(self, name: str) -> None:
        """Notes the initial value of a variable with static storage."""
        variable = VariableName(None, name)
        known = self._program.variables[name]
        values = {i.position: i.value for i in known.initial}
        for key, cell in self._objects.initial_cells(variable):
            value = values.get(cell.position)
            if value is None:
                self._ledger.of(key).assigned[0] = None
            else:
                self._assign([key], value)
        if not known.defined or known.unsupported:
            self._anything_in(variable)

    def given(self, variable: VariableName) -> None:
        """A parameter that the environment chooses; for a pointer it makes an object, and that is known."""
        for key in self._objects.keys_of(variable):
            if not isinstance(self._objects.types[key], Pointer):
                self._ledger.of(key).anything = True

    # ---- statements

    def _look(self, node: Statement | Terminator) -> None:
        match node:
            case Assign(place, value):
                self._assign(self._keys(place), value)
            case Input(place) | Allocate(place) | AllocatedSize(place):
                for key in self._keys(place):
                    self._ledger.of(key).anything = True
            case Clear(place):
                for part in self._objects.parts(place, self._function):
                    for pattern in self._objects.below(place.type):
                        self._ledger.of(Key(part.variable, part.pattern + pattern)).assigned[0] = None
            case Copy(target, source):
                self._copy(target, source)
            case CopyBytes(target):
                self._handed_out([target])
            case Call():
                self._call(node)
            case Return(value):
                result = Key(VariableName(self._function, RESULT))
                if result in self._objects.types and value is not None and not isinstance(value, Aggregate):
                    self._assign([result], value)
            case Branch(condition):
                self._truth(condition)
            case Switch(value, cases):
                for key, offset in self._sources(value):
                    for case in cases:
                        wrapped = [self._fitting(key, p - offset) for p in (case.low, case.high)]
                        shown = f"case {wrapped[0]}" + (f"..{wrapped[1]}" if case.low != case.high else "")
                        facts = self._ledger.of(key)
                        facts.cut([wrapped[0], wrapped[1] + 1], shown)
                        if wrapped[0] == wrapped[1]:
                            facts.points[wrapped[0]] = None
                        else:
                            facts.edges |= {wrapped[0]: wrapped[0], wrapped[1] + 1: wrapped[1]}
            case Release() | Apart() | Declare() | DeclareArray() | End() | Unsupported():
                pass
            case Jump() | Exit() | Fail() | Drop():
                pass
            case _:
                assert_never(node)

    def _assign(self, keys: list[Key], value: Expression) -> None:
        inner = stripped(value)
        for key in keys:
            facts = self._ledger.of(key)
            if isinstance(inner, Constant) and not isinstance(inner.type, Float):
                facts.assigned[self._fitting(key, inner.value)] = None
            elif isinstance(inner, Compare) or (isinstance(inner, Load) and isinstance(inner.type, Bool)):
                facts.truths = True
            elif isinstance(inner, AddressOf | FunctionReference):
                pass
            elif (modulus := _modulus(inner)) is not None:
                facts.reduced[modulus] = None
            elif isinstance(inner, Binary) and inner.operator in _BITWISE:
                own = [k for side in (inner.left, inner.right) for k, _ in self._sources(side)]
                facts.flags |= key in own
                facts.anything |= key not in own
            elif sources := self._sources(inner):
                for source, offset in sources:
                    self._ledger.copy(key, source, offset)
            elif isinstance(self._objects.types.get(key), Pointer) and not isinstance(inner, Load):
                facts.moves = True
            else:
                facts.anything = True

    def _copy(self, target: Place, source: Place) -> None:
        for pattern in self._objects.below(target.type):
            for to in self._objects.parts(target, self._function):
                for start in self._objects.parts(source, self._function):
                    keys = Key(to.variable, to.pattern + pattern), Key(start.variable, start.pattern + pattern)
                    self._ledger.copy(*keys)

    def _call(self, call: Call) -> None:
        if isinstance(call.callee, str):
            found = self._program.functions.get(call.callee)
            functions = [found] if found is not None else []
            if found is None or found.span.in_library:
                self._handed_out(call.arguments)
        else:
            for key in self._pointer_keys(call.callee):
                self._ledger.of(key).followed = True
            functions = [f for f in self._pointed if len(f.parameters) == len(call.arguments)]
        for key in self._keys(call.result) if call.result is not None else []:
            results = [k for f in functions if (k := Key(VariableName(f.name, RESULT))) in self._objects.types]
            for result in results:
                self._ledger.copy(key, result)
            self._ledger.of(key).anything |= not results
        for function in functions:
            for parameter, argument in zip(function.parameters, call.arguments, strict=False):
                key = Key(VariableName(function.name, parameter.name))
                if key in self._objects.types and not isinstance(argument, Aggregate):
                    self._assign([key], argument)

    def _handed_out(self, arguments: Iterable[Expression | Aggregate]) -> None:
        """Notes that a scalar may hold anything once code that is not looked at has its address."""
        for argument in arguments:
            inner = argument if isinstance(argument, Aggregate) else stripped(argument)
            if isinstance(inner, AddressOf):
                for part in self._objects.parts(base_of(inner.place), self._function):
                    self._anything_in(part.variable)

    # ---- expressions

    def _mention(self, node: object) -> None:
        match node:
            case Compare(operator, left, right) if isinstance(left.type, Int):
                self._compare(operator, left, right)
            case Binary(BinaryOperator.REMAINDER | BinaryOperator.AND, left, _):
                modulus = _modulus(node)
                if modulus is not None:
                    for key, _ in self._sources(left):
                        self._ledger.of(key).moduli[modulus] = None
            case Element(base, index) if isinstance(base.type, Array) and base.type.count:
                for key, _ in self._sources(index):
                    self._ledger.of(key).indexes[base.type.count] = None
            case Dereference(pointer):
                for key in self._pointer_keys(pointer):
                    self._ledger.of(key).followed = True
            case _:
                pass

    def _compare(self, operator: Comparison, left: Expression, right: Expression) -> None:
        if isinstance(stripped(left), Constant):
            left, right, operator = right, left, _SWAPPED[operator]
        constant = stripped(right)
        if isinstance(constant, Constant):
            for key, offset in self._sources(left):
                self._ledger.compare(key, operator, self._fitting(key, constant.value - offset))
            return
        ones, others = self._sources(left), self._sources(right)
        for key, _ in (*ones, *others):
            self._ledger.of(key).compared = True
        for one, added in ones:
            for other, more in others:
                self._ledger.compared[one, other] = None
                if added == more and len(ones) == len(others) == 1:
                    self._ledger.related[one, other] = None

    def _truth(self, condition: Expression) -> None:
        if not isinstance(stripped(condition), Compare):
            for key, offset in self._sources(condition):
                if not isinstance(self._objects.types[key], Pointer | Float):
                    facts = self._ledger.of(key)
                    facts.cut([-offset, 1 - offset], "true or false")
                    facts.truth |= not offset
                    facts.points |= {-offset: None} if offset else {}

    def _sources(self, expression: Expression) -> list[tuple[Key, int]]:
        """The scalars that an expression is the value of, and what is added to it."""
        offset = 0
        inner = stripped(expression)
        while isinstance(inner, Binary) and inner.operator in (BinaryOperator.ADD, BinaryOperator.SUBTRACT):
            left, right = stripped(inner.left), stripped(inner.right)
            sign = 1 if inner.operator is BinaryOperator.ADD else -1
            if isinstance(right, Constant) and isinstance(inner.type, Int):
                offset += sign * right.value
                inner = left
            elif isinstance(left, Constant) and sign == 1 and isinstance(inner.type, Int):
                offset += left.value
                inner = right
            else:
                return []
        return [(k, offset) for k in self._keys(inner.place)] if isinstance(inner, Load) else []

    def _pointer_keys(self, expression: Expression) -> list[Key]:
        inner = stripped(expression)
        return self._keys(inner.place) if isinstance(inner, Load) else []

    def _keys(self, place: Place) -> list[Key]:
        return self._objects.keys(place, self._function)

    def _anything_in(self, variable: VariableName) -> None:
        for key in self._objects.keys_of(variable):
            self._ledger.of(key).anything = True

    def _fitting(self, key: Key, value: int) -> int:
        """A constant as a value of the variable's type: comparisons are done in wider or unsigned ones."""
        type = self._objects.types[key]
        if not isinstance(type, Int | Enum):
            return value
        range = representation(type)
        if range.low <= value <= range.high:
            return value
        wrapped = value & ((1 << range.bits) - 1)
        # One that only conversions of its sign bring there is meant; one that is beyond the type is no value of it.
        return wrapped - (1 << range.bits) if range.signed and wrapped > range.high and value >= 1 << 31 else value


def _pointed_to(program: Program) -> list[Function]:
    """Functions whose address is taken: any of them may be what a pointer calls."""
    names = dict.fromkeys(n.name for n in nodes_of(program) if isinstance(n, FunctionReference))
    return [program.functions[n] for n in names if n in program.functions]


def stripped(expression: Expression) -> Expression:
    """An expression without conversions between integers, or between pointers."""
    while isinstance(expression, Convert) and is_scalar(expression.operand.type):
        kinds = isinstance(expression.type, Float), isinstance(expression.operand.type, Float)
        if any(kinds):
            break
        expression = expression.operand
    return expression


def _modulus(expression: Expression) -> int | None:
    """K of `x % k`, and of `x & (k - 1)` or another mask below a power of two k."""
    if not isinstance(expression, Binary):
        return None
    right = stripped(expression.right)
    if not isinstance(right, Constant) or isinstance(right.type, Float) or right.value <= 0:
        return None
    if expression.operator is BinaryOperator.REMAINDER:
        return right.value
    return 1 << right.value.bit_length() if expression.operator is BinaryOperator.AND else None
