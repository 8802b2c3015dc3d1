"""Functions of a program as SCPP terms: the statements of each basic block, and its end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never, final

from stateglass.formats.scpp.names import Names, Sort
from stateglass.program import (
    AddressOf,
    Aggregate,
    Allocate,
    AllocatedSize,
    Apart,
    Assign,
    Binary,
    BinaryOperator,
    Block,
    Bool,
    Branch,
    Call,
    Clear,
    Compare,
    Comparison,
    Constant,
    Convert,
    Copy,
    CopyBytes,
    Declare,
    DeclareArray,
    Dereference,
    Drop,
    Element,
    End,
    Enum,
    Exit,
    Expression,
    Fail,
    Float,
    Function,
    FunctionReference,
    Global,
    Input,
    Int,
    Jump,
    Load,
    Local,
    Member,
    Place,
    Pointer,
    PointerAdd,
    PointerDifference,
    Program,
    Release,
    Return,
    Scalar,
    Statement,
    Switch,
    Terminator,
    Type,
    Unary,
    UnaryOperator,
    Unsupported,
    VariadicArguments,
    cells_of,
    is_scalar,
    representation,
    size_of,
)
from stateglass.source import Span

UNSUPPORTED: Final = "k_unsupported"
"""The kind of error that is none: what the code does there cannot be said."""
DROPPED: Final = "k_dropped"
"""The kind of error that nobody reports: such a run does not count."""
_ALIGNMENT: Final = 16  # objects lie at multiples of this
_OPERATORS: Final = {
    BinaryOperator.ADD: "plus",
    BinaryOperator.SUBTRACT: "minus",
    BinaryOperator.MULTIPLY: "multiply",
    BinaryOperator.DIVIDE: "divide",
    BinaryOperator.REMAINDER: "remainder",
    BinaryOperator.SHIFT_LEFT: "shift_left",
    BinaryOperator.SHIFT_RIGHT: "shift_right",
    BinaryOperator.AND: "bit_and",
    BinaryOperator.OR: "bit_or",
    BinaryOperator.XOR: "bit_xor",
}
_RELATIONS: Final = {
    Comparison.EQUAL: "equals",
    Comparison.UNEQUAL: "not_equals",
    Comparison.LESS: "smaller_than",
    Comparison.LESS_EQUAL: "smaller_equal",
    Comparison.GREATER: "greater_than",
    Comparison.GREATER_EQUAL: "greater_equal",
}


@final
class Inexpressible(Exception):
    """Something of the program that has no term."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


@final
class Reasons:
    """Why code has no terms, numbered: 0 is that memory is used as something else than it was written as."""

    def __init__(self) -> None:
        self.gaps: dict[tuple[str, Span], int] = {}  # what could not be said
        self.known: dict[tuple[str, Span], int] = {}  # what no model has

    def number(self, reason: str, span: Span, *, known: bool = False) -> int:
        table = self.known if known else self.gaps
        return table.setdefault((reason, span), 1 + len(self.gaps) + len(self.known))


@final
class Terms:
    """Writes terms, and notes which types of integers they need."""

    def __init__(self, program: Program, names: Names, reasons: Reasons) -> None:
        self._program = program
        self._names = names
        self._reasons = reasons
        self._function = ""
        self.types: dict[str, Int] = {}

    def local(self, function: str, name: str) -> str:
        return self._names.of(Sort.VARIABLE, f"{function}: {name}")

    def blocks(self, function: Function) -> list[list[str]]:
        """The terms of each block of a function."""
        self._function = function.name
        return [self._block(block) for block in function.blocks]

    def _block(self, block: Block) -> list[str]:
        terms: list[str] = []
        for node in (*block.statements, block.terminator):
            try:
                terms += [self._terminator(node) if isinstance(node, Terminator) else self._statement(node)]
            except Inexpressible as gap:
                # Nothing behind it is ever reached.
                return [*terms, f"unsupported({self._reasons.number(gap.reason, gap.span)})"]
            if terms[-1].startswith("unsupported("):
                return terms
        return terms

    # ---- statements

    def _statement(self, node: Statement) -> str:
        match node:
            case Assign(place, value, span):
                return f"assign({self.type(value.type, span)}, {self._place(place)}, {self.expression(value)})"
            case Copy(target, source):
                return f"copy({self._place(target)}, {self._place(source)}, {self.size(target.type)})"
            case CopyBytes(target, source, count):
                operands = (self.expression(e) for e in (target, source, count))
                return f"copy_bytes({', '.join(operands)})"
            case Clear(place, span):
                cells = self._zeros(place.type, span)
                return f"clear({self._place(place)}, {self.size(place.type)}, {_list(cells)})"
            case Call():
                return self._call(node)
            case Allocate(place, size):
                return f"allocate({self._place(place)}, {self.expression(size)})"
            case AllocatedSize(place, pointer, span):
                assert is_scalar(place.type)
                return (
                    f"allocated_size({self.type(place.type, span)}, {self._place(place)}, {self.expression(pointer)})"
                )
            case Release(pointer):
                return f"release({self.expression(pointer)})"
            case Declare(local):
                return f"declare({self.local(self._function, local.name)})"
            case End(local):
                return f"leave({self.local(self._function, local.name)})"
            case Unsupported(reason, span):
                return f"unsupported({self._reasons.number(reason, span, known=True)})"
            case Input(_, name, _, span):
                raise Inexpressible(f"the input `{name}` is read", span)
            case DeclareArray(local, _, span):
                raise Inexpressible(f"the length of the array `{local.name}` is known only at run time", span)
            case Apart(span=span):
                raise Inexpressible("stretches of memory that must not overlap", span)
            case _:
                assert_never(node)

    def _call(self, node: Call) -> str:
        callee = node.callee if isinstance(node.callee, str) else None
        function = f"constant(FunctionRef({self.function(callee)}))" if callee is not None else None
        if function is None:
            assert not isinstance(node.callee, str)
            function = self.expression(node.callee)
        arguments = _list(self.argument(a) for a in node.arguments)
        return f"call({self._target(node.result, node.span)}, {function}, {arguments})"

    def _target(self, result: Place | None, span: Span) -> str:
        if result is None:
            return "nowhere"
        if is_scalar(result.type):
            return f"into({self.type(result.type, span)}, {self._place(result)})"
        return f"into_object({self._place(result)}, {self.size(result.type)})"

    def function(self, name: str) -> str:
        return self._names.of(Sort.BODY, name)

    def _zeros(self, type: Type, span: Span) -> list[str]:
        cells = [c for c in cells_of(type, self._program.records) if not c.padding]
        for cell in cells:
            self.type(cell.type, span)
        return [f"cell({c.offset}, {c.size})" for c in cells]

    # ---- ends of blocks

    def _terminator(self, node: Terminator) -> str:
        match node:
            case Jump(target):
                return f"jump({target})"
            case Branch(condition, then, other):
                return f"ite({self.expression(condition)}, {then}, {other})"
            case Switch(value, cases, default):
                listed = _list(f"case({c.low}, {c.high}, {c.target})" for c in cases)
                return f"switch({self.expression(value)}, {listed}, {default})"
            case Return(None):
                return "return(constant(VoidType))"
            case Return(value):
                assert value is not None
                return f"return({self.argument(value)})"
            case Exit(code):
                return f"exit({self.expression(code)})"
            case Fail(kind):
                return f"fail(k_{kind})"
            case Drop():
                return f"fail({DROPPED})"
            case _:
                assert_never(node)

    # ---- expressions

    def argument(self, node: Expression | Aggregate) -> str:
        if isinstance(node, Aggregate):
            return f"whole({self._place(node.place)}, {self.size(node.type)})"
        return self.expression(node)

    def expression(self, node: Expression) -> str:
        match node:
            case Constant(value, type, span):
                if isinstance(type, Pointer) and value:
                    raise Inexpressible(f"the fixed address {value:#x}", span)
                self.type(type, span)
                return f"constant(Number({value}))"
            case Load(place, type, span):
                return f"read({self.type(type, span)}, {self._place(place)})"
            case AddressOf(Dereference(pointer)):
                return self.expression(pointer)
            case AddressOf(place):
                return f"ref({self._place(place)})"
            case FunctionReference(name):
                return f"constant(FunctionRef({self.function(name)}))"
            case Unary(operator, operand, type, span):
                return self._unary(operator, self.expression(operand), self.type(type, span), type)
            case Binary(operator, left, right, type, span):
                operands = f"{self.expression(left)}, {self.expression(right)}"
                return f"calculate({_OPERATORS[operator]}, {self.type(type, span)}, {operands})"
            case Compare(operator, left, right, _, span):
                self.type(left.type, span)
                return f"compare({_RELATIONS[operator]}, {self.expression(left)}, {self.expression(right)})"
            case Convert(operand, type, span):
                self.type(operand.type, span)
                return f"convert({self.type(type, span)}, {self.expression(operand)})"
            case PointerAdd(pointer, index, scale):
                return f"pointer_add({self.expression(pointer)}, {self.expression(index)}, {scale})"
            case PointerDifference(left, right, scale):
                return f"pointer_difference({self.expression(left)}, {self.expression(right)}, {scale})"
            case VariadicArguments(_, span):
                raise Inexpressible("arguments of a variadic function", span)
            case _:
                assert_never(node)

    def _unary(self, operator: UnaryOperator, operand: str, type: str, number: Int | Float) -> str:
        match operator:
            case UnaryOperator.NEGATE:
                return f"calculate(minus, {type}, constant(Number(0)), {operand})"
            case UnaryOperator.COMPLEMENT:
                assert isinstance(number, Int)
                ones = -1 if number.signed else number.high
                return f"calculate(bit_xor, {type}, {operand}, constant(Number({ones})))"
            case _:
                assert_never(operator)

    def _place(self, place: Place) -> str:
        match place:
            case Global(name):
                return f"variable(global, {self._names.of(Sort.VARIABLE, name)})"
            case Local(name):
                return f"variable(local, {self.local(self._function, name)})"
            case Dereference(pointer, _, alignment):
                return f"deref({self.expression(pointer)}, {min(alignment, _ALIGNMENT)})"
            case Member(base, name, offset, type, bit, span):
                if bit or (isinstance(type, Int) and type.bits % 8):
                    raise Inexpressible(f"the bit-field `{name}`", span)
                return f"field({self._place(base)}, {offset})" if offset else self._place(base)
            case Element(base, index, type):
                count = getattr(base.type, "count", 0)
                return f"element({self._place(base)}, {self.expression(index)}, {count}, {self.size(type)})"
            case _:
                assert_never(place)

    # ---- types

    def size(self, type: Type) -> int:
        return size_of(type, self._program.records)

    def type(self, type: Scalar, span: Span) -> str:
        """The name of a type; what is no number of whole bytes has none."""
        match type:
            case Bool():
                return "boolean"
            case Pointer():
                return "pointer"
            case Float():
                raise Inexpressible("floating-point numbers", span)
            case Int() | Enum():
                whole = representation(type)
                if whole.bits % 8:
                    raise Inexpressible("bit-fields", span)
                self.types[str(whole)] = whole
                return str(whole)
            case _:
                assert_never(type)


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"
