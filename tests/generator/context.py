"""What the generator knows while it writes one function: names in scope, budget left, the program around it."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar, final

from tests.generator.expression import MEMORY, NO_EFFECTS, PRIMARY, Effects, Expr
from tests.generator.features import checked
from tests.generator.ranges import Range, full
from tests.generator.types import CType, EnumType, IntType, PointerType, StructType

T = TypeVar("T")


@final
@dataclass(frozen=True, slots=True)
class Place:
    """An lvalue: its text, what it holds, and what evaluating it touches.

    Scopes are numbered from 0 (static storage) inwards. `depth` is the scope the object lives in. A pointer `holds`
    addresses of objects that live at least as long as that scope, and `accepts` those that live as long as this one.
    `decayed` marks an array parameter, whose own address is not one of an array.
    """

    text: str
    type: CType
    region: str
    range: Range
    writable: bool
    addressable: bool
    depth: int
    effects: Effects = NO_EFFECTS
    level: int = PRIMARY
    holds: int = 0
    accepts: int = 0
    needs: tuple[str, ...] = ()
    decayed: bool = False

    @property
    def reading(self) -> Effects:
        return self.effects | Effects(frozenset({self.region}))


@final
@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a generated function; `length` is set for an array parameter."""

    name: str
    type: CType
    length: int = 0


@final
@dataclass(frozen=True, slots=True)
class Function:
    """A generated function; `cost` bounds the statements that one call executes."""

    name: str
    result: CType | None
    parameters: tuple[Parameter, ...]
    file: int
    static: bool
    cost: int
    callback: bool = False


@final
@dataclass(frozen=True, slots=True)
class Family:
    """Functions of one signature that are called through pointers of type `name`."""

    name: str
    result: IntType
    parameters: tuple[IntType, ...]
    members: tuple[Function, ...]
    tables: tuple[tuple[str, int], ...]
    cost: int


@final
@dataclass(frozen=True, slots=True)
class Macro:
    """A macro that stands for an integer expression; `arity` None means object-like."""

    name: str
    arity: int | None
    type: IntType
    range: Range


@final
@dataclass(slots=True)
class World:
    """Everything that exists at file scope so far."""

    integers: list[IntType] = field(default_factory=list)
    enums: list[EnumType] = field(default_factory=list)
    structs: list[StructType] = field(default_factory=list)
    macros: list[Macro] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    families: list[Family] = field(default_factory=list)
    features: set[str] = field(default_factory=set)
    counter: int = 0
    wide: bool = False

    def struct_named(self, name: str) -> StructType:
        return next(s for s in self.structs if s.name == name)

    def number(self) -> int:
        self.counter += 1
        return self.counter


@final
class Context:
    """The state of writing one function (or one file-scope expression): dice, scope, budget, lines."""

    def __init__(self, dice: random.Random, world: World, visible: Sequence[Place], file: int, budget: int) -> None:
        self.dice = dice
        self.world = world
        self.file = file
        self.frames: list[dict[str, Place | None]] = [{p.text: p for p in visible}]
        self.budget = budget
        self.lines: list[str] = []
        self.indent = 1
        self.statements = 0
        self.effects_allowed = True
        self.constant_only = False
        self.loops = 0
        self.breakable = 0
        self.switches = 0
        self.result: CType | None = None
        self.result_known = False
        self.callbacks: list[tuple[str, Family]] = []

    def note(self, *features: str) -> None:
        for name in features:
            self.world.features.add(checked(name))

    def chance(self, probability: float) -> bool:
        return self.dice.random() < probability

    def pick(self, items: Sequence[T]) -> T:
        return self.dice.choice(items)

    def weighted(self, options: Sequence[tuple[int, T]]) -> T:
        return self.dice.choices([o for _, o in options], [w for w, _ in options])[0]

    def write(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def visible(self) -> list[Place]:
        """The places that can be named here, innermost scope last."""
        seen: dict[str, Place | None] = {}
        for frame in self.frames:
            for name, place in frame.items():
                seen.pop(name, None)
                seen[name] = place
        shown = {name: place for name, place in seen.items() if place is not None}
        return [p for p in shown.values() if all(self._still_means(name) for name in p.needs)]

    def _still_means(self, name: str) -> bool:
        return sum(name in frame for frame in self.frames) == 1

    def hide(self, name: str) -> None:
        """Makes `name` unusable from here to the end of the block: it is being declared."""
        self.frames[-1][name] = None

    def declare(
        self,
        name: str,
        t: CType,
        *,
        values: Range | None = None,
        writable: bool = True,
        addressable: bool = True,
        static: bool = False,
        needs: tuple[str, ...] = (),
        decayed: bool = False,
    ) -> Place:
        region = MEMORY if addressable else f"{'g' if static else 'v'}{self.world.number()}"
        depth = 0 if static else len(self.frames) - 1
        reach = depth if isinstance(t, PointerType) else 0
        values = values or natural_range(t)
        place = Place(
            name, t, region, values, writable, addressable, depth,
            holds=reach, accepts=reach, needs=needs, decayed=decayed,
        )  # fmt: skip
        self.frames[-1][name] = place
        return place

    def fresh(self, prefix: str) -> str:
        return f"{prefix}{self.world.number()}"

    def local_name(self, prefix: str) -> str:
        """A new name, or now and then one of an outer scope, which it then shadows."""
        # A function that returns an address always has its own static variable, its home, to return.
        outer = [p.text for p in self.visible() if p.text not in self.frames[-1] and not p.text.startswith("home")]
        if len(self.frames) > 1 and outer and self.chance(0.12):
            self.note("shadowing")
            return self.pick(outer)
        return self.fresh(prefix)

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.frames.append({})
        self.indent += 1
        yield
        self.indent -= 1
        self.frames.pop()

    @contextmanager
    def repeated(self, times: int) -> Iterator[None]:
        """What is written inside runs at most `times` times."""
        outer = self.budget
        self.budget = inner = max(outer // max(times, 1), 0)
        yield
        self.budget = outer - (inner - self.budget) * times

    @contextmanager
    def without_effects(self) -> Iterator[None]:
        before, self.effects_allowed = self.effects_allowed, False
        yield
        self.effects_allowed = before

    def afford(self, cost: int) -> bool:
        if cost > self.budget:
            return False
        self.budget -= cost
        return True


def natural_range(t: CType) -> Range:
    return full(t) if isinstance(t, IntType) else Range(0, 0)


def read(place: Place) -> Expr:
    assert isinstance(place.type, IntType)
    return Expr(place.text, place.type, place.range, place.level, place.reading)


Body = Callable[[Context, int], None]
IntegerMaker = Callable[[Context, int], Expr]
