"""From the functions of a thread to its body: those on whose way it halts become part of it, call by call."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final, final

from stateglass.program import (
    Aggregate,
    Assign,
    Block,
    Call,
    Constant,
    Convert,
    Copy,
    Declare,
    End,
    Expression,
    Function,
    Global,
    Jump,
    Load,
    Local,
    Program,
    Record,
    Return,
    Scalar,
    Statement,
    Terminator,
    Unsupported,
    Void,
    is_scalar,
)
from stateglass.program.callgraph import statements_of
from stateglass.program.nodes import Place, redirected
from stateglass.program.walk import addressed_locals, base_of, stored_by
from stateglass.source import Span
from stateglass.system.sharing import LOAD, access_of
from stateglass.unbounded.temporal.numbers import NotKnown
from stateglass.unbounded.threads.turns.bodies import Body, Halt, Next, Seen, halting, told
from stateglass.unbounded.threads.turns.renaming import renamed

MOST_BLOCKS: Final = 5_000


def result_of(event: str) -> str:
    """The function without a body that gives what an event returns to one of those who take part."""
    return f"result {event}"


def body_of(
    program: Program, thread: str, function: str, arguments: Sequence[int], seen: Seen, *, is_told: bool
) -> Body:
    """The body of a thread that runs a function with these arguments; `is_told`: accesses are calls, too."""
    return _Inlining(program, thread, halting(program, function, thread, seen), seen, is_told=is_told).run(
        program.functions[function], arguments
    )


@final
class _Inlining:
    def __init__(self, program: Program, thread: str, inlined: Collection[str], seen: Seen, *, is_told: bool) -> None:
        self._program = program
        self._thread = thread
        self._inlined = inlined
        self._seen = seen
        self._is_told = is_told
        self._locals: list[Local] = []
        self._blocks: list[Block | None] = []
        self._halts: list[Halt] = []
        self._copies = 0
        self._at = 0  # the block that is being written
        self._statements: list[Statement] = []

    def run(self, function: Function, arguments: Sequence[int]) -> Body:
        self._halts.append(Halt(Next.CODE, self._reserved()))
        names = self._named(function)
        start = [
            Assign(replace(p, name=names[p.name]), Constant(value, p.type))
            for p, value in zip(function.parameters, arguments, strict=True)
            if is_scalar(p.type)
        ]
        self._at, self._statements = 0, [*start]
        ended = self._halt(Halt(Next.NOTHING))
        self._copy(function, names, ended, None)
        assert all(block is not None for block in self._blocks)
        blocks = tuple(block for block in self._blocks if block is not None)
        return Body(self._thread, tuple(self._locals), blocks, tuple(self._halts))

    # ---- writing

    def _reserved(self) -> int:
        if len(self._blocks) >= MOST_BLOCKS:
            raise NotKnown(f"the code of `{self._thread}` has more than {MOST_BLOCKS:,} pieces")
        self._blocks.append(None)
        return len(self._blocks) - 1

    def _close(self, terminator: Terminator, following: int | None = None) -> None:
        self._blocks[self._at] = Block(tuple(self._statements), terminator)
        self._statements = []
        if following is not None:
            self._at = following

    def _halt(self, halt: Halt) -> int:
        """The target that leads to a new halt."""
        self._halts.append(halt)
        return -len(self._halts)

    def _halted(self, span: Span) -> None:
        """Others may move now."""
        following = self._reserved()
        self._close(Jump(self._halt(Halt(Next.CODE, following)), span), following)

    def _local(self, name: str, type: Scalar | Record) -> Local:
        local = Local(f"{self._thread}.{name}", type)
        self._locals.append(local)
        return local

    def _named(self, function: Function) -> dict[str, str]:
        """New names for the variables of a function."""
        prefix = f"{self._thread}." + (f"{function.name}.{self._copies}." if self._copies else "")
        self._copies += 1
        whole = (*function.parameters, *function.locals)
        self._locals += [replace(v, name=prefix + v.name) for v in whole]
        return {v.name: prefix + v.name for v in whole}

    # ---- one function

    def _copy(self, function: Function, names: Mapping[str, str], back: int, result: Local | None) -> None:
        """Its blocks, from the one that is being written on; where it returns, code goes on at `back`."""
        addressed = addressed_locals(statements_of(function.blocks)) if back >= 0 else set()
        ends = [End(replace(v, name=names[v.name])) for v in _variables(function) if v.name in addressed]
        starts = [self._reserved() for _ in function.blocks]
        self._close(Jump(starts[0], function.span))
        for start, block in zip(starts, function.blocks, strict=True):
            self._at = start
            for statement in block.statements:
                self._statement(renamed(statement, names))
            terminator = renamed(block.terminator, names)
            if isinstance(terminator, Return):
                self._returned(terminator, result)
                self._statements += [replace(end, span=terminator.span) for end in ends]
                self._close(Jump(back, terminator.span))
            else:
                self._close(_moved(terminator, starts))

    def _returned(self, terminator: Return, result: Local | None) -> None:
        match terminator.value:
            case None:
                return
            case Aggregate(place):
                if result is not None:
                    self._statements.append(Copy(result, place, terminator.span))
            case value:
                into = result or self._local(f"%returned{len(self._locals)}", value.type)
                self._statements.append(Assign(into, value, terminator.span))

    def _statement(self, statement: Statement) -> None:
        if isinstance(statement, Call) and isinstance(statement.callee, str):
            callee, span = statement.callee, statement.span
            if access_of(callee) is not None:
                self._access(statement, callee)
                return
            if callee in self._seen.events:
                self._event(statement, callee)
                return
            if callee in self._inlined:
                self._called(statement, self._program.functions[callee])
                return
            own = told(self._thread, callee)
            if own in self._seen.inputs:
                self._statements.append(replace(statement, callee=own))
                self._halted(span)
                return
        self._statements.append(statement)
        if any(self._is_watched(place) for place in stored_by(statement)):
            self._halted(statement.span)

    def _is_watched(self, place: Place) -> bool:
        base = base_of(place)
        return isinstance(base, Global) and base.name in self._seen.watched

    def _access(self, call: Call, callee: str) -> None:
        access = access_of(callee)
        assert access is not None
        verb, name = access
        variable = Global(name, self._program.variables[name].type, call.span)
        assert is_scalar(variable.type)
        if verb == LOAD:
            assert call.result is not None
            place: Place = call.result
            value: Expression = Load(variable, variable.type, call.span)
        else:
            (given,) = call.arguments
            assert not isinstance(given, Aggregate)
            place, value = variable, given
        if self._is_told:
            # An event is where it happens: what is stored is there afterwards.
            self._statements.append(Call(None, told(self._thread, callee), (value,), call.span))
        self._statements.append(Assign(place, value, call.span))
        self._halted(call.span)

    def _event(self, call: Call, event: str) -> None:
        """Waits for the others with the arguments at hand."""
        types = [p.type for p in self._program.declarations[event].parameters]
        known = self._seen.constants.get((event, call.span))
        arguments: list[Expression] = []
        for number, (given, type) in enumerate(zip(call.arguments, types, strict=True)):
            assert is_scalar(type) and not isinstance(given, Aggregate)
            kept = self._local(f"%argument{len(self._locals)}", type)
            self._statements.append(Assign(kept, _as(given, type), call.span))
            arguments.append(Load(kept, type, call.span) if known is None else Constant(known[number], type, call.span))
        following = self._reserved()
        done = self._halt(Halt(Next.CODE, following))
        waiting = Halt(Next.EVENT, following, event, tuple(arguments), -1 - done, call.span)
        self._close(Jump(self._halt(waiting), call.span), following)
        if call.result is not None:
            self._statements.append(Call(call.result, result_of(event), (), call.span))

    def _called(self, call: Call, function: Function) -> None:
        names = self._named(function)
        for variable in _variables(function):
            self._statements.append(Declare(replace(variable, name=names[variable.name]), call.span))
        for parameter, given in zip(function.parameters, call.arguments, strict=True):
            into = replace(parameter, name=names[parameter.name])
            if isinstance(given, Aggregate):
                self._statements.append(Copy(into, given.place, call.span))
            else:
                assert is_scalar(parameter.type)
                self._statements.append(Assign(into, _as(given, parameter.type), call.span))
        result = None
        if not isinstance(function.result, Void):
            assert is_scalar(function.result) or isinstance(function.result, Record)
            result = self._local(f"%returned{len(self._locals)}", function.result)
            self._statements.append(Declare(result, call.span))
        back = self._reserved()
        self._copy(function, names, back, result)
        self._at = back
        if call.result is None or result is None:
            return
        if any(isinstance(b.terminator, Return) and b.terminator.value is None for b in function.blocks):
            what = (
                f"`{function.name}` may return no value, which is not followed where threads share variables directly"
            )
            self._statements.append(Unsupported(what, call.span))
        elif is_scalar(result.type):
            self._statements.append(Assign(call.result, Load(result, result.type, call.span), call.span))
        else:
            self._statements.append(Copy(call.result, result, call.span))
        if self._is_watched(call.result):
            self._halted(call.span)


def _variables(function: Function) -> tuple[Local, ...]:
    return (*function.parameters, *function.locals)


def _moved(terminator: Terminator, starts: Sequence[int]) -> Terminator:
    return redirected(terminator, lambda target: starts[target])


def _as(value: Expression, type: Scalar) -> Expression:
    return value if value.type == type else Convert(value, type, value.span)
