"""Random abstraction and label maps for a program."""

from __future__ import annotations

import random

from stateglass.program import Array, Program, Record, Type, abstractions, cells_of, is_scalar
from stateglass.source import InputError
from stateglass.system.maps import (
    ResolvedAbstractions,
    ResolvedLabels,
    ResolvedRule,
    VariableName,
    labels_of_list,
    resolve_labels,
)

Cells = dict[str, abstractions.Abstraction]


def random_abstractions(program: Program, chance: random.Random) -> ResolvedAbstractions:
    """An abstraction for every variable of a program, and for what some functions return."""
    cells: dict[VariableName, Cells] = {}
    for variable in program.variables.values():
        if not variable.readonly:
            cells[VariableName(None, variable.name)] = _cells(variable.type, program, chance)
    for function in program.functions.values():
        for local in (*function.parameters, *function.locals):
            if not local.name.startswith("%"):
                cells[VariableName(function.name, local.name)] = _cells(local.type, program, chance)
    scalar = [f for f in program.functions.values() if is_scalar(f.result)]
    results = {f.name: _abstraction(chance) for f in scalar if chance.random() < 0.3}
    return ResolvedAbstractions(cells, results)


def _cells(type: Type, program: Program, chance: random.Random) -> Cells:
    chosen = _abstraction(chance)
    same = isinstance(type, Array | Record) and chance.random() < 0.5
    return {c.path: chosen if same else _abstraction(chance) for c in cells_of(type, program.records)}


def _abstraction(chance: random.Random) -> abstractions.Abstraction:
    match chance.randrange(14):
        case 0:
            return abstractions.Top()
        case 1 | 2:
            return abstractions.MinMax()
        case 3 | 4:
            return abstractions.Mod(chance.choice([2, 3, 4, 7, 8, 10, 100]))
        case 5 | 6:
            few = chance.random() < 0.7
            points = sorted(chance.sample(range(-20, 100) if few else range(-(1 << 31), 1 << 31), chance.randint(1, 5)))
            return abstractions.Part(tuple(points))
        case 7:
            return abstractions.Truth()
        case 8 | 9 | 10:
            return abstractions.Exact()
        case _:
            return abstractions.Free()


def random_labels(program: Program, chance: random.Random) -> ResolvedLabels:
    """Some rules about what the program has; names that mean several things are left out."""
    rules: list[ResolvedRule] = []
    for number in range(chance.randint(1, 8)):
        try:
            rules += resolve_labels(labels_of_list([f"{_event(program, chance)} => l{number}"]), program).rules
        except InputError:
            continue
    return ResolvedLabels(tuple(rules))


def _event(program: Program, chance: random.Random) -> str:
    functions = [f for f in program.functions.values() if not f.span.in_library]
    function = chance.choice(functions)
    match chance.randrange(8):
        case 0:
            return f"call {function.name}"
        case 1:
            tests = [chance.choice(["_", ">= 3", "!= 0", "-5..20", "0"]) for _ in function.parameters]
            return f"call {function.name}({', '.join(tests)})"
        case 2:
            return f"return {function.name}{chance.choice(['', ' == 0', ' > 2', ' in 0..9'])}"
        case 3:
            return f"read {_variable(program, chance)}"
        case 4:
            return f"write {_variable(program, chance)}"
        case 5:
            place = chance.choice([s for b in function.blocks for s in (*b.statements, b.terminator)]).span
            return f'line "{place.file}":{place.start.line}'
        case _:
            one, other = _condition(program, chance), _condition(program, chance)
            return f"watch ({chance.choice([one, f'{one} && {other}', f'{one} || !({other})'])})"


def _condition(program: Program, chance: random.Random) -> str:
    variable, other = _variable(program, chance), _variable(program, chance)
    number, relation = chance.randint(-3, 12), chance.choice(["==", "!=", "<", "<=", ">", ">="])
    form = chance.choice(["{0} {2} {3}", "{0} % 3 {2} {3}", "{0} {2} {1}", "{0} + {3} {2} {1}", "{0}", "-{0} {2} {3}"])
    return form.format(variable, other, relation, number)


def _variable(program: Program, chance: random.Random) -> str:
    """A scalar, or a scalar part."""
    names = [(v.name, v.type) for v in program.variables.values() if not v.readonly and not v.span.in_library]
    for function in program.functions.values():
        if not function.span.in_library:
            locals = (*function.parameters, *function.locals)
            names += [(f"{function.name}::{v.name}", v.type) for v in locals if not v.name.startswith("%")]
    name, type = chance.choice(names)
    cells = cells_of(type, program.records)
    return name + (chance.choice(cells).path if cells else "")
