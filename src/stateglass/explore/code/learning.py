"""What going one way tells: the values that the variables of a condition can still have afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

from stateglass.explore.cells.contents import Cells, Unsure
from stateglass.explore.cells.memory import Memory
from stateglass.explore.cells.vague import decision, is_vague, pointer_to, targets
from stateglass.explore.code.evaluator import Evaluator
from stateglass.program import Compare, Comparison, Convert, Expression, Load, Pointer, Scalar
from stateglass.program.walk import everything_below
from stateglass.values import Fault
from stateglass.values.abstract import Top, atoms, high, low, narrow, narrow_converted, rejoined

Prepare = Callable[[Cells], bool]
Ranges = Sequence[tuple[int, int]]


def overlaps(value: Any, first: int, last: int, type: Scalar) -> bool:
    """Whether a value may lie in a range, as far as its least and greatest numbers tell."""
    if isinstance(value, int):
        return first <= value <= last
    return low(value, type) <= last and high(value, type) >= first


def covered(value: Any, ranges: Ranges, type: Scalar) -> bool:
    """Whether a value is known to lie in one of some ranges."""
    if isinstance(value, int):
        return any(first <= value <= last for first, last in ranges)
    return any(first <= low(value, type) and high(value, type) <= last for first, last in ranges)


@final
class Learning:
    """Builds, for one activation, the functions that narrow variables; each says whether the way is possible at all."""

    def __init__(self, evaluator: Evaluator, memory: Memory) -> None:
        assert memory.keeping is not None
        self._evaluator = evaluator
        self._keeping = memory.keeping
        self._decide = decision(evaluator.domain.decide)

    def outcome(self, condition: Expression, wanted: bool) -> Prepare:
        """A condition is true, or false."""
        decide = self._decide
        by_parts = self._leaving(condition, lambda value: decide(value) in (None, wanted))
        compared = self._compared(condition, wanted)
        return lambda cells: by_parts(cells) and compared(cells)

    def within(self, value: Expression, ranges: Ranges) -> Prepare:
        """A value lies in one of some ranges."""
        type = value.type
        return self._leaving(value, lambda found: any(overlaps(found, *r, type) for r in ranges))

    def outside(self, value: Expression, ranges: Ranges) -> Prepare:
        """A value lies in none of them."""
        type = value.type
        return self._leaving(value, lambda found: not covered(found, ranges, type))

    def _cells_of(self, node: Expression) -> list[tuple[int, Scalar]]:
        """The variables that an expression reads and that can keep what is learned."""
        found: dict[int, Scalar] = {}
        for inner in everything_below(node):
            if isinstance(inner, Load):
                number = self._evaluator.constant_cell(inner.place, inner.type)
                if number is not None and not isinstance(self._keeping.abstractions[number], Top):
                    found[number] = inner.type
        return list(found.items())

    def _leaving(self, node: Expression, possible: Callable[[Any], bool]) -> Prepare:
        """Take each variable apart and leave the parts with which the expression can have a possible value."""
        variables = self._cells_of(node)
        leave = self.leaving(variables, self._evaluator.value(node), possible)

        def leave_read(cells: Cells) -> bool:
            for number, _ in variables:
                content = cells[number]
                if isinstance(content, Unsure):
                    cells[number] = content.value  # it was read, so it has been written
            return leave(cells)

        return leave_read

    def leaving(
        self, variables: Sequence[tuple[int, Scalar]], evaluate: Callable[[Cells], Any], possible: Callable[[Any], bool]
    ) -> Prepare:
        """As `_leaving`, for any function of the cells that looks at these variables.

        A part is left out only if the outcome is impossible with it and all that the other variables may be. So nothing
        that can happen is lost, however the variables depend on each other; their order matters only for how much is
        learned.
        """

        def fits(cells: Cells) -> bool:
            try:
                return possible(evaluate(cells))
            except Fault:
                return True  # nothing can be said

        def leave(cells: Cells) -> bool:
            for number, type in variables:
                before = cells[number]
                if not is_vague(before):
                    continue
                parts = self._parts(number, before, type)
                left = []
                for part in parts:
                    cells[number] = part
                    if fits(cells):
                        left.append(part)
                cells[number] = before
                if not left:
                    return False
                if len(left) < len(parts):
                    cells[number] = self._together(number, left, type)
            return fits(cells)

        return leave

    def _parts(self, number: int, value: Any, type: Scalar) -> Sequence[Any]:
        if isinstance(type, Pointer):
            return targets(value) or (value,)
        return atoms(value, type, self._keeping.abstractions[number])

    def _together(self, number: int, parts: list[Any], type: Scalar) -> Any:
        if isinstance(type, Pointer):
            return pointer_to(parts)
        return rejoined(parts, type, self._keeping.abstractions[number])

    # ---- comparisons also tell something of values that cannot be taken apart

    def _compared(self, condition: Expression, wanted: bool) -> Prepare:
        if not isinstance(condition, Compare):
            return lambda cells: True
        if isinstance(condition.left.type, Pointer):
            return self._same_pointer(condition, wanted)
        operator, type = condition.operator, condition.left.type
        left, right = self._evaluator.value(condition.left), self._evaluator.value(condition.right)
        tell_left, tell_right = self._teller(condition.left), self._teller(condition.right)

        def compare(cells: Cells) -> bool:
            try:
                found = narrow(operator, left(cells), right(cells), type, wanted)
            except Fault:
                return True  # nothing can be said
            return found is not None and tell_left(cells, found[0]) and tell_right(cells, found[1])

        return compare

    def _teller(self, node: Expression) -> Callable[[Cells, Any], bool]:
        """A function that narrows the variable an operand is, perhaps converted, to the values the operand can have."""
        match node:
            case Convert(operand, target) if not isinstance(operand.type, Pointer):
                inner, evaluate, source = self._teller(operand), self._evaluator.value(operand), operand.type

                def back(cells: Cells, value: Any) -> bool:
                    found = narrow_converted(evaluate(cells), value, source, target)
                    return found is not None and inner(cells, found)

                return back
            case Load(place, type):
                number = self._evaluator.constant_cell(place, type)
                if number is not None and not isinstance(self._keeping.abstractions[number], Top):
                    return self._keeper(number)
            case _:
                pass
        return lambda cells, value: True

    def _keeper(self, number: int) -> Callable[[Cells, Any], bool]:
        keep = self._keeping.keep

        def tell(cells: Cells, value: Any) -> bool:
            if is_vague(cells[number]):
                cells[number] = keep(number, value)
            return True

        return tell

    def _same_pointer(self, condition: Compare, wanted: bool) -> Prepare:
        """A pointer that may lead anywhere, once it is known to be equal to a certain one."""
        if (condition.operator is Comparison.EQUAL) is not wanted or condition.operator not in (
            Comparison.EQUAL,
            Comparison.UNEQUAL,
        ):
            return lambda cells: True
        sides = [(condition.left, condition.right), (condition.right, condition.left)]
        tellers = [(self._teller(one), self._evaluator.value(other)) for one, other in sides]

        def equal(cells: Cells) -> bool:
            for tell, other in tellers:
                value = other(cells)
                if isinstance(value, int):
                    tell(cells, value)
            return True

        return equal
