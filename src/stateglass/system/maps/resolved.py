"""What maps mean for a program: abstractions of cells, and rules about its functions, variables and lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, final

from stateglass.program.abstractions import Abstraction, Top
from stateglass.system.maps.conditions import Condition, Target, VariableName, leaves
from stateglass.system.maps.rules import Label, Relation

_NO_CELLS: Final[Mapping[str, Abstraction]] = MappingProxyType({})
_TOP: Final = Top()


@final
@dataclass(frozen=True, slots=True)
class ResolvedAbstractions:
    """The abstraction of each cell of a variable by its path (`""` for a scalar), and of what functions return."""

    cells: Mapping[VariableName, Mapping[str, Abstraction]] = field(default_factory=lambda: MappingProxyType({}))
    results: Mapping[str, Abstraction] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, variable: VariableName, path: str = "") -> Abstraction:
        """What nobody declares is `top`."""
        return self.cells.get(variable, _NO_CELLS).get(path, _TOP)


@final
@dataclass(frozen=True, slots=True)
class ValueTest:
    """A comparison with a constant."""

    relation: Relation
    value: int


Tests = tuple[ValueTest, ...]
"""All of them must hold; none: any value."""


@final
@dataclass(frozen=True, slots=True)
class ResolvedWatch:
    """A condition without names that are left open; it is looked at when one of `variables` is assigned."""

    condition: Condition

    @property
    def variables(self) -> tuple[Target, ...]:
        return tuple(dict.fromkeys(leaf for leaf in leaves(self.condition) if isinstance(leaf, Target)))


@final
@dataclass(frozen=True, slots=True)
class ResolvedExit:
    """The program ends."""

    status: Tests = ()


@final
@dataclass(frozen=True, slots=True)
class ResolvedCall:
    """A function is called; `arguments` None: with any, `more`: with these and any others."""

    function: str
    arguments: tuple[Tests, ...] | None = None
    more: bool = False


@final
@dataclass(frozen=True, slots=True)
class ResolvedReturn:
    """A function returns."""

    function: str
    value: Tests = ()


@final
@dataclass(frozen=True, slots=True)
class ResolvedRead:
    """A variable or a part of it is used. A `[]` in the path stands for each element."""

    target: Target


@final
@dataclass(frozen=True, slots=True)
class ResolvedWrite:
    """A variable or a part of it gets a value. A `[]` in the path stands for each element."""

    target: Target


@final
@dataclass(frozen=True, slots=True)
class ResolvedLine:
    """Code of a line runs; `file` is called as the spans of the program call it."""

    file: str
    line: int


ResolvedEvent = (
    ResolvedWatch | ResolvedExit | ResolvedCall | ResolvedReturn | ResolvedRead | ResolvedWrite | ResolvedLine
)


@final
@dataclass(frozen=True, slots=True)
class ResolvedRule:
    """An event of the program and its label."""

    event: ResolvedEvent
    label: Label


@final
@dataclass(frozen=True, slots=True)
class ResolvedLabels:
    """Rules in order: the first one that fits gives the label."""

    rules: tuple[ResolvedRule, ...] = ()
