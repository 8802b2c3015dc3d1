"""Where a predicate holds in an abstraction: with three answers, for each combination of values that occurs once.

Operators come from the abstract domain, on integers of 64 bits. What may have no value holds for certain nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from stateglass.check import arithmetic
from stateglass.check.names import Names
from stateglass.check.sets import WIDE, Content, content
from stateglass.check.truth import Truth
from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate, Text
from stateglass.model import Model, Proposition
from stateglass.program import BinaryOperator, Comparison, UnaryOperator
from stateglass.source import NOWHERE, Code, Span, input_error
from stateglass.values.abstract import MAYBE, TOP, AbstractDomain, Value, contains, may_fault
from stateglass.values.abstract.texts import Symbols, is_vague
from stateglass.values.domain import Fault

_DOMAIN: Final = AbstractDomain()
_COMPARISONS: Final = {operator: _DOMAIN.compare(operator, WIDE) for operator in Comparison}
_ARITHMETIC: Final = {operator: _DOMAIN.binary(operator, WIDE, NOWHERE, WIDE) for operator in BinaryOperator}


@final
@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of one operand: the values that it may have, and whether it may have none."""

    value: Content | float
    unsure: bool = False


_NOTHING: Final = None  # an operand that has no value
_Operand = _Known | None


def vague_truth(order: Sequence[Predicate], model: Model, names: Names, span: Span) -> Truth:
    """The truth of the last node; each comes after its operands."""
    used = {node.name for node in order if isinstance(node, Named)}
    columns = [p for p in model.propositions if p.name in used]
    which, firsts = _combinations(columns, model.states)
    must, may = np.zeros(len(firsts), dtype=np.bool_), np.zeros(len(firsts), dtype=np.bool_)
    for number, state in enumerate(firsts.tolist()):
        result = _evaluated(order, state, names, span)
        if result is None:
            continue
        decided = _truth(result.value)
        must[number] = decided is True and not result.unsure
        may[number] = decided is not False
    return Truth(must[which], may[which])


def _combinations(columns: Sequence[Proposition], states: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """For each state the number of its combination of values, and for each combination a state that has it."""
    which = np.zeros(states, dtype=np.int64)
    for own in columns:
        values = np.ascontiguousarray(own.values).view(np.int64)
        _, numbers = np.unique(values, return_inverse=True)
        if own.defined is not None:
            numbers = np.where(own.defined, numbers, -1)
        pairs = which * (int(numbers.max()) + 2) + numbers + 1
        which = np.unique(pairs, return_inverse=True)[1]
    _, firsts = np.unique(which, return_index=True)
    return which, firsts


def _evaluated(order: Sequence[Predicate], state: int, names: Names, span: Span) -> _Operand:
    done: dict[int, _Operand] = {}
    for node in order:
        match node:
            case Number():
                done[id(node)] = _Known(node.value)
            case Text():
                done[id(node)] = _Known(Symbols(frozenset({node.text})))
            case Named():
                done[id(node)] = _named(node, state, names)
            case Applied():
                texts = [_text_of(operand, state, names) for operand in node.operands]
                if any(isinstance(operand, Text) for operand in node.operands):
                    done[id(node)] = _compared_texts(node, texts, span)
                else:
                    done[id(node)] = _applied(node, [done[id(operand)] for operand in node.operands], names, span)
    return done[id(order[-1])]


def _named(node: Named, state: int, names: Names) -> _Operand:
    own = names.proposition(node.name)
    if own is None:
        # An enumerator: beside values that go by their texts it does, too; elsewhere it has a number if one is known.
        return _Known(Symbols(frozenset({node.name})))
    if own.defined is not None and not own.defined[state]:
        return _NOTHING
    if names.is_vague(node.name):
        return _Known(content(own.text(state)))
    value = own.values[state]
    return _Known(float(value) if own.values.dtype == np.float64 else int(value))


def _text_of(operand: Predicate, state: int, names: Names) -> str | None:
    if isinstance(operand, Text):
        return operand.text
    own = names.proposition(operand.name) if isinstance(operand, Named) else None
    return None if own is None else own.text(state)


def _compared_texts(node: Applied, texts: list[str | None], span: Span) -> _Operand:
    if node.operator not in (Operator.EQUAL, Operator.NOT_EQUAL) or None in texts:
        message = "a text in quotes can only be compared with a proposition"
        raise input_error(Code.USAGE, message, span, help='write NAME == "…" or NAME != "…"')
    asked, shown = texts if isinstance(node.operands[0], Text) else reversed(texts)
    assert asked is not None and shown is not None
    equal = _same_value(asked, shown)
    return _Known(_as_value(equal if node.operator is Operator.EQUAL else _opposite(equal)))


def _same_value(asked: str, shown: str) -> bool | None:
    """Whether a state that shows one text has the value that another one says; a set is asked for by its own text."""
    if asked == shown or is_vague(asked) or not is_vague(shown):
        return asked == shown
    one, several = content(asked), content(shown)
    if isinstance(one, Symbols) and isinstance(several, Symbols):
        return None if one.names & several.names else False
    if isinstance(one, int) and not isinstance(several, Symbols):
        return None if contains(several, one, WIDE) else False
    return None


def _applied(node: Applied, operands: list[_Operand], names: Names, span: Span) -> _Operand:
    operator = node.operator
    if operator in (Operator.AND_ALSO, Operator.OR_ELSE):
        return _in_order(operator, *operands)
    known = [operand for operand in operands if operand is not None]
    if len(known) < len(operands):
        return _NOTHING
    unsure = any(operand.unsure for operand in known)
    if operator is Operator.NOT:
        return _Known(_as_value(_opposite(_truth(known[0].value))), unsure)
    pair = _numbered(node, [operand.value for operand in known], names)
    if any(isinstance(value, Symbols) for value in pair):
        return _Known(_compared_symbols(operator, pair), unsure)
    if any(isinstance(value, float) for value in pair) or not all(_fits(value) for value in pair):
        return _precisely(operator, pair, unsure, span)
    values: list[Any] = pair
    if len(values) == 1:
        unary = UnaryOperator.NEGATE if operator is Operator.MINUS else UnaryOperator.COMPLEMENT
        faults = may_fault(unary, values[0], 0, WIDE)
        return _Known(_DOMAIN.unary(unary, WIDE, NOWHERE)(values[0]), unsure or bool(faults))
    if operator.value in {comparison.value for comparison in Comparison}:
        return _Known(_COMPARISONS[Comparison(operator.value)](*values), unsure)
    binary = BinaryOperator(operator.value)
    try:
        faults = may_fault(binary, values[0], values[1], WIDE, WIDE)
        return _Known(_ARITHMETIC[binary](*values), unsure or bool(faults))
    except Fault:
        return _NOTHING


def _numbered(node: Applied, values: list[Content | float], names: Names) -> list[Content | float]:
    """Enumerators by their number where the other side is a number."""
    if all(isinstance(value, Symbols) for value in values):
        return values
    found = list(values)
    for place, operand in enumerate(node.operands):
        if isinstance(operand, Named) and isinstance(found[place], Symbols) and names.proposition(operand.name) is None:
            number = names.number(operand, [o.name for o in node.operands if isinstance(o, Named) and o is not operand])
            found[place] = TOP if number is None else number
    return found


def _precisely(operator: Operator, values: list[Content | float], unsure: bool, span: Span) -> _Operand:
    """Floating-point numbers and those of 64 bits without a sign, by the exact operators; of sets nothing is known."""
    if not all(isinstance(value, int | float) for value in values):
        return _Known(TOP, unsure=True)
    columns = [arithmetic.Column(_scalar(value), None) for value in values]
    try:
        result = arithmetic.apply(operator, columns)
    except arithmetic.NeedsIntegers:
        raise input_error(Code.USAGE, f"`{operator.value}` needs integers on both sides", span) from None
    if result.defined is not None and not bool(np.all(result.defined)):
        return _NOTHING
    return _Known(result.values.item(), unsure)


def _scalar(value: Any) -> Any:
    if isinstance(value, float):
        return np.float64(value)
    return np.int64(value) if _fits(value) else np.uint64(value)


def _fits(value: Content | float) -> bool:
    return not isinstance(value, int) or WIDE.low <= value <= WIDE.high


def _in_order(operator: Operator, left: _Operand, right: _Operand) -> _Operand:
    if left is None:
        return _NOTHING
    first = _truth(left.value)
    decisive = operator is Operator.OR_ELSE
    if first is decisive:
        return _Known(int(decisive), left.unsure)
    if right is None:
        return _NOTHING if first is not None else _Known(int(decisive), unsure=True)
    second = _truth(right.value)
    if first is None:
        return _Known(int(decisive) if second is decisive else MAYBE, left.unsure or right.unsure)
    return _Known(_as_value(second), left.unsure or right.unsure)


def _compared_symbols(operator: Operator, values: list[Content | float]) -> Value:
    """Names differ if no one is on both sides; whether a name is more than another, or a number, is not known."""
    if len(values) != 2 or operator not in (Operator.EQUAL, Operator.NOT_EQUAL):
        return TOP
    left, right = values
    if not (isinstance(left, Symbols) and isinstance(right, Symbols)):
        return MAYBE
    if left.names & right.names:
        equal: bool | None = True if len(left.names) == len(right.names) == 1 else None
    else:
        equal = False
    return _as_value(equal if operator is Operator.EQUAL else _opposite(equal))


def _truth(value: Content | float) -> bool | None:
    if isinstance(value, Symbols):
        return None
    if isinstance(value, int | float):
        return value != 0
    return _DOMAIN.decide(value)


def _opposite(decided: bool | None) -> bool | None:
    return None if decided is None else not decided


def _as_value(decided: bool | None) -> Value:
    return MAYBE if decided is None else int(decided)
