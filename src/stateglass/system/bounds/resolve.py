"""What a bound means for a C type: the integers that the input takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final, assert_never, final

from stateglass.program.names import is_made_up
from stateglass.program.types import (
    Array,
    Bool,
    Enum,
    Enumeration,
    Float,
    FunctionType,
    Int,
    Integer,
    Opaque,
    Pointer,
    Record,
    Type,
    Void,
)
from stateglass.source import Code, Diagnostic, InputError, input_error, suggestion
from stateglass.system.bounds.numbers import resolve_float
from stateglass.system.bounds.spec import (
    AnyBool,
    BoundSpec,
    Category,
    ListOf,
    Names,
    Number,
    Part,
    Range,
    Strings,
    Union,
    Values,
    number_text,
)

CHARACTER_BITS: Final = 8
# Every value of an input is a transition of its own: more of them give a model that nobody can look at.
MOST_VALUES: Final = 65536
# Overlapping parts are counted again and again until they are put together; this ends the counting.
MOST_COUNTED: Final = 4 * MOST_VALUES


def default_values(type: Type, enums: Mapping[str, Enumeration]) -> tuple[int, ...] | None:
    """The values of an input without a bound; None where only a bound can say them."""
    match type:
        case Bool():
            return (0, 1)
        case Enum():
            enumeration = enums.get(type.name)
            values = sorted({value for _, value in enumeration.members}) if enumeration is not None else []
            return tuple(values) or None
        case Void() | Int() | Float() | Pointer() | Array() | Record() | FunctionType() | Opaque():
            return None
        case _:
            assert_never(type)


def resolve(spec: BoundSpec, type: Type, enums: Mapping[str, Enumeration], name: str) -> tuple[int, ...]:
    """The distinct values, in ascending order, that a bound gives to the input `name`. Everything wrong is reported."""
    if isinstance(type, Float):
        return resolve_float(spec, type, name)
    if not isinstance(type, Bool | Int | Enum):
        kind = "is a pointer" if isinstance(type, Pointer) else "is not a number"
        hint = "bounds are for numbers, bool and enums"
        raise input_error(Code.BOUND, f"`{name}` cannot have a bound: it {kind} (`{type}`)", help=hint)
    resolution = _Resolution(type, enums, name)
    values = resolution.values(spec)
    if resolution.problems:
        raise InputError(dict.fromkeys(resolution.problems))
    return tuple(sorted(values))


@final
class _Resolution:
    """One bound being resolved; collects the problems."""

    def __init__(self, type: Integer, enums: Mapping[str, Enumeration], name: str) -> None:
        self.problems: list[Diagnostic] = []
        self._type = type
        self._enums = enums
        self._name = name
        self._low, self._high = _limits(type)

    def values(self, spec: BoundSpec) -> set[int]:
        match spec:
            case ListOf():
                self._problem(f"`{spec}` is a bound for lists, and `{self._name}` is {_shown(self._type)}")
                return set()
            case Category():
                self._problem(f"`{spec}` is a bound for objects, and `{self._name}` is {_shown(self._type)}")
                return set()
            case Union():
                parts: tuple[Part, ...] = tuple(dict.fromkeys(spec.parts))
            case _:
                parts = (spec,)
        ranges = [self._part(part) for part in parts]
        if self.problems:
            return set()
        counted = 0
        values: set[int] = set()
        for found in ranges:
            # A range of more than a machine word has no length in Python.
            counted += (found.stop - 1 - found.start) // found.step + 1 if isinstance(found, range) else len(found)
            if counted <= MOST_COUNTED:
                values.update(found)
        if counted > MOST_COUNTED or len(values) > MOST_VALUES:
            repeated = " (what is given twice counted twice)" if len(ranges) > 1 and counted > len(values) else ""
            self._problem(
                f"`{self._name}` would take {counted} values{repeated}; the most is {MOST_VALUES}",
                "bound it to the values that make a difference: `0..10`, `{0, 1, 255}`, `0..1000 step 100`",
            )
        return values

    def _part(self, part: Part) -> range | list[int]:
        match part:
            case Range():
                return self._range(part)
            case Values():
                return self._fitting(self._whole(part.numbers))
            case AnyBool():
                return self._fitting([0, 1])
            case Names():
                return self._fitting(v for n in dict.fromkeys(part.names) for v in self._named(n))
            case Strings():
                self._problem(f"`{part}` is a bound for texts, and `{self._name}` is {_shown(self._type)}")
                return []
            case _:
                assert_never(part)

    def _range(self, part: Range) -> range | list[int]:
        low, high, step = part.low, part.high, part.step
        ends = self._fitting(self._whole((low, high)))
        steps = self._whole((step,))
        return range(ends[0], ends[1] + 1, steps[0]) if len(ends) == 2 and steps else []

    def _whole(self, numbers: tuple[Number, ...]) -> list[int]:
        for number in numbers:
            if isinstance(number, Decimal):
                self._problem(
                    f"`{number_text(number)}` is not a whole number, and `{self._name}` is {_shown(self._type)}",
                    "an integer takes whole numbers and steps: `0..10 step 2`",
                )
        return [n for n in numbers if isinstance(n, int)]

    def _fitting(self, values: Iterable[int]) -> list[int]:
        found = list(values)
        outside = [v for v in dict.fromkeys(found) if not self._low <= v <= self._high]
        if outside:
            shown = ", ".join(str(v) for v in outside[:5]) + (" …" if len(outside) > 5 else "")
            self._problem(
                f"{shown} cannot be a value of `{self._name}`, which is {_shown(self._type)}",
                f"it holds {self._low}..{self._high}",
            )
            return []
        return found

    def _named(self, name: str) -> list[int]:
        readings = self._readings(name)
        match readings:
            case [(_, values)]:
                return values
            case []:
                if name in ("true", "false") and not isinstance(self._type, Enum):
                    return [int(name == "true")]
                self._unknown(name)
            case _:
                listed = ", ".join(text for text, _ in readings)
                self._problem(f"`{name}` is ambiguous: {listed}", "give it by its number", Code.AMBIGUOUS_NAME)
        return []

    def _readings(self, name: str) -> list[tuple[str, list[int]]]:
        """What a name may mean: an enum, or an enumerator of one; of the input's own enum only, if it is one."""
        readings = []
        for enum, enumeration in self._own():
            if enum == name:
                readings.append((f"the enum `{enum}`", [v for _, v in enumeration.members]))
            readings += [(f"{v} in enum `{enum}`", [v]) for n, v in enumeration.members if n == name]
        return readings

    def _own(self) -> list[tuple[str, Enumeration]]:
        if not isinstance(self._type, Enum):
            # Of those that were made for objects nobody has written the names.
            return sorted(one for one in self._enums.items() if not is_made_up(one[0]))
        return [(e, enumeration) for e, enumeration in self._enums.items() if e == self._type.name]

    def _unknown(self, name: str) -> None:
        known = {n for enum, enumeration in self._own() for n in (enum, *(m for m, _ in enumeration.members))}
        if not isinstance(self._type, Enum):
            known |= {"true", "false"}
        written = (one for one in self._enums.items() if not is_made_up(one[0]))
        elsewhere = sorted(e for e, found in written if name in [n for n, _ in found.members])
        if isinstance(self._type, Enum) and elsewhere:
            message = f"`{name}` belongs to enum `{elsewhere[0]}`, and `{self._name}` is {_shown(self._type)}"
        elif isinstance(self._type, Enum):
            message = f"`{name}` is not in {_shown(self._type)}, the type of `{self._name}`"
        else:
            message = f"`{name}`, in the bound of `{self._name}`, is neither an enumerator nor an enum"
        self._problem(message, suggestion(name, known), Code.UNKNOWN_NAME)

    def _problem(self, message: str, help: str = "", code: Code = Code.BOUND) -> None:
        is_character = isinstance(self._type, Int) and self._type.bits == CHARACTER_BITS
        sets = "`{1, 5}`, `{'a', '/'}`" if is_character else "`{1, 5}`"
        fits = f"a bound for it is a range `0..10`, a set {sets} or names of enumerators"
        self.problems.append(Diagnostic(code, message, help=help or fits))


def _limits(type: Integer) -> tuple[int, int]:
    match type:
        case Bool():
            return 0, 1
        case Int():
            return type.low, type.high
        case Enum():
            return type.representation.low, type.representation.high
        case _:
            assert_never(type)


def _shown(type: Integer) -> str:
    return f"`{type}`"
