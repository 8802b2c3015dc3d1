"""Functions that are called for all inputs at once: their variables, and what they return."""

from __future__ import annotations

from stateglass.explore.cells.memory import Memory, Object
from stateglass.explore.merging.contents import UNWRITTEN, Cells, Content, Meeting
from stateglass.explore.merging.context import Context, Frame
from stateglass.program import VARIADIC_SLOT, Function, Record, Type, Void, is_scalar, representation, value_cells
from stateglass.smt import Term

Value = Term | list[Content] | None
"""What is passed or returned: a scalar, cells, or nothing."""


def entered(context: Context, function: Function, arguments: list[Value], types: tuple[Type, ...]) -> Frame:
    """Every call has variables of its own, so that a pointer to those of another one leads to what is over."""
    memory, cells = context.memory, context.way.cells
    variables = {
        v.name: memory.add(f"{function.name}::{v.name}", v.type, careful=True)
        for v in (*function.parameters, *function.locals)
    }
    extra = types[len(function.parameters) :]
    variadic = memory.add_slots(f"{function.name}::...", extra, VARIADIC_SLOT) if function.variadic else None
    for variable in variables.values():
        fill(cells, variable, UNWRITTEN)
    given = iter(arguments)
    for parameter, value in zip(function.parameters, given, strict=False):
        _put(cells, variables[parameter.name].first, value)
    if variadic is not None:
        number = variadic.first
        for value in given:
            number = _put(cells, number, value)
    return Frame(function, variables, variadic)


def leave(context: Context) -> None:
    """The variables of the function at hand are no more."""
    frame, cells = context.frame, context.way.cells
    for variable in (*frame.variables.values(), *([frame.variadic] if frame.variadic is not None else [])):
        for number in range(variable.first, variable.first + len(variable.shape)):
            cells.pop(number, None)


def result_of(type: Type, values: list[Value], meeting: Meeting, memory: Memory) -> Value:
    """What a function gives of what it returns on several ways that meet."""
    if isinstance(type, Void):
        return None
    if isinstance(type, Record):
        shape = value_cells(type, memory.records)
        rows = [v if isinstance(v, list) else [UNWRITTEN] * len(shape) for v in values]
        columns = zip(*rows, strict=True)
        return [meeting.chosen(column, cell.width) for column, cell in zip(columns, shape, strict=True)]
    assert is_scalar(type)
    single: list[Content] = [UNWRITTEN if v is None or isinstance(v, list) else v for v in values]
    return [meeting.chosen(single, representation(type).bits)]


def fill(cells: Cells, variable: Object, content: Content) -> None:
    """Set all cells of a variable."""
    for number in range(variable.first, variable.first + len(variable.shape)):
        cells[number] = content


def _put(cells: Cells, first: int, value: Value) -> int:
    """Set cells from one on; which one is next."""
    contents = value if isinstance(value, list) else [UNWRITTEN if value is None else value]
    for number, content in enumerate(contents, first):
        cells[number] = content
    return first + len(contents)
