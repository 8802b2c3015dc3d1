"""The ranges of values that a function, and those it calls, tell apart of each scalar."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Final, assert_never, final

from stateglass.program import (
    Assign,
    Bool,
    Compare,
    Constant,
    Convert,
    Element,
    Enum,
    Expression,
    Float,
    Function,
    FunctionReference,
    Global,
    Int,
    Load,
    Member,
    Place,
    Pointer,
    Program,
    is_scalar,
)
from stateglass.program.callgraph import Reachable, statements_of
from stateglass.program.dependence import Leaf, RootKind
from stateglass.program.floats import float_text
from stateglass.program.names import without_file
from stateglass.program.walk import nodes_in
from stateglass.reflexion import partition
from stateglass.reflexion.naming import Naming
from stateglass.reflexion.partition import Range
from stateglass.reflexion.spelling import Spelling
from stateglass.system.maps.conditions import VariableName
from stateglass.system.proposing.facts import Facts, Ledger
from stateglass.system.proposing.gathering import Gathering, stripped
from stateglass.system.proposing.objects import Key, Objects, pointee

MOST_RANGES: Final = 32
"""A variable of more ranges is no state of anything."""
_EXACT: Final = 1 << 24  # up to here integers are themselves in every floating-point type
_SUFFIXES: Final = {24: "f", 53: ""}
_SWAPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@final
class Ranges:
    """Answers for one function, from the code of all that it reaches."""

    def __init__(self, program: Program, function: Function, used: Reachable, naming: Naming) -> None:
        self._program = program
        self._naming = naming
        own = set(program.own_functions)
        self._functions = [program.functions[n] for n in used.functions if n in own]
        variables = [n for n, v in program.variables.items() if n in used.variables and not v.literal]
        self._objects = Objects(program, self._functions, variables, unnamed=True)
        self._ledger = Ledger()
        self._floats: dict[Key, dict[float, set[str]]] = {}
        self._texts: dict[float, str] = {}
        self._pointed: dict[Key, dict[str, None]] = {}
        self._names: dict[Key, dict[int, str]] = {}
        self._beside: dict[str, dict[str, None]] = {}  # by the name of one element, or what it is compared with
        enumerators = {n for e in program.enums.values() for n, _ in e.members}
        self._spelling = Spelling(function.span.file, enumerators)
        gathering = Gathering(program, self._objects, self._ledger)
        for name in variables:
            gathering.start(name)
            self._start(name)
        for each in self._functions:
            gathering.function(each)
            self._look(each)
        for parameter in function.parameters:
            gathering.given(VariableName(function.name, parameter.name))
        self._ledger.settle()

    def of(self, leaf: Leaf, name: str) -> tuple[Range, ...]:
        """The ranges of a scalar, as conditions over what it is called; none if no values are told apart."""
        key = _key(leaf)
        if not is_scalar(leaf.type) or key is None:
            return ()
        facts = self._ledger.of(key)
        match leaf.type:
            case Bool():
                return partition.of_bool(name)
            case Enum(_, type):
                members = self._program.enums[leaf.type.name].members if leaf.type.name in self._program.enums else ()
                used = {*facts.points, *facts.assigned}
                every = members if len(members) < MOST_RANGES else [m for m in members if m[1] in used]
                found = partition.of_enum(name, type, every, used if not facts.edges or members else ())
            case Int():
                found = self._integer(key, leaf.type, name, facts)
            case Float():
                found = partition.of_float(name, self._floats.get(key, {}), self._texts)
                found = partition.both(found, partition.against(name, self._others(key, name)))
            case Pointer():
                found = self._pointer(key, name)
            case _:
                assert_never(leaf.type)
        return found if len(found) <= MOST_RANGES else ()

    def _integer(self, key: Key, type: Int, name: str, facts: Facts) -> tuple[Range, ...]:
        points = set(facts.points) | ({0} if facts.truth else set())
        closed = not (facts.anything or facts.counts or facts.flags or facts.reduced)
        told = bool(points - {0}) and not facts.edges  # one of several values that have names for somebody
        if closed and (told or not (points or facts.edges)) and len(facts.assigned) > 1:
            points |= set(facts.assigned)
        found = partition.of_integer(name, type, facts.edges, points, self._names.get(key))
        return partition.both(found, partition.against(name, self._others(key, name)))

    def _pointer(self, key: Key, name: str) -> tuple[Range, ...]:
        names = [without_file(n) for n in self._pointed.get(key, ())]
        if names:
            return partition.of_names(name, names)
        return (Range(f"{name} == 0", f"{name} == 0"), Range(f"{name} != 0", f"{name} != 0"))

    def _others(self, key: Key, name: str) -> Sequence[str]:
        """The variables that a scalar is compared with, by their names."""
        pairs = [pair if pair[0] == key else pair[::-1] for pair in self._ledger.related if key in pair]
        found = [self._name(other) for _, other in pairs if other != key]
        return list(dict.fromkeys(n for n in (*self._beside.get(name, ()), *found) if n is not None))[:2]

    def _name(self, key: Key) -> str | None:
        if key.variable.function is not None or "[" in key.pattern:
            return None
        if key.variable.name in self._program.variables:
            return f"{self._naming.variable(key.variable.name)}{key.pattern}"
        return self._naming.of_pointee(key.variable.name.removeprefix("*"), key.pattern)

    # ---- what proposals do not look at

    def _start(self, name: str) -> None:
        variable = VariableName(None, name)
        values = {i.position: i.value for i in self._program.variables[name].initial}
        for key, cell in self._objects.initial_cells(variable):
            value = values.get(cell.position)
            if isinstance(value, FunctionReference):
                self._pointed.setdefault(key, {})[value.name] = None

    def _look(self, function: Function) -> None:
        for node in statements_of(function.blocks):
            if isinstance(node, Assign):
                keys = self._objects.keys(node.place, function.name)
                if isinstance(node.value, FunctionReference):
                    for key in keys:
                        self._pointed.setdefault(key, {})[node.value.name] = None
                self._note_name(keys, node.value)
            for inner in nodes_in(node):
                if isinstance(inner, Compare) and isinstance(inner.left.type, Float):
                    self._compare(inner.operator.value, inner.left, inner.right, function.name)
                elif isinstance(inner, Compare):
                    self._note_elements(inner.left, inner.right)
                    for one, other in ((inner.left, inner.right), (inner.right, inner.left)):
                        place = stripped(one)
                        if isinstance(place, Load):
                            self._note_name(self._objects.keys(place.place, function.name), other)

    def _note_elements(self, left: Expression, right: Expression) -> None:
        """Two that are compared, one of them or both an element of an array: proposals take all elements for one."""
        one, other = self._element(stripped(left)), self._element(stripped(right))
        if one and other and one != other and "[" in one + other:
            self._beside.setdefault(one, {})[other] = None
            self._beside.setdefault(other, {})[one] = None

    def _element(self, expression: Expression) -> str:
        """The name of a variable, or of a part of it that is always the same; nothing for anything else."""
        return self._place(expression.place) if isinstance(expression, Load) else ""

    def _place(self, place: Place) -> str:
        match place:
            case Global(name):
                return self._naming.variable(name)
            case Member(base, name):
                inner = self._place(base)
                return inner and f"{inner}.{name}"
            case Element(base, index):
                inner, number = self._place(base), stripped(index)
                return inner and f"{inner}[{number.value}]" if isinstance(number, Constant) else ""
            case _:
                return ""

    def _note_name(self, keys: Sequence[Key], value: Expression) -> None:
        """A constant that the function's own file has a name for, a macro's or an enumerator's, is shown by that."""
        inner = stripped(value)
        if keys and isinstance(inner, Constant) and isinstance(inner.type, Int | Enum):
            text = self._spelling.of(inner.span)
            if text is not None and text.isidentifier():
                for key in keys:
                    self._names.setdefault(key, {}).setdefault(inner.value, text)

    def _compare(self, operator: str, left: Expression, right: Expression, function: str) -> None:
        if _float_constant(left) is not None:
            left, right, operator = right, left, _SWAPPED[operator]
        keys, constant = self._float_keys(left, function), _float_constant(right)
        if constant is not None:
            value, text = constant
            for key in keys:
                self._floats.setdefault(key, {}).setdefault(value, set()).add(operator)
            self._texts.setdefault(value, text)
        else:
            others = self._float_keys(right, function)
            if len(keys) == len(others) == 1:
                self._ledger.related[keys[0], others[0]] = None

    def _float_keys(self, expression: Expression, function: str) -> list[Key]:
        """The variables that an expression is the value of, perhaps in a wider type."""
        while isinstance(expression, Convert) and isinstance(expression.operand.type, Float):
            if not (isinstance(expression.type, Float) and expression.type.digits >= expression.operand.type.digits):
                return []
            expression = expression.operand
        if not isinstance(expression, Load) or not isinstance(expression.type, Float):
            return []
        return self._objects.keys(expression.place, function)


def _float_constant(expression: Expression) -> tuple[float, str] | None:
    """A constant, and how C writes it in its type."""
    if isinstance(expression, Convert) and isinstance(expression.operand, Constant):
        inner = expression.operand
        if isinstance(inner.type, Int | Enum) and abs(inner.value) < _EXACT:
            return float(inner.value), str(inner.value)
    if not isinstance(expression, Constant) or not isinstance(expression.type, Float):
        return None
    text = float_text(expression.value, expression.type.format)
    value = float(text)
    return (value, text + _SUFFIXES.get(expression.type.digits, "L")) if isfinite(value) else None


def _key(leaf: Leaf) -> Key | None:
    """What proposals call a scalar."""
    match leaf.root.kind:
        case RootKind.GLOBAL:
            return Key(VariableName(None, leaf.root.name), leaf.pattern)
        case RootKind.PARAMETER | RootKind.POINTEE:
            return Key(pointee(leaf.root.type), leaf.pattern)
        case RootKind.LOCAL:
            return None
