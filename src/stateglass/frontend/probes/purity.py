"""A probe may look at a program, but not change it: what it must not do, found in the function that it became."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never, final

from stateglass.program import (
    AddressOf,
    Allocate,
    AllocatedSize,
    Apart,
    Assign,
    Branch,
    Call,
    Clear,
    Convert,
    Copy,
    CopyBytes,
    Declare,
    DeclareArray,
    Dereference,
    Drop,
    Element,
    End,
    Exit,
    Expression,
    Fail,
    Function,
    Input,
    Jump,
    Load,
    Local,
    Member,
    Pointer,
    PointerAdd,
    Program,
    Release,
    Return,
    Statement,
    Switch,
    Terminator,
    Unsupported,
)
from stateglass.program.callgraph import statements_of
from stateglass.program.printer import print_place
from stateglass.program.probes import Probe
from stateglass.program.tokens import tokens_of
from stateglass.program.walk import Bytes, Node, base_of, operands, read_by, stored_by, written_by
from stateglass.source import Code, Diagnostic, Span, close_match, kept_by_caller


def problems_of_probes(program: Program, probes: Sequence[Probe]) -> list[Diagnostic]:
    """Everything that they must not do."""
    purity = _Purity(program)
    problems = [d for probe in probes for d in purity.problems(program.functions[probe.name], probe)]
    for probe in probes:
        if not probe.may_use_parameters:
            problems += _parameters(program.functions[probe.name], probe)
    return problems


@final
class _Purity:
    """Why functions must not be called in a probe; each function is looked at once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._blames: dict[str, str] = {}

    def problems(self, function: Function, probe: Probe) -> Iterator[Diagnostic]:
        parameters = _own_names(function)
        for node in _statements(function):
            if isinstance(node, Unsupported):
                yield Diagnostic(Code.UNSUPPORTED, f"this is not supported: {node.reason}", node.span)
                continue
            bases = [base_of(place) for place in stored_by(node)]
            changed = [base.name for base in bases if isinstance(base, Local) and base.name in parameters]
            blame = f"it changes `{parameters[changed[0]]}`" if changed else self._blame(node)
            if blame:
                yield self._effect(node, blame, probe)

    def _effect(self, node: Statement | Terminator, blame: str, probe: Probe) -> Diagnostic:
        callee = node.callee if isinstance(node, Call) else None
        if isinstance(callee, str) and callee not in self._program.functions:
            help = close_match(callee, self._program.own_functions)
            message = f"`{callee}` has no body: what it does and returns is not known"
            return Diagnostic(Code.UNKNOWN_NAME, message, node.span, help=help)
        assigned = isinstance(node, Assign) and any(t.text == "=" for t in tokens_of(probe.words.text))
        help = "write `==` to compare" if assigned else ""
        return Diagnostic(Code.SYNTAX, f"an expression must only look: {blame}", node.span, help=help)

    def _blame(self, node: Statement | Terminator) -> str:
        """Why a statement does more than give a value; empty if it does not."""
        match node:
            case Input(_, name):
                return f"`{name}` is volatile, so reading it twice may give two values"
            case Allocate() | Release():
                return "it changes memory"
            case Exit() | Drop():
                return "it may end the program"
            case Call(_, callee):
                return _change(node) or self._called(callee)
            case Assign() | Copy() | CopyBytes() | Clear() | AllocatedSize():
                return _change(node)
            case Apart() | Unsupported() | Declare() | DeclareArray() | End():
                return ""
            case Jump() | Branch() | Switch() | Return() | Fail():
                return ""
            case _:
                assert_never(node)

    def _called(self, callee: str | Expression) -> str:
        if not isinstance(callee, str):
            return "it calls a function through a pointer"
        inner = self._inside(callee)
        return f"`{callee}` is called: {inner}" if inner and not inner.startswith("`") else inner

    def _inside(self, name: str) -> str:
        """Why a function must not be called; empty if it may."""
        if name not in self._blames:
            self._blames[name] = ""  # one that calls itself is as good as what else it does
            function = self._program.functions.get(name)
            if function is None:
                self._blames[name] = f"`{name}` has no body"
            else:
                blames = ((self._blame(n), n.span) for n in statements_of(function.blocks))
                self._blames[name] = next((f"{b} ({span})" for b, span in blames if b), "")
        return self._blames[name]


def _parameters(function: Function, probe: Probe) -> Iterator[Diagnostic]:
    """Uses of a parameter's own value, which does not exist between two calls; what it points to may be used."""
    own = _own_names(function)
    for node in _statements(function):
        through = isinstance(node, Call)
        tops = [*((top, through) for top in read_by(node)), *((place, False) for place in stored_by(node))]
        for top, allowed in tops:
            for found, span in _bare(top, own, allowed):
                name = own[found]
                pointer = next((p for p in function.parameters if p.name == name and isinstance(p.type, Pointer)), None)
                message = f"`{name}` is a parameter of `{probe.function}`: it has no value between two calls"
                help = (
                    f"use what it points to, such as `*{name}` or `{name}->member`"
                    if pointer is not None
                    else "use it in the condition of a transition, or in `assume`"
                )
                if function.returns_like(name) and pointer is None:
                    help += f"\n{kept_by_caller(probe.function, name)}"
                yield Diagnostic(Code.SYNTAX, message, span, help=help)


def _own_names(function: Function) -> dict[str, str]:
    """The names of parameters, each with its parameter: one that is promoted is copied to `NAME%` first."""
    names = [p.name for p in function.parameters]
    return {**{n: n for n in names}, **{f"{n}%": n for n in names}}


def _statements(function: Function) -> list[Statement | Terminator]:
    """The statements of a probe without the copies of promoted parameters at its beginning."""
    own = _own_names(function)
    nodes = list(statements_of(function.blocks))
    while nodes and isinstance(first := nodes[0], Assign) and isinstance(first.place, Local):
        if first.place.name not in own:
            break
        match first.value:
            case Convert(Load(Local(name))) if f"{name}%" == first.place.name:
                del nodes[0]
            case _:
                break
    return nodes


def _bare(node: Node, parameters: Mapping[str, str], through: bool) -> Iterator[tuple[str, Span]]:
    """The parameters whose own values are used; `through`: a pointer here is only followed or passed on."""
    match node:
        case Load(Local(name), type, span) if name in parameters:
            if not (through and isinstance(type, Pointer)):
                yield name, span
        case Local(name, _, span) if name in parameters:
            yield name, span
        case _:
            for inner in operands(node):
                yield from _bare(inner, parameters, isinstance(node, Dereference) or (through and _keeps(node)))


def _keeps(node: Node) -> bool:
    """Whether a pointer inside this node is still only followed: `p[2]` or `&p->x` do not use `p` itself."""
    return isinstance(node, PointerAdd | AddressOf | Member | Element) or (
        isinstance(node, Convert) and isinstance(node.type, Pointer)
    )


def _change(node: Statement) -> str:
    """What a statement changes that is not its function's own; empty if there is nothing."""
    for written in written_by(node):
        if isinstance(written, Bytes):
            return "it changes memory"
        if not isinstance(base_of(written), Local):
            return f"it changes `{print_place(written).removeprefix('::')}`"
    return ""
