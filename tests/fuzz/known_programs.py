"""Random state machines whose verdict is known by how they are made; nothing in them is bounded.

A machine has a way through all its states, each step of which needs a certain input, and other steps at random. Beside
its state it has variables with a relation that every step keeps, which is asserted before each. In a wrong program one
step of the way does not keep one of them: the inputs of the way up to it break the program. In a right one all steps
do, so that the relations are an invariant, whatever the other steps are.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

WRAP: Final = 1 << 32


@final
@dataclass(frozen=True, slots=True)
class Keeper:
    """Variables with a relation: how they are declared, what keeps it, what breaks it for certain."""

    declared: str
    relation: str
    keeping: tuple[str, ...]
    breaking: str


@final
@unique
class Shape(Enum):
    """Who calls the machine."""

    LOOP = "a loop in main"
    RECORD = "a loop in main, and a function that is given the machine"
    STEP = "the environment, step by step"


@final
@dataclass(frozen=True, slots=True)
class Known:
    """A program, whether its assertions hold, and inputs that break it if they do not."""

    text: str
    function: str
    holds: bool
    inputs: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Edge:
    """A step of the way: the condition on `in`, what it remembers, and inputs that satisfy it after given ones."""

    waiting: str  # statement before it that must let inputs through, or nothing
    condition: str
    inputs: Callable[[int], tuple[int, ...]]  # from what was remembered last


def equal(number: int, chance: random.Random) -> Keeper:
    a, b = f"a{number}", f"b{number}"
    by, jump = chance.randint(1, 9), chance.randint(1, WRAP - 1)
    keeping = (f"{a}++; {b}++;", f"{a} += {by}u; {b} += {by}u;", f"{a} = in; {b} = in;", f"{a} = {jump}u; {b} = {a};")
    return Keeper(f"unsigned {a}, {b};", f"{a} == {b}", keeping, f"{a} += {by}u;")


def total(number: int, chance: random.Random) -> Keeper:
    a, b = f"a{number}", f"b{number}"
    most = chance.choice((chance.randint(2, 20), chance.randint(100, WRAP - 1)))
    there, back = f"if ({a} > 0) {{ {a}--; {b}++; }}", f"if ({b} > 0) {{ {b}--; {a}++; }}"
    moved = f"if (in <= {a}) {{ {a} -= in; {b} += in; }}"
    return Keeper(
        f"unsigned {a} = {most}u, {b};",
        f"{a} + {b} == {most}u",
        (there, back, moved, there),
        f"{a} ^= 1u << {most % 32};",
    )


def limited(number: int, chance: random.Random) -> Keeper:
    n, most = f"n{number}", chance.choice((chance.randint(2, 9), chance.randint(100, 100_000)))
    keeping = (f"if ({n} < {most}) {n}++;", f"{n} = 0;", f"if (in < {most}) {n} = in;", f"if ({n} > 0) {n}--;")
    return Keeper(f"unsigned {n};", f"{n} <= {most}", keeping, f"{n} += {most + 1};")


def parity(number: int, chance: random.Random) -> Keeper:
    n, step = f"n{number}", chance.choice((2, 4))
    by = step * chance.randint(1, 5)
    keeping = (f"{n} += {by};", f"{n} = {n} * 3;", f"{n} -= {step};", f"{n} = in * {step}u;")
    return Keeper(f"unsigned {n};", f"{n} % {step} == 0", keeping, f"{n}++;")


def ordered(number: int, chance: random.Random) -> Keeper:
    low, high = f"low{number}", f"high{number}"
    wider = f"if ((int)in > {high}) {high} = (int)in; else if ((int)in < {low}) {low} = (int)in;"
    keeping = (wider, f"if ({low} < {high}) {low}++;", f"if ({low} < {high}) {high}--;", f"{low} = {high} = (int)in;")
    return Keeper(
        f"int {low}, {high};", f"{low} <= {high}", keeping, f"{low} = 0; {high} = -{chance.randint(1, 1000)};"
    )


def level(number: int, chance: random.Random) -> Keeper:
    n, most = f"n{number}", chance.randint(2, 50_000)
    keeping = (f"if ({n} < {most}) {n}++;", f"if ({n} > -{most}) {n}--;", f"{n} = -{n};", f"{n} /= 2;")
    return Keeper(f"int {n};", f"{n} >= -{most} && {n} <= {most}", keeping, f"{n} = {most + chance.randint(1, 1000)};")


KEEPERS: Final = (equal, total, limited, parity, ordered, level)


def known(seed: int) -> Known:
    """The program of a seed; every other one is wrong."""
    chance = random.Random(seed)
    return Machine(chance, holds=seed % 2 == 0).made()


@final
class Machine:
    """A machine that is being made."""

    def __init__(self, chance: random.Random, *, holds: bool) -> None:
        self._chance = chance
        self._holds = holds
        self._shape = chance.choice(tuple(Shape))
        count = chance.randint(2, 8)
        self._states = sorted(chance.sample(range(count if chance.random() < 0.5 else 5000), count))
        self._keepers = [chance.choice(KEEPERS)(n, chance) for n in range(chance.randint(1, 3))]
        # In which states a flag is set: what tells states apart is a relation too.
        self._flagged = frozenset(state for state in self._states if chance.random() < 0.5)
        self._edges = [self._edge() for _ in self._states[1:]]
        self._wrong_edge = chance.randrange(len(self._edges))
        self._wrong_keeper = chance.randrange(len(self._keepers) + 1)  # the last one is the flag

    def made(self) -> Known:
        remembered = 0
        inputs: list[int] = []
        for edge in self._edges[: self._wrong_edge + 1]:
            inputs += edge.inputs(remembered)
            remembered = inputs[-1]
        function = "step" if self._shape is Shape.STEP else "main"
        # One more, so that the assertions are met once more.
        return Known(self._text(), function, self._holds, () if self._holds else (*inputs, 0))

    def _edge(self) -> Edge:
        chance = self._chance
        constant = chance.choice((chance.randint(0, 9), chance.randint(0, WRAP - 1)))
        rounds = chance.randint(1, 6)
        match chance.randrange(6):
            case 0:
                return Edge("", f"in == {constant}u", lambda last: (constant,))
            case 1:
                most = min(constant + chance.randint(1, 100), WRAP - 1)
                return Edge("", f"in >= {constant}u && in <= {most}u", lambda last: (most,))
            case 2:
                mask = chance.randint(1, WRAP - 1)
                return Edge("", f"(in & {mask}u) == {constant & mask}u", lambda last: (constant & mask,))
            case 3:
                return Edge("", f"in == last + {constant}u", lambda last: ((last + constant) % WRAP,))
            case 4:
                waiting = f"if (waited < {rounds}) {{ waited = in == {constant}u ? waited + 1 : 0; break; }}"
                return Edge(waiting, "in > last || in == 0", lambda last: (*[constant] * rounds, 0))
            case _:
                waiting = f"if (in == {constant}u && waited < 1000000) {{ waited++; break; }}"
                # What was waited for is not taken for something else.
                other = (constant + 1) % WRAP
                condition = f"waited >= {rounds} && in != {constant}u"
                return Edge(waiting, condition, lambda last: (*[constant] * rounds, other))

    def _text(self) -> str:
        declared = [f"static unsigned state = {self._states[0]}u, last, waited;"]
        declared += [f"static {keeper.declared}" for keeper in self._keepers]
        declared += [f"static int flag = {int(self._states[0] in self._flagged)};"]
        flagged = " || ".join(f"state == {state}u" for state in sorted(self._flagged)) or "0"
        body = [f"    assert({keeper.relation});" for keeper in self._keepers]
        body += [f"    assert(flag == ({flagged}));", *self._switch()]
        lines = ["#include <assert.h>", "", "unsigned input(void);", ""]
        match self._shape:
            case Shape.STEP:
                lines += [*declared, "", "void step(unsigned in)", "{", *body, "}"]
            case Shape.LOOP:
                inner = ["    " + line for line in body]
                read = ["        unsigned in = input();"]
                lines += [*declared, "", "int main(void)", "{", "    for (;;) {", *read, *inner, "    }", "}"]
            case Shape.RECORD:
                lines += self._as_record(declared, body)
        return "\n".join(lines) + "\n"

    def _as_record(self, declared: list[str], body: list[str]) -> list[str]:
        """The variables as members of a record, which names in the body stand for."""
        names: list[str] = []
        initial: list[str] = []
        members: list[str] = []
        for line in declared:
            kind, rest = line.removeprefix("static ").rstrip(";").split(" ", 1)
            for part in rest.split(", "):
                name, _, value = part.partition(" = ")
                names.append(name)
                members.append(f"    {kind} {name};")
                initial += [f"    m.{name} = {value};"] if value else []
        return [
            "struct machine {", *members, "};", "",
            *[f"#define {name} (m->{name})" for name in names],
            "static void step(struct machine *m, unsigned in)", "{", *body, "}",
            *[f"#undef {name}" for name in names], "",
            "int main(void)", "{", "    static struct machine m;", *initial,
            "    for (;;)", "        step(&m, input());", "}",
        ]  # fmt: skip

    def _switch(self) -> list[str]:
        lines = ["    switch (state) {"]
        for number, state in enumerate(self._states):
            lines.append(f"    case {state}u:")
            first = "if"
            if number < len(self._edges):
                edge = self._edges[number]
                lines += [f"        {edge.waiting}"] if edge.waiting else []
                wrong = not self._holds and number == self._wrong_edge
                lines += self._step(f"if ({edge.condition})", self._states[number + 1], wrong=wrong)
                first = "else if"
            for _ in range(self._chance.randint(0, 2)):
                lines += self._step(f"{first} ({self._noise()})", self._chance.choice(self._states))
                first = "else if"
            lines.append("        break;")
        return [*lines, "    }"]

    def _step(self, condition: str, target: int, *, wrong: bool = False) -> list[str]:
        """A step to a state that keeps every relation, but for one if it is the wrong one."""
        lines = [f"        {condition} {{", f"            state = {target}u;", "            last = in;"]
        lines.append("            waited = 0;")
        for number, keeper in enumerate(self._keepers):
            if wrong and number == self._wrong_keeper:
                lines.append(f"            {keeper.breaking}")
            elif self._chance.random() < 0.7:
                lines.append(f"            {self._chance.choice(keeper.keeping)}")
        flag = (target in self._flagged) != (wrong and self._wrong_keeper == len(self._keepers))
        return [*lines, f"            flag = {int(flag)};", "        }"]

    def _noise(self) -> str:
        chance = self._chance
        constant = chance.choice((chance.randint(0, 9), chance.randint(0, WRAP - 1)))
        return chance.choice((
            f"in < {constant}u", f"in > {constant}u", f"in % 7 == {constant % 7}", f"in != last + {constant}u",
            f"(in & {constant}u) == 0", f"waited > {constant % 5}",
        ))  # fmt: skip
