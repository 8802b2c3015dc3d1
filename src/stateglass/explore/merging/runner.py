"""The *merge* driver: runs a function block by block in an order in which ways that meet become one."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Final, final

from stateglass.explore.machine import Machine
from stateglass.explore.meaning.statements import Statements
from stateglass.explore.merging.contents import OVER, Cells, Content, Meeting, Way
from stateglass.explore.merging.context import Context, Lost
from stateglass.explore.merging.control import Control
from stateglass.explore.merging.effects import MergedEffects
from stateglass.explore.merging.evaluating import Evaluating, fixed_addresses
from stateglass.explore.merging.frames import Value, entered, leave, result_of
from stateglass.explore.merging.order import Moment, Order
from stateglass.explore.merging.outcome import Outcome, told_apart
from stateglass.explore.merging.outside import Outside
from stateglass.explore.merging.passing import convert_arguments, receive
from stateglass.explore.merging.trail import under
from stateglass.program import (
    Call,
    Function,
    Input,
    Return,
    Statement,
    Type,
    Unsupported,
)
from stateglass.program.escapes import Escapes
from stateglass.smt import Term, Terms
from stateglass.source import NOWHERE, InputError, Span
from stateglass.values import Fault, FaultKind

UNROLL: Final = 64
"""How many rounds of a loop are run by default."""
MOST_DEPTH: Final = 64
MOST_BLOCKS: Final = 50_000
"""How many blocks are run before a function counts as one that does not come to an end."""

Feasible = Callable[[Term], bool]
"""Whether there may be a valuation for which a condition holds."""


@final
class Runner:
    """Runs functions of one program; each run begins with the same unknowns."""

    def __init__(
        self,
        machine: Machine,
        terms: Terms,
        before: Callable[[int], Content],
        *,
        unroll: int = UNROLL,
        wraps: frozenset[FaultKind] = frozenset(),
        max_depth: int = MOST_DEPTH,
        max_blocks: int = MOST_BLOCKS,
        feasible: Feasible | None = None,
        ignored: frozenset[FaultKind] = frozenset(),
    ) -> None:
        """`machine` says where everything is; `before` is what its cells hold at first.

        Of faults, some wrap (`wraps`), and of others nobody wants to hear: such valuations do not count (`ignored`).
        """
        self._machine = machine
        self._terms = terms
        self._wraps = wraps
        self._given = before
        self._unroll = unroll
        self._max_depth = max_depth
        self.max_blocks = max_blocks
        self._feasible = feasible or (lambda condition: True)
        self._ignored = ignored
        self._orders: dict[str, Order] = {}
        self._escapes = Escapes(machine.program)

    def _before(self, number: int) -> Content:
        """What a cell holds that was not written; those of functions that are not running are none."""
        return self._given(number) if number < self._machine.last_variable else OVER

    def run(self, function: str, arguments: list[Value], cells: Cells | None = None) -> Outcome:
        """Call a function; `cells` are those that differ from what they hold at first."""
        context = Context(self._machine, self._terms, self._before, self._wraps, self._ignored)
        context.way = Way((), dict(cells or {}))
        call = _Running(self, context)
        called = self._machine.functions[function]
        value: Value = None
        returns = self._terms.false
        try:
            value = call.function(called, arguments, tuple(p.type for p in called.parameters), NOWHERE)
            returns = self._terms.both(*context.way.guard)
        except Lost:
            pass
        return Outcome(
            context.way.cells,
            returns,
            value,
            tuple(context.events),
            told_apart(context.fresh),
            tuple(context.decisions),
            context.rounds,
            context.trail.stretches(),
            {name: frozenset(written) for name, written in context.called_out.items()},
            tuple(context.volatile),
        )

    def order_of(self, function: Function) -> Order:
        known = self._orders.get(function.name)
        if known is None:
            known = self._orders[function.name] = Order(function)
            # They are known before anything of the function is run: what lies near them is not known.
            for address in fixed_addresses(function):
                self._machine.memory.note_fixed(address)
        return known

    def reborn(self, function: Function) -> frozenset[str]:
        return self._escapes.reborn(function.name)

    @property
    def unroll(self) -> int:
        return self._unroll

    @property
    def max_depth(self) -> int:
        return self._max_depth

    def may_be(self, condition: Term) -> bool:
        return self._feasible(condition)


@final
class _Running:
    """One run."""

    def __init__(self, runner: Runner, context: Context) -> None:
        self._runner = runner
        self._context = context
        self._terms = context.terms
        self._evaluating = Evaluating(context)
        self._places = self._evaluating.places
        effects = MergedEffects(context, self._places, runner.reborn)
        self._statements: Statements[Term, list[Content], None]
        self._statements = Statements(context.memory, self._evaluating.expressions, self._places, effects)
        self._control = Control(context)
        self._outside = Outside(context, self._places)
        self._depth: dict[str, int] = {}
        self._blocks_run = 0

    def _meeting(self, ways: list[Way]) -> Meeting:
        return Meeting(self._terms, self._context.before, self._context.width, ways)

    # ---- functions

    def function(self, function: Function, arguments: list[Value], types: tuple[Type, ...], span: Span) -> Value:
        """Run a function on the way at hand, and go on behind it."""
        context, name = self._context, function.name
        depth = self._depth.get(name, 0)
        if depth and not self._runner.may_be(context.when(self._terms.true)):
            raise Lost
        if depth >= self._runner.max_depth:
            context.lose(f"`{name}` calls itself more than {depth} deep", self._terms.true, span, bound=True)
        outer = getattr(context, "frame", None)
        try:
            context.frame = entered(context, function, arguments, types)
        except InputError as full:
            # Each of the calls has variables of its own, so that there may be too many of them.
            context.lose(full.diagnostics[0].message, self._terms.true, span, bound=True)
        self._depth[name] = depth + 1
        context.callers.append(span)
        try:
            ways, values = self._blocks(function)
        finally:
            self._depth[name] = depth
            context.callers.pop()
        if not ways:
            raise Lost
        meeting = self._meeting(ways)
        context.way = meeting.merged()
        value = result_of(function.result, values, meeting, context.memory)
        leave(context)
        if outer is not None:
            context.frame = outer
        return value

    # ---- blocks

    def _blocks(self, function: Function) -> tuple[list[Way], list[Value]]:
        """All ways out of a function, with what it returns on each."""
        context, order = self._context, self._runner.order_of(function)
        frame = context.frame
        pending: dict[Moment, tuple[int, list[Way]]] = {}
        queue: list[Moment] = []

        def go(block: int, moment: Moment, way: Way) -> None:
            if moment in pending:
                pending[moment][1].append(way)
            else:
                pending[moment] = (block, [way])
                heapq.heappush(queue, moment)

        go(0, order.first(0), context.way)
        ways: list[Way] = []
        values: list[Value] = []
        while queue:
            moment = heapq.heappop(queue)
            number, arrived = pending.pop(moment)
            context.way, context.frame = self._meeting(arrived).merged(), frame
            rounds = order.rounds(moment)
            self._blocks_run += 1
            try:
                if self._blocks_run > self._runner.max_blocks:
                    most = f"{self._runner.max_blocks:,}"
                    reason = f"`{function.name}` takes more than {most} steps, loops and calls unrolled"
                    context.lose(reason, self._terms.true, function.span, bound=True)
                if rounds:
                    self._check_rounds(rounds, function, number)
                block = function.blocks[number]
                for statement in block.statements:
                    context.way.origin = context.trail.passed(context.way.origin, statement.span)
                    self._statement(statement)
                origin = context.way.origin = context.trail.passed(context.way.origin, block.terminator.span)
                operand = self._statements.operand(block.terminator)
                if isinstance(block.terminator, Return):
                    values.append(operand)
                    ways.append(context.way)
                    continue
                for target, guard in self._control.ways_out(block.terminator, operand):
                    way = context.way
                    came = origin if guard is way.guard else under(origin, guard[-1])
                    go(target, order.following(number, moment, target), Way(guard, dict(way.cells), came))
            except Lost:
                continue
        context.frame = frame
        return ways, values

    def _check_rounds(self, rounds: int, function: Function, block: int) -> None:
        """A loop that goes on: whether it can, and whether it may."""
        context = self._context
        context.rounds = max(context.rounds, rounds)
        looked = rounds & (rounds - 1) == 0 or rounds >= self._runner.unroll
        if looked and not self._runner.may_be(self._terms.both(*context.way.guard)):
            raise Lost
        if rounds >= self._runner.unroll:
            span = function.blocks[block].terminator.span
            context.lose(f"a loop makes more than {rounds} rounds", self._terms.true, span, bound=True)

    # ---- statements

    def _statement(self, statement: Statement) -> None:
        context = self._context
        match statement:
            case Call():
                self._call(statement)
            case Input(place, name, type, span):
                context.volatile[name] = None
                self._places.store(place, type, context.ask(name, type, span, origin=name), span)
            case Unsupported(reason, span):
                context.lose(reason, self._terms.true, span)
            case _:
                self._statements.run(statement)

    # ---- calls

    def _call(self, call: Call) -> None:
        context, span, callee = self._context, call.span, call.callee
        pointer, given = self._statements.operands(call)
        arguments: list[Value] = list(given)
        types = tuple(a.type for a in call.arguments)
        if isinstance(callee, str):
            receive(self._places, call, self._called(callee, arguments, types, span))
            return
        assert pointer is not None
        frame, way = context.frame, context.way
        ways: list[Way] = []
        for spot in self._places.targets(pointer, span):
            if spot.only is self._terms.true:
                context.way = Way(way.guard, dict(way.cells), way.origin)
            else:
                context.way = Way((*way.guard, spot.only), dict(way.cells), under(way.origin, spot.only))
            context.frame = frame
            try:
                try:
                    name = context.machine.known.called_at(spot.address, len(arguments), span)
                except Fault as wrong:
                    context.note(wrong.kind, self._terms.true, span)
                    continue
                receive(self._places, call, self._called(name, list(arguments), types, span))
                ways.append(context.way)
            except Lost:
                continue
        context.frame = frame
        if not ways:
            raise Lost
        context.way = self._meeting(ways).merged()

    def _called(self, name: str, arguments: list[Value], types: tuple[Type, ...], span: Span) -> Value:
        context = self._context
        function = context.machine.functions.get(name)
        if function is None:
            return self._outside.call(name, arguments, types, span)
        convert_arguments(context, self._evaluating, function, arguments, types, span)
        return self.function(function, arguments, types, span)
