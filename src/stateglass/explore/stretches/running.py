"""Runs code from a rest to the next ones: the *merge* driver with calls as part of the location."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, TypeVar, final

from stateglass.explore.meaning.statements import Statements
from stateglass.explore.merging.contents import Cells, Content, Way
from stateglass.explore.merging.context import Context, Lost
from stateglass.explore.merging.control import Control
from stateglass.explore.merging.effects import MergedEffects
from stateglass.explore.merging.evaluating import Evaluating
from stateglass.explore.merging.frames import Value
from stateglass.explore.merging.outcome import Kind
from stateglass.explore.merging.passing import convert_arguments, receive
from stateglass.explore.stretches.activations import Activations, put
from stateglass.explore.stretches.arrivals import Arrival, Key
from stateglass.explore.stretches.asking import Asking
from stateglass.explore.stretches.counting import MOST_ROUNDS, is_far
from stateglass.explore.stretches.flow import Phase, Shown, Source
from stateglass.explore.stretches.lending import Lending
from stateglass.explore.stretches.levels import Level, Location, TooManyLevels, When
from stateglass.explore.stretches.visiting import Visiting
from stateglass.explore.stretches.ways import Ways
from stateglass.explore.stretches.whole import Whole
from stateglass.model import Verb
from stateglass.program import (
    Assign,
    Call,
    Exit,
    Global,
    Input,
    Local,
    Place,
    Return,
    Statement,
    Terminator,
    Type,
    Unsupported,
)
from stateglass.program.walk import nodes_in
from stateglass.smt import Operator, Term
from stateglass.source import InputError, Span
from stateglass.system import Choice
from stateglass.values import Fault

_T = TypeVar("_T")
MOST_DEPTH: Final = 16
"""So deep a function may call itself."""


def from_rest(whole: Whole, key: Key, cells: Cells) -> tuple[list[Arrival], bool]:
    """All that a rest leads to, and whether some runs do not count that go on from there."""
    found: list[Arrival] = []
    drops = False
    for start in _starts(whole, key):
        run = _Run(whole, dict(cells))
        found += run.arrivals(start)
        drops |= run.drops
        whole.unknowns += len(run.asking.chosen)
    return found, drops


def _starts(whole: Whole, key: Key) -> Iterator[Callable[[_Run], None]]:
    """The ways to begin at a rest."""
    system, location = whole.system, key.location
    match key.phase:
        case Phase.START:
            if system.init is None or whole.is_begun:
                yield lambda run: run.visiting.begin()
            else:
                init = system.init
                yield lambda run: run.visiting.visit(init, None, is_first=True)
        case Phase.STABLE if system.input_at(key.number) is not None:
            yield lambda run: run.visiting.set_input(key.number)
        case Phase.STABLE:
            for number, entry in enumerate(system.entries):
                yield lambda run, entry=entry, number=number: run.visiting.visit(entry, number)  # type: ignore[misc]
        case Phase.RETURNING:
            assert location is not None
            level = whole.levels.all[location.level]
            yield lambda run: run.visiting.come_back(level, valueless=False)
            yield lambda run: run.visiting.come_back(level, valueless=True)
        case _:
            assert location is not None
            yield lambda run: run.resume(location, key)


@final
class _Run:
    """One run."""

    def __init__(self, whole: Whole, cells: Cells) -> None:
        self._whole = whole
        self._system = whole.system
        self._levels = whole.levels
        self._terms = whole.terms
        undefined = whole.system.undefined
        context = Context(
            whole.machine, whole.terms, whole.initial, undefined.wraps, undefined.left_out, undefined.fits
        )
        context.way = Way((), cells)
        self._context = context
        self._activations = Activations(whole, context)
        self._ways = Ways(whole, context)
        self._evaluating = Evaluating(context)
        self._places = self._evaluating.places
        effects = MergedEffects(
            context, self._places, lambda function: whole.escapes.reborn(function.name), self._activations.end
        )
        self._statements: Statements[Term, list[Content], None]
        self._statements = Statements(context.memory, self._evaluating.expressions, self._places, effects)
        self._control = Control(context)
        self.asking = Asking(whole.system, context, self._places, whole.unknowns)
        lending = Lending(whole.system, whole.machine, context, self._places, self.asking)
        self.visiting = Visiting(whole, context, lending, self._activations, self._ways)
        self._when: When = ()  # what is being run
        self._rounds = 0
        self._skip: Location | None = None  # where the run begins: there it does not rest at once
        self._asked: Location | None = None  # where it begins with an input

    @property
    def drops(self) -> bool:
        """Whether the run does not count for some values."""
        return self._ways.drops

    # ---- from beginning to end

    def arrivals(self, start: Callable[[_Run], None]) -> list[Arrival]:
        with suppress(Lost):
            start(self)
        while not self._ways.is_over:
            self._whole.keep_time()
            self._when, location = self._ways.take()
            try:
                self._go_on(location)
            except Lost:
                continue
        return self._ways.arrivals(tuple(self.asking.chosen))

    # ---- functions

    def _return(self, level: Level, value: Value, span: Span) -> None:
        context = self._context
        value = self._whole.graves.followed(value, self._activations.outliving(level))
        if level.caller is None:
            if self._whole.seen.events:
                self._activations.forget(level)
                if level.result is not None:
                    put(context.way.cells, level.result.first, value)
                end = Location(level.number, 0, 0)
                self._ways.arrive(Key(Phase.RETURNING, end, what=level.function.name))
            self.visiting.be_over(level)
        assert level.caller is not None and level.call is not None
        self._activations.forget(level)
        caller = self._levels.all[level.caller.level]
        context.frame = caller.frame
        context.callers = self._levels.callers(level.caller)
        before = self._ways.watched()
        receive(self._places, level.call, value)
        behind = Location(level.caller.level, level.caller.block, level.caller.index + 1)
        self._ways.rest_if_changed(before, behind, level.call.span)
        self._ways.push(behind, self._levels.at(self._when[:-1], behind.index), context.way)

    # ---- blocks

    def resume(self, location: Location, key: Key) -> None:
        """Begins where code rests."""
        self._skip, self._when = location, self._levels.first_moment(location)
        self._asked = location if key.phase is Phase.ASKING else None
        context = self._context
        level = self._levels.all[location.level]
        context.frame, context.callers = level.frame, self._levels.callers(location)
        block = level.function.blocks[location.block]
        if key.phase is Phase.EXITING:
            assert isinstance(block.terminator, Exit)
            status = self._again(lambda: self._statements.operand(block.terminator))
            assert isinstance(status, Term)
            self._ways.action = Shown(Verb.EXIT, "", ((status, block.terminator.code.type),))
            self._ways.arrive(Key(Phase.OVER))
        if key.phase in (Phase.CALLING, Phase.INSIDE):
            call = block.statements[location.index]
            assert isinstance(call, Call)
            _, given = self._again(lambda: self._statements.operands(call))
            self._outside(call, key.what, list(given), location, key.phase)
            return
        self._ways.push(location, self._when, context.way)

    def _again(self, evaluate: Callable[[], _T]) -> _T:
        """Evaluates what was evaluated on the way to this rest: what is wrong with it was told there."""
        events = self._context.events
        known = len(events)
        found = evaluate()
        del events[known:]
        return found

    def _go_on(self, location: Location) -> None:
        """From a location to the next ones."""
        context, levels = self._context, self._levels
        level = levels.all[location.level]
        context.frame, context.callers = level.frame, levels.callers(location)
        block = level.function.blocks[location.block]
        at_start, self._skip = location == self._skip, None
        if levels.is_head(location) and not at_start and not self._counts(level, location.block):
            self._ways.arrive(Key(Phase.LOOP, location, span=_where(block.statements, block.terminator)))
        for index in range(location.index, len(block.statements)):
            here = Location(location.level, location.block, index)
            self._when = levels.at(self._when, index)
            if self._statement(block.statements[index], here):
                return
        terminator = block.terminator
        self._refuse_unknown(terminator)
        operand = self._statements.operand(terminator)
        if isinstance(terminator, Exit) and self._whole.seen.events:
            here = Location(location.level, location.block, len(block.statements))
            self._ways.arrive(Key(Phase.EXITING, here, span=terminator.span))
        if isinstance(terminator, Return):
            self._return(level, operand, terminator.span)
            return
        for target, guard in self._control.ways_out(terminator, operand):
            following = levels.following(level, self._when, location.block, target)
            self._ways.push(Location(location.level, target, 0), following, Way(guard, dict(context.way.cells)))

    def _counts(self, level: Level, head: int) -> bool:
        """Whether a loop need not rest: it is known whether it goes on, and it does not go on for long."""
        context, counted = self._context, self._levels.counting(level, head)
        if counted is None or self._rounds >= MOST_ROUNDS:
            return False
        if not all(isinstance(c := self._held(p), Term) and c.value is not None for p in counted.moved):
            return False
        way, known = context.way, len(context.events)
        context.way = Way(way.guard, dict(way.cells))
        try:
            for statement in level.function.blocks[head].statements:
                assert isinstance(statement, Assign)
                self._statements.run(statement)
            asked = self._evaluating.value(counted.condition)
            is_known = context.domain.truth(asked).operator is Operator.VALUE
            if not is_known or is_far(counted.condition, self._evaluating.value):
                return False
        except Lost:
            return False
        finally:
            context.way = way
            del context.events[known:]
        self._rounds += 1
        return True

    def _held(self, variable: Place) -> Content:
        assert isinstance(variable, Local | Global)
        return self._context.content(self._context.find(variable).first)

    # ---- statements

    def _statement(self, statement: Statement, here: Location) -> bool:
        """Runs a statement; whether what follows it is run later."""
        context = self._context
        self._refuse_unknown(statement)
        before = self._ways.watched()
        match statement:
            case Call():
                if self._call(statement, here):
                    return True
            case Input(place, name, type, span):
                is_asked, self._asked = here == self._asked, None
                if self._whole.seen.events and not is_asked:
                    self._ways.arrive(Key(Phase.ASKING, here, what=name, span=span))
                choice = self._system.volatile.get(name) or Choice(name, type, (), anything=True)
                value = self.asking.choice(choice, Source.READ)
                if is_asked:
                    self._ways.action = Shown(Verb.LOAD, f"::{name}", ((value, type),))
                self._places.store(place, type, value, span)
            case Unsupported(reason, span):
                context.lose(reason, self._terms.true, span)
            case _:
                self._statements.run(statement)
        behind = Location(here.level, here.block, here.index + 1)
        self._ways.rest_if_changed(before, behind, statement.span)
        return False

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
            if self._whole.seen.events:
                self._ways.arrive(Key(Phase.CALLING, here, what=name, span=call.span))
            self._outside(call, name, arguments, here, None)
            return
        convert_arguments(context, self._evaluating, function, arguments, types, call.span)
        try:
            level = self._levels.called(function, here, call, types[len(function.parameters) :])
        except (TooManyLevels, InputError):
            context.lose("calls lead to calls in too many ways", self._terms.true, call.span, bound=True)
            return
        if level.depth > MOST_DEPTH:
            reason = f"`{name}` calls itself more than {MOST_DEPTH} deep"
            context.lose(reason, self._terms.true, call.span, bound=True)
        self._activations.enter(level, arguments)
        self._ways.push(Location(level.number, 0, 0), self._levels.entered(self._when, level), context.way)

    def _outside(self, call: Call, name: str, arguments: list[Value], here: Location, phase: Phase | None) -> None:
        """Calls a function without a body; with a phase, one of the two steps of that. What follows is run later."""
        context, span = self._context, call.span
        types = tuple(a.type for a in call.arguments)
        external = self._system.externals.get(name)
        if phase is Phase.CALLING:
            shown = tuple((v, t) for v, t in zip(arguments, types, strict=True) if isinstance(v, Term))
            self._ways.action = Shown(Verb.CALL, name, shown)
            self._ways.arrive(
                Key(Phase.OVER)
                if external is not None and external.noreturn
                else Key(Phase.INSIDE, here, what=name, span=span)
            )
        if external is not None and external.noreturn:
            context.end(Kind.EXIT, name, self._terms.true, span)
        before = self._ways.watched()
        value = self.asking.result(name, arguments, span)
        if phase is not None:
            assert external is not None
            back = ((value, external.result_type),) if isinstance(value, Term) else ()
            self._ways.action = Shown(Verb.RETURN, name, back)
        self.asking.write(name, arguments, call)
        receive(self._places, call, value)
        behind = Location(here.level, here.block, here.index + 1)
        self._ways.rest_if_changed(before, behind, span)
        self._ways.push(behind, self._levels.at(self._when, behind.index), context.way)


def _where(statements: tuple[Statement, ...], terminator: Terminator) -> Span:
    """The line that a block begins with."""
    return next((s.span for s in statements if s.span.line), terminator.span)
