"""What a name means at some place of a component, and which types fit together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, unique
from typing import Final, final

from stateglass.assemblies.validation.findings import Findings
from stateglass.design import Component, Constant, Design, Expression, Name, Parameter, Reaction, Type, Variable
from stateglass.logic.predicates import Operator
from stateglass.source import close_match

INTEGERS: Final = frozenset(
    f"{sign}{size}" for size in ("char", "short", "int", "long", "long long") for sign in ("", "unsigned ")
) | {"bool", "signed char"}
COMPONENT: Final = "component"
"""What stands before the dot where a variable of the component is meant: `component.data`."""

NUMBER: Final = ""
"""The sort of whole numbers and truth; the sort of an enumeration is its name."""
_COMPARING: Final = frozenset(
    (Operator.EQUAL, Operator.NOT_EQUAL, Operator.LESS, Operator.LESS_EQUAL, Operator.GREATER, Operator.GREATER_EQUAL)
)


@final
@unique
class NameKind(Enum):
    """What may be done with a name."""

    VARIABLE = "a variable"
    PARAMETER = "a parameter of the component"
    ENUMERATOR = "a value of an enumeration"
    LOCAL = "data of this transition's trigger"


@final
@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name stands for."""

    kind: NameKind
    sort: str


@final
@dataclass(frozen=True, slots=True)
class Scope:
    """The names that are known at a place; `outer` are those of the component alone."""

    names: Mapping[str, Meaning]
    outer: Mapping[str, Meaning]

    def meaning(self, name: Name) -> Meaning | None:
        return (self.outer if name.owner else self.names).get(name.name)

    @property
    def constants(self) -> Scope:
        """What a variable may begin with."""
        names = {n: m for n, m in self.names.items() if m.kind is not NameKind.VARIABLE}
        return Scope(names, names)

    def with_locals(self, parameters: Iterable[tuple[str, Parameter]]) -> Scope:
        """With names for the data of a trigger; those of variables keep their meaning."""
        new = {n: Meaning(NameKind.LOCAL, sort_of(p.type)) for n, p in parameters if n not in self.names}
        return replace(self, names={**self.names, **new})


def enumerators(design: Design) -> dict[str, Meaning]:
    return {name: Meaning(NameKind.ENUMERATOR, one.name) for one in design.enumerations for name, _ in one.values}


def scope_of(design: Design, component: Component, reaction: Reaction | None = None) -> Scope:
    """The names that are known in a component, or in a reaction of it, which hides those of the component."""
    parameters = {p.name: Meaning(NameKind.PARAMETER, sort_of(p.type)) for p in component.parameters}
    outer = {**enumerators(design), **parameters, **_variables(component.variables)}
    return Scope({**outer, **_variables(reaction.variables)} if reaction else outer, outer)


def _variables(variables: Iterable[Variable]) -> dict[str, Meaning]:
    return {v.name: Meaning(NameKind.VARIABLE, sort_of(v.type)) for v in variables}


def sort_of(type: Type) -> str:
    return NUMBER if type.name in INTEGERS else type.name


def check_expression(found: Findings, scope: Scope, expression: Expression) -> str | None:
    """Notes unknown names and mixed enumerations; the sort of the value, or None if that is not known."""
    match expression:
        case Constant():
            return NUMBER
        case Name():
            meaning = known(found, scope, expression)
            return meaning.sort if meaning else None
        case _:
            sorts = [check_expression(found, scope, operand) for operand in expression.operands]
            mixed = len(sorts) > 1 and None not in sorts and sorts[0] != sorts[1] and all(sorts)
            if mixed and expression.operator in _COMPARING:
                message = f"values of `{sorts[0]}` and of `{sorts[1]}` are never the same"
                found.error(message, expression.span, "compare values of one enumeration")
            return NUMBER


def known(found: Findings, scope: Scope, name: Name) -> Meaning | None:
    """What a name means; that it means nothing is noted."""
    if name.owner not in ("", COMPONENT):
        message = f"`{name.owner}.{name.name}` cannot be reached from here"
        help = "a reaction has its own variables and those of its component: `data`, or `component.data` where hidden"
        found.error(message, name.span, help)
        return None
    if found.gaps.explains(name.name):
        return None
    meaning = scope.meaning(name)
    if meaning is None:
        names = scope.outer if name.owner else scope.names
        own = [n for n, m in names.items() if m.kind is not NameKind.ENUMERATOR]
        offered = names if close_match(name.name, names) else own
        found.unknown("variable", name.name, name.span, offered, f"write `int {name.name} = 0;` in the component")
    return meaning


def fits(found: Findings, scope: Scope, value: Expression, wanted: str, what: str) -> None:
    """Notes a value that is not of an enumeration where one is needed, or of another one."""
    sort = check_expression(found, scope, value)
    if sort is not None and sort != wanted and wanted != NUMBER:
        got = f"of `{sort}`" if sort else "a number"
        found.error(f"{what} is of `{wanted}`, and this is {got}", value.span, f"use a value of `{wanted}`")
