"""The functions of a program as the machine calls them: their addresses, and what they take and give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

from stateglass.explore.cells.memory import FUNCTION_SPACING
from stateglass.program import Declaration, Float, Function, Pointer, Program, Scalar, Type, is_scalar, representation
from stateglass.program.tails import always_returns_something
from stateglass.source import Span
from stateglass.values import Domain, Fault, FaultKind

Convert = Callable[[Any], Any]
Passing = tuple[tuple[Type, ...], tuple[tuple[int, Convert], ...]]
"""The types of the variadic arguments of a call, and which of the others have to be converted how."""


@final
class Functions:
    """All functions, with a body or without; `referenced` are those that a pointer may lead to."""

    def __init__(self, program: Program, domain: Domain[Any], referenced: frozenset[str]) -> None:
        self._domain = domain
        self._known: dict[str, Function | Declaration] = {**program.functions, **program.declarations}
        self._names = list(self._known)
        self._addresses = {n: FUNCTION_SPACING * (i + 1) for i, n in enumerate(self._names)}
        self._referenced = referenced
        self._passing: dict[tuple[str, int], Passing] = {}
        self._returning: dict[str, bool] = {}

    @property
    def last_address(self) -> int:
        return FUNCTION_SPACING * len(self._names)

    def address(self, name: str) -> int:
        return self._addresses[name]

    def name_at(self, address: int) -> str | None:
        index, rest = divmod(address, FUNCTION_SPACING)
        return self._names[index - 1] if rest == 0 and 0 < index <= len(self._names) else None

    def called_at(self, address: int, arguments: int, span: Span) -> str:
        """The function a pointer leads to; a fault if there is none, or it takes something else."""
        if address == 0:
            raise Fault(FaultKind.NULL, span)
        name = self.name_at(address)
        if name is None or not self._takes(self._known[name], arguments):
            raise Fault(FaultKind.CALL, span)
        return name

    def callable_with(self, arguments: int) -> list[int]:
        """The addresses of all functions that take so many arguments and may be called through a pointer."""
        fitting = (n for n, f in self._known.items() if n in self._referenced and self._takes(f, arguments))
        return [self._addresses[name] for name in fitting]

    def _takes(self, function: Function | Declaration, arguments: int) -> bool:
        return len(function.parameters) == arguments or function.variadic

    def passing(self, function: Function, call: int, types: tuple[Type, ...], span: Span) -> Passing:
        """How the arguments of a call go by; `call` is its number.

        A fault if they are not what the function takes; only code without prototypes gets so far.
        """
        known = self._passing.get((function.name, call))
        if known is None:
            known = self._passing[function.name, call] = self._pass(function, types, span)
        return known

    def _pass(self, function: Function, types: tuple[Type, ...], span: Span) -> Passing:
        conversions = []
        for position, given, wanted in conversions_for(function, types, span):
            change = self._domain.convert(given, wanted, span)
            conversions += [(position, change)] if change is not None else []
        return types[len(function.parameters) :], tuple(conversions)

    def returns_something(self, function: Function) -> bool:
        """Whether a function never ends without a value, if it should have one."""
        known = self._returning.get(function.name)
        if known is None:
            known = self._returning[function.name] = always_returns_something(function)
        return known


def conversions_for(function: Function, types: tuple[Type, ...], span: Span) -> list[tuple[int, Scalar, Scalar]]:
    """Which arguments of a call have to be converted, from what to what; a fault if they are not what it takes."""
    count = len(function.parameters)
    if len(types) < count or (len(types) > count and not function.variadic):
        raise Fault(FaultKind.CALL, span)
    found: list[tuple[int, Scalar, Scalar]] = []
    for position, (given, parameter) in enumerate(zip(types, function.parameters, strict=False)):
        wanted = parameter.type
        if given == wanted:
            continue
        if not _compatible(given, wanted):
            raise Fault(FaultKind.CALL, span)
        if is_scalar(given) and is_scalar(wanted):
            found.append((position, given, wanted))
    return found


def _compatible(given: Type, wanted: Type) -> bool:
    """Whether an argument may be passed for a parameter of another type: pointers are all alike, enums are integers,
    and of integers only the size matters."""
    if isinstance(given, Pointer) or isinstance(wanted, Pointer):
        return isinstance(given, Pointer) and isinstance(wanted, Pointer)
    if not is_scalar(given) or not is_scalar(wanted) or isinstance(given, Float) or isinstance(wanted, Float):
        return False
    return representation(given).bits == representation(wanted).bits
