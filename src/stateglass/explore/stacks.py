"""The functions that are running: each with the call that waits for it, and a number for each stack there ever was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import final

from stateglass.explore.cells.pieces import Numbering
from stateglass.explore.code.activations import Activation, Segment
from stateglass.explore.pauses import Visit
from stateglass.source import Span


@final
@dataclass(frozen=True, slots=True)
class Frame:
    """A function that is running, and the call that waits for it: that of a function of the program, or an entry's."""

    activation: Activation
    caller: Segment | None
    entry: str  # the function that was called from outside, if that waits
    visit: Visit | None  # and who called it
    stack: int  # the number of the stack of which this is the top


@final
class Stack:
    """The frames, the innermost last."""

    def __init__(self, functions: Iterable[str]) -> None:
        self.frames: list[Frame] = []
        self._depth: dict[str, int] = dict.fromkeys(functions, 0)
        self._numbers: Numbering[tuple[int, int, int | tuple[str, Visit]]] = Numbering(
            (0, 0, 0)
        )  # what is below, activation, caller

    @property
    def number(self) -> int:
        """Of this stack; 0 is the empty one."""
        return self.frames[-1].stack if self.frames else 0

    def depth(self, function: str) -> int:
        """How often a function is running."""
        return self._depth[function]

    @property
    def callbacks(self) -> int:
        """How many calls back are under way, one within the other."""
        return sum(frame.visit is not None and frame.visit.is_callback for frame in self.frames)

    def push(self, activation: Activation, caller: Segment | None, entry: str, visit: Visit | None) -> None:
        self._depth[activation.function.name] = activation.depth + 1
        waits: int | tuple[str, Visit] = caller.number if caller is not None else (entry, visit or Visit())
        number = self._numbers.number((self.number, activation.number, waits))
        self.frames.append(Frame(activation, caller, entry, visit, number))

    def pop(self) -> Frame:
        frame = self.frames.pop()
        self._depth[frame.activation.function.name] -= 1
        return frame

    def blamed(self, span: Span) -> Span:
        """The line of the user's code that something in the library was called from."""
        for frame in reversed(self.frames):
            if not span.in_library or frame.caller is None:
                break
            span = frame.caller.span
        return span

    def restore(self, number: int, activations: Sequence[Activation], segments: Sequence[Segment]) -> None:
        """Make the stack the one with this number; what it has in common with the one before stays."""
        missing: list[tuple[int, int | tuple[str, Visit]]] = []
        wanted: dict[int, int] = {}
        while number:
            wanted[number] = len(missing)
            number, activation, caller = self._numbers[number]
            missing.append((activation, caller))
        while self.frames and self.frames[-1].stack not in wanted:
            self.pop()
        if self.frames:
            del missing[wanted[self.frames[-1].stack] :]
        for begun, caller in reversed(missing):
            if isinstance(caller, tuple):
                self.push(activations[begun], None, *caller)
            else:
                self.push(activations[begun], segments[caller], "", None)

    def numbers_of(self, number: int) -> Iterator[int]:
        """The activations on the stack with this number, the innermost first."""
        while number:
            number, activation, _ = self._numbers[number]
            yield activation
