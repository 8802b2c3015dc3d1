"""The code of a thread as one graph of blocks with halts, at which others may move.

A thread halts after each access to a shared variable, before and after each event, and behind what a claim sees of it.
What it does in between touches nobody, and can be put off until right before the next such step: code from one halt to
the next runs in one go (Lipton, "Reduction: a method of proving properties of parallel programs", 1975). A halt is
behind an access, not before it: whoever computes for ever leaves to others what it has stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import final

from stateglass.program import Block, Call, Expression, Function, FunctionReference, Global, Local, Program, Statement
from stateglass.program.callgraph import reachable, statements_of
from stateglass.program.nodes import Terminator
from stateglass.program.walk import base_of, nodes_in, stored_by
from stateglass.source import NOWHERE, Code, Diagnostic, InputError, Span
from stateglass.system.sharing import access_of


@final
@unique
class Next(Enum):
    """What a thread does next at a halt."""

    CODE = "code"
    EVENT = "event"
    NOTHING = "nothing"  # it has ended


@final
@dataclass(frozen=True, slots=True)
class Halt:
    """Where a thread rests while others move."""

    next: Next
    entry: int = 0  # the block that it goes on with
    event: str = ""
    arguments: tuple[Expression, ...] = ()  # of the event: constants, or variables of the thread
    then: int = 0  # the halt after the event
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class Body:
    """The code of one thread, which begins at halt 0; a jump to block -n leads to halt n - 1."""

    name: str
    locals: tuple[Local, ...]
    blocks: tuple[Block, ...]
    halts: tuple[Halt, ...]


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """What others, or a claim, see of threads."""

    events: frozenset[str]  # functions without a body
    inputs: frozenset[str] = frozenset()  # other functions without a body that a claim asks about: `left.input`
    watched: frozenset[str] = frozenset()  # variables that it asks about
    constants: Mapping[tuple[str, Span], tuple[int, ...]] = field(default_factory=dict)
    """Events whose arguments are always the same, by their calls."""


def told(thread: str, function: str) -> str:
    """The function without a body that says what a thread does: `left.input`, `load left.x`."""
    access = access_of(function)
    return f"{thread}.{function}" if access is None else f"{access[0]} {thread}.{access[1]}"


def is_seen(statement: Statement | Terminator, thread: str, seen: Seen) -> bool:
    """Whether a thread halts at a statement."""
    if isinstance(statement, Call) and isinstance(statement.callee, str):
        callee = statement.callee
        if access_of(callee) is not None or callee in seen.events or told(thread, callee) in seen.inputs:
            return True
    return any(isinstance(base := base_of(p), Global) and base.name in seen.watched for p in stored_by(statement))


def halting(program: Program, function: str, thread: str, seen: Seen) -> frozenset[str]:
    """The functions of a thread on whose way it halts; one of which that cannot be followed is an `InputError`."""
    used = reachable(program, [function]).functions
    code = {name: list(statements_of(program.functions[name].blocks)) for name in used}
    found = {name for name, statements in code.items() if any(is_seen(s, thread, seen) for s in statements)}
    grown = True
    while grown:
        more = {
            name for name, statements in code.items() if name not in found and not found.isdisjoint(_calls(statements))
        }
        found |= more
        grown = bool(more)
    found.add(function)
    problems = list(_refused(program, function, found, code))
    if problems:
        raise InputError(dict.fromkeys(problems))
    return frozenset(found)


def _calls(statements: Sequence[Statement | Terminator]) -> Iterator[str]:
    for statement in statements:
        if isinstance(statement, Call) and isinstance(statement.callee, str):
            yield statement.callee


def _refused(
    program: Program,
    start: str,
    found: Collection[str],
    code: Mapping[str, Sequence[Statement | Terminator]],
) -> Iterator[Diagnostic]:
    what = "accesses variables that are shared directly, or takes part in events,"
    for name in sorted(found):
        function = program.functions[name]
        if name != start and function.variadic:
            yield _problem(function, f"`{name}` {what} and takes any number of arguments")
        if _calls_itself(name, found, code):
            yield _problem(function, f"`{name}` {what} and calls itself")
    for statements in code.values():
        for statement in statements:
            for node in nodes_in(statement):
                if isinstance(node, FunctionReference) and node.name in found:
                    message = f"`{node.name}` {what} and a pointer leads to it"
                    yield Diagnostic(Code.UNSUPPORTED, message, statement.span)


def _problem(function: Function, message: str) -> Diagnostic:
    return Diagnostic(Code.UNSUPPORTED, message, function.span)


def _calls_itself(name: str, found: Collection[str], code: Mapping[str, Sequence[Statement | Terminator]]) -> bool:
    met: set[str] = set()
    work = [name]
    while work:
        for callee in _calls(code[work.pop()]):
            if callee == name:
                return True
            if callee in found and callee not in met:
                met.add(callee)
                work.append(callee)
    return False
