"""Expressions and places of one activation as functions of the cells; here exact and abstract values part."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, final

from stateglass.explore.cells.contents import Cells
from stateglass.explore.cells.memory import Object
from stateglass.explore.code.computations import CellPlaces, Composing, Evaluate, LoadAll
from stateglass.explore.code.exact_places import ExactPlaces
from stateglass.explore.code.exact_pointers import Addresses, ExactPointers
from stateglass.explore.code.vague_places import VaguePlaces
from stateglass.explore.code.vague_pointers import VaguePointers
from stateglass.explore.code.ways import Ways
from stateglass.explore.meaning.expressions import Expressions, Pointers
from stateglass.explore.meaning.paths import Paths
from stateglass.program import Aggregate, Expression, Global, Local, Place, Scalar
from stateglass.values import Domain

if TYPE_CHECKING:
    from stateglass.explore.machine import Machine

_COMPOSING: Final = Composing()


@final
class Evaluator:
    """Builds the functions; `find` says where a variable lies."""

    def __init__(
        self, machine: Machine, find: Callable[[Global | Local], Object], variadic: Object | None = None
    ) -> None:
        memory, keeping = machine.memory, machine.memory.keeping
        self.domain: Domain[Any] = machine.domain
        self._paths = Paths(memory, find, self.value)
        self._ways = Ways(memory)
        addresses = Addresses(memory, machine.known, variadic)
        self.places: CellPlaces
        pointers: Pointers[Any, Evaluate]
        if keeping is None:
            self.places, pointers = ExactPlaces(memory, self._paths), ExactPointers(memory, addresses)
        else:
            self.places, pointers = VaguePlaces(memory, keeping, self._paths), VaguePointers(memory, addresses)
        self.expressions: Expressions[Any, Evaluate, LoadAll]
        self.expressions = Expressions(self.domain, _COMPOSING, pointers, self.places)

    def value(self, node: Expression) -> Evaluate:
        return self.expressions.value(node)

    def argument(self, node: Expression | Aggregate) -> Evaluate:
        """What is passed or returned: a scalar, or the contents of a record."""
        return self.expressions.argument(node)

    def constant_cell(self, place: Place, type: Scalar) -> int | None:
        """The number of the cell that a scalar is, if it is the same in every run."""
        return self._paths.constant_cell(place, type)

    def all_addresses(self, place: Place) -> tuple[Callable[[Cells], tuple[int, ...] | None], int, bool]:
        """All addresses that a place may have (None: any), at which bit it begins, and whether they never change."""
        path = self._paths.to(place)
        ways = self._ways.of(path)

        def where(cells: Cells) -> tuple[int, ...] | None:
            found = ways(cells)
            return None if found is None else tuple(place for _, place in found)

        return where, path.bit, isinstance(path.root, Object) and not path.indices
