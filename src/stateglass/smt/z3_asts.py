"""Expressions of z3, made by its C functions: the classes of its binding cost ten times as much for each one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

import z3
from z3 import z3core, z3types


@final
class Asts:
    """Makes expressions of one context, which keeps them for as long as it lives."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self.reference = self.context.ref()
        self.true = self.made(z3core.Z3_mk_true)
        self.false = self.made(z3core.Z3_mk_false)
        self.truth_sort = z3core.Z3_mk_bool_sort(self.reference)
        self.number_sort = z3core.Z3_mk_int_sort(self.reference)

    def made(self, function: Callable[..., Any], *arguments: Any) -> Any:
        made = function(self.reference, *arguments)
        z3core.Z3_inc_ref(self.reference, made)
        return made

    def of_many(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        """By a function that takes any number of operands."""
        return self.made(function, len(operands), _row(operands))

    def symbol(self, name: str) -> Any:
        return z3core.Z3_mk_string_symbol(self.reference, name)

    def constant(self, name: str, sort: Any) -> Any:
        return self.made(z3core.Z3_mk_const, self.symbol(name), sort)

    def bits_sort(self, width: int) -> Any:
        return z3core.Z3_mk_bv_sort(self.reference, width)

    def numeral(self, value: int, sort: Any) -> Any:
        return self.made(z3core.Z3_mk_numeral, str(value), sort)

    def both(self, operands: Sequence[Any]) -> Any:
        return self.of_many(z3core.Z3_mk_and, operands) if operands else self.true

    def either(self, operands: Sequence[Any]) -> Any:
        return self.of_many(z3core.Z3_mk_or, operands) if operands else self.false

    def negation(self, operand: Any) -> Any:
        return self.made(z3core.Z3_mk_not, operand)

    def choose(self, condition: Any, then: Any, other: Any) -> Any:
        return self.made(z3core.Z3_mk_ite, condition, then, other)

    def relation(self, name: str, sorts: Sequence[Any]) -> Any:
        row = (z3types.Sort * len(sorts))(*sorts)
        function = z3core.Z3_mk_func_decl(self.reference, self.symbol(name), len(sorts), row, self.truth_sort)
        z3core.Z3_inc_ref(self.reference, z3core.Z3_func_decl_to_ast(self.reference, function))
        return function

    def applied(self, relation: Any, arguments: Sequence[Any]) -> Any:
        return self.made(z3core.Z3_mk_app, relation, len(arguments), _row(arguments))

    def for_all(self, variables: Sequence[Any], body: Any) -> Any:
        if not variables:
            return body
        patterns = (z3types.Pattern * 0)()
        return self.made(z3core.Z3_mk_forall_const, 0, len(variables), _row(variables), 0, patterns, body)

    def implies(self, condition: Any, consequence: Any) -> Any:
        return self.made(z3core.Z3_mk_implies, condition, consequence)


def _row(operands: Sequence[Any]) -> Any:
    return (z3types.Ast * len(operands))(*operands)
