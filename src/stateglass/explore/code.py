"""The block transfer: a function's blocks as segments of Python functions over the cells, for any value domain.

Each function is translated once per depth of recursion, so that every variable has a fixed cell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, assert_never, final

from stateglass.explore.activations import Activation, Segment, Step, Way
from stateglass.explore.calling import Calling
from stateglass.explore.computations import Evaluate
from stateglass.explore.contents import BEYOND, DEAD, Cells, Content, Unknown
from stateglass.explore.emitting import Emitting, options, prepared
from stateglass.explore.evaluator import Evaluator
from stateglass.explore.forking import Forking, always
from stateglass.explore.memory import BoundReached, Memory, Object
from stateglass.explore.vague import is_vague, targets
from stateglass.model import TAU
from stateglass.program import (
    Allocate,
    AllocatedSize,
    Apart,
    Array,
    Assign,
    Branch,
    Call,
    Clear,
    Copy,
    CopyBytes,
    Declare,
    DeclareArray,
    Drop,
    End,
    Exit,
    Expression,
    Fail,
    Global,
    Input,
    Jump,
    Local,
    Place,
    Record,
    Release,
    Return,
    Scalar,
    Statement,
    Switch,
    Terminator,
    Unsupported,
    cells_of,
    is_scalar,
)
from stateglass.program.lines import arrivals
from stateglass.program.tails import tail_calls
from stateglass.program.walk import nodes_in
from stateglass.source import Span
from stateglass.system.maps import ResolvedRule
from stateglass.values import Domain, Fault, FaultKind
from stateglass.values.abstract import TOP, NotExact

if TYPE_CHECKING:
    from stateglass.explore.machine import Machine

# A range of case labels up to this wide is looked up, a wider one is searched.
MOST_LOOKED_UP = 256


def _nothing(cells: Cells) -> None:
    pass


def _may_meet(memory: Memory, one: Any, other: Any) -> bool:
    """Whether two pointers, whose values are not all known, may lead into one object, or both into none."""
    left, right = targets(one), targets(other)
    if left is None or right is None:
        return True
    return any(memory.together(a, b) or memory.object_at(a) is memory.object_at(b) for a in left for b in right)


def _scalar(place: Place) -> Scalar:
    assert is_scalar(place.type)
    return place.type


@final
class Translator:
    """Translates one activation."""

    def __init__(self, machine: Machine, activation: Activation, every_step: bool) -> None:
        self._machine = machine
        self._memory = machine.memory
        self._domain: Domain[Any] = machine.domain
        self._activation = activation
        self._every_step = every_step
        self._evaluator = Evaluator(machine, self._find, activation.variadic)
        self._places = self._evaluator.places
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
                step = self._statement(statement)
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
            segment.body = (_noting(segment, self._machine.ran), *body)
        segment.end = end
        segment.span = span

    def _statement(self, statement: Statement) -> Step:
        match statement:
            case Assign(place, value, span):
                evaluate = self._evaluator.value(value)
                cell = self._evaluator.constant_cell(place, value.type)
                if cell is not None and self._memory.keeping is None:
                    number = cell

                    def assign(cells: Cells) -> None:
                        cells[number] = evaluate(cells)

                    return assign
                store = self._places.store(place, value.type, span)
                return lambda cells: store(cells, evaluate(cells))
            case Copy(target, source, span):
                load_all, store_all = self._places.load_all(source, span), self._places.store_all(target, span)
                return lambda cells: store_all(cells, load_all(cells))
            case Clear(place, span):
                zeros: list[Content] = [0] * len(cells_of(place.type, self._memory.records))
                clear = self._places.store_all(place, span)
                return lambda cells: clear(cells, zeros)
            case CopyBytes():
                return self._copy_bytes(statement)
            case Apart():
                return self._apart(statement) if self._memory.minds_overlap else _nothing
            case Allocate(place, size, span):
                return self._from_heap(place, size, self._machine.heap.allocate, span)
            case AllocatedSize(place, pointer, span):
                allocated = self._machine.heap.allocated
                return self._from_heap(place, pointer, lambda where: allocated(where, span), span, FaultKind.FREE)
            case Release(pointer, span):
                return self._release(self._evaluator.value(pointer), span)
            case Declare(local):
                return self._fill(local, None)
            case DeclareArray(local, count, span):
                return self._declare_array(local, count, span)
            case End(local) if local.name in self._activation.reborn:
                return self._end_for_another(local)
            case End(local):
                return self._fill(local, self._machine.dead)
            case Call() | Input() | Unsupported():
                raise AssertionError("control statements are not part of a segment's body")
            case _:
                assert_never(statement)

    def _from_heap(
        self, place: Place, of: Expression, find: Callable[[Any], Any], span: Span, *wrong: FaultKind
    ) -> Step:
        """Keep what the heap says of a value; it has no objects of a size that is not known, and knows no others."""
        value, keep = self._evaluator.value(of), self._places.store(place, _scalar(place), span)
        doubts = self._machine.doubts

        def ask(cells: Cells) -> None:
            given = value(cells)
            for kind in wrong if is_vague(given) else ():
                doubts.note(kind, span)
            keep(cells, TOP if is_vague(given) else find(given))

        return ask

    def _release(self, pointer: Evaluate, span: Span) -> Step:
        heap, doubts = self._machine.heap, self._machine.doubts

        def release(cells: Cells) -> None:
            address = pointer(cells)
            if is_vague(address):
                # Of several, or of what is not known, each may be left: what uses a released one has no meaning.
                doubts.note(FaultKind.FREE, span)
            else:
                heap.release(address, span)

        return release

    def _declare_array(self, local: Local, count: Expression, span: Span) -> Step:
        """The elements beyond the length do not exist, so that using one is an error."""
        variable = self._activation.variables[local.name]
        assert isinstance(local.type, Array)
        most = local.type.count
        size, first = len(variable.shape) // most, variable.first
        length = self._evaluator.value(count)

        def declare(cells: Cells) -> None:
            number = length(cells)
            if is_vague(number):
                raise NotExact(number)
            if number <= 0:
                raise Fault(FaultKind.BOUNDS, span)
            if number > most:
                raise BoundReached(f"an array of {number} elements; the limit for variable lengths is {most}")
            cells[first : first + most * size] = [None] * (number * size) + [BEYOND] * ((most - number) * size)

        return declare

    def _copy_bytes(self, node: CopyBytes) -> Step:
        to, start, amount = (self._evaluator.value(e) for e in (node.target, node.source, node.count))
        memory, span = self._memory, node.span
        apart = node.apart and memory.minds_overlap
        if memory.keeping is not None:
            return self._copy_some_bytes(to, start, amount, apart, span)

        def copy(cells: Cells) -> None:
            target, source, count = to(cells), start(cells), amount(cells)
            if apart and target != source:
                memory.check_apart(target, count, source, count, span)
            memory.copy_bytes(cells, target, source, count, span)

        return copy

    def _copy_some_bytes(self, to: Evaluate, start: Evaluate, amount: Evaluate, apart: bool, span: Span) -> Step:
        """Where it is not known how much is copied from where, whatever may be written is not known afterwards."""
        memory = self._memory

        def copy(cells: Cells) -> None:
            target, source, count = to(cells), start(cells), amount(cells)
            if not is_vague(target) and not is_vague(source) and not is_vague(count):
                if apart and target != source:
                    memory.check_apart(target, count, source, count, span)
                memory.copy_bytes(cells, target, source, count, span)
                return
            if apart and _may_meet(memory, target, source):
                memory.doubts.note(FaultKind.OVERLAP, span)
            for kind in (FaultKind.NULL, FaultKind.BOUNDS, FaultKind.DANGLING, FaultKind.READONLY):
                memory.doubts.note(kind, span)
            addresses, origins = targets(target), targets(source)
            written = origins is not None and all(memory.blurred.is_object_written(cells, a) for a in origins)
            if addresses is None:
                memory.blurred.havoc(cells, written=written)
                return
            for address in addresses:
                found = memory.object_at(address)
                if found is not None and not found.readonly:
                    run = range(found.first, found.first + len(found.shape))
                    memory.blurred.forget(cells, run, perhaps=True, written=written)

        return copy

    def _apart(self, node: Apart) -> Step:
        parts = (node.first, node.first_count, node.second, node.second_count)
        first, first_count, second, second_count = (self._evaluator.value(e) for e in parts)
        memory, span = self._memory, node.span

        def check(cells: Cells) -> None:
            one, length, other, other_length = (first(cells), first_count(cells), second(cells), second_count(cells))
            if not any(is_vague(v) for v in (one, length, other, other_length)):
                memory.check_apart(one, length, other, other_length, span)
            elif _may_meet(memory, one, other):
                for kind in (FaultKind.OVERLAP, FaultKind.NULL, FaultKind.BOUNDS):
                    memory.doubts.note(kind, span)

        return check

    def _fill(self, local: Local, content: Content) -> Step:
        variable = self._activation.variables[local.name]
        first, last = variable.first, variable.first + len(variable.shape)
        contents = [content] * (last - first)

        def fill(cells: Cells) -> None:
            cells[first:last] = contents

        return fill

    def _end_for_another(self, local: Local) -> Step:
        """The same variable may begin anew, at the same address: old pointers must not lead to it."""
        variable, lives, fill = self._activation.variables[local.name], self._machine.lives, self._fill(local, DEAD)

        def end(cells: Cells) -> None:
            fill(cells)
            if not lives.end_for_another(variable):
                raise Unknown(f"a pointer to `{local.name}`, which has ended, may be kept in bytes")

        return end

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
                values = tuple(self._evaluator.argument(a) for a in arguments)
                if isinstance(callee, str):
                    return self._calling.named(callee, values, segment, span)
                return self._calling.through(self._evaluator.value(callee), values, segment, span)
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
        match terminator:
            case Jump(target):
                to = starts[target]
                return lambda cells: to
            case Branch(condition, then_block, other_block):
                test, decide = self._evaluator.value(condition), self._domain.decide
                then, other = starts[then_block], starts[other_block]
                if self._memory.keeping is not None:
                    return Forking(machine, self._evaluator).branch(condition, then, other, segment)
                return lambda cells: then if decide(test(cells)) else other
            case Switch():
                if self._memory.keeping is not None:
                    forking = Forking(machine, self._evaluator)
                    return forking.switch(terminator, starts, self._switch(terminator), segment)
                return self._switch(terminator)
            case Return(None, span):
                return self._calling.back(None, self._activation.function, segment, span)
            case Return(value, span):
                assert value is not None
                return self._calling.back(self._evaluator.argument(value), self._activation.function, segment, span)
            case Exit(code, span):
                status = self._evaluator.value(code)
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

    def _switch(self, switch: Switch) -> Callable[[Cells], Segment]:
        value = self._evaluator.value(switch.value)
        default = self._starts[switch.default]
        table: dict[int, Segment] = {}
        ranges: list[tuple[int, int, Segment]] = []
        for case in switch.cases:
            if case.high - case.low < MOST_LOOKED_UP:
                table.update((v, self._starts[case.target]) for v in range(case.low, case.high + 1))
            else:
                ranges.append((case.low, case.high, self._starts[case.target]))
        if not ranges:
            return lambda cells: table.get(value(cells), default)

        def choose(cells: Cells) -> Segment:
            number = value(cells)
            found = table.get(number)
            if found is not None:
                return found
            return next((s for low, high, s in ranges if low <= number <= high), default)

        return choose


def _noting(segment: Segment, ran: set[Segment]) -> Step:
    """Notes that a segment is run; that takes time only once."""

    def note(cells: Cells) -> None:
        ran.add(segment)
        segment.body = segment.body[1:]

    return note
