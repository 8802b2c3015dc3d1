"""How the arguments of a call fit the parameters of the function; only code without prototypes gives it others."""

from __future__ import annotations

from stateglass.program import Float, Function, Pointer, Scalar, Type, is_scalar, representation
from stateglass.source import Span
from stateglass.values import Fault, FaultKind


def conversions_for(function: Function, types: tuple[Type, ...], span: Span) -> list[tuple[int, Scalar, Scalar]]:
    """Which of the arguments have to be converted, from what to what; a fault if they are not what it takes."""
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
