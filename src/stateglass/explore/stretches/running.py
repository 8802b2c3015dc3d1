"""Runs code from a rest to the next ones: the *merge* driver with calls as part of the location."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, assert_never, final

from stateglass.explore.machine import Machine
from stateglass.explore.merging.contents import OVER, UNWRITTEN, Cells, Content, Meeting, Way
from stateglass.explore.merging.context import Context, Lost
from stateglass.explore.merging.control import Control
from stateglass.explore.merging.effects import MergedEffects
from stateglass.explore.merging.evaluating import Evaluating, fixed_addresses
from stateglass.explore.merging.frames import Value, fill
from stateglass.explore.merging.outcome import Kind
from stateglass.explore.merging.passing import convert_arguments, receive
from stateglass.explore.statements import Statements
from stateglass.explore.stretches.asking import Asking
from stateglass.explore.stretches.flow import Chosen, Phase, Shown, Source
from stateglass.explore.stretches.levels import Level, Levels, Location, TooManyLevels
from stateglass.explore.stretches.seen import Seen
from stateglass.model import Verb
from stateglass.program import (
    Call,
    Exit,
    Function,
    Global,
    Input,
    Int,
    Return,
    Statement,
    Terminator,
    Type,
    Unsupported,
    is_scalar,
)
from stateglass.program.escapes import Escapes
from stateglass.program.walk import nodes_in
from stateglass.smt import Operator, Term, Terms
from stateglass.source import NOWHERE, InputError, Span
from stateglass.system import Choice, Contents, Entry, Filled, Fixed, Mode, Pointed, System
from stateglass.values import Fault

MOST_DEPTH: Final = 16
"""So deep a function may call itself."""


@final
@dataclass(frozen=True, slots=True)
class Key:
    """Which rest it is."""

    phase: Phase
    location: Location | None = None
    number: int = 0  # of `STABLE`: how many inputs have been chosen
    what: str = ""
    span: Span = field(default=NOWHERE)
    bound: bool = False


@final
@dataclass(frozen=True, slots=True)
class Arrival:
    """The ways that lead from one rest to another, as one."""

    key: Key
    guard: Term
    cells: Cells
    chosen: tuple[Chosen, ...]
    action: Shown | None
    entry: int | None


@final
class Stretching:
    """Runs stretches of one system; it knows the places of everything."""

    def __init__(self, system: System, machine: Machine, terms: Terms, seen: Seen, watched: frozenset[int]) -> None:
        self.system = system
        self.machine = machine
        self.terms = terms
        self.seen = seen
        self.watched = watched
        self.levels = Levels(machine)
        self.escapes = Escapes(machine.program)
        self.unknowns = 0  # how many were made
        self._noted: set[str] = set()

    def initial(self, number: int) -> Content:
        """What a cell holds before anything has happened."""
        if number >= self.machine.last_variable:
            return OVER
        value = self.machine.cells[number]
        return self.terms.constant(value, self.width(number)) if isinstance(value, int) else UNWRITTEN

    def width(self, number: int) -> int:
        return Context(self.machine, self.terms, self.initial).width(number)

    def from_rest(self, key: Key, cells: Cells) -> list[Arrival]:
        """All that a rest leads to."""
        found: list[Arrival] = []
        for start in self._starts(key):
            run = _Run(self, dict(cells))
            found += run.arrivals(start)
            self.unknowns += len(run.asking.chosen)
        return found

    def note_addresses(self, function: Function) -> None:
        if function.name not in self._noted:
            self._noted.add(function.name)
            for address in fixed_addresses(function):
                self.machine.memory.note_fixed(address)

    def _starts(self, key: Key) -> Iterator[Callable[[_Run], None]]:
        """The ways to begin at a rest."""
        system, location = self.system, key.location
        match key.phase:
            case Phase.START:
                if system.init is None:
                    yield lambda run: run.settle()
                else:
                    init = system.init
                    yield lambda run: run.visit(init, None)
            case Phase.STABLE if key.number < len(system.inputs):
                yield lambda run: run.set_input(key.number)
            case Phase.STABLE:
                for number, entry in enumerate(system.entries):
                    yield lambda run, entry=entry, number=number: run.visit(entry, number)  # type: ignore[misc]
            case Phase.RETURNING:
                assert location is not None
                level = self.levels.all[location.level]
                yield lambda run: run.come_back(level)
            case _:
                assert location is not None
                yield lambda run: run.resume(location, key)


@final
class _Run:
    """One run."""

    def __init__(self, whole: Stretching, cells: Cells) -> None:
        self._whole = whole
        self._system = whole.system
        self._levels = whole.levels
        self._terms = whole.terms
        undefined = whole.system.undefined
        context = Context(whole.machine, whole.terms, whole.initial, undefined.wraps, undefined.left_out)
        context.way = Way((), cells)
        self._context = context
        self._evaluating = Evaluating(context)
        self._places = self._evaluating.places
        effects = MergedEffects(context, self._places, lambda function: whole.escapes.reborn(function.name))
        self._statements: Statements[Term, list[Content], None]
        self._statements = Statements(context.memory, self._evaluating.expressions, self._places, effects)
        self._control = Control(context)
        self.asking = Asking(whole.system, context, self._places, whole.unknowns)
        self._pending: dict[Location, list[Way]] = {}
        self._queue: list[tuple[tuple[int, ...], Location]] = []
        self._arrived: dict[Key, list[Way]] = {}
        self._skip: Location | None = None  # where the run begins: there it does not rest at once
        self._action: Shown | None = None
        self._entry: int | None = None

    # ---- from beginning to end

    def arrivals(self, start: Callable[[_Run], None]) -> list[Arrival]:
        with suppress(Lost):
            start(self)
        while self._queue:
            _, location = heapq.heappop(self._queue)
            self._context.way = self._merged(self._pending.pop(location))
            try:
                self._go_on(location)
            except Lost:
                continue
        return self._results()

    def _results(self) -> list[Arrival]:
        terms, chosen = self._terms, tuple(self.asking.chosen)
        found: list[Arrival] = []
        # The first event that there is for a valuation counts, and what comes behind it does not happen.
        happened: list[Term] = []
        ends: dict[Key, list[Term]] = {}
        for event in self._context.events:
            guard = terms.both(event.when, terms.negation(terms.either(*happened)))
            happened.append(event.when)
            key = _end(event.kind, event.what, event.span)
            if key is not None and guard is not terms.false:
                ends.setdefault(key, []).append(guard)
        for key, guards in ends.items():
            found.append(Arrival(key, terms.either(*guards), {}, chosen, self._action, self._entry))
        nothing = terms.negation(terms.either(*happened))
        for key, ways in self._arrived.items():
            way = self._merged(ways)
            guard = terms.both(*way.guard, nothing)
            if guard is not terms.false:
                found.append(Arrival(key, guard, way.cells, chosen, self._action, self._entry))
        return found

    def _merged(self, ways: list[Way]) -> Way:
        context = self._context
        return Meeting(self._terms, context.before, context.width, ways).merged()

    def _arrive(self, key: Key) -> None:
        self._arrived.setdefault(key, []).append(self._context.way)
        raise Lost

    def _push(self, location: Location, way: Way) -> None:
        if location in self._pending:
            self._pending[location].append(way)
        else:
            self._pending[location] = [way]
            heapq.heappush(self._queue, (self._levels.moment(location), location))

    # ---- the environment

    def settle(self) -> None:
        """Between calls: what was lent or chosen for one is not there any more."""
        machine, cells = self._whole.machine, self._context.way.cells
        for one in self._system.inputs:
            first = machine.memory.cell_number(8 * machine.globals[one.variable].address + one.position)
            count = 1 if isinstance(one.choice, Choice) else len(one.choice.rows[0])
            for number in range(first, first + count):
                cells[number] = UNWRITTEN
        for entry in (*self._system.entries, *([self._system.init] if self._system.init is not None else [])):
            for argument in entry.arguments:
                if isinstance(argument, Pointed) and argument.content is not None:
                    cells[machine.globals[argument.variable].first] = UNWRITTEN
                elif isinstance(argument, Filled):
                    for name in argument.objects:
                        if not machine.globals[name].readonly:
                            fill(cells, machine.globals[name], UNWRITTEN)
        self._arrive(Key(Phase.STABLE))

    def set_input(self, number: int) -> None:
        machine, variable = self._whole.machine, self._system.inputs[number]
        first = machine.memory.cell_number(8 * machine.globals[variable.variable].address + variable.position)
        choice = variable.choice
        if isinstance(choice, Choice):
            row, type = [self.asking.choice(choice, Source.INPUT)], choice.type
        else:
            row, type = self.asking.row(choice, Source.INPUT), choice.element
        for cell, value in enumerate(row, first):
            self._context.way.cells[cell] = value
        self._action = Shown(Verb.STORE, f"::{choice.name}", tuple((v, type) for v in row))
        if not self._whole.seen.events and number + 1 < len(self._system.inputs):
            self.set_input(number + 1)
        self._arrive(Key(Phase.STABLE, number=number + 1))

    def visit(self, entry: Entry, number: int | None) -> None:
        """The environment calls."""
        function = self._system.program.functions[entry.function]
        self._entry = number
        values: list[Value] = []
        shown: list[tuple[Term, Type]] = []
        machine, terms, name = self._whole.machine, self._terms, entry.function
        for argument, parameter in zip(entry.arguments, function.parameters, strict=True):
            type = parameter.type
            value: Term
            match argument:
                case Choice():
                    value = self.asking.choice(argument, Source.ARGUMENT, name)
                    shown.append((value, type))
                case Fixed(given):
                    assert is_scalar(type)
                    value = self._context.domain.constant(given, type)
                    shown.append((value, type))
                case Pointed(variable, content):
                    whole = machine.globals[variable]
                    if content is not None:
                        made = self.asking.choice(content, Source.ARGUMENT, name)
                        self._context.way.cells[whole.first] = made
                    value = terms.constant(whole.address + argument.offset, 8 * machine.memory.pointer_size)
                    shown.append((value, type))
                case Filled(contents, objects):
                    value = self._filled(contents, objects, name)
                    shown.append((value, type))
                case _:
                    assert_never(argument)
            values.append(value)
        self._action = Shown(Verb.CALL, entry.name, tuple(shown))
        self._enter(self._levels.outermost(function, number), values)

    def _filled(self, contents: Contents, objects: tuple[str, ...], function: str) -> Term:
        """The address of the object that holds the chosen row."""
        machine, terms, width = self._whole.machine, self._terms, 8 * self._whole.machine.memory.pointer_size
        number = self.asking.value(contents.name, Int(32, signed=False), Source.ARGUMENT, function)
        beyond = terms.compare(Operator.LESS_EQUAL, terms.constant(len(objects), 32), number)
        self._context.end(Kind.DROPPED, "no such value", beyond, NOWHERE)
        address = terms.constant(machine.globals[objects[-1]].address, width)
        for at, (name, row) in enumerate(zip(objects, contents.rows, strict=True)):
            is_it = terms.equal(number, terms.constant(at, 32))
            whole = machine.globals[name]
            if at < len(objects) - 1:
                address = terms.choose(is_it, terms.constant(whole.address, width), address)
            if not whole.readonly:
                for cell, value in enumerate(row, whole.first):
                    constant = terms.constant(value, self._context.width(cell))
                    self._places.access.put(cell, constant, is_it, NOWHERE, direct=True)
        return address

    def come_back(self, level: Level) -> None:
        """An entry function returns."""
        function, result = level.function, level.result
        shown: tuple[tuple[Term, Type], ...] = ()
        if result is not None and is_scalar(function.result):
            content = self._context.content(result.first)
            if isinstance(content, Term):
                shown = ((content, function.result),)
        entry = self._system.init if level.entry is None else self._system.entries[level.entry]
        assert entry is not None
        exits = self._exits(level)
        self._action = Shown(Verb.EXIT, "", shown) if exits else Shown(Verb.RETURN, entry.name, shown)
        self._be_over(level)

    def _exits(self, level: Level) -> bool:
        return level.entry is not None and self._system.mode is Mode.RUN and level.function.name == "main"

    def _be_over(self, level: Level) -> None:
        """What follows the end of a call from outside."""
        self._forget(level)
        if level.entry is not None and self._system.mode is Mode.RUN:
            self._arrive(Key(Phase.OVER))
        self.settle()

    # ---- functions

    def _enter(self, level: Level, arguments: list[Value]) -> None:
        cells, frame = self._context.way.cells, level.frame
        self._whole.note_addresses(level.function)
        for variable in (*frame.variables.values(), *([frame.variadic] if frame.variadic is not None else [])):
            fill(cells, variable, UNWRITTEN)
        given = iter(arguments)
        for parameter, value in zip(level.function.parameters, given, strict=False):
            _put(cells, frame.variables[parameter.name].first, value)
        if frame.variadic is not None:
            number = frame.variadic.first
            for value in given:
                number = _put(cells, number, value)
        self._push(Location(level.number, 0, 0), self._context.way)

    def _forget(self, level: Level) -> None:
        """The variables of a function are no more; a pointer to them must not be left."""
        cells, frame = self._context.way.cells, level.frame
        gone = [*frame.variables.values(), *(o for o in (frame.variadic, level.result) if o is not None)]
        for variable in gone:
            for number in range(variable.first, variable.first + len(variable.shape)):
                cells.pop(number, None)
        self._refuse_pointers(level, {o.address: o.address + o.size for o in gone})

    def _refuse_pointers(self, level: Level, ranges: dict[int, int]) -> None:
        pointers = self._whole.machine.memory.pointers
        for number, content in self._context.way.cells.items():
            if number in pointers and isinstance(content, Term):
                for address in _constants_in(content):
                    if any(low <= address <= high for low, high in ranges.items()):
                        reason = f"a pointer to a variable of `{level.function.name}` is left when it returns"
                        self._context.lose(reason, self._terms.true, level.function.span)

    def _return(self, level: Level, value: Value, span: Span) -> None:
        context = self._context
        if level.caller is None:
            if self._whole.seen.events:
                if level.result is not None:
                    _put(context.way.cells, level.result.first, value)
                self._keep_only(level)
                self._arrive(Key(Phase.RETURNING, Location(level.number, 0, 0), what=level.function.name))
            self._be_over(level)
        assert level.caller is not None and level.call is not None
        self._forget(level)
        caller = self._levels.all[level.caller.level]
        context.frame = caller.frame
        context.callers = self._levels.callers(level.caller)
        before = self._watched_now()
        receive(self._places, level.call, value)
        behind = Location(level.caller.level, level.caller.block, level.caller.index + 1)
        self._rest_if_changed(before, behind, level.call.span)
        self._push(behind, context.way)

    def _keep_only(self, level: Level) -> None:
        """Of a function that is over, only what it returns is left."""
        frame = level.frame
        for variable in (*frame.variables.values(), *([frame.variadic] if frame.variadic is not None else [])):
            for number in range(variable.first, variable.first + len(variable.shape)):
                self._context.way.cells.pop(number, None)

    # ---- blocks

    def resume(self, location: Location, key: Key) -> None:
        """Begins where code rests."""
        self._skip = location
        context = self._context
        level = self._levels.all[location.level]
        context.frame, context.callers = level.frame, self._levels.callers(location)
        block = level.function.blocks[location.block]
        if key.phase is Phase.EXITING:
            assert isinstance(block.terminator, Exit)
            status = self._statements.operand(block.terminator)
            assert isinstance(status, Term)
            self._action = Shown(Verb.EXIT, "", ((status, block.terminator.code.type),))
            self._arrive(Key(Phase.OVER))
        if key.phase in (Phase.CALLING, Phase.INSIDE):
            call = block.statements[location.index]
            assert isinstance(call, Call)
            self._outside(call, key)
            self._push(Location(location.level, location.block, location.index + 1), context.way)
            return
        self._push(location, context.way)

    def _go_on(self, location: Location) -> None:
        """From a location to the next ones."""
        context, levels = self._context, self._levels
        level = levels.all[location.level]
        context.frame, context.callers = level.frame, levels.callers(location)
        block = level.function.blocks[location.block]
        at_start, self._skip = location == self._skip, None
        if levels.is_head(location) and not at_start:
            self._arrive(Key(Phase.LOOP, location, span=_where(block.statements, block.terminator)))
        for index in range(location.index, len(block.statements)):
            here = Location(location.level, location.block, index)
            if self._statement(block.statements[index], here, at_start and index == location.index):
                return
        self._refuse_unknown(block.terminator)
        terminator = block.terminator
        if isinstance(terminator, Exit) and self._whole.seen.events:
            here = Location(location.level, location.block, len(block.statements))
            self._arrive(Key(Phase.EXITING, here, span=terminator.span))
        operand = self._statements.operand(terminator)
        if isinstance(terminator, Return):
            self._return(level, operand, terminator.span)
            return
        for target, guard in self._control.ways_out(terminator, operand):
            self._push(Location(location.level, target, 0), Way(guard, dict(context.way.cells)))

    # ---- statements

    def _statement(self, statement: Statement, here: Location, at_start: bool) -> bool:
        """Runs a statement; whether what follows it is run later."""
        context = self._context
        self._refuse_unknown(statement)
        before = self._watched_now()
        match statement:
            case Call():
                if self._call(statement, here):
                    return True
            case Input(place, name, type, span):
                if self._whole.seen.events and not at_start:
                    self._arrive(Key(Phase.ASKING, here, what=name, span=span))
                choice = self._system.volatile.get(name) or Choice(name, type, (), anything=True)
                value = self.asking.choice(choice, Source.READ)
                if at_start:
                    self._action = Shown(Verb.LOAD, f"::{name}", ((value, type),))
                self._places.store(place, type, value, span)
            case Unsupported(reason, span):
                context.lose(reason, self._terms.true, span)
            case _:
                self._statements.run(statement)
        behind = Location(here.level, here.block, here.index + 1)
        self._rest_if_changed(before, behind, statement.span)
        return False

    def _watched_now(self) -> list[Content]:
        return [self._context.content(cell) for cell in self._whole.watched]

    def _rest_if_changed(self, before: list[Content], behind: Location, span: Span) -> None:
        if self._whole.watched and any(a is not b for a, b in zip(before, self._watched_now(), strict=True)):
            self._arrive(Key(Phase.CHANGED, behind, span=span))

    def _refuse_unknown(self, node: Statement | Terminator) -> None:
        unknown = self._whole.machine.unknown
        if unknown:
            for name in (n.name for n in nodes_in(node) if isinstance(n, Global)):
                if name in unknown:
                    self._context.lose(unknown[name], self._terms.true, node.span)

    # ---- calls

    def _call(self, call: Call, here: Location) -> bool:
        """Begins a call; whether what follows it is run later."""
        context, callee = self._context, call.callee
        if isinstance(callee, str) and callee not in context.machine.functions:
            if self._whole.seen.events:
                self._arrive(Key(Phase.CALLING, here, what=callee, span=call.span))
            self._outside(call, None)
            return False
        pointer, given = self._statements.operands(call)
        types = tuple(a.type for a in call.arguments)
        if isinstance(callee, str):
            self._begin(callee, list(given), types, call, here)
            return True
        assert pointer is not None
        way = context.way
        for spot in self._places.targets(pointer, call.span):
            guard = way.guard if spot.only is self._terms.true else (*way.guard, spot.only)
            context.way = Way(guard, dict(way.cells))
            try:
                try:
                    name = context.machine.known.called_at(spot.address, len(given), call.span)
                except Fault as wrong:
                    context.note(wrong.kind, self._terms.true, call.span)
                    continue
                self._begin(name, list(given), types, call, here)
            except Lost:
                continue
        return True

    def _begin(self, name: str, arguments: list[Value], types: tuple[Type, ...], call: Call, here: Location) -> None:
        context = self._context
        function = context.machine.functions.get(name)
        if function is None:
            context.lose(f"`{name}` has no body and is called through a pointer", self._terms.true, call.span)
        assert function is not None
        convert_arguments(context, self._evaluating, function, arguments, types, call.span)
        try:
            level = self._levels.called(function, here, call, types[len(function.parameters) :])
        except (TooManyLevels, InputError):
            context.lose("calls lead to calls in too many ways", self._terms.true, call.span, bound=True)
            return
        if level.depth > MOST_DEPTH:
            reason = f"`{name}` calls itself more than {MOST_DEPTH} deep"
            context.lose(reason, self._terms.true, call.span, bound=True)
        self._enter(level, arguments)

    def _outside(self, call: Call, key: Key | None) -> None:
        """Calls a function without a body; with a key, one of the two steps of that."""
        context, callee, span = self._context, call.callee, call.span
        assert isinstance(callee, str)
        _, given = self._statements.operands(call)
        arguments: list[Value] = list(given)
        types = tuple(a.type for a in call.arguments)
        external = self._system.externals.get(callee)
        if key is not None and key.phase is Phase.CALLING:
            shown = tuple((v, t) for v, t in zip(arguments, types, strict=True) if isinstance(v, Term))
            self._action = Shown(Verb.CALL, callee, shown)
            if external is not None and external.noreturn:
                self._arrive(Key(Phase.OVER))
            assert key.location is not None
            self._arrive(Key(Phase.INSIDE, key.location, what=callee, span=span))
        if external is not None and external.noreturn:
            context.end(Kind.EXIT, callee, self._terms.true, span)
        value = self.asking.come_back(callee, arguments, types, span)
        if key is not None:
            assert external is not None
            back = ((value, external.result_type),) if isinstance(value, Term) else ()
            self._action = Shown(Verb.RETURN, callee, back)
        before = self._watched_now()
        receive(self._places, call, value)
        if key is not None:
            assert key.location is not None
            behind = Location(key.location.level, key.location.block, key.location.index + 1)
            self._rest_if_changed(before, behind, span)


def _end(kind: Kind, what: str, span: Span) -> Key | None:
    """Where an event leads; None: such a run does not count."""
    match kind:
        case Kind.FAULT:
            return Key(Phase.FAILED, what=what, span=span)
        case Kind.EXIT:
            return Key(Phase.OVER)
        case Kind.DROPPED:
            return None
        case Kind.BOUND | Kind.UNSUPPORTED:
            return Key(Phase.LOST, what=what, span=span, bound=kind is Kind.BOUND)


def _put(cells: Cells, first: int, value: Value) -> int:
    contents = value if isinstance(value, list) else [UNWRITTEN if value is None else value]
    for number, content in enumerate(contents, first):
        cells[number] = content
    return first + len(contents)


def _constants_in(term: Term) -> Iterator[int]:
    stack, seen = [term], {term}
    while stack:
        node = stack.pop()
        if node.operator is Operator.VALUE:
            yield node.extra
        elif node.operator is Operator.CHOOSE:
            for operand in node.operands[1:]:
                if operand not in seen:
                    seen.add(operand)
                    stack.append(operand)


def _where(statements: tuple[Statement, ...], terminator: Terminator) -> Span:
    """The line that a block begins with."""
    return next((s.span for s in statements if s.span.line), terminator.span)
