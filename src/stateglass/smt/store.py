"""Where terms are kept: the same operator with the same operands gives the same object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

from stateglass.program.bits import ones
from stateglass.smt.operators import FOLDS, Operator
from stateglass.smt.ranges import Ranges
from stateglass.smt.term import Term

Mark = tuple[int, int, int]


@final
class Store:
    """Makes terms as they are asked for; nothing is simplified here."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], Term] = {}
        self.false = self.make(Operator.VALUE, (), 0, 0)
        self.true = self.make(Operator.VALUE, (), 0, 1)
        self.variables: list[Term] = []
        self.ranges = Ranges()

    def make(self, operator: Operator, operands: tuple[Term, ...], width: int, extra: Any = None) -> Term:
        key = (operator, operands, width, extra)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Term(operator, operands, width, extra, len(self._known))
        return found

    def made_again(self, operator: Operator, operands: tuple[Term, ...], width: int, extra: Any) -> Term:
        """A term that was made elsewhere, as it was."""
        if operator is Operator.VARIABLE:
            return self.variable(extra, width)
        return self.make(operator, operands, width, extra)

    def __len__(self) -> int:
        return len(self._known)

    def mark(self) -> Mark:
        """What has been made so far, for `forget`."""
        return len(self._known), len(self.variables), len(self.ranges)

    def forget(self, mark: Mark) -> None:
        """Everything that was made since: whoever made it must not use it any more."""
        # Dictionaries give items up in the reverse order of their making, in which terms are numbered too; operands are
        # older than what is made of them, so that nothing older loses any.
        while len(self._known) > mark[0]:
            self._known.popitem()
        del self.variables[mark[1] :]
        self.ranges.forget(mark[2])

    def constant(self, value: int, width: int) -> Term:
        """A number, cut to the width."""
        return self.make(Operator.VALUE, (), width, value & ones(width))

    def truth(self, value: bool) -> Term:
        return self.true if value else self.false

    def variable(self, name: str, width: int) -> Term:
        """A new unknown; names must be different."""
        key = (Operator.VARIABLE, (), width, name)
        assert key not in self._known, f"two variables are called {name}"
        made = self.make(*key)
        self.variables.append(made)
        return made

    def named(self, name: str, width: int) -> Term:
        """The unknown of this name: the same whenever it is asked for."""
        return self._known.get((Operator.VARIABLE, (), width, name)) or self.variable(name, width)

    def copy_of(self, variable: Term, number: int) -> Term:
        """One of many variables like this one: the same whenever it is asked for by the same number."""
        return self.named(f"{variable.extra}!{number}", variable.width)

    def folded(self, operator: Operator, operands: Sequence[Term], width: int) -> Term | None:
        values = []
        for operand in operands:
            if operand.operator is not Operator.VALUE:
                return None
            values.append(operand.extra)
        return (
            self.constant(FOLDS[operator](values, operands[0].width), width)
            if width
            else self.truth(bool(FOLDS[operator](values, operands[0].width)))
        )
