"""The block transfer: a function's blocks as segments of Python functions over the cells, for any value domain.

Each function is translated once per depth of recursion, so that every variable has a fixed cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, assert_never, final

from stateglass.explore.evaluator import Evaluator
from stateglass.explore.memory import BEYOND, DEAD, BoundReached, Cells, Content, Memory, Object, Unknown
from stateglass.program import (
    VARIADIC_SLOT,
    Allocate,
    AllocatedSize,
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
    Function,
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
    Type,
    Unsupported,
    cells_of,
    is_scalar,
)
from stateglass.program.escapes import Escapes
from stateglass.program.liveness import Liveness
from stateglass.program.walk import nodes_in
from stateglass.source import Span
from stateglass.values import Domain, Fault, FaultKind

if TYPE_CHECKING:
    from stateglass.explore.machine import Machine

Step = Callable[[Cells], None]
# A range of case labels up to this wide is looked up, a wider one is searched.
MOST_LOOKED_UP = 256


@final
@dataclass(frozen=True, slots=True)
class Way:
    """One way out of a segment."""

    prepare: Callable[[Cells], bool]  # note what going it means; False: it cannot be gone
    enter: Callable[[Cells], Segment | None]


@final
class Segment:
    """Statements that run in one go, and the function that leads to the next segment (None: a pause)."""

    __slots__ = (
        "activation",
        "block",
        "body",
        "cost",
        "end",
        "index",
        "last",
        "number",
        "result",
        "resume",
        "span",
        "types",
        "ways",
    )

    def __init__(self, number: int, activation: Activation, block: int, index: int) -> None:
        self.number = number
        self.activation = activation
        self.block = block
        self.index = index  # of the statement it starts with
        self.body: tuple[Step, ...] = ()
        self.end: Callable[[Cells], Segment | None]
        self.cost = 0
        self.span: Span
        # For a segment that ends in a call or an input: where the answer goes, and how it goes on.
        self.result: Callable[[Cells, Any], None] | None = None
        self.resume: Segment
        self.types: tuple[Type, ...] = ()  # of the arguments of the call
        self.last = index  # the statement or terminator that ends it
        self.ways: tuple[Way, ...] = ()  # if it can be left in several

    def dead_at_start(self) -> tuple[int, ...]:
        return self.activation.dead_before(self.block, self.index)

    def dead_at_end(self) -> tuple[int, ...]:
        return self.activation.dead_before(self.block, self.last)

    def dead_while_waiting(self) -> tuple[int, ...]:
        return self.activation.dead_awaiting(self.block, self.resume.index - 1)


@final
class Activation:
    """One function at one depth of recursion, for one choice of variadic arguments: its variables and its code.

    There are several where a pointer into one that is over may be left.
    """

    def __init__(
        self,
        number: int,
        function: Function,
        depth: int,
        memory: Memory,
        escapes: Escapes,
        variadic: tuple[Type, ...] = (),
    ) -> None:
        self.number = number
        self.function = function
        self.depth = depth
        self.liveness = Liveness(function)
        self.first = memory.cells
        prefix = f"{function.name}::" if depth == 0 else f"{function.name}#{depth}::"
        self.variables: dict[str, Object] = {
            v.name: memory.add(prefix + v.name, v.type, careful=True) for v in (*function.parameters, *function.locals)
        }
        self.variadic = memory.add_slots(f"{prefix}...", variadic, VARIADIC_SLOT) if function.variadic else None
        self.end = memory.cells
        self.parameters = tuple(self.variables[p.name] for p in function.parameters)
        addressed = bool(self.liveness.addressed)
        outliving = escapes.outliving(function.name) if addressed else frozenset()
        self.outliving = tuple(v for name, v in self.variables.items() if name in outliving)
        self.reborn = escapes.reborn(function.name) if addressed else frozenset()
        self.entry: Segment
        self._dead: dict[tuple[bool, int, int], tuple[int, ...]] = {}

    def dead_before(self, block: int, index: int) -> tuple[int, ...]:
        """Cells, counted from the frame's first, that no one reads any more from here on."""
        key = (False, block, index)
        if key not in self._dead:
            self._dead[key] = self._cells_except(self.liveness.before(block, index))
        return self._dead[key]

    def dead_awaiting(self, block: int, index: int) -> tuple[int, ...]:
        key = (True, block, index)
        if key not in self._dead:
            self._dead[key] = self._cells_except(self.liveness.awaiting(block, index))
        return self._dead[key]

    def _cells_except(self, live: frozenset[str]) -> tuple[int, ...]:
        return tuple(
            number - self.first
            for name, variable in self.variables.items()
            if name not in live
            for number in range(variable.first, variable.first + len(variable.shape))
        )


def _scalar(place: Place) -> Scalar:
    assert is_scalar(place.type)
    return place.type


def _always(segment: Segment) -> Callable[[Cells], Segment | None]:
    return lambda cells: segment


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
        self._starts: list[Segment] = []

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
            leaving = self._control(statement, segment)
            if leaving is None:
                body.append(self._statement(statement))
                if not self._every_step:
                    continue
            following = self._segment(number, index + 1)
            segment.resume = following
            segment.last = index
            self._close(segment, body, leaving or _always(following), statement.span)
            segment = following
            body = []
        segment.last = len(block.statements)
        self._close(segment, body, self._terminator(block.terminator, segment), block.terminator.span)

    def _close(self, segment: Segment, body: list[Step], end: Callable[[Cells], Segment | None], span: Span) -> None:
        segment.body = tuple(body)
        segment.end = end
        segment.cost = len(body) + 1
        segment.span = span

    def _statement(self, statement: Statement) -> Step:
        exact = self._domain.exact
        match statement:
            case Assign(place, value, span):
                evaluate = self._evaluator.value(value)
                cell = self._places.constant_cell(place, value.type)
                if cell is not None:
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
                zero = self._domain.constant(0)
                zeros: list[Content] = [zero] * len(cells_of(place.type, self._memory.records))
                clear = self._places.store_all(place, span)
                return lambda cells: clear(cells, zeros)
            case CopyBytes(target_pointer, source_pointer, count, span):
                return self._copy_bytes(target_pointer, source_pointer, count, span)
            case Allocate(place, size, span):
                heap, amount = self._machine.heap, self._evaluator.value(size)
                keep = self._evaluator.places.store(place, _scalar(place), span)
                return lambda cells: keep(cells, heap.allocate(exact(amount(cells))))
            case AllocatedSize(place, pointer, span):
                heap, where = self._machine.heap, self._evaluator.value(pointer)
                keep = self._evaluator.places.store(place, _scalar(place), span)
                return lambda cells: keep(cells, heap.allocated(exact(where(cells)), span))
            case Release(pointer, span):
                heap, where = self._machine.heap, self._evaluator.value(pointer)
                return lambda cells: heap.release(exact(where(cells)), span)
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

    def _declare_array(self, local: Local, count: Expression, span: Span) -> Step:
        """The elements beyond the length do not exist, so that using one is an error."""
        variable = self._activation.variables[local.name]
        assert isinstance(local.type, Array)
        most = local.type.count
        size, first = len(variable.shape) // most, variable.first
        length, exact = self._evaluator.value(count), self._domain.exact

        def declare(cells: Cells) -> None:
            number = exact(length(cells))
            if number <= 0:
                raise Fault(FaultKind.BOUNDS, span)
            if number > most:
                raise BoundReached(f"an array of {number} elements; the limit for variable lengths is {most}")
            cells[first : first + most * size] = [None] * (number * size) + [BEYOND] * ((most - number) * size)

        return declare

    def _copy_bytes(self, target: Expression, source: Expression, count: Expression, span: Span) -> Step:
        to, start, amount = (self._evaluator.value(e) for e in (target, source, count))
        exact, memory = self._domain.exact, self._memory
        return lambda cells: memory.copy_bytes(cells, exact(to(cells)), exact(start(cells)), exact(amount(cells)), span)

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
            lives.end(variable)
            if lives.mentioned_in_bytes(variable):
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
                    name = callee
                    if name in machine.functions:
                        function = machine.functions[name]
                        return lambda cells: machine.enter(function, [v(cells) for v in values], segment, span)
                    return lambda cells: machine.call_out(name, [v(cells) for v in values], segment)
                pointer, exact = self._evaluator.value(callee), self._domain.exact
                count = len(values)

                def indirect(cells: Cells) -> Segment | None:
                    name = machine.function_at(exact(pointer(cells)), count, span)
                    given = [v(cells) for v in values]
                    if name in machine.functions:
                        return machine.enter(machine.functions[name], given, segment, span)
                    return machine.call_out(name, given, segment)

                return indirect
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
                return lambda cells: then if decide(test(cells)) else other
            case Switch():
                return self._switch(terminator)
            case Return(None, span):
                return lambda cells: machine.leave(None, span)
            case Return(value, span):
                assert value is not None
                result = self._evaluator.argument(value)
                return lambda cells: machine.leave(result(cells), span)
            case Exit(code, span):
                status = self._evaluator.value(code)
                return lambda cells: machine.exit(status(cells), span)
            case Fail(kind, span):
                return lambda cells: machine.fail(kind, span)
            case Drop():
                return lambda cells: machine.drop()
            case _:
                assert_never(terminator)

    def _switch(self, switch: Switch) -> Callable[[Cells], Segment]:
        value, exact = self._evaluator.value(switch.value), self._domain.exact
        default = self._starts[switch.default]
        table: dict[int, Segment] = {}
        ranges: list[tuple[int, int, Segment]] = []
        for case in switch.cases:
            if case.high - case.low < MOST_LOOKED_UP:
                table.update((v, self._starts[case.target]) for v in range(case.low, case.high + 1))
            else:
                ranges.append((case.low, case.high, self._starts[case.target]))
        if not ranges:
            return lambda cells: table.get(exact(value(cells)), default)

        def choose(cells: Cells) -> Segment:
            number = exact(value(cells))
            found = table.get(number)
            if found is not None:
                return found
            return next((s for low, high, s in ranges if low <= number <= high), default)

        return choose
