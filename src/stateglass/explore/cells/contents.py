"""What a cell holds: an integer in the range of its type, a set of values when they are abstract, or one of

- None: never written,
- DEAD: its variable's life is over (or has not begun),
- FOREIGN: never written here, but handed to a function without a body, which may have written it,
- LENT: the caller's, who lent it for a call that is over,
- BEYOND: an array of variable length has room for it but does not have it,
- a pair (value, known): written in part; `known` has the bits that were,
- `Unsure`, only among abstract values: perhaps written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

from stateglass.explore.cells.vague import is_vague
from stateglass.program import BOOL, Bool, Pointer, Scalar, representation
from stateglass.program.bits import ones, signed
from stateglass.source import Span
from stateglass.values import Fault, FaultKind
from stateglass.values.abstract import TOP, Anything, Interval, Pieces, Remainders

if TYPE_CHECKING:
    from stateglass.explore.doubts import Doubts


@final
class _Dead:
    """The only instance stands in the cells of variables that do not exist at the moment."""

    def __repr__(self) -> str:
        return "DEAD"


@final
class _Foreign:
    """The only instance stands in cells that code outside the program may have written."""

    def __repr__(self) -> str:
        return "FOREIGN"


@final
class _Lent:
    """The only instance stands in cells that a call was given a pointer to, before and after it."""

    def __repr__(self) -> str:
        return "LENT"


@final
class _Beyond:
    """The only instance stands in cells that an array of variable length has room for but does not have."""

    def __repr__(self) -> str:
        return "BEYOND"


@final
@dataclass(frozen=True, slots=True)
class Unsure:
    """A cell that was perhaps not written, or perhaps with bits that are no value of its type.

    It has what it holds if that is a value, and the bits that were surely written.
    """

    value: Any
    surely: int


DEAD: Final = _Dead()
FOREIGN: Final = _Foreign()
LENT: Final = _Lent()
BEYOND: Final = _Beyond()
Content = (
    int
    | None
    | _Dead
    | _Foreign
    | _Lent
    | _Beyond
    | tuple[int, int]
    | Unsure
    | Anything
    | Interval
    | Pieces
    | Remainders
    | frozenset[int]
)
Cells = list[Content]

FOREIGN_READ: Final = "memory is read that a function without a body may have written"
LENT_READ: Final = "memory is read that an earlier call was given a pointer to"
NOTHING_COPIED: Final = "a number that was never written is copied to or from what threads share"
VOLATILE_READ: Final = "reading a volatile variable otherwise than by its name"


@final
class Unknown(Exception):
    """The value of something depends on code that is not there: what follows is not known."""


def code_of(type: Scalar) -> int:
    """Equal for types whose values look the same in a cell."""
    if isinstance(type, Bool):
        return 1
    plain = representation(type)
    return plain.bits << 1 | plain.signed


def refuse_absent(content: Content, span: Span) -> None:
    """What is not there can be neither read nor written."""
    if content is DEAD or content is BEYOND:
        raise Fault(FaultKind.BOUNDS if content is BEYOND else FaultKind.DANGLING, span)


def value_of(content: Content, type: Scalar, span: Span, doubts: Doubts) -> Any:
    """The value that a cell of a type holds; a fault if it has none."""
    if isinstance(content, int):
        return content
    if is_vague(content):
        # In a union a pointer may be read as a number of its size.
        return TOP if isinstance(content, frozenset) and not isinstance(type, Pointer) else content
    if isinstance(content, Unsure):
        if content.surely != ones(representation(type).bits):
            doubts.note(FaultKind.UNINITIALISED, span)
        if isinstance(type, Bool):
            doubts.note(FaultKind.BOOL, span)
        return content.value
    if content is FOREIGN or content is LENT:
        raise Unknown(FOREIGN_READ if content is FOREIGN else LENT_READ)
    is_whole = isinstance(content, tuple) and content[1] == ones(representation(type).bits)
    raise Fault(FaultKind.BOOL if is_whole else FaultKind.UNINITIALISED, span)


def as_bits(content: Content, width: int, span: Span) -> tuple[int, int]:
    """The content of a cell as bits, and which of them are known."""
    if content is None:
        return 0, 0
    if isinstance(content, int):
        return content & ones(width), ones(width)
    if isinstance(content, tuple):
        return content
    if content is FOREIGN or content is LENT:
        raise Unknown(FOREIGN_READ if content is FOREIGN else LENT_READ)
    raise Fault(FaultKind.BOUNDS if content is BEYOND else FaultKind.DANGLING, span)


def from_bits(value: int, known: int, width: int, code: int) -> Content:
    """Bits as the content of a cell: an integer once all of them are known."""
    if not known:
        return None
    if known != ones(width):
        return value & known, known
    if code == code_of(BOOL):
        # A byte that is no truth value can be copied; reading it as one is an error.
        return value if value < 2 else (value, known)
    return signed(value, width) if code & 1 else value
