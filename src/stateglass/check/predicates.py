"""Where a predicate holds: C expressions over the propositions of a model, for all states at once.

Integers are exact, whatever types the variables have in C: nothing wraps, and nothing is converted. What has no value
(a proposition that is not defined, a division by zero, a result that 64 bits do not hold, a shift too far) does not
hold. In an abstraction a proposition may be one of several values: see `vague_predicates`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from stateglass.check import arithmetic
from stateglass.check.arithmetic import Column
from stateglass.check.names import Names
from stateglass.check.truth import Truth
from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate, Text
from stateglass.logic.unrolling import parts_first
from stateglass.model import Model, Proposition
from stateglass.model.model import Flags
from stateglass.source import NOWHERE, Code, InputError, Span, input_error

_TEXT_OPERATORS: Final = (Operator.EQUAL, Operator.NOT_EQUAL)


def predicate_truth(predicate: Predicate, model: Model, span: Span = NOWHERE) -> Truth:
    """The states in which a predicate holds. Names that the model does not have are mistakes, all told at once."""
    order = parts_first(predicate, _operands)
    names = Names(model)
    names.check(order)
    if any(names.is_vague(node.name) for node in order if isinstance(node, Named)):
        # Imported here: who looks at exact models alone does not wait for it.
        from stateglass.check.vague_predicates import vague_truth

        return vague_truth(order, model, names, span)
    held = arithmetic.truth(_column(order, names, span))
    where: Flags = np.broadcast_to(held.values if held.defined is None else held.values & held.defined, (model.states,))
    return Truth.known(where)


def predicate_column(predicate: Predicate, model: Model, span: Span = NOWHERE) -> Column:
    """The value of an expression for each state of an exact model, as far as it has one."""
    order = parts_first(predicate, _operands)
    names = Names(model)
    names.check(order)
    return _column(order, names, span)


def _operands(predicate: Predicate) -> tuple[Predicate, ...]:
    return predicate.operands if isinstance(predicate, Applied) else ()


def _column(order: list[Predicate], names: Names, span: Span) -> Column:
    done: dict[int, Column] = {}
    for node in order:
        match node:
            case Number():
                done[id(node)] = constant(node.value, span)
            case Named():
                own = names.proposition(node.name)
                if own is not None:
                    done[id(node)] = Column(own.values, own.defined)
            case Applied():
                done[id(node)] = _applied(node, done, names, span)
            case Text():
                pass  # only a comparison can say what it means
    top = order[-1]
    if id(top) not in done:
        done[id(top)] = _single(top, names, span)
    return done[id(top)]


def _applied(node: Applied, done: dict[int, Column], names: Names, span: Span) -> Column:
    if len(node.operands) == 2:
        left, right = node.operands
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Text):
                return _same_text(node.operator, one, other, names, span)
    operands = [
        done[id(operand)] if id(operand) in done else _constant_among(operand, node, names, span)
        for operand in node.operands
    ]
    try:
        return arithmetic.apply(node.operator, operands)
    except arithmetic.NeedsIntegers:
        raise input_error(Code.USAGE, f"`{node.operator.value}` needs integers on both sides", span) from None


def _single(node: Predicate, names: Names, span: Span) -> Column:
    """A predicate that is nothing but a name or a text."""
    if isinstance(node, Named):
        return constant(names.constant(node), span)
    assert isinstance(node, Text)
    raise _misplaced(node, span)


def _constant_among(operand: Predicate, node: Applied, names: Names, span: Span) -> Column:
    if isinstance(operand, Named):
        beside = [o.name for o in node.operands if isinstance(o, Named) and o is not operand]
        return constant(names.constant(operand, beside), span)
    assert isinstance(operand, Text)
    raise _misplaced(operand, span)


def _misplaced(text: Text, span: Span) -> InputError:
    message = f'the text "{text.text}" can only be compared with a proposition'
    return input_error(Code.USAGE, message, span, help=f'write NAME == "{text.text}" or NAME != "{text.text}"')


def constant(value: int | float, span: Span) -> Column:
    """A number in every state; one that needs no sign may have all 64 bits."""
    if isinstance(value, float):
        return Column(np.float64(value), None)
    if -(1 << 63) <= value < 1 << 63:
        return Column(np.int64(value), None)
    if value < 1 << 64 and value > 0:
        return Column(np.uint64(value), None)
    raise input_error(Code.USAGE, f"{value} does not fit into 64 bits", span)


def _same_text(operator: Operator, other: Predicate, text: Text, names: Names, span: Span) -> Column:
    own = names.proposition(other.name) if isinstance(other, Named) else None
    if own is None or operator not in _TEXT_OPERATORS:
        raise _misplaced(text, span)
    equal = states_with(own, text.text)
    # What is not defined is shown as `?`, and may be asked for as such.
    defined = None if text.text == "?" else own.defined
    return Column(equal if operator is Operator.EQUAL else ~equal, defined)


def states_with(proposition: Proposition, text: str) -> Flags:
    """Where a value has this text. Each is turned into text once; a value that does not exist is `?`."""
    values: npt.NDArray[Any] = np.ascontiguousarray(proposition.values)
    # As bits: 0.0 and -0.0 are equal, but not as text.
    _, firsts, numbers = np.unique(values.view(np.int64), return_index=True, return_inverse=True)
    bare = Proposition(proposition.name, proposition.sort, values, proposition.names)
    equal: Flags = np.array([bare.text(int(first)) == text for first in firsts], dtype=np.bool_)[numbers]
    if proposition.defined is not None:
        equal = np.where(proposition.defined, equal, text == "?")
    return equal
