"""C functions with the sizes of those that reflexion models were measured on, made by a generator.

The eight functions of the paper (its tables I and II) are not public. These have as many variables, state variables,
lines, decisions and states (as the product of the ranges that `scan` finds), and roughly as many transitions. They are
written in the style of control code: flags, timers, levels and modes that are updated under conditions on inputs and on
each other, and filters and saturations around them. The same seed gives the same text.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

from stateglass.program import Program
from stateglass.reflexion.candidates import product_parts


@final
@unique
class Kind(Enum):
    """How a state variable works."""

    FLAG = "set and cleared at thresholds of an input"
    DELAYED = "a flag that takes over another one"
    TIMER = "counts down, and is started by an input"
    LEVEL = "moves between thresholds"
    MODE = "an enumeration"


@final
@dataclass(frozen=True, slots=True)
class Part:
    """A state variable: its kind, how many ranges it has, and when it is updated at all.

    `gate` names other state variables and one range of each that they must be in. `choices` is how many ranges of a
    mode look at an input before they are left; `jumps` is whether a level may get anywhere in one call.
    """

    kind: Kind
    ranges: int
    gate: tuple[tuple[int, int], ...] = ()
    choices: int = 0
    jumps: bool = False


@final
@dataclass(frozen=True, slots=True)
class Row:
    """A function of the table: sizes as published, and the state variables that give them."""

    name: str
    variables: int
    lines: int
    mccabe: int
    states: int
    transitions: int
    parts: tuple[Part, ...]


def _flag(*gate: tuple[int, int]) -> Part:
    return Part(Kind.FLAG, 2, gate)


def _delayed(*gate: tuple[int, int]) -> Part:
    """What it takes over is the variable before it."""
    return Part(Kind.DELAYED, 2, gate)


def _timer(*gate: tuple[int, int]) -> Part:
    return Part(Kind.TIMER, 2, gate)


def _level(ranges: int, *gate: tuple[int, int], jumps: bool = False) -> Part:
    return Part(Kind.LEVEL, ranges, gate, jumps=jumps)


def _mode(ranges: int, choices: int, *gate: tuple[int, int]) -> Part:
    return Part(Kind.MODE, ranges, gate, choices)


ROWS: Final = (
    Row("SPD", 25, 807, 52, 720, 1652, (
        _mode(5, 4, (4, 1)), _level(4, (0, 0), (5, 1)), _level(3, (0, 1)), _mode(3, 2, (1, 0), (4, 0)),
        _flag((3, 0), (2, 0)), _timer((2, 1), (0, 2)),
    )),
    Row("MON", 12, 75, 18, 16, 64, (_mode(4, 3), _flag(), _timer((1, 1)))),
    Row("AVG", 16, 91, 20, 64, 184, (
        _flag((5, 1)), _timer((0, 1), (3, 0)), _flag((1, 0), (4, 1)), _delayed((1, 1)), _timer((3, 1), (2, 0)),
        _flag((4, 0)),
    )),
    Row("HCR", 32, 775, 56, 160, 437, (_mode(5, 4, (3, 1)), _level(4, (0, 0)), _mode(4, 3, (1, 0)), _timer((2, 0)))),
    Row("PRK", 33, 104, 30, 36, 112, (_mode(3, 2), _level(3, (0, 0)), _flag((1, 1), (0, 1)), _timer((2, 1), (0, 0)))),
    Row("RSK", 56, 169, 27, 48, 170, (
        _mode(3, 2), _flag((0, 0)), _timer((1, 1), (0, 0)), _flag((2, 0), (0, 1)), _timer((3, 1)),
    )),
    Row("SSD", 13, 58, 16, 32, 160, (_mode(8, 3), _level(4, jumps=True))),
    Row("PPR", 10, 49, 16, 8, 16, (_flag((2, 0)), _timer((0, 1)), _flag((1, 0), (0, 0)))),
)  # fmt: skip

_THINGS: Final = ("speed", "torque", "pressure", "current", "level", "angle", "load", "flow", "voltage", "demand")
_MODES: Final = ("OFF", "INIT", "READY", "ACTIVE", "HOLD", "LIMP", "FAIL")


def state_function(row: Row, seed: int = 0) -> str:
    """A C file with one function of the row's sizes, called like the row in small letters."""
    return _Writer(row, seed).text()


@final
class _Writer:
    """Writes the updates of the state variables first, then what is missing in decisions, then in lines."""

    def __init__(self, row: Row, seed: int) -> None:
        self._row = row
        self._pick = random.Random(f"{row.name} {seed}")
        count = row.variables - len(row.parts)
        self._inputs = [self._thing("in", n) for n in range(max(2, count // 3))]
        self._outputs = [self._thing("out", n) for n in range(max(1, count // 4))]
        self._locals = [f"x{n}" for n in range(count - len(self._inputs) - len(self._outputs))]
        self._limits = [sorted(self._pick.sample(range(2, 90), max(part.ranges - 1, 1))) for part in row.parts]
        self._decisions = 0

    def _thing(self, prefix: str, number: int) -> str:
        thing = _THINGS[number % len(_THINGS)]
        return f"{prefix}_{thing}" + (f"_{number // len(_THINGS)}" if number >= len(_THINGS) else "")

    def text(self) -> str:
        name = self._row.name.lower()
        parameters = ", ".join(f"int16_t {n}" for n in self._inputs)
        body = [f"void {name}({parameters})", "{"]
        body += [f"    int {x} = {self._inputs[n % len(self._inputs)]};" for n, x in enumerate(self._locals)]
        for number in range(len(self._row.parts)):
            body += [f"    {line}" for line in self._update(number)]
        head = ["#include <stdbool.h>", "#include <stdint.h>", ""]
        head += [self._declared(number) for number in range(len(self._row.parts))]
        head += [f"int {output};" for output in self._outputs]
        while self._decisions < self._row.mccabe - 1:
            body += [f"    {line}" for line in self._saturation()]
        while len(body) < self._row.lines - 1 - len(self._outputs):
            body.append(f"    {self._filter()}")
        step = len(self._outputs)
        body += [f"    {out} = {' + '.join(self._locals[n::step]) or 0};" for n, out in enumerate(self._outputs)]
        return "\n".join([*head, "", *body, "}", ""])

    # ---- state variables

    def _name(self, number: int) -> str:
        return f"{self._row.parts[number].kind.name.lower()}_{number}"

    def _declared(self, number: int) -> str:
        part, name = self._row.parts[number], self._name(number)
        match part.kind:
            case Kind.FLAG | Kind.DELAYED:
                return f"static bool {name};"
            case Kind.TIMER:
                return f"static int16_t {name};"
            case Kind.LEVEL:
                return f"static int {name};"
            case Kind.MODE:
                return f"static enum {{ {', '.join(self._members(number))} }} {name};"

    def _members(self, number: int) -> list[str]:
        return [f"{mode}_{number}" for mode in _MODES[: self._row.parts[number].ranges - 1]]

    def _in_range(self, number: int, wanted: int) -> str:
        """A condition that the code has anyway, so that it tells no more values apart."""
        part, name = self._row.parts[number], self._name(number)
        match part.kind:
            case Kind.FLAG | Kind.DELAYED:
                return name if wanted else f"!{name}"
            case Kind.TIMER:
                return f"{name} {'>' if wanted else '<='} 0"
            case Kind.LEVEL:
                limits = self._limits[number]
                return f"{name} < {limits[0]}" if not wanted else f"{name} >= {limits[-1]}"
            case Kind.MODE:
                return f"{name} == {self._members(number)[wanted]}"

    def _update(self, number: int) -> list[str]:
        part = self._row.parts[number]
        writers = {
            Kind.FLAG: self._flag,
            Kind.DELAYED: lambda n: [f"{self._name(n)} = {self._in_range(n - 1, 1)};"],
            Kind.TIMER: self._timer,
            Kind.LEVEL: self._level,
            Kind.MODE: self._mode,
        }
        lines = writers[part.kind](number)
        if not part.gate:
            return lines
        self._decisions += len(part.gate)
        gate = " && ".join(self._in_range(other, wanted) for other, wanted in part.gate)
        return [f"if ({gate}) {{", *(f"    {line}" for line in lines), "}"]

    def _flag(self, number: int) -> list[str]:
        self._decisions += 2
        name, source, low = self._name(number), self._input(), self._pick.randrange(100, 400)
        return [
            f"if ({source} < {low})",
            f"    {name} = false;",
            f"else if ({source} > {low + 50})",
            f"    {name} = true;",
        ]

    def _timer(self, number: int) -> list[str]:
        self._decisions += 2
        name = self._name(number)
        return [
            f"if ({name} > 0)",
            f"    {name}--;",
            f"else if ({self._threshold()})",
            f"    {name} = {self._pick.randrange(5, 50)};",
        ]

    def _level(self, number: int) -> list[str]:
        part, name, limits = self._row.parts[number], self._name(number), self._limits[number]
        lines: list[str] = []
        for n, limit in enumerate(limits):
            self._decisions += 1
            lines.append(f"{'else ' if n else ''}if ({name} < {limit})")
            if part.jumps:
                lines.append(f"    {name} = {self._input()} / {n + 1};")
            elif n % 2 == 0:
                self._decisions += 1
                lines.append(f"    {name} += ({self._threshold()}) ? 1 : 0;")
            else:
                lines.append(f"    {name}++;")
        if part.jumps:
            lines += ["else", f"    {name} = {self._input()};"]
        else:
            self._decisions += 1
            lines += [f"else if ({self._threshold()})", f"    {name} = 0;"]
        return lines

    def _mode(self, number: int) -> list[str]:
        part, name, members = self._row.parts[number], self._name(number), self._members(number)
        lines = [f"switch ({name}) {{"]
        for n, member in enumerate(members):
            self._decisions += 1
            following = members[(n + 1) % len(members)]
            lines.append(f"case {member}:")
            if n < part.choices:
                self._decisions += 1
                lines += [f"    if ({self._threshold()})", f"        {name} = {following};"]
            else:
                lines.append(f"    {name} = {following};")
            lines.append("    break;")
        return [*lines, "default:", f"    {name} = {members[0]};", "    break;", "}"]

    # ---- what is around them

    def _input(self) -> str:
        return self._pick.choice(self._inputs)

    def _value(self) -> str:
        return self._pick.choice(self._locals)

    def _threshold(self) -> str:
        return f"{self._input()} {self._pick.choice('<>')} {self._pick.randrange(-200, 800)}"

    def _saturation(self) -> list[str]:
        """A decision or two about values that no state depends on; they stay far from overflow."""
        target, limit = self._value(), self._pick.randrange(500, 4000)
        if self._decisions <= self._row.mccabe - 3 and self._pick.random() < 0.5:
            self._decisions += 2
            return [
                f"if ({target} > {limit})",
                f"    {target} = {limit};",
                f"else if ({target} < -{limit})",
                f"    {target} = -{limit};",
            ]
        self._decisions += 1
        return [f"if ({self._threshold()})", f"    {target} = {target} / 2 + {self._input()};"]

    def _filter(self) -> str:
        """Each step keeps a value within twice the largest input, however many there are."""
        target, divisor = self._value(), self._pick.choice((4, 8))
        offset = self._pick.randrange(1, 90)
        return f"{target} = {target} / 2 + {self._value()} / {divisor} + {self._input()} / {divisor} - {offset};"


def product_states(program: Program, function: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """All combinations of the ranges of some variables: names of states, and their conditions in C."""
    return [(name, " && ".join(parts)) for name, parts in product_parts(program, function, names)]
