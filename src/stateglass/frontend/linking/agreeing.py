"""Calls of functions whose declaration in the caller's file is not their definition: what a linker lets pass.

Integers of one width are passed as they are. Narrow ones are passed the way gcc does it: the caller extends them, and
the callee cuts them off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import final

from stateglass.frontend.lowering.conversions import convert, same_kind
from stateglass.program import (
    VOID,
    Aggregate,
    Assign,
    Call,
    Enum,
    Expression,
    Function,
    Int,
    Load,
    Local,
    Statement,
    Type,
    is_scalar,
    representation,
)
from stateglass.source import Code, Diagnostic, Severity


@final
class Agreement:
    """Makes the calls of a program agree with the definitions they call; diagnostics say where that is impossible."""

    def __init__(self, functions: Mapping[str, Function], int_type: Int) -> None:
        self._functions = functions
        self._int = int_type
        self.errors: dict[Diagnostic, None] = {}
        self.warnings: dict[Diagnostic, None] = {}

    def made(self, function: Function) -> Function:
        """The function with each call in the types of the definition that it calls."""
        added: list[Local] = []
        blocks = []
        for block in function.blocks:
            if any(isinstance(s, Call) and self._differs(s) for s in block.statements):
                statements = [new for s in block.statements for new in self._statement(s, added)]
                block = replace(block, statements=tuple(statements))
            blocks.append(block)
        if not added and all(a is b for a, b in zip(blocks, function.blocks, strict=True)):
            return function
        return replace(function, locals=(*function.locals, *added), blocks=tuple(blocks))

    def _differs(self, call: Call) -> bool:
        callee = self._functions.get(call.callee) if isinstance(call.callee, str) else None
        if callee is None:
            return False
        if call.result is not None and not same_kind(call.result.type, callee.result):
            return True
        return len(call.arguments) >= len(callee.parameters) and any(
            not same_kind(a.type, p.type) for a, p in zip(call.arguments, callee.parameters, strict=False)
        )

    def _statement(self, statement: Statement, added: list[Local]) -> list[Statement]:
        if not isinstance(statement, Call) or not self._differs(statement):
            return [statement]
        assert isinstance(statement.callee, str)
        callee = self._functions[statement.callee]
        arguments = list(statement.arguments)
        for position, (given, parameter) in enumerate(zip(arguments, callee.parameters, strict=False)):
            if not same_kind(given.type, parameter.type):
                arguments[position] = self._argument(given, parameter, statement, callee)
        call = replace(statement, arguments=tuple(arguments))
        result = statement.result
        if result is None or same_kind(result.type, callee.result):
            return [call]
        type = result.type
        if not is_scalar(type) or not is_scalar(callee.result) or not _same_width(type, callee.result):
            what = "nothing" if callee.result == VOID else str(callee.result)
            self._refuse(f"gives {type} where it is called and {what} where it is defined", statement, callee)
            return [call]
        kept = Local(f"%agreed{len(added) + 1}", callee.result, statement.span)
        added.append(kept)
        value = convert(Load(kept, callee.result, statement.span), type, statement.span)
        return [replace(call, result=kept), Assign(result, value, statement.span)]

    def _argument(
        self, given: Expression | Aggregate, parameter: Local, call: Call, callee: Function
    ) -> Expression | Aggregate:
        wanted = parameter.type
        if not _same_width(given.type, wanted):
            text = f"is given {given.type} for `{parameter.name}` here and takes {wanted} where it is defined"
            self._say(text, call, callee)
        narrow = self._is_narrow(given.type) and self._is_narrow(wanted)
        if isinstance(given, Aggregate) or not is_scalar(wanted) or not (narrow or _same_width(given.type, wanted)):
            return given  # running into it is an error
        return convert(given, wanted, call.span)

    def _is_narrow(self, type: Type) -> bool:
        return isinstance(type, Int | Enum) and representation(type).bits <= self._int.bits

    def _refuse(self, text: str, call: Call, callee: Function) -> None:
        self.errors[_problem(text, call, callee, Severity.ERROR)] = None

    def _say(self, text: str, call: Call, callee: Function) -> None:
        self.warnings[_problem(text, call, callee, Severity.WARNING)] = None


def _problem(text: str, call: Call, callee: Function, severity: Severity) -> Diagnostic:
    help = f"the definition is at {callee.span}"
    return Diagnostic(Code.LINK, f"`{callee.name}` {text}", call.span, severity, help=help)


def _same_width(one: Type, other: Type) -> bool:
    """Whether two types are integers of one width."""
    if not isinstance(one, Int | Enum) or not isinstance(other, Int | Enum):
        return False
    return representation(one).bits == representation(other).bits
