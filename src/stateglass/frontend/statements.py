"""Lowers statements: control flow of every kind, declarations, scopes."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Final, final

from clang.cindex import CursorKind, StorageClass, TypeKind

from stateglass.frontend import libclang
from stateglass.frontend.attributes import cleanup_function
from stateglass.frontend.builder import Cleanup, FunctionBuilder, JumpTarget, NotSupported
from stateglass.frontend.classes import is_left_to_compiler
from stateglass.frontend.conversions import convert, wrap
from stateglass.frontend.destruction import destructor_of
from stateglass.frontend.exceptions import never_throws
from stateglass.frontend.expressions import Expressions
from stateglass.frontend.hidden import for_parts, range_parts
from stateglass.frontend.libclang import Cursor
from stateglass.frontend.locations import span_of
from stateglass.frontend.members import Members, only_returned
from stateglass.frontend.peeling import does_something, strip
from stateglass.frontend.signatures import RESULT, THIS, Signature, is_passed_by_address, is_reference, signature_of
from stateglass.frontend.symbols import Symbols
from stateglass.frontend.types import field_name, is_internal
from stateglass.program import (
    VOID,
    Aggregate,
    Array,
    Assign,
    Bool,
    Case,
    Constant,
    Declare,
    Dereference,
    Element,
    Enum,
    Expression,
    Function,
    Global,
    Int,
    Load,
    Local,
    Opaque,
    Place,
    Pointer,
    Record,
    Return,
    Switch,
    Type,
    Unsupported,
    is_scalar,
)
from stateglass.source import Span

_TAKEN_IN_WHERE_USED: Final = (
    CursorKind.STRUCT_DECL,
    CursorKind.UNION_DECL,
    CursorKind.ENUM_DECL,
    CursorKind.FUNCTION_DECL,
    CursorKind.STATIC_ASSERT,
    CursorKind.UNEXPOSED_DECL,  # `__label__`
    CursorKind.CLASS_DECL,
    CursorKind.TYPE_ALIAS_DECL,
    CursorKind.USING_DECLARATION,
    CursorKind.USING_DIRECTIVE,
    CursorKind.NAMESPACE_ALIAS,
)


@final
@dataclass(slots=True)
class _OpenSwitch:
    """A switch whose body is being walked."""

    type: Int
    depth: int  # how many scopes are open around it
    entered: dict[str, Local] = field(default_factory=dict)  # what its labels find declared inside
    cases: list[Case] = field(default_factory=list)
    default: int | None = None


def lower_function(cursor: Cursor, name: str, symbols: Symbols, int_type: Int) -> Function:
    """The function whose definition `cursor` is."""
    signature = signature_of(cursor, symbols.types)
    builder = FunctionBuilder(name, int_type, symbols.types.pointer_size)
    parameters = _enter(builder, signature, cursor, symbols)
    builder.never_throws, builder.result_type = never_throws(cursor), signature.result
    lowering = Statements(symbols, builder, signature.result)
    span = span_of(cursor)
    refused = _refuse(cursor, [p.type for p in parameters], signature.result)
    if refused:
        builder.emit(Unsupported(refused, span))
    else:
        try:
            for parameter in cursor.get_arguments():
                lowering.expressions.lengths.compute_for_parameter(parameter)
            lower_body(cursor, lowering)
        except NotSupported as reason:
            builder.give_up(0, reason.reason, reason.span)
        except (RecursionError, ctypes.ArgumentError):  # the latter when the end comes on the way to clang
            builder.give_up(0, "code that is nested as deep as this", span)
    result = signature.result
    # The end of main returns 0 (C 5.1.2.2.3).
    falls_off = Constant(0, result, span) if name == "main" and isinstance(result, Int) else None
    builder.finish(Return(falls_off, span))
    variadic = cursor.type.kind is TypeKind.FUNCTIONPROTO and cursor.type.is_function_variadic()
    blocks = builder.blocks()
    orders = builder.open_orders()
    return Function(
        name, result, tuple(parameters), tuple(builder.locals), blocks, variadic, orders, is_internal(cursor), span
    )


def _enter(builder: FunctionBuilder, signature: Signature, cursor: Cursor, symbols: Symbols) -> list[Local]:
    """The parameters, hidden ones first, as variables of the function."""
    hidden = list(signature.parameters[: signature.hidden])
    for local in hidden:
        builder.add_local(local.name, local.type, local.span)
    builder.result = next((p for p in hidden if p.name == RESULT), None)
    builder.returns_reference = is_reference(cursor.result_type)
    if hidden and hidden[0].name == THIS:
        builder.this, builder.owner = hidden[0], cursor.semantic_parent.type
        captures = symbols.captures.get(libclang.declaration_key(cursor.semantic_parent), [])
        builder.captures = {capture.declaration: capture for capture in captures}
    written = []
    given = signature.parameters[signature.hidden :]
    for passed, parameter in zip(given, cursor.get_arguments(), strict=True):
        local = builder.add_local(passed.name, passed.type, passed.span, libclang.declaration_key(parameter))
        if is_reference(parameter.type) or is_passed_by_address(parameter.type, symbols.types):
            builder.behind.add(local.name)
        written.append(local)
    builder.locals.clear()
    return [
        *hidden,
        *(_promoted(builder, p, t) for p, t in zip(written, _passed(cursor, symbols, written), strict=True)),
    ]


def _passed(cursor: Cursor, symbols: Symbols, parameters: list[Local]) -> list[Type]:
    """The types that callers pass: of a definition in the old style, the promoted ones."""
    type = cursor.type.get_canonical()
    if type.kind is not TypeKind.FUNCTIONPROTO or symbols.cplusplus:
        return [p.type for p in parameters]
    return [symbols.types.parameter(t) for t in type.argument_types()]


def _promoted(builder: FunctionBuilder, parameter: Local, passed: Type) -> Local:
    """A parameter that is passed as another type (`int f(c) char c; …`) becomes a variable set from what is passed."""
    if passed == parameter.type or not is_scalar(passed) or not is_scalar(parameter.type):
        return parameter
    span = parameter.span
    builder.rename(parameter, f"{parameter.name}%")
    given = Local(parameter.name, passed, span)
    own = Local(f"{parameter.name}%", parameter.type, span)
    builder.locals.append(own)
    builder.emit(Assign(own, convert(Load(given, passed, span), parameter.type, span), span))
    return given


def _refuse(cursor: Cursor, parameters: list[Type], result: Type) -> str:
    opaque = next((t for t in [*parameters, result] if isinstance(t, Opaque)), None)
    if opaque is not None:
        return f"a function with values of type {opaque.name}"
    return ""


def lower_body(cursor: Cursor, lowering: Statements) -> None:
    """What a function does, with what C++ does before the body of a constructor and after that of a destructor."""
    members = Members(lowering.expressions, lowering.statement)
    match cursor.kind:
        case CursorKind.CONSTRUCTOR:
            members.construct(cursor)
        case CursorKind.DESTRUCTOR:
            members.destroy(cursor)
        case CursorKind.CXX_METHOD if is_left_to_compiler(cursor):
            members.assign(cursor)
        case _:
            lowering.returned_variable = only_returned(cursor, lowering.symbols.types)
            lowering.statement(next(c for c in cursor.get_children() if c.kind is CursorKind.COMPOUND_STMT))


@final
class Statements:
    """Lowers the statements of one function."""

    def __init__(self, symbols: Symbols, builder: FunctionBuilder, result: Type) -> None:
        self.symbols = symbols
        self.builder = builder
        self.result = result
        self.expressions = Expressions(symbols, builder)
        self.expressions.run_statements = self._statement_expression
        self.switches: list[_OpenSwitch] = []
        # The variable that every `return` of the function names: it is made where the result is wanted.
        self.returned_variable: int | None = None

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
                    self._declaration(inner)
            case CursorKind.IF_STMT:
                self._if(cursor)
            case CursorKind.WHILE_STMT:
                *variable, condition, body = libclang.children(cursor)
                if variable:
                    raise NotSupported("a loop whose condition declares a variable", span_of(cursor))
                self._loop(condition, None, body, cursor)
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
        self._if_parts(self._declared_first(libclang.children(cursor)), cursor)
        self.builder.close_scope()

    def _declared_first(self, parts: list[Cursor]) -> list[Cursor]:
        """What is left of a condition after what it declares: `if (init; condition)`, `if (T x = f())`."""
        while parts[0].kind is CursorKind.DECL_STMT or not parts[0].kind.is_expression():
            first, *parts = parts
            if first.kind is CursorKind.VAR_DECL:
                self._declaration(first)
                # What is tested is the variable, which libclang shows behind it, if at all.
                return parts
            self._statement(first)
        return parts

    def _if_parts(self, parts: list[Cursor], cursor: Cursor) -> None:
        condition, *branches = parts
        builder = self.builder
        then, other, after = (builder.new_block() for _ in range(3))
        self.expressions.decisions.branch(condition, then, other)
        for block, branch in zip((then, other), [*branches, None], strict=False):
            builder.current = block
            if branch is not None:
                self.statement(branch)
            builder.start(after, span_of(cursor))

    def _loop(
        self,
        condition: Cursor | None,
        step: Cursor | None,
        body: Cursor,
        cursor: Cursor,
        declared: Cursor | None = None,
    ) -> None:
        """`while`, and the rest of `for` after its first part; `declared` anew in each round before the body."""
        builder = self.builder
        head, inside, next_round, after = (builder.new_block() for _ in range(4))
        span = span_of(cursor)
        builder.start(head, span)
        if condition is None:
            builder.start(inside, span)
        else:
            self.expressions.decisions.branch(condition, inside, after)
            builder.current = inside
        depth = len(builder.scopes)
        builder.breaks.append(JumpTarget(after, depth))
        builder.continues.append(JumpTarget(next_round, depth))
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
        builder.start(head, span)
        builder.current = after

    def _do(self, cursor: Cursor) -> None:
        body, condition = libclang.children(cursor)
        builder = self.builder
        inside, test, after = (builder.new_block() for _ in range(3))
        span = span_of(cursor)
        builder.start(inside, span)
        depth = len(builder.scopes)
        builder.breaks.append(JumpTarget(after, depth))
        builder.continues.append(JumpTarget(test, depth))
        self.statement(body)
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
        self._loop(parts.condition, parts.step, parts.body, cursor)
        self.builder.close_scope()

    def _switch(self, cursor: Cursor) -> None:
        if not self.symbols.cplusplus:
            self._switch_parts(libclang.children(cursor), cursor)
            return
        self.builder.open_scope()
        self._switch_parts(self._declared_first(libclang.children(cursor)), cursor)
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
        self.statement(body)
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
            value = self._reference(inner[0], result, span)
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
            self.builder.finish(Return(self.builder.clean_up(value), span))
        self.builder.current = self.builder.new_block()

    def _return_object(self, cursor: Cursor, span: Span) -> bool:
        """Whether the function returns an object by making it where its caller wants it; if so, it is made."""
        place = self._result_place(span)
        if place is None:
            return False
        named = strip(libclang.children(strip(cursor))[0]) if strip(cursor).kind is CursorKind.CALL_EXPR else None
        is_there = self.returned_variable is not None and named is not None and named.kind is CursorKind.DECL_REF_EXPR
        if not is_there:
            self.expressions.objects.construct(place, cursor, span)
        self._leave(None, span)
        return True

    def _result_place(self, span: Span) -> Place | None:
        hidden = self.builder.result
        if hidden is None:
            return None
        assert isinstance(hidden.type, Pointer)
        return Dereference(Load(hidden, hidden.type, span), hidden.type.target, 1, span)

    def _reference(self, cursor: Cursor, type: Pointer, span: Span) -> Expression:
        """What a function returns that returns a reference: an address."""
        lower = self.expressions
        return lower.retyped(lower.objects.address(lower.place(cursor), span), type, span)

    def _for_each(self, cursor: Cursor) -> None:
        """`for (T x : range)`: over an array, or from what `begin` gives to what `end` gives."""
        parts = range_parts(cursor)
        if parts is None:
            raise NotSupported("a loop over a range (this libclang does not show its parts)", span_of(cursor))
        self.builder.open_scope()
        for declared in parts.declared:
            if declared.kind is CursorKind.VAR_DECL:
                self._declaration(declared)
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

    # ---- declarations

    def _refuse_other_type(self, cursor: Cursor) -> None:
        """Refuse `typeof` and `__auto_type` if gcc makes another type of it."""
        value = libclang.initialiser(cursor)
        deduced = cursor.type.kind is TypeKind.AUTO
        if not deduced and "typeof" not in cursor.type.spelling:
            return
        for inner in libclang.expression_children(cursor):
            initial = value is not None and libclang.expression_key(inner) == libclang.expression_key(value)
            if initial == deduced:
                self.expressions.widths.refuse(inner, span_of(cursor))

    def _declaration(self, cursor: Cursor) -> None:
        if cursor.kind is CursorKind.UNEXPOSED_DECL and self.symbols.cplusplus and libclang.children(cursor):
            self._bindings(cursor)
            return
        if cursor.kind in _TAKEN_IN_WHERE_USED:
            return
        if cursor.kind is CursorKind.TYPEDEF_DECL:
            self.expressions.lengths.compute(cursor.underlying_typedef_type, cursor)
            return
        if cursor.kind is not CursorKind.VAR_DECL:
            raise NotSupported(_describe(cursor), span_of(cursor))
        if cursor.storage_class in (StorageClass.STATIC, StorageClass.EXTERN):
            self.expressions.lengths.compute(cursor.type, cursor, libclang.initialiser(cursor))
            variable = self.symbols.variable(cursor)
            if variable.name in self.symbols.begun_late:
                self._begin_once(variable, cursor)
            return
        self._refuse_other_type(cursor)
        type = self.symbols.types.convert(cursor.type)
        span = span_of(cursor)
        if cursor.type.get_canonical().kind is TypeKind.VARIABLEARRAY:
            self.expressions.lengths.declare(cursor, span)
            return
        self.expressions.lengths.compute(cursor.type, cursor, libclang.initialiser(cursor))
        if isinstance(type, Opaque) or (isinstance(type, Array) and not _complete(type)):
            raise NotSupported(f"variables of type {cursor.type.spelling}", span)
        if isinstance(type, Record) and self.symbols.types.records[type.name].unsupported:
            reason = self.symbols.types.records[type.name].unsupported
            raise NotSupported(f"values of `{type.name}`: {reason}", span)
        if libclang.declaration_key(cursor) == self.returned_variable:
            self._declare_result(cursor, span)
            return
        local = self.builder.add_local(cursor.spelling, type, span, libclang.declaration_key(cursor))
        if is_reference(cursor.type):
            self.builder.behind.add(local.name)
        if self.symbols.cplusplus:
            self._declare_object(local, cursor, span)
            return
        self.builder.scopes[-1].append(local)
        self._initialise(local, cursor, span)
        function = cleanup_function(cursor)
        if function is not None:
            self.builder.cleanups[local.name] = Cleanup(self.symbols.function(function))

    def _declare_object(self, local: Local, cursor: Cursor, span: Span) -> None:
        """A variable of C++: it is to be destroyed from the moment on in which it is there."""
        objects = self.expressions.objects
        initialiser = libclang.initialiser(cursor)
        self.builder.emit(Declare(local, span))
        if initialiser is not None:
            objects.initialise(local, initialiser, cursor.type, span)
            self.builder.drop_useless_declaration(local)
        self.builder.scopes[-1].append(local)
        destructor = destructor_of(self.symbols, cursor.type) if not is_reference(cursor.type) else None
        if destructor is not None:
            self.builder.cleanups[local.name] = Cleanup(destructor)

    def _begin_once(self, variable: Global, cursor: Cursor) -> None:
        """A static local whose first value is computed when control first comes to it."""
        span, builder, int_type = span_of(cursor), self.builder, self.symbols.int_type
        initialiser = libclang.initialiser(cursor)
        assert initialiser is not None
        begun = self.symbols.flag(f"{variable.name}%begun")
        then, after = builder.new_block(), builder.new_block()
        builder.branch(Load(begun, int_type, span), after, then, span)
        builder.current = then
        builder.assign(begun, Constant(1, int_type, span), span)
        self.expressions.objects.initialise(variable, initialiser, cursor.type, span)
        builder.start(after, span)

    def _bindings(self, cursor: Cursor) -> None:
        """`auto [a, b] = x`: names for the parts of an object that has none, or of the one that is referred to."""
        span = span_of(cursor)
        names = [c for c in libclang.children(cursor) if c.kind is CursorKind.UNEXPOSED_DECL]
        value = libclang.expression_children(cursor)[-1]
        type = self.symbols.types.convert(cursor.type)
        local = self.builder.add_local(f"{names[0].spelling}%", type, span, libclang.declaration_key(cursor))
        objects = self.expressions.objects
        whole: Place = local
        if is_reference(cursor.type):
            self.builder.behind.add(local.name)
            assert isinstance(type, Pointer)
            whole = Dereference(Load(local, type, span), type.target, 1, span)
            objects.bind(local, value, span)
        elif isinstance(type, Array):
            objects.copy(
                local, self.expressions.place(libclang.expression_children(value)[0]), cursor.type, False, span
            )
        else:
            objects.initialise(local, value, cursor.type, span)
        self.builder.scopes[-1].append(local)
        destructor = destructor_of(self.symbols, cursor.type) if not is_reference(cursor.type) else None
        if destructor is not None:
            self.builder.cleanups[local.name] = Cleanup(destructor)
        for number, name in enumerate(names):
            self.builder.bound[libclang.declaration_key(name)] = self._bound_part(whole, number, name, cursor, span)

    def _bound_part(self, whole: Place, number: int, name: Cursor, cursor: Cursor, span: Span) -> Place:
        if isinstance(whole.type, Array):
            return Element(whole, Constant(number, self.symbols.int_type, span), whole.type.element, span)
        type = cursor.type.get_canonical()
        type = type.get_pointee().get_canonical() if is_reference(type) else type
        fields = list(type.get_fields())
        names = [c for c in libclang.children(cursor) if c.kind is CursorKind.UNEXPOSED_DECL]
        if len(fields) != len(names):
            raise NotSupported("names for the parts of an object that are no members", span)
        part = self.expressions.objects.part(whole, field_name(fields[number], number), span)
        if is_reference(fields[number].type):
            assert isinstance(part.type, Pointer)
            return Dereference(Load(part, part.type, span), part.type.target, 1, span)
        return part

    def _declare_result(self, cursor: Cursor, span: Span) -> None:
        """The variable that is returned lives on as the result."""
        place = self._result_place(span)
        assert place is not None
        self.builder.bound[libclang.declaration_key(cursor)] = place
        initialiser = libclang.initialiser(cursor)
        if initialiser is not None:
            self.expressions.objects.initialise(place, initialiser, cursor.type, span)

    def _initialise(self, local: Local, cursor: Cursor, span: Span) -> None:
        initialiser = libclang.initialiser(cursor)
        self.builder.emit(Declare(local, span))
        if initialiser is not None:
            self.expressions.updates.initialise(local, initialiser, span)
            self.builder.drop_useless_declaration(local)


def _complete(type: Type) -> bool:
    while isinstance(type, Array):
        if not type.count:
            return False
        type = type.element
    return not isinstance(type, Opaque)


def _is_attributed(cursor: Cursor) -> bool:
    """`__attribute__((fallthrough));`, and any other statement with attributes in front."""
    return sum(not c.kind.is_attribute() for c in cursor.get_children()) == 1


def _describe(cursor: Cursor) -> str:
    names = {
        CursorKind.ASM_STMT: "inline assembly",
        CursorKind.INDIRECT_GOTO_STMT: "computed goto",
    }
    return names.get(cursor.kind, f"this statement ({cursor.kind.name.lower().replace('_', ' ')})")
