"""The translator: a function's blocks as segments of Python functions over the cells, for any value domain.

Each function is translated once per depth of recursion, so that every variable has a fixed cell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, assert_never, final

from stateglass.explore.cells.contents import Cells
from stateglass.explore.cells.memory import Object
from stateglass.explore.code.activations import Activation, Segment, Way
from stateglass.explore.code.calling import Calling
from stateglass.explore.code.cell_effects import CellEffects
from stateglass.explore.code.computations import Evaluate, LoadAll, Step
from stateglass.explore.code.deciding import Deciding, Decisions
from stateglass.explore.code.evaluator import Evaluator
from stateglass.explore.code.forking import Forking, always
from stateglass.explore.labels.emitting import Emitting, options, prepared
from stateglass.explore.meaning.statements import Statements
from stateglass.model import TAU
from stateglass.program import (
    Branch,
    Call,
    Drop,
    Exit,
    Fail,
    Global,
    Input,
    Jump,
    Local,
    Record,
    Return,
    Statement,
    Switch,
    Terminator,
    Unsupported,
)
from stateglass.program.lines import arrivals
from stateglass.program.outside import leads_to_characters
from stateglass.program.tails import tail_calls
from stateglass.program.walk import nodes_in
from stateglass.source import Span
from stateglass.system.maps import ResolvedRule

if TYPE_CHECKING:
    from stateglass.explore.machine import Machine


def _nothing(cells: Cells) -> None:
    pass


@final
class Translator:
    """Translates one activation."""

    def __init__(self, machine: Machine, activation: Activation, every_step: bool) -> None:
        self._machine = machine
        self._memory = machine.memory
        self._activation = activation
        self._every_step = every_step
        self._evaluator = Evaluator(machine, self._find, activation.variadic)
        self._places = self._evaluator.places
        effects = CellEffects(machine, activation, self._places)
        self._statements: Statements[Evaluate, LoadAll, Step]
        self._statements = Statements(machine.memory, self._evaluator.expressions, self._places, effects)
        is_exact = machine.memory.keeping is None
        self._deciding: Decisions = Deciding() if is_exact else Forking(machine, self._evaluator)
        self._calling = Calling(machine)
        self._starts: list[Segment] = []
        self._tails = tail_calls(activation.function)
        self._arrivals = arrivals(activation.function) if machine.labelling is not None else frozenset()

    def translate(self) -> None:
        blocks = self._activation.function.blocks
        self._starts = [self._segment(number, 0) for number in range(len(blocks))]
        for number in range(len(blocks)):
            self._block(number)
        self._activation.entry = self._starts[0]

    def _segment(self, block: int, index: int) -> Segment:
        return self._machine.add_segment(self._activation, block, index)

    def _find(self, variable: Global | Local) -> Object:
        if isinstance(variable, Global):
            return self._machine.globals[variable.name]
        return self._activation.variables[variable.name]

    # ---- blocks

    def _block(self, number: int) -> None:
        block = self._activation.function.blocks[number]
        segment = self._starts[number]
        body: list[Step] = []
        for index, statement in enumerate(block.statements):
            rules = self._rules(number, index)
            if rules and self._is_control(statement):
                segment, body = self._announce(rules, statement, segment, body, index)
            leaving = self._control(statement, segment)
            if leaving is None:
                assert not isinstance(statement, Call | Input | Unsupported)
                step = self._statements.run(statement)
                if rules:
                    following = self._segment(number, index + 1)
                    segment.last = index + 1
                    self._close(segment, body, self._emit(rules, statement, step, segment, following), statement.span)
                    segment, body = following, []
                    continue
                body.append(step)
                if not self._every_step:
                    continue
            following = self._segment(number, index + 1)
            segment.resume = following
            segment.tail = self._is_tail(number, index)
            segment.last = index
            self._close(segment, body, leaving or always(following), statement.span)
            segment = self._after_call(statement, following)
            body = []
        end = block.terminator
        rules = self._rules(number, len(block.statements))
        if rules:
            segment, body = self._announce(rules, end, segment, body, len(block.statements))
        segment.last = len(block.statements)
        self._close(segment, body, self._terminator(end, segment), end.span)

    def _announce(
        self, rules: list[ResolvedRule], node: Statement | Terminator, segment: Segment, body: list[Step], index: int
    ) -> tuple[Segment, list[Step]]:
        """Show what is about to decide where control goes, and begin a new segment there."""
        following = self._segment(segment.block, index)
        segment.last = index
        self._close(segment, body, self._emit(rules, node, _nothing, segment, following), node.span)
        return following, []

    def _after_call(self, statement: Statement, segment: Segment) -> Segment:
        """Show what a function outside has done to variables that it was given."""
        labelling = self._machine.labelling
        if labelling is None or not isinstance(statement, Call) or statement.callee in self._machine.functions:
            return segment
        rules = labelling.of_call(statement, self._machine.is_pointed_to)
        if not rules or not isinstance(statement.callee, str):
            return segment
        following = self._segment(segment.block, segment.index)
        self._close(segment, [], self._emit(rules, statement, _nothing, segment, following), statement.span)
        return following

    def _is_tail(self, block: int, index: int) -> bool:
        """Whether a call may take the place of this function: nobody sees the rest of it, or asks for its variables."""
        function, labelling = self._activation.function, self._machine.labelling
        rest = self._tails.get((block, index))
        if rest is None or self._activation.outliving:
            return False
        if self._memory.keeping is not None and self._memory.keeping.has_result(function.name):
            return False
        if labelling is None:
            return True
        seen = labelling.knows_return(function.name) or labelling.watched(function.name)
        return not seen and not any(self._rules(*position) for position in rest)

    def _is_control(self, statement: Statement) -> bool:
        return isinstance(statement, Call | Input | Unsupported) or bool(self._unknown(statement))

    def _close(self, segment: Segment, body: list[Step], end: Callable[[Cells], Segment | None], span: Span) -> None:
        segment.cost = len(body) + 1
        segment.body = tuple(body)
        if self._machine.ran is not None:
            segment.body = (noting(segment, self._machine.ran), *body)
        segment.end = end
        segment.span = span

    # ---- statements and terminators that decide where control goes

    def _control(self, statement: Statement, segment: Segment) -> Callable[[Cells], Segment | None] | None:
        machine = self._machine
        unknown = self._unknown(statement)
        if unknown:
            return lambda cells: machine.stop(unknown, statement.span)
        match statement:
            case Call(result, callee, arguments, span):
                segment.result = self._receiver(result, span)
                segment.types = tuple(a.type for a in arguments)
                segment.characters = tuple(leads_to_characters(a) for a in arguments)
                pointer, values = self._statements.operands(statement)
                if isinstance(callee, str):
                    return self._calling.named(callee, values, segment, span)
                assert pointer is not None
                return self._calling.through(pointer, values, segment, span)
            case Input(place, name, type, span):
                segment.result = self._places.store(place, type, span)
                return lambda cells: machine.ask(name, type, segment)
            case Unsupported(reason, span):
                return lambda cells: machine.stop(reason, span)
            case _:
                return None

    def _unknown(self, node: Statement | Terminator) -> str:
        """Why a node cannot be run: it uses a variable that starts with something which is not known. Empty: it can."""
        unknown = self._machine.unknown
        if not unknown:
            return ""
        used = (n.name for n in nodes_in(node) if isinstance(n, Global))
        return next((unknown[name] for name in used if name in unknown), "")

    def _receiver(self, place: Any, span: Span) -> Callable[[Cells, Any], None] | None:
        """What is done with the result of a call."""
        if place is None:
            return None
        if isinstance(place.type, Record):
            return self._places.store_all(place, span)
        return self._places.store(place, place.type, span)

    def _terminator(self, terminator: Terminator, segment: Segment) -> Callable[[Cells], Segment | None]:
        machine, starts = self._machine, self._starts
        unknown = self._unknown(terminator)
        if unknown:
            return lambda cells: machine.stop(unknown, terminator.span)
        operand = self._statements.operand(terminator)
        match terminator:
            case Jump(target):
                to = starts[target]
                return lambda cells: to
            case Branch(condition, then, other):
                assert operand is not None
                return self._deciding.branch(condition, operand, starts[then], starts[other], segment)
            case Switch():
                assert operand is not None
                return self._deciding.switch(terminator, operand, starts, segment)
            case Return(_, span):
                return self._calling.back(operand, self._activation.function, segment, span)
            case Exit(_, span):
                status = operand
                assert status is not None
                return lambda cells: machine.exit(status(cells), span)
            case Fail(kind, span):
                return lambda cells: machine.fail(kind, span)
            case Drop():
                return lambda cells: machine.drop()
            case _:
                assert_never(terminator)

    # ---- steps that a label map shows

    def _rules(self, block: int, index: int) -> list[ResolvedRule]:
        """The rules that a step may fit."""
        labelling, function = self._machine.labelling, self._activation.function
        if labelling is None:
            return []
        statements = function.blocks[block].statements
        node = statements[index] if index < len(statements) else function.blocks[block].terminator
        arrives = (block, index) in self._arrivals
        return labelling.of_step(node, function.name, arrives, self._machine.is_pointed_to)

    def _emit(
        self,
        rules: list[ResolvedRule],
        node: Statement | Terminator,
        step: Step,
        segment: Segment,
        following: Segment,
    ) -> Callable[[Cells], Segment | None]:
        machine = self._machine
        emitting = Emitting(machine, self._activation, self._evaluator)
        fitting = [emitting.shown(rule, node) for rule in rules]
        segment.ways = {n: Way(prepared(fitting, n), always(following)) for n in range(len(fitting) + 1)}
        segment.looks_at = emitting.looks_at(rules)

        def emit(cells: Cells) -> Segment | None:
            # What a place is may depend on what the step changes.
            touched = [rule.touched(cells) for rule in fitting]
            step(cells)
            found = options(fitting, touched, cells)
            silent = len(found) == 1 and found[0][0] == TAU
            return following if silent else machine.choose(segment, found)

        return emit


def noting(segment: Segment, ran: set[Segment]) -> Step:
    """Notes that a segment is run; that takes time only once."""

    def note(cells: Cells) -> None:
        ran.add(segment)
        segment.body = segment.body[1:]

    return note
