"""Functions made ready to run: segments of Python functions over the cells, and the variables they work on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from stateglass.explore.cells.contents import Cells
from stateglass.explore.cells.memory import Memory, Object
from stateglass.explore.code.computations import Step
from stateglass.program import VARIADIC_SLOT, Function, Type
from stateglass.program.escapes import Escapes
from stateglass.program.liveness import Liveness
from stateglass.source import Span

Leave = Callable[[Cells], "Segment | None"]
"""Leads to the next segment; None after noting a pause."""
Runs = tuple[tuple[int, Cells], ...]
"""Stretches of cells that nobody looks at: the number of the first, and as many zeros."""


@final
@dataclass(frozen=True, slots=True)
class Way:
    """One way out of a segment."""

    prepare: Callable[[Cells], bool]  # note what going it means; False: it cannot be gone
    enter: Callable[[Cells], Segment | None]


@final
class Segment:
    """Statements that run in one go, and the function that leads to the next segment (None: a pause)."""

    __slots__ = (
        "activation",
        "block",
        "body",
        "characters",
        "cost",
        "end",
        "index",
        "last",
        "looks_at",
        "number",
        "result",
        "resume",
        "span",
        "tail",
        "types",
        "ways",
    )

    def __init__(self, number: int, activation: Activation, block: int, index: int) -> None:
        self.number = number
        self.activation = activation
        self.block = block
        self.index = index  # of the statement it starts with
        self.body: tuple[Step, ...] = ()
        self.end: Callable[[Cells], Segment | None]
        self.cost = 0
        self.span: Span
        # For a segment that ends in a call or an input: where the answer goes, and how it goes on.
        self.result: Callable[[Cells, Any], None] | None = None
        self.resume: Segment
        self.types: tuple[Type, ...] = ()  # of the arguments of the call
        self.characters: tuple[bool, ...] = ()  # which of these are addresses of characters and of nothing larger
        self.tail = False  # after the call there is nothing left to do, and nobody looks at the function's variables
        self.last = index  # the statement or terminator that ends it
        self.ways: dict[int, Way] = {}  # if it can be left in several
        self.looks_at: frozenset[str] = frozenset()  # variables on which the way depends

    def lines(self) -> tuple[tuple[str, int], ...]:
        """The files and lines of the user's code that it is."""
        block = self.activation.function.blocks[self.block]
        nodes = (*block.statements, block.terminator)[self.index : self.last + 1]
        spans = [n.span for n in nodes if n.span.line and not n.span.in_library]
        return tuple(dict.fromkeys((s.file, s.line) for s in spans))

    def dead_at_start(self) -> Runs:
        return self.activation.dead_before(self.block, self.index)

    def dead_at_end(self) -> Runs:
        return self.activation.dead_before(self.block, self.last, self.looks_at)

    def dead_while_waiting(self) -> Runs:
        return self.activation.dead_awaiting(self.block, self.resume.index - 1)


@final
class Activation:
    """One function at one depth of recursion, for one choice of variadic arguments: its variables and its code.

    There are several where a pointer into one that is over may be left.
    """

    def __init__(
        self,
        number: int,
        function: Function,
        depth: int,
        memory: Memory,
        escapes: Escapes,
        variadic: tuple[Type, ...] = (),
        watched: frozenset[str] = frozenset(),
    ) -> None:
        """What a label map watches, together with others, matters even if the code does not look at it any more."""
        self.number = number
        self.function = function
        self.depth = depth
        self._watched = watched
        # Where every step is kept, those of the library and of functions that nobody wrote are not.
        self.is_users = bool(function.span.file) and not function.span.in_library
        self.liveness = Liveness(function)
        self.first = memory.cells
        prefix = f"{function.name}::" if depth == 0 else f"{function.name}#{depth}::"
        self.variables: dict[str, Object] = {
            v.name: memory.add(
                prefix + v.name,
                v.type,
                careful=True,
                declared=f"{function.name}::{v.name}",
                exposed=v.name in self.liveness.addressed,
            )
            for v in (*function.parameters, *function.locals)
        }
        self.variadic = memory.add_slots(f"{prefix}...", variadic, VARIADIC_SLOT) if function.variadic else None
        self.end = memory.cells
        self.parameters = tuple(self.variables[p.name] for p in function.parameters)
        addressed = bool(self.liveness.addressed)
        outliving = escapes.outliving(function.name) if addressed else frozenset()
        self.outliving = tuple(v for name, v in self.variables.items() if name in outliving)
        self.reborn = escapes.reborn(function.name) if addressed else frozenset()
        self.entry: Segment
        self._dead: dict[tuple[bool, int, int, frozenset[str]], Runs] = {}

    def holds_one_of(self, addresses: tuple[int, ...]) -> bool:
        """Whether one of some addresses is that of a variable here."""
        own = [*self.variables.values(), *([self.variadic] if self.variadic is not None else [])]
        return any(v.address <= address <= v.address + v.size for v in own for address in addresses)

    def dead_before(self, block: int, index: int, but: frozenset[str] = frozenset()) -> Runs:
        """Cells that no one reads any more from here on."""
        key = (False, block, index, but)
        if key not in self._dead:
            self._dead[key] = self._cells_except(self.liveness.before(block, index) | but)
        return self._dead[key]

    def dead_awaiting(self, block: int, index: int) -> Runs:
        key = (True, block, index, frozenset[str]())
        if key not in self._dead:
            self._dead[key] = self._cells_except(self.liveness.awaiting(block, index))
        return self._dead[key]

    def _cells_except(self, live: frozenset[str]) -> Runs:
        runs: list[tuple[int, int]] = []
        for name, variable in self.variables.items():
            if name not in live and name not in self._watched:
                end = variable.first + len(variable.shape)
                # Variables lie side by side in the order of their names here.
                begin = runs.pop()[0] if runs and runs[-1][1] == variable.first else variable.first
                runs.append((begin, end))
        return tuple((begin, [0] * (end - begin)) for begin, end in runs)
