"""What stands for the rest of the program around an object: parts that are no code, and what they may throw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

from stateglass.program import Program
from stateglass.program.callgraph import reachable
from stateglass.source import Assumption
from stateglass.system.parts import parts_of, read_members
from stateglass.system.stand_ins import StandIn, with_stand_ins
from stateglass.system.subjects import Asked, Subject
from stateglass.system.throwing import Thrown, with_throws


@final
@dataclass(frozen=True, slots=True)
class Surroundings:
    """The program with stand-ins, and what is known of them."""

    program: Program
    stand_ins: Mapping[str, StandIn] = field(default_factory=dict)
    throws: Mapping[str, tuple[Thrown, ...]] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of a class: the functions of its parts
    assumptions: tuple[Assumption, ...] = ()


def surroundings_of(program: Program, subject: Subject, asked: Asked) -> Surroundings:
    """The surroundings that the user asks for."""
    processes = {name.strip(): text for name, _, text in (p.partition("=") for p in asked.processes)}
    said = read_members(asked.members, tuple(processes))
    assumptions: tuple[Assumption, ...] = ()
    stand_ins: Mapping[str, StandIn] = {}
    if subject.owner is not None:
        made = with_stand_ins(program, parts_of(program, subject.owner, subject.owner.name, said))
        program, stand_ins, assumptions = made.program, made.functions, made.assumptions
    aliases: dict[str, tuple[str, ...]] = {}
    for name, stand_in in stand_ins.items():
        aliases[stand_in.of_class] = (*aliases.get(stand_in.of_class, ()), name)
    roots = (*subject.functions, *([subject.init] if subject.init is not None else []))
    used = reachable(program, roots)
    program, throws = with_throws(program, asked.can_throw, used.externals, aliases)
    return Surroundings(program, stand_ins, throws, aliases, assumptions)
