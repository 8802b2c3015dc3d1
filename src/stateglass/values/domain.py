"""What a value domain offers to those who run a program: operators as functions, built once per node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeVar, final

from stateglass.program import BinaryOperator, Comparison, Int, Number, Scalar, UnaryOperator
from stateglass.program.faults import FaultKind
from stateglass.source import Span


@final
class Fault(Exception):
    """Execution met undefined behaviour."""

    def __init__(self, kind: FaultKind, span: Span) -> None:
        self.kind = kind
        self.span = span
        super().__init__(kind.value)


V = TypeVar("V")
TRUTH: Final = Int(32, signed=True)
"""What the result of a comparison is where nobody asks for its width."""


class Domain(Protocol[V]):
    """Values of one kind. Operands have the types that the program's nodes promise."""

    def constant(self, value: int, type: Scalar) -> V: ...

    def unary(self, operator: UnaryOperator, type: Number, span: Span) -> Callable[[V], V]: ...

    def binary(
        self, operator: BinaryOperator, type: Number, span: Span, counted: Scalar | None = None
    ) -> Callable[[V, V], V]:
        """`counted` is the type of a shift's count, for domains in which a value does not say what number it is."""

    def compare(self, operator: Comparison, type: Scalar, result: Int = TRUTH) -> Callable[[V, V], V]:
        """0 or 1, as a value of the type `result`."""

    def convert(self, source: Scalar, target: Scalar, span: Span) -> Callable[[V], V] | None:
        """None if the value stays as it is."""

    def decide(self, value: V) -> bool | None:
        """Whether a condition is true; None if it may be either."""
