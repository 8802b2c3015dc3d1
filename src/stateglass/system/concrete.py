"""A system over exact values in place of one over abstract ones: inputs that may be anything get some values to try.

The values are those that are asked for, and those that a program makes a difference for, as far as that can be seen
from its text: its constants and their neighbours, and the ends of a type. Each is a value that the input may have; that
others are left out only means that a run may not be found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, assert_never

from stateglass.program import Bool, Enum, Float, Pointer, Program, Scalar, representation
from stateglass.program import Constant as Literal
from stateglass.program.nodes import Switch
from stateglass.program.walk import nodes_in
from stateglass.system import (
    Argument,
    Choice,
    Contents,
    Entry,
    External,
    Filled,
    Fixed,
    InputVariable,
    Pointed,
    System,
    Write,
)
from stateglass.system import Handed as HandedBack

MOST_VALUES: Final = 24
_NUMBER: Final = re.compile(r"-?\b\d{1,20}\b")


def numbers_in(texts: Iterable[str]) -> tuple[int, ...]:
    """The integers that texts mention, in decimal, each once."""
    return tuple(dict.fromkeys(int(number) for text in texts for number in _NUMBER.findall(text)))


def concretised(system: System, asked: tuple[int, ...] = (), most: int = MOST_VALUES) -> System:
    """The same system without abstraction; the values that are asked for are tried in any case, and `most` in all."""
    constants = _constants(system.program)

    def choice(of: Choice) -> Choice:
        return replace(of, values=_candidates(of.type, asked, constants, most), anything=False) if of.anything else of

    def argument(of: Argument) -> Argument:
        match of:
            case Choice():
                return choice(of)
            case Pointed(variable, content):
                return Pointed(variable, None if content is None else choice(content))
            case Filled() | Fixed():
                return of
            case _:
                assert_never(of)

    def entry(of: Entry) -> Entry:
        return Entry(of.function, tuple(map(argument, of.arguments)))

    def either(of: Choice | Contents) -> Choice | Contents:
        return choice(of) if isinstance(of, Choice) else of

    def write(of: Write) -> Write:
        reach = None if of.reach is None else replace(of.reach, is_sampled=True)
        return replace(of, choice=either(of.choice), reach=reach)

    def external(of: External) -> External:
        result = of.result
        return replace(
            of,
            result=result if result is None or isinstance(result, HandedBack) else choice(result),
            writes=tuple(map(write, of.writes)),
            beside=None if of.beside is None else replace(of.beside, is_sampled=True),
        )

    def variable(of: InputVariable) -> InputVariable:
        return replace(of, choice=either(of.choice))

    return replace(
        system,
        abstractions=None,
        entries=tuple(map(entry, system.entries)),
        init=None if system.init is None else entry(system.init),
        externals={name: external(e) for name, e in system.externals.items()},
        volatile={name: choice(c) for name, c in system.volatile.items()},
        inputs=tuple(map(variable, system.inputs)),
        beginnings=tuple(map(variable, system.beginnings)),
    )


def _constants(program: Program) -> tuple[int, ...]:
    """The numbers in the text of the user's functions, in the order in which they are met."""
    found: dict[int, None] = {}
    for name in program.own_functions:
        for block in program.functions[name].blocks:
            for node in (n for s in (*block.statements, block.terminator) for n in nodes_in(s)):
                if isinstance(node, Literal):
                    found[node.value] = None
            if isinstance(block.terminator, Switch):
                found |= dict.fromkeys(end for c in block.terminator.cases for end in (c.low, c.high))
    return tuple(found)


def _candidates(type: Scalar, asked: tuple[int, ...], constants: Iterable[int], most: int) -> tuple[int, ...]:
    match type:
        case Bool():
            return (0, 1)
        case Pointer() | Float():
            return (0,)
        case _:
            whole = representation(type)
    near = [n + d for n in constants for d in (0, 1, -1)]
    ends = [] if isinstance(type, Enum) else [whole.low, whole.high]
    every = dict.fromkeys([*asked, 0, 1, *near, -1, *ends])
    return tuple(n for n in every if whole.low <= n <= whole.high)[: max(most, len(asked))]
