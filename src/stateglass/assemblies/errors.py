"""What goes wrong in designs, and what it is in the programs that they become."""

from __future__ import annotations

from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Final

from stateglass.assemblies.interpretation.interpreting import Interpretation
from stateglass.design import Expression, Operation, WhenFull, expressions_in
from stateglass.logic.predicates import Operator
from stateglass.model import Action, Verb, parsed
from stateglass.program.faults import FaultKind

COMPLETION: Final = "completion"  # `$` without an interaction that is under way
OVERFULL: Final = "queue"  # a message for a queue that is full and must not be
_OF_PROGRAMS: Final = MappingProxyType({COMPLETION: FaultKind.ASSERTION.value, OVERFULL: FaultKind.PROCESS.value})
_OF_DESIGNS: Final = MappingProxyType({own: kind for kind, own in _OF_PROGRAMS.items()})
_ARITHMETIC: Final = (FaultKind.OVERFLOW.value, FaultKind.SHIFT.value, FaultKind.DIVISION.value)
KINDS: Final = (*_OF_PROGRAMS, *_ARITHMETIC)
"""The kinds of errors that designs have."""
_RISKY: Final = frozenset({Operator.DIVIDE, Operator.REMAINDER, Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT})


def is_about_errors(pattern: str) -> bool:
    return pattern.partition("(")[0] == Verb.ERROR.value


def errors_meant(pattern: str) -> tuple[str, ...]:
    """The errors of programs that a pattern for those of designs means."""
    return tuple(
        _error(_OF_PROGRAMS.get(kind, kind))
        for kind in KINDS
        if pattern == Verb.ERROR.value or fnmatchcase(_error(kind), pattern)
    )


def error_of_design(label: str) -> str:
    """An error of a program as the design has it; any other label as it is."""
    kind = parsed(label).error_kind
    return label if kind is None else _error(_OF_DESIGNS.get(kind, kind))


def may_fail(program: Interpretation) -> bool:
    """Whether something can go wrong besides sums that are too large."""
    if any(queue.full is WhenFull.ERROR for queue in program.queues) or any(line.error for line in program.lines):
        return True
    reactions = [program.wiring.reaction(role) for role in program.wiring.roles]
    return any(_is_risky(one) for reaction in reactions for one in expressions_in(reaction))


def _error(kind: str) -> str:
    return str(Action(Verb.ERROR, kind))


def _is_risky(expression: Expression) -> bool:
    if not isinstance(expression, Operation):
        return False
    return expression.operator in _RISKY or any(map(_is_risky, expression.operands))
