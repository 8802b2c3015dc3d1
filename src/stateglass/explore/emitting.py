"""Steps that a label map shows: what they are called depends on what holds after them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from stateglass.explore.learning import Learning, Prepare
from stateglass.explore.memory import Cells
from stateglass.explore.watches import Watches
from stateglass.model import TAU
from stateglass.program import Scalar, Type
from stateglass.system.maps import ResolvedRule, ResolvedWatch, ResolvedWrite, Target
from stateglass.system.maps.rules import VALUE

if TYPE_CHECKING:
    from stateglass.explore.labelling import Labelling

Test = Callable[[Cells], bool | None]


@final
@dataclass(frozen=True, slots=True)
class Shown:
    """A rule that a step may fit: whether it does, its label, and what going that way or not tells."""

    test: Test
    label: Callable[[Cells], str]
    prepare: Prepare
    refuse: Prepare


@final
class Emitting:
    """Makes rules into functions for one activation; `cell_of` says where a variable lies."""

    def __init__(
        self,
        labelling: Labelling,
        domain: Any,
        learning: Learning | None,
        cell_of: Callable[[Target], tuple[int, Scalar]],
    ) -> None:
        self._labelling = labelling
        self._domain = domain
        self._learning = learning
        self._cell_of = cell_of
        self._watches = Watches(domain, cell_of)

    def shown(self, rule: ResolvedRule, values: Callable[[Cells], dict[int, tuple[Any, Type]]]) -> Shown:
        """`values` are those that `$0` stands for."""
        labelling, label = self._labelling, rule.label

        def text(cells: Cells) -> str:
            return labelling.text(label, values(cells) if label.parameters else {})

        if not isinstance(rule.event, ResolvedWatch):
            return Shown(lambda cells: True, text, _always, _always)
        evaluate, decide = self._watches.value(rule.event.condition), self._domain.decide
        if self._learning is None:
            return Shown(lambda cells: decide(evaluate(cells)), text, _always, _always)
        variables = [self._cell_of(target) for target in rule.event.variables]
        learn = self._learning.leaving
        return Shown(
            lambda cells: decide(evaluate(cells)),
            text,
            learn(variables, evaluate, lambda value: decide(value) in (None, True)),
            learn(variables, evaluate, lambda value: decide(value) in (None, False)),
        )

    def targets(self, rule: ResolvedRule) -> list[int]:
        """The cells whose change makes a rule fit that looks at what is written."""
        match rule.event:
            case ResolvedWatch():
                return [self._cell_of(t)[0] for t in rule.event.variables]
            case ResolvedWrite(target):
                return [self._cell_of(target)[0]]
            case _:
                return []


def options(rules: list[Shown], cells: Cells) -> tuple[tuple[str, int], ...]:
    """The labels that a step may have, in order, each with the number of its rule; last `tau`, if it may have none."""
    found: list[tuple[str, int]] = []
    for number, rule in enumerate(rules):
        outcome = rule.test(cells)
        if outcome is not False:
            found.append((rule.label(cells), number))
        if outcome is True:
            return tuple(found)
    return (*found, (TAU, len(rules)))


def prepared(rules: list[Shown], number: int) -> Prepare:
    """Going the way of a rule means that those before it do not fit."""

    def prepare(cells: Cells) -> bool:
        if not all(rule.refuse(cells) for rule in rules[:number]):
            return False
        return number == len(rules) or rules[number].prepare(cells)

    return prepare


def _always(cells: Cells) -> bool:
    return True


__all__ = ["VALUE", "Emitting", "Shown", "options", "prepared"]
