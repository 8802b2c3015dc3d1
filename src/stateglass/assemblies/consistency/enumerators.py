"""The enumerators of code beside those of a design."""

from __future__ import annotations

from stateglass.design import Design
from stateglass.program import Program
from stateglass.source import Code, Diagnostic, Severity


def enumerators_in(program: Program, design: Design) -> tuple[dict[str, int], tuple[Diagnostic, ...]]:
    """The enumerators that have one value in the code, and warnings about those that have another one in the design."""
    found: dict[str, set[int]] = {}
    for enumeration in program.enums.values():
        for name, value in enumeration.members:
            found.setdefault(name, set()).add(value)
    unlike = []
    for own in design.enumerations:
        for name, value in own.values:
            if name in found and value not in found[name]:
                message = f"`{name}` is {value} in the design and {min(found[name])} in the code"
                help = "values are compared, not names: give them the same order, or the enumerators their values"
                unlike.append(Diagnostic(Code.DESIGN, message, own.span, Severity.WARNING, help))
    return {name: min(values) for name, values in found.items() if len(values) == 1}, tuple(unlike)
