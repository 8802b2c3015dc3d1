"""From bounds to the values of a type of C++, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import prod
from typing import Final, assert_never, final

from stateglass.program import Bool, Enum, Float, Program, Scalar
from stateglass.program.classes import Class, Method
from stateglass.program.floats import float_text
from stateglass.program.shapes import Callable as Called
from stateglass.program.shapes import Instance, Nothing, Number, Other, Owner, Passed, Perhaps, Product, Shape, Text
from stateglass.program.shapes import Sequence as Several
from stateglass.source import Code, Diagnostic, InputError, input_error
from stateglass.system.bounds import (
    BoundSpec,
    ListOf,
    Names,
    Union,
    default_values,
    example_bound,
    parse_bound,
    resolve,
    texts_of,
)
from stateglass.system.bounds.spec import Part
from stateglass.system.making import written
from stateglass.system.making.kinds import aggregate, constructors_of, is_address, is_thing, is_value
from stateglass.system.making.written import Value, familiar

MOST_MADE: Final = 1024
"""From so many values an input may be chosen that is no number."""
NONE: Final = "none"
TEXTS: Final = '{"", "a"}'
LENGTHS: Final = "list 0..2"
FEW: Final = "{0, 1}"
_WITHOUT_REPETITION: Final = ("std::set<", "std::unordered_set<", "std::map<", "std::unordered_map<")


@final
@dataclass(frozen=True, slots=True)
class MissingBound:
    """An input that needs a bound and has none."""

    name: str
    type: Scalar | str  # or how C++ spells it
    example: str


@final
class NotMade(Exception):
    """Nobody outside can make a value of a type; the text says why."""


Objects = Callable[[str, Passed, BoundSpec | None], list[Value]]
"""The objects that a name, its type and a bound mean."""


@final
class Values:
    """Makes values by the bounds of a user; notes what is wrong or missing, and which bounds were used."""

    def __init__(self, program: Program, bounds: Mapping[str, str], objects: Objects) -> None:
        self.problems: list[Diagnostic] = []
        self.missing: list[MissingBound] = []
        self.used: set[str] = set()
        self.names: dict[str, None] = {}  # everything that a bound can be given for
        self._program = program
        self._bounds = bounds
        self._objects = objects

    def of(self, passed: Passed, name: str, instead: str = "") -> list[Value]:
        """The values that an input takes; where bounds are missing or wrong, some of them or none.

        `instead` is a name that stands for several inputs. `NotMade` if there is no way to make a value.
        """
        try:
            self.names[name] = None
            if instead and self.has_none(name) and not self.has_none(instead):
                name = instead
            spec = self._spec(name)
            if is_address(self._program, passed):
                return self._objects(name, passed, spec)
            return self._whole(passed.shape, name, spec)
        except InputError as error:
            self.problems += error.diagnostics
            return []

    def of_one(self, passed: Passed, name: str) -> list[Value]:
        """The value of an input that has only one."""
        before = len(self.missing)
        values = self.of(passed, name)
        single = {TEXTS: '""'}
        self.missing[before:] = [replace(m, example=single.get(m.example, "0")) for m in self.missing[before:]]
        return values

    def misses_null(self, passed: Passed, name: str) -> bool:
        """Whether an address that can only be null has no bound; it is noted then."""
        if is_thing(self._program, passed) or not is_address(self._program, passed) or not self.has_none(name):
            return False
        self.missing.append(MissingBound(name, familiar(passed.spelled), "null"))
        return True

    def choose_one(self, passed: Passed, name: str, values: list[Value]) -> None:
        """Notes that one of several values has to be chosen."""
        self.missing.append(MissingBound(name, familiar(passed.spelled), f"{{{values[0].shown}}}"))

    def has_none(self, *names: str) -> bool:
        """Whether there is a bound under none of these names, and for no part of what they mean."""
        return not any(n == name or _is_part(n, name) for n in self._bounds for name in names)

    def said_of(self, name: str) -> str:
        """What the user said of an input and its parts; empty: nothing."""
        own = self._bounds.get(name)
        of_parts = [f"`{n.removeprefix(name)}` any of {b}" for n, b in self._bounds.items() if _is_part(n, name)]
        any_of = "any object of " if own is not None and own.startswith("category ") else "any of "
        return ", ".join([*([any_of + own] if own is not None else []), *of_parts])

    def _spec(self, name: str) -> BoundSpec | None:
        self.names[name] = None
        if name not in self._bounds:
            return None
        self.used.add(name)
        return parse_bound(self._bounds[name])

    def _whole(self, shape: Shape, name: str, spec: BoundSpec | None) -> list[Value]:
        match shape:
            case Number(_, type):
                return [written.number(v, shape, self._shown(v, type)) for v in self._numbers(type, name, spec)]
            case Text(spelled):
                return [written.text(t, spelled) for t in self._texts(shape, name, spec)]
            case Several():
                return self._several(shape, name, spec)
            case Perhaps():
                return self._perhaps(shape, name, spec)
            case Product(spelled, elements):
                return self._parts(spelled, "()", elements, name, spec)
            case Instance():
                return self._instance(shape, name, spec)
            case Owner() | Called():
                return self._objects(name, Passed(shape.spelled, shape), spec)
            case Nothing() | Other():
                raise NotMade(f"nobody outside can make a `{familiar(shape.spelled)}`")
            case _:
                assert_never(shape)

    # ---- numbers and texts

    def _numbers(self, type: Scalar, name: str, spec: BoundSpec | None) -> tuple[int, ...]:
        if spec is not None:
            return resolve(spec, type, self._program.enums, name)
        values = default_values(type, self._program.enums)
        if values is None:
            self.missing.append(MissingBound(name, type, example_of(type)))
        return values or ()

    def _shown(self, value: int, type: Scalar) -> str:
        match type:
            case Bool():
                return "true" if value else "false"
            case Enum(name):
                known = self._program.enums.get(name)
                return next((n for n, v in known.members if v == value), str(value)) if known else str(value)
            case Float():
                return float_text(value, type.format)
            case _:
                return str(value)

    def _texts(self, shape: Text, name: str, spec: BoundSpec | None) -> tuple[str, ...]:
        if spec is None:
            self.missing.append(MissingBound(name, familiar(shape.spelled), TEXTS))
            return ()
        texts = texts_of(spec)
        if texts is None:
            message = f"`{spec}` is no bound for `{name}`, which is `{familiar(shape.spelled)}`"
            raise input_error(Code.BOUND, message, help=f"a bound for it is a set of texts, `{TEXTS}`")
        return texts

    # ---- what has parts

    def _several(self, shape: Several, name: str, spec: BoundSpec | None) -> list[Value]:
        if shape.count is not None:
            shortest = longest = shape.count
            element = spec.element if isinstance(spec, ListOf) else spec
            if isinstance(spec, ListOf) and (spec.shortest, spec.longest) != (longest, longest):
                message = f"`{name}` always has {longest} elements, and not `{spec}`"
                raise input_error(Code.BOUND, message, help=f"give the bound of each element: `{name}={element}`")
        elif spec is None:
            self._miss_list(shape, name)
            return []
        elif isinstance(spec, ListOf):
            shortest, longest, element = spec.shortest, spec.longest, spec.element
        else:
            message = f"`{spec}` does not say how many elements `{name}` has, which is `{familiar(shape.spelled)}`"
            raise input_error(Code.BOUND, message, help=f"a bound for it is `{LENGTHS} of {spec}`")
        before = len(self.missing)
        values = self._whole(shape.element, name, element)
        if longest > 1:
            self._let_be_few(before)
        if shape.count is not None:
            self._let_be_inside(before, name, shape.count)
        if longest > MOST_MADE:
            raise input_error(Code.BOUND, f"`{name}` has at most {MOST_MADE:,} elements, and not {longest:,}")
        _limit(name, sum(min(len(values), MOST_MADE + 1) ** n for n in range(shortest, longest + 1)))
        rows: Iterator[tuple[Value, ...]]
        if shape.spelled.startswith(_WITHOUT_REPETITION):
            rows = (row for n in range(shortest, longest + 1) for row in combinations(values, n))
        else:
            rows = (row for n in range(shortest, longest + 1) for row in product(values, repeat=n))
        return [written.several(shape, row) for row in rows]

    def _miss_list(self, shape: Several, name: str) -> None:
        element, before = shape.element, len(self.missing)
        self._whole(element, name, None)
        of = "".join(f" of {m.example}" for m in self.missing[before:] if m.name == name)
        if isinstance(element, Number) and of:
            of = f" of {FEW}"
        self.missing[before:] = [m for m in self.missing[before:] if m.name != name]
        lengths = LENGTHS if isinstance(element, Number | Text) else "list 0..1"
        self.missing.insert(before, MissingBound(name, familiar(shape.spelled), lengths + of))

    def _perhaps(self, shape: Perhaps, name: str, spec: BoundSpec | None) -> list[Value]:
        """Without a bound for the whole of it there may be none, and the element is what it would be by itself."""
        if isinstance(shape.element, Perhaps):
            raise NotMade(f"nobody could tell the values of `{familiar(shape.spelled)}` apart")
        nothing = Value(f"{written.in_code(shape.spelled)}()", NONE)
        rest, may_be_none = _without_none(spec)
        if spec is not None and rest is None:
            return [nothing]
        before = len(self.missing)
        inner = self._whole(shape.element, name, rest)
        for number in range(before, len(self.missing)):
            missed = self.missing[number]
            if missed.name == name and not isinstance(shape.element, Several):
                self.missing[number] = MissingBound(name, familiar(shape.spelled), f"{NONE} | {missed.example}")
        found = [Value(f"{written.in_code(shape.spelled)}({v.expression})", v.shown) for v in inner]
        return [nothing, *found] if may_be_none or spec is None else found

    def _parts(
        self,
        spelled: str,
        brackets: str,
        elements: Iterable[tuple[str, Shape]],
        name: str,
        spec: BoundSpec | None,
    ) -> list[Value]:
        named = [(part if part.startswith("[") else f".{part}", shape) for part, shape in elements]
        if spec is not None:
            listed = ", ".join(f"`{name}{part}`" for part, _ in named) or "none"
            message = f"`{name}` cannot have a bound of its own: it is a `{familiar(spelled)}`"
            raise input_error(Code.BOUND, message, help=f"its parts have bounds of their own: {listed}")
        columns = []
        problems: list[Diagnostic] = []
        before = len(self.missing)
        for part, shape in named:
            try:
                columns.append(self._whole(shape, name + part, self._spec(name + part)))
            except InputError as error:
                problems += error.diagnostics
        if len(named) > 1:
            self._let_be_few(before)
        if problems:
            raise InputError(problems)
        _limit(name, prod(len(c) for c in columns))
        return [written.parts(spelled, brackets, row, named) for row in product(*columns)]

    def _let_be_inside(self, before: int, name: str, count: int) -> None:
        """Elements that are lists need to be told from the list of them."""
        for number in range(before, len(self.missing)):
            missed = self.missing[number]
            if missed.name == name and missed.example.startswith("list "):
                self.missing[number] = replace(missed, example=f"list {count} of {missed.example}")

    def _let_be_few(self, before: int) -> None:
        """Parts are combined in all ways: few values of each are many of the whole."""
        missing = self.missing[before:]
        self.missing[before:] = [replace(m, example=FEW) if m.example == example_of(m.type) else m for m in missing]

    def _instance(self, shape: Instance, name: str, spec: BoundSpec | None) -> list[Value]:
        owner = self._program.classes.get(shape.record)
        if owner is None:
            raise NotMade(f"nothing is known of `{familiar(shape.spelled)}`")
        if owner.abstract:
            raise NotMade(f"`{owner.name}` is abstract: there are no objects of it")
        members = aggregate(owner)
        if members is not None:
            return self._parts(shape.spelled, "{}", members, name, spec)
        taken = self._constructor(owner, name).parameters
        elements = [(p.name or f"argument{n + 1}", p.shape) for n, p in enumerate(taken)]
        return self._parts(shape.spelled, "()", elements, name, spec)

    def _constructor(self, owner: Class, name: str) -> Method:
        """The constructor that the names of bounds speak of, or the one with the fewest parameters."""
        usable = [m for m in constructors_of(owner) if all(is_value(self._program, p) for p in m.parameters)]
        if not usable:
            raise NotMade(f"no public constructor of `{owner.name}` can be called from outside")
        given = {n.removeprefix(f"{name}.").partition(".")[0] for n in self._bounds if n.startswith(f"{name}.")}
        fitting = [m for m in usable if given <= {p.name for p in m.parameters}]
        return min(fitting or usable, key=lambda m: len(m.parameters))


def example_of(type: Scalar | str) -> str:
    """A bound to begin with for a number."""
    return "0" if isinstance(type, str) else example_bound(type) or "0"


def _is_part(name: str, whole: str) -> bool:
    return name.startswith((f"{whole}.", f"{whole}["))


def _without_none(spec: BoundSpec | None) -> tuple[BoundSpec | None, bool]:
    """A bound without the word `none`, if anything is left, and whether it had it."""
    split = spec.parts if isinstance(spec, Union) else ()
    if isinstance(spec, Names):
        split = (spec,)
    if not any(isinstance(p, Names) and NONE in p.names for p in split):
        return spec, False
    left: list[Part] = []
    for part in split:
        if not isinstance(part, Names):
            left.append(part)
        elif names := tuple(n for n in part.names if n != NONE):
            left.append(Names(names))
    rest: BoundSpec | None = Union(tuple(left)) if len(left) > 1 else left[0] if left else None
    return rest, True


def _limit(name: str, ways: int) -> None:
    if ways > MOST_MADE:
        message = f"`{name}` would take {ways:,} values; the most is {MOST_MADE:,}"
        raise input_error(Code.BOUND, message, help="bound it to the values that make a difference")
