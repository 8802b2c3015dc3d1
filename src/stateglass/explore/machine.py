"""The machine that runs a program: cells, a stack of activations, and the *run* driver."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

from stateglass.explore.activations import Activation, Segment
from stateglass.explore.arguments import conversions_for
from stateglass.explore.code import Translator
from stateglass.explore.doubts import Doubts
from stateglass.explore.evaluator import Evaluator
from stateglass.explore.heap import Heap
from stateglass.explore.keeping import Keeping
from stateglass.explore.lives import Lives
from stateglass.explore.memory import DEAD, FUNCTION_SPACING, BoundReached, Cells, Content, Memory, Object, Unknown
from stateglass.explore.pauses import (
    Asking,
    CallingOut,
    Choosing,
    Dropped,
    Ended,
    Exiting,
    Failing,
    Looping,
    Outside,
    Pause,
    Resting,
    Returning,
    Stuck,
)
from stateglass.program import (
    Declaration,
    Function,
    Global,
    Initial,
    Local,
    Program,
    Record,
    Scalar,
    Type,
    Variable,
    is_scalar,
)
from stateglass.program.callgraph import mentioned, unknown_variables
from stateglass.program.escapes import Escapes
from stateglass.source import NOWHERE, Span
from stateglass.values import Domain, Fault, FaultKind
from stateglass.values.abstract import NotExact

if TYPE_CHECKING:
    from stateglass.explore.labelling import Labelling

Convert = Callable[[Any], Any]
# Steps of silent running after which the machine looks out for a loop without end, and for the time.
PATIENCE: Final = 1 << 14
# What code can end with other than by going on.
_TROUBLE: Final = (Fault, Unknown, NotExact, BoundReached)


@final
class OutOfTime(Exception):
    """Raised out of a silent run when the caller's `interrupt` says so."""


@final
@dataclass(frozen=True, slots=True)
class Frame:
    """A function that is running, and the call that waits for it (None for the entry function)."""

    activation: Activation
    caller: Segment | None


@final
@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state: where control rests, and every cell that matters."""

    pause: Pause
    frames: tuple[tuple[int, int], ...]  # activation and calling segment (-1: none), outermost first
    cells: tuple[Content, ...]  # the variables, then the frames, then the heap
    heap: tuple[int, ...] = ()  # addresses of the objects on it


@final
class Machine:
    """Executes a program over a value domain; everything silent runs in one go, from pause to pause."""

    def __init__(
        self,
        program: Program,
        domain: Domain[Any],
        extra: Iterable[Variable] = (),
        max_depth: int = 64,
        every_step: bool = False,
        keeping: Keeping | None = None,
        doubts: Doubts | None = None,
    ) -> None:
        """With `keeping`, `domain` is an abstract one."""
        self.domain = domain
        self.dead = DEAD
        self.functions = program.functions
        self.labelling: Labelling | None = None
        self.steps = 0
        self.interrupt: Callable[[], bool] = lambda: False
        self.visited: list[Segment] | None = None  # if somebody wants to know which code was run
        self.program = program
        self._max_depth = max_depth
        self._every_step = every_step
        self._pause: Pause
        self._segments: list[Segment] = []
        self._activations: list[Activation] = []
        self._by_function: dict[tuple[str, int, tuple[Type, ...]], list[Activation]] = {}
        self._escapes = Escapes(program)
        self._checked: dict[tuple[str, int], tuple[tuple[Type, ...], tuple[tuple[int, Convert], ...]]] = {}
        self._depth: dict[str, int] = dict.fromkeys(program.functions, 0)
        self._function_names = [*program.functions, *program.declarations]
        self._function_address = {n: FUNCTION_SPACING * (i + 1) for i, n in enumerate(self._function_names)}
        self._referenced, self._exposed = mentioned(program)
        self.doubts = doubts or Doubts(frozenset())
        self.doubts.look = lambda: tuple(self.cells[self.first_variable : self.last_variable])
        self.doubts.blamed = self._blamed
        reserved = FUNCTION_SPACING * (len(self._function_names) + 1)
        self.memory = Memory(program, reserved, keeping, self.doubts)
        self.stack: list[Frame] = []
        self.globals: dict[str, Object] = {}
        variables = [*program.variables.values(), *extra]
        # The environment hands out pointers to its own variables.
        self._exposed |= {v.name for v in variables if v.name not in program.variables}
        # Constants first: they are the same in every state and not stored with it.
        for variable in sorted(variables, key=lambda v: not v.readonly):
            if variable.readonly:
                self._place(variable)
        self.first_variable = self.memory.cells
        for variable in variables:
            if not variable.readonly:
                self._place(variable)
        self.last_variable = self.memory.cells
        self._static = Evaluator(self, self._find_global)
        zero = domain.constant(0)
        self.cells: Cells = [zero] * self.memory.cells
        self.lives = Lives(self.memory, self.cells)
        self.heap = Heap(self.memory, self.cells, self.lives)
        self.unknown = unknown_variables(program)
        for variable in variables:
            try:
                for initial in variable.initial:
                    self._initialise(self.globals[variable.name], initial)
            except Unknown as unknown:
                self.unknown[variable.name] = f"`{variable.name}` cannot be initialised: {unknown}"
            if keeping is not None and not variable.readonly:
                placed = self.globals[variable.name]
                run = range(placed.first, placed.first + len(placed.shape))
                self.cells[run.start : run.stop] = [keeping.keep(n, self.cells[n]) for n in run]
            if variable.name in self.unknown:
                placed = self.globals[variable.name]
                self.cells[placed.first : placed.first + len(placed.shape)] = [None] * len(placed.shape)

    def _place(self, variable: Variable) -> None:
        self.globals[variable.name] = self.memory.add(
            variable.name, variable.type, readonly=variable.readonly, exposed=variable.name in self._exposed
        )

    def _find_global(self, variable: Global | Local) -> Object:
        assert isinstance(variable, Global), "static initialisers mention no locals"
        return self.globals[variable.name]

    def _initialise(self, variable: Object, initial: Initial) -> None:
        value = self._static.value(initial.value)(self.cells)
        self.memory.initialise(self.cells, 8 * variable.address + initial.position, value, initial.type)

    # ---- functions

    def address_of_function(self, name: str) -> int:
        return self._function_address[name]

    def name_of_function(self, address: int) -> str | None:
        index, rest = divmod(address, FUNCTION_SPACING)
        return self._function_names[index - 1] if rest == 0 and 0 < index <= len(self._function_names) else None

    def function_at(self, address: int, arguments: int, span: Span) -> str:
        """The function a pointer leads to; a fault if there is none, or it takes something else."""
        if address == 0:
            raise Fault(FaultKind.NULL, span)
        name = self.name_of_function(address)
        if name is None:
            raise Fault(FaultKind.CALL, span)
        function = self.program.functions.get(name) or self.program.declarations[name]
        if len(function.parameters) != arguments and not function.variadic:
            raise Fault(FaultKind.CALL, span)
        return name

    def callable_with(self, arguments: int) -> list[int]:
        """The addresses of all functions that take so many arguments and may be called through a pointer."""
        known: dict[str, Function | Declaration] = {**self.program.functions, **self.program.declarations}
        return [
            self._function_address[name]
            for name, function in known.items()
            if name in self._referenced and (len(function.parameters) == arguments or function.variadic)
        ]

    def add_segment(self, activation: Activation, block: int, index: int) -> Segment:
        segment = Segment(len(self._segments), activation, block, index)
        self._segments.append(segment)
        return segment

    def segment(self, number: int) -> Segment:
        return self._segments[number]

    def activation(self, number: int) -> Activation:
        return self._activations[number]

    def _activation(self, function: Function, depth: int, variadic: tuple[Type, ...]) -> Activation:
        """The first one whose variables nothing points to any more."""
        key = (function.name, depth, variadic)
        known = self._by_function.setdefault(key, [])
        for activation in known:
            if not any(self.lives.mentioned(v) for v in activation.outliving):
                return activation
        watched = self.labelling.watched(function.name) if self.labelling is not None else frozenset()
        number = len(self._activations)
        activation = Activation(number, function, depth, self.memory, self._escapes, variadic, watched)
        self._activations.append(activation)
        known.append(activation)
        self.cells += [DEAD] * (self.memory.cells - len(self.cells))
        Translator(self, activation, self._every_step).translate()
        return activation

    def _check_arguments(
        self, function: Function, types: tuple[Type, ...], span: Span
    ) -> tuple[tuple[Type, ...], tuple[tuple[int, Convert], ...]]:
        """The types of the variadic arguments of a call, and which of the others have to be converted how."""
        conversions = []
        for position, given, wanted in conversions_for(function, types, span):
            change = self.domain.convert(given, wanted, span)
            conversions += [(position, change)] if change is not None else []
        return types[len(function.parameters) :], tuple(conversions)

    # ---- what segments ask for; each returns the segment to go on with, or None after noting a pause

    def enter(self, function: Function, arguments: list[Any], caller: Segment | None, span: Span) -> Segment | None:
        """Begin a call."""
        depth = self._depth[function.name]
        if depth >= self._max_depth:
            deep = f"`{function.name}` calls itself more than {self._max_depth} deep (--max-depth)"
            self._pause = Stuck(deep, span, bound=True)
            return None
        variadic: tuple[Type, ...] = ()
        if caller is not None:
            key = (function.name, caller.number)
            known = self._checked.get(key)
            if known is None:
                known = self._checked[key] = self._check_arguments(function, caller.types, span)
            variadic, conversions = known
            for position, change in conversions:
                arguments[position] = change(arguments[position])
        activation = self._activation(function, depth, variadic)
        self._depth[function.name] = depth + 1
        cells = self.cells
        keep = self.memory.keeping.keep if self.memory.keeping is not None else None
        cells[activation.first : activation.end] = [None] * (activation.end - activation.first)
        for parameter, value in zip(activation.parameters, arguments, strict=False):
            contents = value if isinstance(value, list) else [value]
            if keep is not None:
                contents = [keep(number, c) for number, c in enumerate(contents, parameter.first)]
            cells[parameter.first : parameter.first + len(contents)] = contents
        if activation.variadic is not None:
            number = activation.variadic.first
            for value in arguments[len(activation.parameters) :]:
                content = value if isinstance(value, list) else [value]
                cells[number : number + len(content)] = content
                number += len(content)
        self.stack.append(Frame(activation, caller))
        return activation.entry

    def leave(self, value: Any, span: Span) -> Segment | None:
        """Return from the innermost function."""
        frame = self.stack.pop()
        activation = frame.activation
        self._depth[activation.function.name] -= 1
        cells = self.cells
        cells[activation.first : activation.end] = [DEAD] * (activation.end - activation.first)
        if activation.outliving:
            for variable in activation.outliving:
                self.lives.end(variable)
            value = self.lives.followed(value, activation.outliving)
        caller = frame.caller
        if caller is None:
            result = tuple(value) if isinstance(value, list) else value
            self._pause = Returning(activation.function.name, result, span)
            return None
        type = activation.function.result
        if self.memory.keeping is not None and value is not None and is_scalar(type):
            value = self.memory.keeping.returned(activation.function.name, value, type)
        if caller.result is not None:
            caller.result(cells, self._missing(activation.function.result) if value is None else value)
        return caller.resume

    def _missing(self, type: Type) -> Any:
        """The value of a function that ended without `return`: none, and reading it is a fault."""
        if isinstance(type, Record):
            return [None] * len(self.memory.shape(type))
        return None

    def call_out(self, name: str, arguments: list[Any], segment: Segment) -> Segment | None:
        given = tuple(tuple(a) if isinstance(a, list) else a for a in arguments)
        self._pause = CallingOut(segment.number, name, given)
        return None

    def ask(self, name: str, type: Scalar, segment: Segment) -> Segment | None:
        self._pause = Asking(segment.number, name, type)
        return None

    def choose(self, segment: Segment, options: tuple[tuple[str, int], ...]) -> Segment | None:
        """Let the explorer go each of some ways out of a segment."""
        self._pause = Choosing(segment.number, options)
        return None

    def stop(self, reason: str, span: Span) -> Segment | None:
        self._pause = Stuck(reason, span)
        return None

    def drop(self) -> Segment | None:
        self._pause = Dropped()
        return None

    def exit(self, code: Any, span: Span) -> Segment | None:
        self._pause = Exiting(code, self._blamed(span))
        return None

    def fail(self, kind: str, span: Span) -> Segment | None:
        self._pause = Failing(kind, self._blamed(span))
        return None

    def _blamed(self, span: Span) -> Span:
        """The line of the user's code that something in the library was called from."""
        for frame in reversed(self.stack):
            if not span.in_library or frame.caller is None:
                break
            span = frame.caller.span
        return span

    # ---- running

    def start(self, function: str, arguments: list[Any]) -> Pause:
        """Call an entry function from outside."""
        segment = self.enter(self.functions[function], arguments, None, NOWHERE)
        return self._pause if segment is None else self._go_on(segment)

    def answer(self, pause: Outside | Asking, value: Any) -> Pause:
        """Go on after the environment has chosen."""
        segment = self._segments[pause.segment]
        if segment.result is not None:
            segment.result(self.cells, value)
        return self._go_on(segment.resume)

    def take(self, pause: Choosing, way: int) -> Pause:
        """Go on in one of several ways; a way that turns out to be impossible does not count."""
        segment = self._segments[pause.segment]
        chosen = segment.ways[way]
        with self.doubts.silenced():
            possible = chosen.prepare(self.cells)
        if not possible:
            return Dropped()
        try:
            following = chosen.enter(self.cells)
        except _TROUBLE as trouble:
            return self._stopped_by(trouble, segment)
        return self._pause if following is None else self._go_on(following)

    def proceed(self, pause: Resting) -> Pause:
        """Take one step, when every step is kept."""
        return self._run(self._segments[pause.segment], single=True)

    def finish(self, pause: Pause) -> Pause:
        """Take all silent steps at once, even when every step is kept."""
        return self._run(self._segments[pause.segment]) if isinstance(pause, Resting) else pause

    def _go_on(self, segment: Segment) -> Pause:
        if self.visited is not None:
            return self._run_visibly(segment, self.visited)
        return Resting(segment.number) if self._every_step else self._run(segment)

    def _run_visibly(self, segment: Segment, visited: list[Segment]) -> Pause:
        """As `_run`, for code that is known to come to a pause."""
        cells = self.cells
        current: Segment | None = segment
        running = segment
        try:
            while current is not None:
                running = current
                visited.append(current)
                for step in current.body:
                    step(cells)
                current = current.end(cells)
        except _TROUBLE as trouble:
            return self._stopped_by(trouble, running)
        return self._pause

    def _run(self, segment: Segment, single: bool = False) -> Pause:
        cells = self.cells
        current: Segment | None = segment
        steps, next_look, anchored_at = 0, PATIENCE, 0
        anchor: Segment | None = None
        seen: Cells = []
        frames: list[Frame] = []
        running = segment
        try:
            while current is not None:
                running = current
                for step in current.body:
                    step(cells)
                steps += current.cost
                current = current.end(cells)
                if single:
                    break
                # A state that comes back means a loop without end; the distance between looks doubles.
                if current is anchor and current is not None and cells == seen and self.stack == frames:
                    return Looping(current.number)
                if steps > next_look:
                    if self.interrupt():
                        raise OutOfTime
                    if steps > 2 * anchored_at or anchor is None:
                        anchor, seen, frames = current, list(cells), list(self.stack)
                        anchored_at = steps
                    next_look = steps + PATIENCE
        except _TROUBLE as trouble:
            self._pause = self._stopped_by(trouble, running)
            current = None
        finally:
            self.steps += steps
        return self._pause if current is None else Resting(current.number)

    def _stopped_by(self, trouble: Exception, segment: Segment) -> Pause:
        span = self._blamed(segment.span)
        match trouble:
            case Fault():
                return Failing(trouble.kind.value, self._blamed(trouble.span))
            case BoundReached():
                return Stuck(str(trouble), span, bound=True)
            case NotExact():
                return Stuck("an amount, a length or an address that is not a single value", span)
            case _:
                return Stuck(str(trouble), span)

    # ---- states

    def snapshot(self, pause: Pause) -> Snapshot:
        """The state at a pause, with everything left out that can no longer matter."""
        content = self.cells[self.first_variable : self.last_variable]
        if isinstance(pause, Failing | Exiting | Stuck | Ended):
            return Snapshot(pause, (), tuple(content))
        frames = []
        for position, frame in enumerate(self.stack):
            inner = self.stack[position + 1].caller if position + 1 < len(self.stack) else None
            dead = inner.dead_while_waiting() if inner is not None else self._dead_at(pause)
            own = self.cells[frame.activation.first : frame.activation.end]
            for index in dead:
                own[index] = self.domain.constant(0)
            content += own
            frames.append((frame.activation.number, frame.caller.number if frame.caller is not None else -1))
        heap, held = self.heap.save()
        return Snapshot(pause, tuple(frames), (*content, *held), heap)

    def _dead_at(self, pause: Pause) -> tuple[int, ...]:
        match pause:
            case CallingOut(number) | Outside(number) | Asking(number):
                return self._segments[number].dead_while_waiting()
            case Looping(number) | Resting(number):
                return self._segments[number].dead_at_start()
            case Choosing(number):
                return self._segments[number].dead_at_end()
            case _:
                return ()

    def restore(self, state: Snapshot) -> None:
        """Put the machine into a state."""
        cells = self.cells
        for frame in self.stack:
            activation = frame.activation
            cells[activation.first : activation.end] = [DEAD] * (activation.end - activation.first)
            self._depth[activation.function.name] = 0
        self.stack.clear()
        position = self.last_variable - self.first_variable
        cells[self.first_variable : self.last_variable] = state.cells[:position]
        for number, caller in state.frames:
            activation = self._activations[number]
            size = activation.end - activation.first
            cells[activation.first : activation.end] = state.cells[position : position + size]
            position += size
            self.stack.append(Frame(activation, self._segments[caller] if caller >= 0 else None))
            self._depth[activation.function.name] = activation.depth + 1
        self.heap.restore(state.heap, state.cells[position:])
