"""What becomes of a run that meets an error, kind by kind: the one reading of what was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, unique
from typing import Final, final

from stateglass.program.faults import DELIBERATE, FaultKind
from stateglass.source import Assumption, Code, Diagnostic, InputError, Topic, close_match

Kinds = frozenset[FaultKind]
_CAN_WRAP: Final = frozenset({FaultKind.OVERFLOW, FaultKind.SHIFT})
_HARMLESS: Final = frozenset({FaultKind.ALIGNMENT, FaultKind.OVERLAP})
_NONE: Final[Kinds] = frozenset()


@final
@unique
class UndefinedBehaviour(Enum):
    """What becomes of a run that does something undefined."""

    ERROR = "error"  # it ends with `error(kind)`
    WRAP = "wrap"  # overflow and shifts wrap, the rest ends with `error(kind)`
    IGNORE = "ignore"  # it is left out, which is listed as an assumption


@final
@unique
class Numbers(Enum):
    """What numbers are where claims are decided without looking at every state."""

    BITS = "bits"  # as wide as their types, with all that C says of those that do not fit
    INTEGERS = "integers"  # those of mathematics: a run that computes one which does not fit is left out


@final
@dataclass(frozen=True, slots=True)
class Undefined:
    """Every kind of error is in one of the three, or a run that meets it ends with `error(kind)`."""

    wraps: Kinds = _NONE  # the result is what most machines compute
    tolerated: Kinds = _NONE  # the access is made as most machines make it
    left_out: Kinds = _NONE  # such a run does not count
    notes: tuple[Assumption, ...] = ()  # assumptions that follow from it
    fits: bool = False  # unsigned results that do not fit are an overflow too, where code becomes formulas

    @property
    def reported(self) -> Kinds:
        """What ends with `error(kind)`."""
        return frozenset(FaultKind) - self.wraps - self.tolerated - self.left_out


def undefined(behaviour: UndefinedBehaviour, errors: Sequence[str] = ()) -> Undefined:
    """What the options `--ub` and `--errors` mean together; an `InputError` if there is no such kind of error."""
    asked = _kinds(errors)
    other = frozenset(FaultKind) - asked if errors else _NONE
    ignores = behaviour is UndefinedBehaviour.IGNORE
    wraps = _CAN_WRAP if behaviour is UndefinedBehaviour.WRAP else _CAN_WRAP & other
    tolerated = _HARMLESS if ignores else _HARMLESS & other
    left_out = (other | (frozenset(FaultKind) - DELIBERATE if ignores else _NONE)) - wraps - tolerated
    notes = []
    if errors:
        text = f"only errors of these kinds are looked for: {', '.join(errors)}; {_going_on(wraps, tolerated)}"
        notes.append(Assumption(Topic.ERRORS, "errors", text))
    if behaviour is UndefinedBehaviour.WRAP:
        text = "signed overflow and oversized shifts wrap around"
        notes.append(Assumption(Topic.UNDEFINED, "arithmetic", text))
    if ignores:
        text = "runs into undefined behaviour are left out"
        notes.append(Assumption(Topic.LEFT_OUT, "program", text))
    return Undefined(wraps, tolerated, left_out, tuple(notes))


def with_integers(found: Undefined) -> Undefined:
    """The same where numbers are those of mathematics: runs count as long as all that they compute fits its type."""
    overflow = frozenset({FaultKind.OVERFLOW})
    text = "they are mathematical integers: what wraps around or overflows is not looked at"
    note = Assumption(Topic.NUMBERS, "numbers", text)
    return replace(
        found, wraps=found.wraps - overflow, left_out=found.left_out | overflow, notes=(*found.notes, note), fits=True
    )


def _kinds(names: Sequence[str]) -> Kinds:
    kinds = [kind.value for kind in FaultKind]
    unknown = [name for name in names if name not in kinds]
    if unknown:
        every = f"there is {', '.join(kinds)}"
        raise InputError(
            Diagnostic(Code.UNKNOWN_NAME, f"there is no kind of error `{n}`", help=close_match(n, kinds) or every)
            for n in unknown
        )
    return frozenset(map(FaultKind, names))


def _going_on(wraps: Kinds, tolerated: Kinds) -> str:
    going_on = {
        "overflow and shifts wrap": wraps == _CAN_WRAP,
        "overflow wraps": wraps == {FaultKind.OVERFLOW},
        "shifts wrap": wraps == {FaultKind.SHIFT},
        "misaligned and overlapping accesses go on": tolerated == _HARMLESS,
        "misaligned accesses go on": tolerated == {FaultKind.ALIGNMENT},
        "overlapping accesses go on": tolerated == {FaultKind.OVERLAP},
    }
    return ", ".join([*(text for text, is_so in going_on.items() if is_so), "runs into other errors are left out"])
