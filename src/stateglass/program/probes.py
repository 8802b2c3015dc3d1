"""Questions to a program from outside: expressions that are read as if they stood in one of its functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from stateglass.program.names import is_made_up
from stateglass.source import NOWHERE, Span, Words


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """A word that stands for an expression in others."""

    name: str
    words: Words
    span: Span = field(default=NOWHERE, compare=False)


@final
@dataclass(frozen=True, slots=True)
class Probe:
    """An expression in C over what a function sees. It becomes a function of the program that has the parameters of
    `function` and returns whether the expression is true."""

    name: str  # of the function that it becomes; it begins with `%`, so that C code has none that is called so
    words: Words
    function: str
    definitions: tuple[Definition, ...] = ()
    may_use_parameters: bool = True  # False: it is asked after the call too, so only what they point to may be used
    function_span: Span = field(default=NOWHERE, compare=False)  # where the function is named

    def __post_init__(self) -> None:
        assert is_made_up(self.name)
