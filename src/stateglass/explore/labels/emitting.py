"""Steps that a label map shows: what they are called depends on what they touch, and on what holds after them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from stateglass.explore.cells.contents import Cells
from stateglass.explore.cells.memory import Object
from stateglass.explore.code.activations import Activation
from stateglass.explore.code.computations import Evaluate, load_cell
from stateglass.explore.code.evaluator import Evaluator
from stateglass.explore.code.learning import Learning, Prepare
from stateglass.explore.labels.touching import (
    Accessed,
    Touched,
    Touching,
    Whole,
    may_be,
    places_handed,
    places_read,
)
from stateglass.explore.labels.watches import Watches
from stateglass.model import TAU
from stateglass.program import VOID, Call, Scalar, Statement, Terminator, Type, is_scalar
from stateglass.program.walk import Bytes, written_by
from stateglass.source import NOWHERE
from stateglass.system.maps import ResolvedRead, ResolvedRule, ResolvedWatch, ResolvedWrite, Target
from stateglass.system.maps.rules import VALUE
from stateglass.values import Fault, FaultKind

if TYPE_CHECKING:
    from stateglass.explore.machine import Machine

Values = Callable[[Cells], dict[int, tuple[Any, Type]]]


@final
@dataclass(frozen=True, slots=True)
class Shown:
    """A rule that a step may fit: whether it does, its label, and what going that way or not tells."""

    touched: Touched  # asked before the step
    test: Touched  # asked after it
    label: Callable[[Cells], str]
    prepare: Prepare
    refuse: Prepare


@final
class Emitting:
    """Makes rules into functions for one activation."""

    def __init__(self, machine: Machine, activation: Activation, evaluator: Evaluator) -> None:
        self._machine = machine
        self._activation = activation
        self._evaluator = evaluator
        self._touching = Touching(machine, activation, evaluator)
        self._learning = Learning(evaluator, machine.memory) if machine.memory.keeping is not None else None
        self._watches = Watches(self._load_of, machine.doubts, vague=self._learning is not None)

    def shown(self, rule: ResolvedRule, node: Statement | Terminator) -> Shown:
        """A statement or terminator, or what a function outside has done when its call is over."""
        written = list(places_handed(node) if isinstance(node, Call) else written_by(node))
        touched = self._touched(rule, node, written)
        label = self._label(rule, node, written)
        if not isinstance(rule.event, ResolvedWatch):
            return Shown(touched or _certain, _certain, label, _possible, _possible)
        test = self._watches.outcome(rule.event.condition)
        if self._learning is None:
            return Shown(touched or _certain, test, label, _possible, _possible)
        variables = [self._cell_of(target) for target in rule.event.variables if self._is_here(target)]
        holds = self._learning.leaving(variables, test, lambda outcome: outcome is not False)
        fails = self._learning.leaving(variables, test, lambda outcome: outcome is not True)
        # A rule that is not gone by may as well not have been touched.
        return Shown(touched or _certain, test, label, holds, fails if touched is None else _possible)

    def looks_at(self, rules: Sequence[ResolvedRule]) -> frozenset[str]:
        """The variables of this function that the choice between rules depends on."""
        events = [rule.event for rule in rules]
        watched = [t for event in events if isinstance(event, ResolvedWatch) for t in event.variables]
        return frozenset(t.variable.name for t in watched if t.variable.function == self._activation.function.name)

    def _touched(self, rule: ResolvedRule, node: Statement | Terminator, written: list[Accessed]) -> Touched | None:
        """Whether a step touches what a rule is about; None if it always does."""
        match rule.event:
            case ResolvedRead(target):
                return self._touching.any(places_read(node), (target,))
            case ResolvedWrite(target):
                return self._touching.any(written, (target,))
            case ResolvedWatch():
                return self._touching.any(written, rule.event.variables)
            case _:
                return None

    def _label(
        self, rule: ResolvedRule, node: Statement | Terminator, written: list[Accessed]
    ) -> Callable[[Cells], str]:
        labelling, label, values = self._machine.labelling, rule.label, self._values(rule, node, written)
        assert labelling is not None
        return lambda cells: labelling.text(label, values(cells) if label.parameters else {})

    def _values(self, rule: ResolvedRule, node: Statement | Terminator, written: list[Accessed]) -> Values:
        """What `$0` stands for: the value that is read or written."""
        function, named = self._activation.function.name, _named(rule)
        accessed = places_read(node) if isinstance(rule.event, ResolvedRead) else written
        for place in accessed:
            if isinstance(place, Bytes | Whole) or not is_scalar(place.type):
                continue
            if any(may_be(place, target, function, self._machine.is_pointed_to) for target in named):
                load, type = self._evaluator.places.load(place, place.type, node.span), place.type
                return lambda cells: {VALUE: (_value(load, cells), type)}
        if isinstance(node, Call) and named and is_scalar(named[0].type) and self._is_here(named[0]):
            number, type = self._cell_of(named[0])
            return lambda cells: {VALUE: (cells[number], type)}
        return lambda cells: {VALUE: (None, VOID)}

    # ---- variables

    def _is_here(self, target: Target) -> bool:
        return target.variable.function in (None, self._activation.function.name)

    def _cell_of(self, target: Target) -> tuple[int, Scalar]:
        name = target.variable
        globals, locals = self._machine.globals, self._activation.variables
        return _cell(globals[name.name] if name.function is None else locals[name.name], target)

    def _load_of(self, target: Target) -> tuple[Evaluate, Scalar]:
        """A variable of another function has the value that it has where that function waits."""
        if self._is_here(target):
            number, type = self._cell_of(target)
            return load_cell(number, type, NOWHERE, self._machine.memory.doubts), type
        frames, name = self._machine.stack.frames, target.variable

        def load(cells: Cells) -> Any:
            for frame in reversed(frames):
                if frame.activation.function.name == name.function:
                    number, type = _cell(frame.activation.variables[name.name], target)
                    return load_cell(number, type, NOWHERE, self._machine.memory.doubts)(cells)
            raise Fault(FaultKind.UNINITIALISED, NOWHERE)

        assert is_scalar(target.type)
        return load, target.type


def _named(rule: ResolvedRule) -> tuple[Target, ...]:
    match rule.event:
        case ResolvedRead(target) | ResolvedWrite(target):
            return (target,)
        case _:
            return ()


def _cell(variable: Object, target: Target) -> tuple[int, Scalar]:
    return next((variable.first + i, c.type) for i, c in enumerate(variable.shape) if c.path == target.path)


def _value(load: Evaluate, cells: Cells) -> Any:
    try:
        return load(cells)
    except Fault:
        return None


def options(rules: list[Shown], touched: list[bool | None], cells: Cells) -> tuple[tuple[str, int], ...]:
    """The labels that a step may have, in order, each with the number of its rule; last `tau`, if it may have none."""
    found: list[tuple[str, int]] = []
    for number, rule in enumerate(rules):
        if touched[number] is False:
            continue
        outcome = rule.test(cells)
        if outcome is not False:
            found.append((rule.label(cells), number))
        if outcome is True and touched[number] is True:
            return tuple(found)
    return (*found, (TAU, len(rules)))


def prepared(rules: list[Shown], number: int) -> Prepare:
    """Going the way of a rule means that those before it do not fit."""

    def prepare(cells: Cells) -> bool:
        if not all(rule.refuse(cells) for rule in rules[:number]):
            return False
        return number == len(rules) or rules[number].prepare(cells)

    return prepare


def _certain(cells: Cells) -> bool | None:
    return True


def _possible(cells: Cells) -> bool:
    return True
