"""Lowers statements: control flow of every kind, declarations, scopes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.hidden import has_initial
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.parts import for_parts, range_parts, switch_initial
from stateglass.frontend.clang.peeling import does_something, strip
from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.builder import FunctionBuilder, JumpTarget, NotSupported
from stateglass.frontend.lowering.conversions import convert, wrap
from stateglass.frontend.lowering.declarations import Declarations
from stateglass.frontend.lowering.expressions import Expressions
from stateglass.program import (
    VOID,
    Aggregate,
    Bool,
    Call,
    Case,
    Declare,
    Enum,
    Expression,
    Int,
    Local,
    Pointer,
    Record,
    Return,
    Switch,
    Type,
    is_scalar,
)
from stateglass.source import Span


@final
@dataclass(slots=True)
class _OpenSwitch:
    """A switch whose body is being walked."""

    type: Int
    depth: int  # how many scopes are open around it
    entered: dict[str, Local] = field(default_factory=dict)  # what its labels find declared inside
    cases: list[Case] = field(default_factory=list)
    default: int | None = None


@final
class Statements:
    """Lowers the statements of one function."""

    def __init__(self, symbols: Symbols, builder: FunctionBuilder, result: Type) -> None:
        self.symbols = symbols
        self.builder = builder
        self.result = result
        self.expressions = Expressions(symbols, builder)
        self.declarations = Declarations(self.expressions)
        self.expressions.run_statements = self._statement_expression
        self.switches: list[_OpenSwitch] = []

    def statement(self, cursor: Cursor) -> None:
        """Lower one statement; what cannot be lowered becomes an `Unsupported` node in its place."""
        depth = len(self.builder.scopes)
        first = self.builder.block_count
        breaks, continues, switches = len(self.builder.breaks), len(self.builder.continues), len(self.switches)
        try:
            self._statement(cursor)
        except NotSupported as reason:
            self.builder.give_up(first, reason.reason, reason.span)
            del self.builder.scopes[depth:]
            del self.builder.breaks[breaks:]
            del self.builder.continues[continues:]
            del self.switches[switches:]

    def _within(self, cursor: Cursor) -> None:
        """A statement that another one controls: in C++ it may be a declaration, and what it declares ends with it."""
        self.builder.open_scope()
        self.statement(cursor)
        self.builder.close_scope()

    def _statement(self, cursor: Cursor) -> None:
        builder = self.builder
        match cursor.kind:
            case CursorKind.COMPOUND_STMT:
                builder.open_scope()
                for inner in cursor.get_children():
                    self.statement(inner)
                builder.close_scope()
            case CursorKind.DECL_STMT:
                for inner in cursor.get_children():
                    self.declarations.declare(inner)
            case CursorKind.IF_STMT:
                self._if(cursor)
            case CursorKind.WHILE_STMT:
                *variable, condition, body = libclang.children(cursor)
                self._loop(condition, None, body, cursor, tested=variable[0] if variable else None)
            case CursorKind.DO_STMT:
                self._do(cursor)
            case CursorKind.FOR_STMT:
                self._for(cursor)
            case CursorKind.CXX_TRY_STMT:
                self.expressions.exceptions.attempt(cursor, self.statement)
            case CursorKind.CXX_FOR_RANGE_STMT:
                self._for_each(cursor)
            case CursorKind.SWITCH_STMT:
                self._switch(cursor)
            case CursorKind.CASE_STMT:
                self._case(cursor)
            case CursorKind.DEFAULT_STMT:
                self._default(cursor)
            case CursorKind.BREAK_STMT:
                builder.leave_to(builder.breaks[-1], span_of(cursor))
                builder.current = builder.new_block()
            case CursorKind.CONTINUE_STMT:
                builder.leave_to(builder.continues[-1], span_of(cursor))
                builder.current = builder.new_block()
            case CursorKind.RETURN_STMT:
                self._return(cursor)
            case CursorKind.GOTO_STMT:
                (label,) = libclang.children(cursor)
                builder.goto(label.spelling, span_of(cursor))
                builder.current = builder.new_block()
            case CursorKind.INDIRECT_GOTO_STMT:
                self._computed_goto(cursor)
            case CursorKind.ASM_STMT:
                self._assembly(cursor)
            case CursorKind.LABEL_STMT:
                builder.label(cursor.spelling, span_of(cursor))
                for inner in cursor.get_children():
                    self.statement(inner)
            case CursorKind.NULL_STMT:
                pass
            case CursorKind.UNEXPOSED_STMT if _is_attributed(cursor):
                for inner in cursor.get_children():
                    if not inner.kind.is_attribute():
                        self.statement(inner)
            case kind if kind.is_expression():
                self.expressions.discard(cursor)
            case _:
                raise NotSupported(_describe(cursor), span_of(cursor))

    def _statement_expression(self, body: Cursor, result: Local | None) -> None:
        """The statements of `({ … })`; the last one, if an expression, gives the result."""
        *before, last = libclang.children(body) or [None]
        self.builder.open_scope()
        for inner in before:
            self.statement(inner)
        if last is not None:
            while last.kind is CursorKind.LABEL_STMT:
                self.builder.label(last.spelling, span_of(last))
                last = libclang.children(last)[-1]
            if result is not None:
                self.expressions.updates.store(result, last, span_of(last))
            else:
                self._statement(last)
        self.builder.close_scope()

    # ---- choices and loops

    def _if(self, cursor: Cursor) -> None:
        if not self.symbols.cplusplus:
            self._if_parts(libclang.children(cursor), cursor)
            return
        self.builder.open_scope()
        parts = libclang.children(cursor)
        if has_initial(cursor):
            initial = next(part for part in parts if part.kind is not CursorKind.VAR_DECL)
            parts.remove(initial)
            self._statement(initial)
        self._if_parts(self._without_declared(parts), cursor)
        self.builder.close_scope()

    def _without_declared(self, parts: list[Cursor]) -> list[Cursor]:
        """What is left of `if (T x = f())` after the variable, which is what is tested."""
        if parts[0].kind is CursorKind.VAR_DECL:
            self.declarations.declare(parts[0])
            return parts[1:]
        return parts

    def _if_parts(self, parts: list[Cursor], cursor: Cursor) -> None:
        condition, *branches = parts
        builder = self.builder
        then, other, after = (builder.new_block() for _ in range(3))
        self.expressions.decisions.branch(condition, then, other)
        for block, branch in zip((then, other), [*branches, None], strict=False):
            builder.current = block
            if branch is not None:
                self._within(branch)
            builder.start(after, span_of(cursor))

    def _loop(
        self,
        condition: Cursor | None,
        step: Cursor | None,
        body: Cursor,
        cursor: Cursor,
        declared: Cursor | None = None,
        tested: Cursor | None = None,
    ) -> None:
        """`while`, and the rest of `for` after its first part.

        In each round `declared` is declared before the body, and `tested` before the condition.
        """
        builder = self.builder
        head, inside, next_round, after = (builder.new_block() for _ in range(4))
        span = span_of(cursor)
        builder.start(head, span)
        leaving = JumpTarget(after, len(builder.scopes))
        if tested is not None:
            builder.open_scope()
            self.declarations.declare(tested)
        if condition is None:
            builder.start(inside, span)
        else:
            self._enter_round(condition, inside, leaving, span)
        builder.breaks.append(leaving)
        builder.continues.append(JumpTarget(next_round, len(builder.scopes)))
        builder.open_scope()
        if declared is not None:
            self.statement(declared)
        self.statement(body)
        builder.close_scope()
        builder.breaks.pop()
        builder.continues.pop()
        builder.start(next_round, span)
        if step is not None:
            self.expressions.discard(step)
        if tested is not None:
            builder.close_scope()
        builder.start(head, span)
        builder.current = after

    def _enter_round(self, condition: Cursor, inside: int, leaving: JumpTarget, span: Span) -> None:
        """Go on inside of a loop, or leave it and what its condition declared."""
        builder = self.builder
        other = leaving.block
        if len(builder.scopes) > leaving.depth:
            other = builder.new_block()
        self.expressions.decisions.branch(condition, inside, other)
        if other != leaving.block:
            builder.current = other
            builder.leave_to(leaving, span)
        builder.current = inside

    def _do(self, cursor: Cursor) -> None:
        body, condition = libclang.children(cursor)
        builder = self.builder
        inside, test, after = (builder.new_block() for _ in range(3))
        span = span_of(cursor)
        builder.start(inside, span)
        depth = len(builder.scopes)
        builder.breaks.append(JumpTarget(after, depth))
        builder.continues.append(JumpTarget(test, depth))
        self._within(body)
        builder.breaks.pop()
        builder.continues.pop()
        builder.start(test, span)
        self.expressions.decisions.branch(condition, inside, after)
        builder.current = after

    def _for(self, cursor: Cursor) -> None:
        parts = for_parts(cursor)
        if parts is None:
            raise NotSupported("a `for` with missing parts (this libclang does not tell which)", span_of(cursor))
        self.builder.open_scope()
        if parts.initial is not None:
            self._statement(parts.initial)
        self._loop(parts.condition, parts.step, parts.body, cursor, tested=parts.declared)
        self.builder.close_scope()

    def _switch(self, cursor: Cursor) -> None:
        if not self.symbols.cplusplus:
            self._switch_parts(libclang.children(cursor), cursor)
            return
        self.builder.open_scope()
        initial = switch_initial(cursor)
        if initial is not None:
            self._statement(initial)
        self._switch_parts(self._without_declared(libclang.children(cursor)), cursor)
        self.builder.close_scope()

    def _switch_parts(self, parts: list[Cursor], cursor: Cursor) -> None:
        condition, body = parts
        builder = self.builder
        span = span_of(cursor)
        value = self.expressions.value(condition)
        # C promotes what is switched on, and converts the labels to that type.
        type = value.type
        assert isinstance(type, Int | Enum | Bool)
        wide = type if isinstance(type, Int) else self.expressions.int_type
        value = convert(value, wide, span)
        start, after = builder.current, builder.new_block()
        this = _OpenSwitch(wide, len(builder.scopes))
        self.switches.append(this)
        builder.breaks.append(JumpTarget(after, len(builder.scopes)))
        builder.current = builder.new_block()  # statements before the first label are never reached
        self._within(body)
        builder.breaks.pop()
        self.switches.pop()
        builder.start(after, span)
        builder.current = start
        # The jump to a label enters the blocks around it past their declarations: these variables live, without a
        # value.
        for local in this.entered.values():
            builder.emit(Declare(local))
        default = this.default if this.default is not None else after
        builder.finish(Switch(value, tuple(this.cases), default, span))
        builder.current = after

    def _case(self, cursor: Cursor) -> None:
        *labels, body = libclang.children(cursor)
        block = self.builder.new_block()
        self.builder.start(block, span_of(cursor))
        if not self.switches:
            raise NotSupported("a case label whose switch is not supported", span_of(cursor))
        self._enter_switch()
        values = [libclang.evaluate(label) for label in labels]
        low, high = values[0], values[-1]
        if low is None or high is None or len(values) > 2:
            raise NotSupported("this case label", span_of(cursor))
        # They come in the type that clang switches on.
        low, high = wrap(low, self.switches[-1].type), wrap(high, self.switches[-1].type)
        # An empty range (`case 3 ... 1`) is allowed by gcc, and matches nothing; its statements can still be fallen
        # into.
        if low <= high:
            self.switches[-1].cases.append(Case(low, high, block))
        self.statement(body)

    def _default(self, cursor: Cursor) -> None:
        block = self.builder.new_block()
        self.builder.start(block, span_of(cursor))
        if not self.switches:
            raise NotSupported("a default label whose switch is not supported", span_of(cursor))
        self._enter_switch()
        self.switches[-1].default = block
        for inner in cursor.get_children():
            self.statement(inner)

    def _enter_switch(self) -> None:
        """Notes the variables that are declared before a label, in blocks that the jump to the label enters."""
        this = self.switches[-1]
        this.entered.update((x.name, x) for scope in self.builder.scopes[this.depth :] for x in scope)

    def _return(self, cursor: Cursor) -> None:
        inner = libclang.children(cursor)
        span = span_of(cursor)
        result = self.result
        value: Expression | Aggregate | None = None
        if not inner:
            pass
        elif self._return_object(inner[0], span):
            return
        elif self.builder.returns_reference:
            assert isinstance(result, Pointer)
            value = self.expressions.objects.reference(inner[0], result, span)
        elif result == VOID:
            self.expressions.discard(inner[0])
        elif isinstance(result, Record):
            value = Aggregate(self.expressions.record(inner[0]), result, span)
        elif is_scalar(result):
            value = convert(self.expressions.value(inner[0]), result, span)
        else:
            raise NotSupported(f"values of type {result}", span)
        self._leave(value, span)

    def _leave(self, value: Expression | Aggregate | None, span: Span) -> None:
        if self.builder.end_of_body is not None:
            self.builder.leave_to(self.builder.end_of_body, span)
        else:
            value = self.builder.clean_up(value)
            if self.builder.name == "main" and (end := self.symbols.end_of_program()) is not None:
                mark = self.builder.mark()
                self.builder.emit_quietly(Call(None, end, (), span))
                value = value if not isinstance(value, Expression) else self.expressions.settled(value, mark)
            self.builder.finish(Return(value, span))
        self.builder.current = self.builder.new_block()

    def _return_object(self, cursor: Cursor, span: Span) -> bool:
        """Whether the function returns an object by making it where its caller wants it; if so, it is made."""
        place = self.declarations.result_place(span)
        if place is None:
            return False
        made = strip(cursor)
        given = libclang.children(made) if made.kind is CursorKind.CALL_EXPR else []
        named = strip(given[0]) if given else None
        is_there = (
            self.declarations.returned is not None and named is not None and named.kind is CursorKind.DECL_REF_EXPR
        )
        if not is_there:
            self.expressions.objects.construct(place, cursor, span)
        self._leave(None, span)
        return True

    def _for_each(self, cursor: Cursor) -> None:
        """`for (T x : range)`: over an array, or from what `begin` gives to what `end` gives."""
        parts = range_parts(cursor)
        if parts is None:
            raise NotSupported("a loop over a range (this libclang does not show its parts)", span_of(cursor))
        self.builder.open_scope()
        for declared in parts.declared:
            if declared.kind is CursorKind.VAR_DECL:
                self.declarations.declare(declared)
            else:
                self._statement(declared)
        self._loop(parts.condition, parts.step, parts.body, cursor, parts.variable)
        self.builder.close_scope()

    def _computed_goto(self, cursor: Cursor) -> None:
        """`goto *p`: a switch over the labels whose address this function takes."""
        (target,) = libclang.children(cursor)
        span = span_of(cursor)
        wide = self.symbols.ptrdiff_type
        value = convert(self.expressions.value(target), wide, span)
        self.builder.computed_goto(value, span, self.symbols.numbered_labels())
        self.builder.current = self.builder.new_block()

    def _assembly(self, cursor: Cursor) -> None:
        """Assembly without instructions (a barrier) and `nop` do nothing here; what is read and written stays as it is.

        Other instructions are taken to change no variable, which the model then says; results are not supported.
        """
        found = libclang.assembly(cursor)
        if found is None:
            raise NotSupported("inline assembly that may jump", span_of(cursor))
        instructions, outputs = found
        if any(does_something(c) for c in libclang.children(cursor)):
            raise NotSupported("inline assembly whose operands do something", span_of(cursor))
        if not set(instructions.replace(";", " ").split()) - {"nop"}:
            if not all(c.startswith("+") for c in outputs):
                raise NotSupported("inline assembly that has operands", span_of(cursor))
        elif outputs:
            raise NotSupported("inline assembly that has results", span_of(cursor))
        else:
            self.symbols.pass_over_assembly(" ".join(instructions.split()))


def _is_attributed(cursor: Cursor) -> bool:
    """`__attribute__((fallthrough));`, and any other statement with attributes in front."""
    return sum(not c.kind.is_attribute() for c in cursor.get_children()) == 1


def _describe(cursor: Cursor) -> str:
    names = {
        CursorKind.ASM_STMT: "inline assembly",
        CursorKind.INDIRECT_GOTO_STMT: "computed goto",
    }
    return names.get(cursor.kind, f"this statement ({cursor.kind.name.lower().replace('_', ' ')})")
