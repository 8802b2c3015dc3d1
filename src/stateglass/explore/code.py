"""The block transfer: a function's blocks as segments of Python functions over the cells, for any value domain.

Each function is translated once per depth of recursion, so that every variable has a fixed cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, assert_never, final

from stateglass.explore.emitting import VALUE, Emitting, options, prepared
from stateglass.explore.evaluator import Evaluator
from stateglass.explore.labelling import shown
from stateglass.explore.learning import Learning, covered, overlaps
from stateglass.explore.memory import BEYOND, DEAD, BoundReached, Cells, Content, Memory, Object, Unknown
from stateglass.explore.places import Evaluate
from stateglass.explore.vague import is_vague, targets
from stateglass.model import TAU
from stateglass.program import (
    VARIADIC_SLOT,
    VOID,
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
    Dereference,
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
from stateglass.program.walk import base_of, nodes_in, stored_by
from stateglass.source import Span
from stateglass.system.maps import ResolvedRule, Target
from stateglass.values import Domain, Fault, FaultKind

if TYPE_CHECKING:
    from stateglass.explore.machine import Machine

Step = Callable[[Cells], None]
Leave = Callable[[Cells], "Segment | None"]
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
        self.ways: dict[int, Way] = {}  # if it can be left in several

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
            v.name: memory.add(
                prefix + v.name,
                v.type,
                careful=True,
                declared=f"{function.name}::{v.name}",
                exposed=v.name in self.liveness.addressed,
            )
            for v in (*function.parameters, *function.locals)
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


def _certain(cells: Cells) -> bool:
    return True


def _call(call_at: Callable[[Cells, int], Segment | None], address: int, cells: Cells) -> Segment | None:
    return call_at(cells, address)


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
        line = 0
        for index, statement in enumerate(block.statements):
            new_line, line = statement.span.start.line != line, statement.span.start.line
            leaving = self._control(statement, segment)
            if leaving is None:
                step = self._statement(statement)
                rules = self._rules(statement, new_line)
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
        if memory.keeping is not None:
            return self._copy_some_bytes(to, start, amount, span)
        return lambda cells: memory.copy_bytes(cells, exact(to(cells)), exact(start(cells)), exact(amount(cells)), span)

    def _copy_some_bytes(self, to: Evaluate, start: Evaluate, amount: Evaluate, span: Span) -> Step:
        """Where it is not known how much is copied from where, whatever may be written is not known afterwards."""
        memory = self._memory

        def copy(cells: Cells) -> None:
            target, source, count = to(cells), start(cells), amount(cells)
            if not is_vague(target) and not is_vague(source) and not is_vague(count):
                memory.copy_bytes(cells, target, source, count, span)
                return
            addresses = targets(target)
            if addresses is None:
                memory.havoc(cells)
                return
            for address in addresses:
                found = memory.object_at(address)
                if found is not None and not found.readonly:
                    memory.forget(cells, range(found.first, found.first + len(found.shape)))

        return copy

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
                    name = callee
                    if name in machine.functions:
                        function = machine.functions[name]
                        go: Leave = lambda cells: machine.enter(function, [v(cells) for v in values], segment, span)  # noqa: E731
                        return self._shown_call(name, go, values, segment)
                    return lambda cells: machine.call_out(name, [v(cells) for v in values], segment)
                pointer, count = self._evaluator.value(callee), len(values)

                def call_at(cells: Cells, address: int) -> Segment | None:
                    name = machine.function_at(address, count, span)
                    given = [v(cells) for v in values]
                    if name in machine.functions:
                        return machine.enter(machine.functions[name], given, segment, span)
                    return machine.call_out(name, given, segment)

                if self._memory.keeping is not None:
                    return self._one_of_several(pointer, call_at, segment, count)
                return lambda cells: call_at(cells, pointer(cells))
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
                    return self._fork(condition, then, other, segment)
                return lambda cells: then if decide(test(cells)) else other
            case Switch():
                if self._memory.keeping is not None:
                    return self._switch_to_some(terminator, segment)
                return self._switch(terminator)
            case Return(None, span):
                return self._shown_return(lambda cells: machine.leave(None, span), None, segment)
            case Return(value, span):
                assert value is not None
                result = self._evaluator.argument(value)
                return self._shown_return(lambda cells: machine.leave(result(cells), span), result, segment)
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

    def _rules(self, node: Statement, new_line: bool) -> list[ResolvedRule]:
        labelling = self._machine.labelling
        return [] if labelling is None else labelling.of_step(node, self._activation.function.name, new_line)

    def _emit(
        self, rules: list[ResolvedRule], statement: Statement, step: Step, segment: Segment, following: Segment
    ) -> Callable[[Cells], Segment | None]:
        machine = self._machine
        assert machine.labelling is not None
        learning = Learning(self._evaluator, self._memory) if self._memory.keeping is not None else None
        emitting = Emitting(machine.labelling, self._domain, learning, self._cell_of)
        place = stored_by(statement)
        if place is not None and is_scalar(place.type):
            load, type = self._places.load(place, place.type, statement.span), place.type
            fitting = [emitting.shown(rule, lambda cells: {VALUE: (load(cells), type)}) for rule in rules]
        else:
            fitting = [emitting.shown(rule, lambda cells: {VALUE: (None, VOID)}) for rule in rules]
        segment.ways = {n: Way(prepared(fitting, n), _always(following)) for n in range(len(fitting) + 1)}
        # Whether a pointer leads to a variable that is watched shows in what it changes.
        through = place is not None and isinstance(base_of(place), Dereference)
        watched = sorted({n for rule in rules for n in emitting.targets(rule)}) if through else []

        def emit(cells: Cells) -> Segment | None:
            before = [cells[n] for n in watched]
            step(cells)
            if through and before == [cells[n] for n in watched]:
                return following
            found = options(fitting, cells)
            return following if found[0][0] == TAU else machine.choose(segment, found)

        return emit

    def _shown_call(self, name: str, go: Leave, values: tuple[Evaluate, ...], segment: Segment) -> Leave:
        machine, labelling = self._machine, self._machine.labelling
        if labelling is None or not labelling.knows_call(name):
            return go
        segment.ways = {0: Way(_certain, go)}

        def call(cells: Cells) -> Segment | None:
            actions = shown(labelling.call(name, [v(cells) for v in values], segment.types))
            return machine.choose(segment, tuple((action, 0) for action in actions))

        return call

    def _shown_return(self, go: Leave, value: Evaluate | None, segment: Segment) -> Leave:
        machine, labelling, function = self._machine, self._machine.labelling, self._activation.function
        if labelling is None or not labelling.knows_return(function.name):
            return go
        segment.ways = {0: Way(_certain, go)}

        def leave(cells: Cells) -> Segment | None:
            result = value(cells) if value is not None else None
            actions = shown(labelling.returned(function.name, result, function.result))
            return machine.choose(segment, tuple((action, 0) for action in actions))

        return leave

    def _cell_of(self, target: Target) -> tuple[int, Scalar]:
        name = target.variable
        variable = self._machine.globals[name.name] if name.function is None else self._activation.variables[name.name]
        return next((variable.first + i, c.type) for i, c in enumerate(variable.shape) if c.path == target.path)

    # ---- abstract values: control may go several ways

    def _fork(
        self, condition: Expression, then: Segment, other: Segment, segment: Segment
    ) -> Callable[[Cells], Segment | None]:
        machine, decide = self._machine, self._domain.decide
        test = self._evaluator.value(condition)
        learning = Learning(self._evaluator, self._memory)
        segment.ways = {
            number: Way(learning.outcome(condition, bool(number)), _always(to))
            for number, to in ((1, then), (0, other))
        }

        def fork(cells: Cells) -> Segment | None:
            outcome = decide(test(cells))
            if outcome is None:
                return machine.choose(segment, ((TAU, 1), (TAU, 0)))
            return then if outcome else other

        return fork

    def _switch_to_some(self, switch: Switch, segment: Segment) -> Callable[[Cells], Segment | None]:
        machine, value, type = self._machine, self._evaluator.value(switch.value), switch.value.type
        exactly = self._switch(switch)
        learning = Learning(self._evaluator, self._memory)
        targets_of: dict[int, list[tuple[int, int]]] = {}
        for case in switch.cases:
            targets_of.setdefault(case.target, []).append((case.low, case.high))
        listed = [r for ranges in targets_of.values() for r in ranges]
        segment.ways = {
            target: Way(learning.within(switch.value, ranges), _always(self._starts[target]))
            for target, ranges in targets_of.items()
        }
        if switch.default not in targets_of:
            segment.ways[switch.default] = Way(
                learning.outside(switch.value, listed), _always(self._starts[switch.default])
            )
        else:
            segment.ways[switch.default] = Way(_certain, _always(self._starts[switch.default]))

        def choose(cells: Cells) -> Segment | None:
            found = value(cells)
            if not is_vague(found):
                return exactly(cells)
            ways = [t for t, ranges in targets_of.items() if any(overlaps(found, *r, type) for r in ranges)]
            if switch.default not in ways and not covered(found, listed, type):
                ways.append(switch.default)
            return machine.choose(segment, tuple((TAU, way) for way in ways))

        return choose

    def _one_of_several(
        self, pointer: Evaluate, call_at: Callable[[Cells, int], Segment | None], segment: Segment, count: int
    ) -> Callable[[Cells], Segment | None]:
        """Call what a pointer may lead to: if it is not known, any function that takes as many arguments."""
        machine = self._machine
        segment.ways = {
            address: Way(_certain, partial(_call, call_at, address)) for address in machine.callable_with(count)
        }

        def indirect(cells: Cells) -> Segment | None:
            addresses = targets(pointer(cells))
            if addresses is not None and len(addresses) == 1:
                return call_at(cells, addresses[0])
            possible = [a for a in segment.ways if addresses is None or a in addresses]
            return machine.choose(segment, tuple((TAU, address) for address in possible))

        return indirect

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
