"""The machine that runs a program: cells, a stack of activations, and the *run* driver."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, final

from stateglass.explore.cells.contents import DEAD, Cells, Unknown
from stateglass.explore.cells.globals import initialise, placed
from stateglass.explore.cells.heap import Heap
from stateglass.explore.cells.keeping import Keeping
from stateglass.explore.cells.lives import Lives
from stateglass.explore.cells.memory import FUNCTION_SPACING, BoundReached, Memory
from stateglass.explore.cells.vague import targets
from stateglass.explore.code.activations import Activation, Segment
from stateglass.explore.code.functions import Functions
from stateglass.explore.code.translator import Translator
from stateglass.explore.doubts import Doubts
from stateglass.explore.pauses import (
    Asking,
    CallingOut,
    Choosing,
    Dropped,
    Exiting,
    Failing,
    Looping,
    Outside,
    Pause,
    Resting,
    Returning,
    Stuck,
    Visit,
)
from stateglass.explore.stacks import Frame, Stack
from stateglass.explore.states import Snapshot, States
from stateglass.program import VOID, Function, Pointer, Program, Record, Scalar, Type, Variable, is_scalar
from stateglass.program.callgraph import mentioned, statements_of, unknown_variables
from stateglass.program.escapes import Escapes
from stateglass.program.exceptions import DROP_THROWN, THROWN, thrown_name
from stateglass.program.walk import addressed_locals
from stateglass.source import NOWHERE, Span
from stateglass.system.maps import VariableName
from stateglass.values import Domain, Fault, FaultKind
from stateglass.values.abstract import NotExact
from stateglass.work import OutOfTime

if TYPE_CHECKING:
    from stateglass.explore.labels.labelling import Labelling

# Steps of silent running after which the machine looks out for a loop without end, and for the time.
PATIENCE: Final = 1 << 14
# What code can end with other than by going on.
_TROUBLE: Final = (Fault, Unknown, NotExact, BoundReached)


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
        tolerated: Collection[FaultKind] = (),
    ) -> None:
        """With `keeping`, `domain` is an abstract one; `tolerated` is what the memory does not look for."""
        self.domain = domain
        self.functions = program.functions
        self.labelling: Labelling | None = None
        self.steps = 0
        self.interrupt: Callable[[], bool] = lambda: False
        self.visited: list[Segment] | None = None  # if somebody wants to know which code was run, in its order
        self.ran: set[Segment] | None = None  # or which was run at all; to be said before anything runs
        self.program = program
        self.tells_return: Callable[[str], bool] = lambda entry: False  # whether the environment does, of an entry
        self._max_depth = max_depth
        self._every_step = every_step
        self._watched: tuple[int, ...] = ()  # cells whose every value is to be seen
        self._seen: list[Any] = []  # what they hold in the state that was left last
        self._changed_at: Span | None = None  # the code that has just given one of them another value
        self._pause: Pause
        self._segments: list[Segment] = []
        self._activations: list[Activation] = []
        self._by_function: dict[tuple[str, int, tuple[Type, ...]], list[Activation]] = {}
        self._escapes = Escapes(program)
        self.stack = Stack(program.functions)
        referenced, self._exposed = mentioned(program)
        self.known = Functions(program, domain, referenced)
        self._addressed: dict[str, frozenset[str]] = {}  # the locals of functions
        self.doubts = doubts or Doubts(frozenset())
        self.doubts.look = lambda: self.states.variables()
        self.doubts.blamed = self.stack.blamed
        last = self.known.last_address + FUNCTION_SPACING
        self.memory = Memory(program, last, keeping, self.doubts, tolerated)
        self.called: dict[str, Mapping[str, str]] = {}  # by object: what its parts are called, by path
        variables = [*program.variables.values(), *extra]
        # The environment hands out pointers to its own variables.
        self._exposed |= {v.name for v in variables if v.name not in program.variables}
        # Cells are numbered as objects are added. Constants come first: they are the same in every state and not stored
        # with it. Then the variables; what is added while code runs (activations, the heap, graves) comes behind them.
        self.globals = placed(self.memory, program, (v for v in variables if v.readonly), self._exposed)
        self.first_variable = self.memory.cells
        self.globals |= placed(self.memory, program, (v for v in variables if not v.readonly), self._exposed)
        self.last_variable = self.memory.cells
        self.cells: Cells = [0] * self.memory.cells
        self.lives = Lives(self.memory, self.cells, self.first_variable)
        self.heap = Heap(self.memory, self.cells, self.lives)
        own = range(self.first_variable, self.last_variable)
        self.states = States(self.cells, own, self.stack, self.heap, self._segments, self._activations)
        self.snapshot = self.states.snapshot
        self.unknown = unknown_variables(program)
        initialise(self, variables)

    def watch(self, cells: Iterable[int]) -> None:
        """Rest wherever one of these cells has got another value; to be said before anything runs."""
        assert not self._activations
        self._watched = tuple(cells)
        self._seen = [self.cells[n] for n in self._watched]

    def take_change(self) -> Span | None:
        """Where a silent run has just ended because of a change; None if it was for another reason."""
        found, self._changed_at = self._changed_at, None
        return found

    # ---- functions

    def is_pointed_to(self, variable: VariableName) -> bool:
        """Whether the address of a variable is taken anywhere."""
        if variable.function is None:
            return variable.name in self._exposed
        known = self._addressed.get(variable.function)
        if known is None:
            nodes = statements_of(self.functions[variable.function].blocks)
            known = self._addressed[variable.function] = frozenset(addressed_locals(nodes))
        return variable.name in known

    def add_segment(self, activation: Activation, block: int, index: int) -> Segment:
        segment = Segment(len(self._segments), activation, block, index)
        self._segments.append(segment)
        return segment

    def segment(self, number: int) -> Segment:
        return self._segments[number]

    @property
    def activations(self) -> Sequence[Activation]:
        return self._activations

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
        each = bool(self._watched) or (self._every_step and activation.is_users)
        Translator(self, activation, each).translate()
        return activation

    # ---- what segments ask for; each returns the segment to go on with, or None after noting a pause

    def enter(
        self,
        function: Function,
        arguments: list[Any],
        caller: Segment | None,
        span: Span,
        visit: Visit | None = None,
    ) -> Segment | None:
        """Begin a call."""
        variadic: tuple[Type, ...] = ()
        entry = function.name if caller is None else ""
        if caller is not None:
            variadic, conversions = self.known.passing(function, caller.number, caller.types, span)
            for position, change in conversions:
                arguments[position] = change(arguments[position])
            # Whoever wants to know which code is run wants to know of the rest of the caller, too.
            is_last = caller.tail and self.visited is None and self.ran is None
            if is_last and self._may_replace(caller.activation, function, arguments):
                over = self._end_innermost()
                caller, entry, visit = over.caller, over.entry, over.visit
        depth = self.stack.depth(function.name)
        if depth >= self._max_depth:
            deep = f"`{function.name}` calls itself more than {self._max_depth} deep (--max-depth)"
            self._pause = Stuck(deep, span, bound=True)
            return None
        activation = self._activation(function, depth, variadic)
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
        self.stack.push(activation, caller, entry, visit)
        return activation.entry

    def _may_replace(self, caller: Activation, function: Function, arguments: list[Any]) -> bool:
        """Whether a function that is called last of all can do without the frame of its caller."""
        if function.span.in_library and not caller.function.span.in_library:
            return False  # errors in the library are told of the line that called it
        if not self.known.returns_something(function):
            return False  # that the caller uses a value which is not there is an error
        values = [v for a in arguments for v in (a if isinstance(a, list) else [a])]
        # A pointer that may lead anywhere gives nothing away: what is read through it may be anything.
        addresses = [a for v in values for a in targets(v) or ()]
        return not caller.holds_one_of(tuple(addresses))

    def _end_innermost(self) -> Frame:
        frame = self.stack.pop()
        activation = frame.activation
        self.cells[activation.first : activation.end] = [DEAD] * (activation.end - activation.first)
        return frame

    def leave(self, value: Any, span: Span) -> Segment | None:
        """Return from the innermost function."""
        frame = self._end_innermost()
        activation, cells = frame.activation, self.cells
        if activation.outliving:
            for variable in activation.outliving:
                self.lives.end(variable)
            value = self.lives.followed(value, activation.outliving)
        caller = frame.caller
        if caller is None:
            result = tuple(value) if isinstance(value, list) else value
            void = self.functions[frame.entry].result == VOID
            assert frame.visit is not None
            if span == activation.function.span:
                # The end of a function that was called last of all, where another one would go on.
                span = self.functions[frame.entry].span
            self._pause = Returning(frame.entry, None if void else result, span, frame.visit)
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
        self._pause = Exiting(code, self.stack.blamed(span))
        return None

    def fail(self, kind: str, span: Span) -> Segment | None:
        self._pause = Failing(kind, self.stack.blamed(span))
        return None

    # ---- running

    def restore(self, state: Snapshot) -> None:
        """Put the machine into a state."""
        self.states.restore(state)
        if self._watched:
            self._seen = [self.cells[n] for n in self._watched]

    def start(self, function: str, arguments: list[Any], visit: Visit | None = None) -> Pause:
        """Call an entry function from outside."""
        segment = self.enter(self.functions[function], arguments, None, NOWHERE, visit or Visit())
        return self._pause if segment is None else self._go_on(segment)

    def thrown_type(self) -> str | None:
        """The type of the exception that an entry function was left with; None if there is none."""
        if THROWN not in self.globals:
            return None
        address = self.cells[self.globals[THROWN].first]
        if not isinstance(address, int) or not address:
            return None
        pointer = Pointer(VOID, self.program.target.pointer_size)
        described = self.memory.loader(pointer, 0, NOWHERE)(self.cells, address)
        table = self.memory.object_at(described)
        assert table is not None
        return thrown_name(table.name)

    def drop_thrown(self, visit: Visit) -> Pause:
        """Destroys the exception that an entry function was left with."""
        segment = self.enter(self.functions[DROP_THROWN], [], None, NOWHERE, visit)
        assert segment is not None
        return self._run(segment)

    def answer(self, pause: Outside | Asking, value: Any) -> Pause:
        """Go on after the environment has chosen."""
        segment = self._segments[pause.segment]
        if segment.result is not None:
            segment.result(self.cells, value)
        return self._go_on(segment.resume)

    def called_at(self, pause: CallingOut | Outside, through: bool) -> Span:
        """Where a function without a body is called; `through` a member function that it stands for, where that is."""
        caller = self.stack.frames[-1].caller if through and self.stack.frames else None
        return self._segments[pause.segment].span if caller is None else caller.span

    def accessed_at(self) -> Span:
        """Where a variable is read or changed, when a function that nobody wrote does it."""
        caller = self.stack.frames[-1].caller
        return caller.span if caller is not None else NOWHERE

    def call_instead(self, pause: Outside, function: str) -> Pause:
        """Go on with code in place of a function without a body."""
        segment = self._segments[pause.segment]
        entered = self.enter(self.functions[function], list(pause.arguments), segment, segment.span)
        return self._pause if entered is None else self._go_on(entered)

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
        """Take one step, when every step is kept, or go on to the next one that is to be seen."""
        return self._run(self._segments[pause.segment], single=self._every_step)

    def finish(self, pause: Pause) -> Pause:
        """Take all silent steps at once, even when every step is kept."""
        if not isinstance(pause, Resting):
            return pause
        watched, self._watched = self._watched, ()
        try:
            return self._run(self._segments[pause.segment])
        finally:
            self._watched = watched

    def _go_on(self, segment: Segment) -> Pause:
        if self.visited is not None:
            return self._run_visibly(segment, self.visited)
        kept = self._every_step and segment.activation.is_users
        rests = kept or (bool(self._watched) and self._has_changed())
        return Resting(segment.number) if rests else self._run(segment, single=self._every_step)

    def _has_changed(self) -> bool:
        cells = self.cells
        return [cells[n] for n in self._watched] != self._seen

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
        cells, watched = self.cells, self._watched
        self._changed_at = None
        current: Segment | None = segment
        steps, next_look, anchored_at = 0, PATIENCE, 0
        before = self.steps
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
                if single and (current is None or current.activation.is_users):
                    break
                if watched and self._has_changed():
                    self._changed_at = self.stack.blamed(running.span)
                    break
                # A state that comes back means a loop without end. Brent's cycle detection (An improved Monte Carlo
                # factorization algorithm, 1980): one state is remembered, and replaced at distances that double. So a
                # loop is noticed after about three times the steps to it or once around it, whichever are more.
                if current is anchor and current is not None and cells == seen and self.stack.frames == frames:
                    return Looping(current.number)
                if steps > next_look:
                    self.steps = before + steps
                    if self.interrupt():
                        raise OutOfTime
                    if steps > 2 * anchored_at or anchor is None:
                        anchor, seen, frames = current, list(cells), list(self.stack.frames)
                        anchored_at = steps
                    next_look = steps + PATIENCE
        except _TROUBLE as trouble:
            self._pause = self._stopped_by(trouble, running)
            current = None
        finally:
            self.steps = before + steps
        return self._pause if current is None else Resting(current.number)

    def _stopped_by(self, trouble: Exception, segment: Segment) -> Pause:
        span = self.stack.blamed(segment.span)
        match trouble:
            case Fault():
                return Failing(trouble.kind.value, self.stack.blamed(trouble.span))
            case BoundReached():
                return Stuck(str(trouble), span, bound=True)
            case NotExact():
                return Stuck("an amount, a length or an address that is not a single value", span)
            case _:
                return Stuck(str(trouble), span)
