"""Which locals may be pointed to after their lives are over.

The analysis does not look at the order of statements: what is ever assigned to a local may be in it always. An address
that is stored anywhere but in locals whose own address is not taken counts as gone for good.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import assert_never, final

from stateglass.program.callgraph import statements_of
from stateglass.program.nodes import (
    AddressOf,
    Aggregate,
    Allocate,
    AllocatedSize,
    Apart,
    Assign,
    Binary,
    Block,
    Branch,
    Call,
    Clear,
    Compare,
    Constant,
    Convert,
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
    FunctionReference,
    Global,
    Input,
    Jump,
    Load,
    Local,
    Place,
    PointerAdd,
    PointerDifference,
    Release,
    Return,
    Statement,
    Switch,
    Terminator,
    Unary,
    Unsupported,
    VariadicArguments,
    successors,
)
from stateglass.program.program import Function, Program
from stateglass.program.walk import addressed_locals, base_of

Source = tuple[str, bool]
"""A local and whether its address is meant (True) or its content."""


@final
@dataclass(slots=True)
class _Flows:
    """Where addresses go in one function."""

    to_locals: dict[str, set[Source]] = field(default_factory=dict)
    outside: set[Source] = field(default_factory=set)  # into memory, or to functions that are not known
    returned: set[Source] = field(default_factory=set)
    arguments: list[tuple[str, int, Source, Place | None]] = field(default_factory=list)
    """Callee, position, what is passed, and the place that takes the result."""
    addressed: frozenset[str] = frozenset()

    def hidden_local(self, place: Place) -> str | None:
        """The local that a place belongs to, if nobody can see it through a pointer."""
        base = base_of(place)
        return base.name if isinstance(base, Local) and base.name not in self.addressed else None

    def store(self, place: Place, sources: Iterable[Source]) -> None:
        target = self.hidden_local(place)
        (self.outside if target is None else self.to_locals.setdefault(target, set())).update(sources)


@final
class Escapes:
    """Answers for a program, function by function; callees are looked at when they matter."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._flows: dict[str, _Flows] = {}
        self._gone: dict[str, set[Source]] = {}  # by function: what may outlive a call
        self._result: dict[str, set[Source]] = {}  # what its result may contain
        self._kept: dict[str, set[Source]] = {}

    def outliving(self, function: str) -> frozenset[str]:
        """Locals of a function that something may point to after it has returned."""
        self._solve(function)
        sources = self._gone[function] | self._result[function]
        return frozenset(name for name, address in sources if address)

    def reborn(self, function: str) -> frozenset[str]:
        """Locals that may live several times in one call, with something left that points to an earlier life."""
        self._solve(function)
        kept = {name for name, address in self._kept[function] if address}
        blocks = self._program.functions[function].blocks
        again: set[str] = set()
        for number, block in enumerate(blocks):
            ending = {s.local.name for s in block.statements if isinstance(s, End)} & kept
            if not ending <= again and _in_loop(number, blocks):
                again |= ending
        return frozenset(again)

    def _solve(self, root: str) -> None:
        """The least solution for a function and all that get addresses from it."""
        if root in self._gone:
            return
        fresh = self._involved(root)
        for name in fresh:
            self._gone[name], self._result[name], self._kept[name] = set(), set(), set()
        size = -1
        while size != (size := sum(len(self._gone[n]) + len(self._result[n]) + len(self._kept[n]) for n in fresh)):
            for name in fresh:
                self._improve(name)

    def _involved(self, root: str) -> list[str]:
        found: dict[str, None] = {}
        todo = [root]
        while todo:
            name = todo.pop()
            if name in found or name in self._gone:
                continue
            found[name] = None
            if name not in self._flows:
                self._flows[name] = _collect(self._program.functions[name])
            todo += [callee for callee, *_ in self._flows[name].arguments if callee in self._program.functions]
        return list(found)

    def _improve(self, name: str) -> None:
        flows = self._flows[name]
        into = {local: set(sources) for local, sources in flows.to_locals.items()}
        gone = set(flows.outside)
        for callee, position, source, result in flows.arguments:
            function = self._program.functions.get(callee)
            if function is None:
                # A function without a body has no memory that could be asked, but it may return what it was given.
                if result is not None:
                    target = flows.hidden_local(result)
                    (gone if target is None else into.setdefault(target, set())).add(source)
                continue
            if position >= len(function.parameters):
                gone.add(source)
                continue
            parameter = (function.parameters[position].name, False)
            if parameter in self._gone[callee]:
                gone.add(source)
            if parameter in self._result[callee] and result is not None:
                target = flows.hidden_local(result)
                (gone if target is None else into.setdefault(target, set())).add(source)
        self._gone[name] = _closed(gone, into)
        self._result[name] = _closed(set(flows.returned), into)
        self._kept[name] = self._gone[name] | self._result[name] | set().union(*into.values())


def _in_loop(number: int, blocks: Sequence[Block]) -> bool:
    """Whether control may come back to a block."""
    seen: set[int] = set()
    todo = [number]
    while todo:
        for following in successors(blocks[todo.pop()].terminator):
            if following == number:
                return True
            if following not in seen:
                seen.add(following)
                todo.append(following)
    return False


def _closed(sources: set[Source], into: dict[str, set[Source]]) -> set[Source]:
    """With the content of a local goes whatever was put into it."""
    todo = list(sources)
    while todo:
        name, address = todo.pop()
        if not address:
            new = into.get(name, set()) - sources
            sources |= new
            todo += new
    return sources


def _collect(function: Function) -> _Flows:
    nodes = list(statements_of(function.blocks))
    flows = _Flows(addressed=frozenset(addressed_locals(iter(nodes))))
    for node in nodes:
        _follow(node, flows)
    return flows


def _follow(node: Statement | Terminator, flows: _Flows) -> None:
    match node:
        case Assign(place, value):
            flows.store(place, _carried(value))
        case Copy(target, origin):
            flows.store(target, _content(origin))
        case Return(value):
            flows.returned.update(() if value is None else _carried(value))
        case Call(result, callee, arguments):
            for position, argument in enumerate(arguments):
                for source in _carried(argument):
                    if isinstance(callee, str):
                        flows.arguments.append((callee, position, source, result))
                    else:
                        flows.outside.add(source)
        case CopyBytes():
            # What is copied lies in memory that pointers lead to: all that was stored there is gone already.
            pass
        case Clear() | Input() | Allocate() | AllocatedSize() | Release() | Apart() | Unsupported():
            pass
        case Declare() | DeclareArray() | End() | Jump() | Branch() | Switch() | Exit() | Fail() | Drop():
            pass
        case _:
            assert_never(node)


def _content(place: Place) -> Iterator[Source]:
    base = base_of(place)
    if isinstance(base, Local):
        yield base.name, False


def _carried(value: Expression | Aggregate) -> Iterator[Source]:
    """What addresses a value may contain."""
    match value:
        case AddressOf(place):
            match base_of(place):
                case Local(name):
                    yield name, True
                case Dereference(pointer):
                    yield from _carried(pointer)
                case Global():
                    pass
        case Load(place) | Aggregate(place):
            yield from _content(place)
        case Unary(_, operand) | Convert(operand):
            yield from _carried(operand)
        case Binary(_, left, right):
            yield from _carried(left)
            yield from _carried(right)
        case PointerAdd(pointer):
            yield from _carried(pointer)
        case Constant() | FunctionReference() | VariadicArguments() | Compare() | PointerDifference():
            return
        case _:
            assert_never(value)
