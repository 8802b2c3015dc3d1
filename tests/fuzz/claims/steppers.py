"""Random C functions that keep a state between calls, the same in Python, and claims about their variables."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final, final

INPUTS: Final = 3
TYPES: Final = ("int", "unsigned char", "short", "signed char", "unsigned")
Expression = tuple[Any, ...]
State = tuple[int, ...]


@final
@dataclass(frozen=True)
class Stepper:
    """`step(u)` and `reset()` over some globals, whose values stay below `size`."""

    code: str
    names: tuple[str, ...]
    initial: State
    size: int
    bodies: tuple[tuple[str, Any], ...]  # what each function does

    def after(self, state: State) -> set[State]:
        """The states after one more call."""
        found = set()
        for name, body in self.bodies:
            for u in range(INPUTS if name == "step" else 1):
                values = dict(zip(self.names, state, strict=True)) | {"u": u}
                _run(body, values)
                found.add(tuple(values[name] for name in self.names))
        return found

    def reached(self, start: State) -> set[State]:
        found, work = {start}, [start]
        while work:
            new = self.after(work.pop()) - found
            found |= new
            work += new
        return found


def random_stepper(chance: random.Random) -> Stepper:
    size = chance.randint(2, 4)
    names = tuple("abc"[: chance.randint(1, 3)])
    initial = tuple(chance.randrange(size) for _ in names)
    globals_ = "".join(
        f"static {chance.choice(TYPES)} {name} = {value};\n" for name, value in zip(names, initial, strict=True)
    )
    bodies = [("step", _body(chance, names, 3, size))]
    if chance.random() < 0.5:
        bodies.append(("reset", _body(chance, names, 1, size, reads_input=False)))
    functions = "".join(
        f"\nvoid {name}({'int u' if name == 'step' else 'void'})\n{{\n{_code(body, 1)}}}\n" for name, body in bodies
    )
    return Stepper(f"void out(int v);\n{globals_}{functions}", names, initial, size, tuple(bodies))


def random_predicate(chance: random.Random, stepper: Stepper) -> Expression:
    kind = chance.choice(("==", "!=", "<", "&&", "||"))
    if kind in ("&&", "||"):
        return (kind, random_predicate(chance, stepper), random_predicate(chance, stepper))
    other = (
        ("number", chance.randrange(stepper.size)) if chance.random() < 0.7 else ("name", chance.choice(stepper.names))
    )
    return (kind, ("name", chance.choice(stepper.names)), other)


def text_of(e: Expression) -> str:
    if e[0] in ("name", "number"):
        return str(e[1])
    return f"({text_of(e[1])} {e[0]} {text_of(e[2])})"


def value_of(e: Expression, values: dict[str, int]) -> int:
    match e:
        case ("name", name):
            return values[name]
        case ("number", number):
            return int(number)
        case ("==", a, b):
            return int(value_of(a, values) == value_of(b, values))
        case ("!=", a, b):
            return int(value_of(a, values) != value_of(b, values))
        case ("<", a, b):
            return int(value_of(a, values) < value_of(b, values))
        case ("&&", a, b):
            return int(bool(value_of(a, values)) and bool(value_of(b, values)))
        case ("||", a, b):
            return int(bool(value_of(a, values)) or bool(value_of(b, values)))
        case ("+", a, b):
            return value_of(a, values) + value_of(b, values)
        case ("*", a, b):
            return value_of(a, values) * value_of(b, values)
        case ("%", a, b):
            return value_of(a, values) % value_of(b, values)
        case _:
            raise AssertionError(e)


def _expression(chance: random.Random, names: tuple[str, ...], size: int, depth: int) -> Expression:
    if depth == 0 or chance.random() < 0.3:
        return ("name", chance.choice(names)) if chance.random() < 0.7 else ("number", chance.randrange(size))
    left, right = (_expression(chance, names, size, depth - 1) for _ in range(2))
    return (chance.choice(("+", "+", "*", "==", "<")), left, right)


def _body(
    chance: random.Random, names: tuple[str, ...], depth: int, size: int, *, reads_input: bool = True
) -> list[Any]:
    read = (*names, "u") if reads_input else names
    found: list[Any] = []
    for _ in range(chance.randint(1, 3)):
        kind = chance.randrange(6)
        if kind < 3 or depth == 0:
            value = ("%", _expression(chance, read, size, 2), ("number", size))
            found.append(("=", chance.choice(names), value))
        elif kind == 3:
            found.append(("out", ("%", _expression(chance, read, size, 1), ("number", size))))
        else:
            test = (chance.choice(("==", "<", "!=")), _expression(chance, read, size, 1), ("number", size - 1))
            branches = [_body(chance, names, depth - 1, size, reads_input=reads_input) for _ in range(2)]
            found.append(("if", test, branches[0], branches[1] if chance.random() < 0.6 else []))
    return found


def _code(body: list[Any], depth: int) -> str:
    indent = "    " * depth
    lines = []
    for statement in body:
        match statement:
            case ("=", name, value):
                lines.append(f"{indent}{name} = {text_of(value)};\n")
            case ("out", value):
                lines.append(f"{indent}out({text_of(value)});\n")
            case ("if", test, one, two):
                lines.append(f"{indent}if {text_of(test)} {{\n{_code(one, depth + 1)}{indent}}}")
                lines.append(f" else {{\n{_code(two, depth + 1)}{indent}}}\n" if two else "\n")
            case _:
                raise AssertionError(statement)
    return "".join(lines)


def _run(body: list[Any], values: dict[str, int]) -> None:
    for statement in body:
        match statement:
            case ("=", name, value):
                values[name] = value_of(value, values)
            case ("if", test, one, two):
                _run(one if value_of(test, values) else two, values)
            case _:
                pass  # what is called outside changes nothing
