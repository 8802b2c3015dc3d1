"""Variables that several threads use: each read and each write becomes a call that others can take part in.

The calls go to functions without a body, one that loads and one that stores. Whoever puts threads together gives them
their meaning: a process that holds the value, which threads read and write at the same moment.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, final

from stateglass.program import (
    Assign,
    Block,
    Bool,
    Call,
    Constant,
    Declaration,
    Enum,
    Enumeration,
    Expression,
    Function,
    FunctionType,
    Global,
    Load,
    Local,
    Pointer,
    Program,
    Scalar,
    Statement,
    Variable,
    Void,
    is_scalar,
)
from stateglass.program.callgraph import mentioned, statements_of
from stateglass.program.nodes import Place
from stateglass.program.rewriting import changed_statement, changed_terminator
from stateglass.program.walk import nodes_in
from stateglass.source import Code, Diagnostic, InputError, Span, input_error
from stateglass.system.bounds import parse_bound
from stateglass.system.bounds.resolve import resolve
from stateglass.system.fsp.reader import read_process
from stateglass.system.threads import Thread

LOAD: Final = "load"
STORE: Final = "store"


def loading(variable: str) -> str:
    """The function that loads a shared variable."""
    return f"{LOAD} {variable}"


def storing(variable: str) -> str:
    """The function that stores to a shared variable."""
    return f"{STORE} {variable}"


def read_from(variable: str, number: int) -> str:
    """The local that holds what was read from a shared variable."""
    return f"%{variable}@{number}"


def access_of(function: str) -> tuple[str, str] | None:
    """Which access of which variable a function stands for; None if it stands for none."""
    verb, blank, variable = function.partition(" ")
    return (verb, variable) if blank and verb in (LOAD, STORE) else None


def with_accesses(program: Program, shared: Collection[str]) -> Program:
    """The program with calls in place of reads and writes of shared variables; what cannot be so is refused."""
    if not shared:
        return program
    problems = list(_refused(program, shared))
    if problems:
        raise InputError(problems)
    declarations = dict(program.declarations)
    for name in shared:
        type = program.variables[name].type
        declarations[loading(name)] = Declaration(loading(name), type, ())
        declarations[storing(name)] = Declaration(storing(name), Void(), (Local("value", type),))
    functions = {name: _Rewriting(function, shared).run() for name, function in program.functions.items()}
    refuse_uses(functions.values(), shared)
    return replace(program, functions=functions, declarations=declarations)


def refuse_uses(functions: Iterable[Function], shared: Container[str]) -> None:
    """Refuses what still speaks of shared variables after they have been replaced where that is known."""
    left = [
        Diagnostic(Code.UNSUPPORTED, f"`{node.name}` is shared, and it is used here in a way that is not known", s.span)
        for function in functions
        for s in statements_of(function.blocks)
        for node in nodes_in(s)
        if isinstance(node, Global) and node.name in shared
    ]
    if left:
        raise InputError(dict.fromkeys(left))


def holder(program: Program, variable: str, bound: str | None) -> Thread:
    """A process that holds a shared variable: whoever reads it gets what was written last."""
    of = program.variables[variable]
    assert is_scalar(of.type)
    if bound is None:
        help = f"give it a bound: --bound {variable}=0..10"
        raise input_error(Code.MISSING_BOUND, f"the process that holds `{variable}` needs values", of.span, help)
    values = resolve(parse_bound(bound), of.type, program.enums, variable)
    first = first_value(of)
    if first not in values:
        message = f"`{variable}` is {'not known' if first is None else first} at first, which is not in its bound"
        raise input_error(Code.BOUND, message, of.span, "give it a bound that has it")
    texts = [value_text(value, of.type, program.enums) for value in values]
    domain, name = f"{{{', '.join(texts)}}}", f"::{variable}"
    start = texts[values.index(first)]
    text = (
        f"VARIABLE = HELD[{start}], HELD[v:{domain}] = "
        f"({LOAD}({name}, v) -> HELD[v] | {STORE}({name}, w:{domain}) -> HELD[w])."
    )
    process = read_process(text, variable)
    return Thread(variable, process.name, process=process, held=tuple(zip(texts, values, strict=True)))


def value_text(value: int, type: Scalar, enums: Mapping[str, Enumeration]) -> str:
    """A value as labels have it."""
    if isinstance(type, Bool):
        return "true" if value else "false"
    if isinstance(type, Enum):
        return next((name for name, number in enums[type.name].members if number == value), str(value))
    return str(value)


def first_value(variable: Variable) -> int | None:
    """What a variable holds at first; None if that is no number that is known."""
    if not variable.initial:
        return 0
    value = variable.initial[0].value
    return value.value if isinstance(value, Constant) else None


def _refused(program: Program, shared: Collection[str]) -> Iterator[Diagnostic]:
    for name in shared:
        type, span = program.variables[name].type, program.variables[name].span
        if isinstance(type, Pointer) and not isinstance(type.target, FunctionType):
            message = f"`{name}` is shared, and a pointer: what it leads to is shared, too, and its uses are not steps"
            yield Diagnostic(Code.UNSUPPORTED, message, span)
    for name in sorted(mentioned(program)[1] & set(shared)):
        message = f"`{name}` is shared, and pointers lead to it"
        yield Diagnostic(Code.UNSUPPORTED, message, program.variables[name].span)


@final
class _Rewriting:
    """One function."""

    def __init__(self, function: Function, shared: Collection[str]) -> None:
        self._function = function
        self._shared = shared
        self._new: list[Local] = []
        self._before: list[Statement] = []

    def run(self) -> Function:
        blocks = tuple(map(self._block, self._function.blocks))
        if not self._new and blocks == self._function.blocks:
            return self._function
        return replace(self._function, blocks=blocks, locals=(*self._function.locals, *self._new))

    def _block(self, block: Block) -> Block:
        statements: list[Statement] = []
        for statement in block.statements:
            if not self._speaks_of_shared(statement):
                statements.append(statement)
                continue
            if isinstance(statement, Assign) and isinstance(statement.place, Local):
                name = self._shared_by(statement.value)
                if name is not None and statement.place.type == statement.value.type:
                    statements.append(Call(statement.place, loading(name), (), statement.span))
                    continue
            self._before = []
            own = changed_statement(statement, lambda e, span=statement.span: self._loaded(e, span))  # type: ignore[misc]
            statements += [*self._before, *self._stored(own)]
        terminator = block.terminator
        self._before = []
        if self._speaks_of_shared(terminator):
            terminator = changed_terminator(terminator, lambda e: self._loaded(e, terminator.span))
        return Block((*statements, *self._before), terminator)

    def _speaks_of_shared(self, node: Statement | object) -> bool:
        return any(isinstance(n, Global) and n.name in self._shared for n in nodes_in(node))  # type: ignore[arg-type]

    def _loaded(self, expression: Expression, span: Span) -> Expression:
        name = self._shared_by(expression)
        if name is None:
            return expression
        temporary = self._temporary(expression.type, name)
        self._before.append(Call(temporary, loading(name), (), span))
        return Load(temporary, expression.type, expression.span)

    def _stored(self, statement: Statement) -> Iterator[Statement]:
        """A statement, and what stores its result if that is shared."""
        place = statement.place if isinstance(statement, Assign) else None
        if isinstance(statement, Call):
            place = statement.result
        name = None if place is None else self._shared_at(place)
        if name is None:
            yield statement
            return
        assert isinstance(place, Global) and is_scalar(place.type)
        if isinstance(statement, Assign):
            yield Call(None, storing(name), (statement.value,), statement.span)
            return
        assert isinstance(statement, Call)
        temporary = self._temporary(place.type, name)
        yield replace(statement, result=temporary)
        yield Call(None, storing(name), (Load(temporary, place.type, statement.span),), statement.span)

    def _shared_by(self, value: Expression) -> str | None:
        """The shared variable that an expression loads."""
        return self._shared_at(value.place) if isinstance(value, Load) else None

    def _shared_at(self, place: Place) -> str | None:
        return place.name if isinstance(place, Global) and place.name in self._shared else None

    def _temporary(self, type: Scalar, variable: str) -> Local:
        local = Local(read_from(variable, len(self._new)), type)
        self._new.append(local)
        return local
