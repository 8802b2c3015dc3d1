"""How an object is between calls: its states and variables in the words of a component, read as claims are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Final, assert_never, final

import numpy as np
import numpy.typing as npt

from stateglass.assemblies.consistency.machines import Spoken, states_said
from stateglass.assemblies.consistency.mapping import Mapping, Owned
from stateglass.assemblies.types import BITS
from stateglass.check.names import Names
from stateglass.check.predicates import predicate_column, predicate_truth
from stateglass.design import Constant, Expression, Name, Operation, Reaction
from stateglass.design.printer import expression_text
from stateglass.logic.predicates import Applied, Named, Number, Predicate
from stateglass.logic.reading.expressions import read_predicate
from stateglass.logic.reading.text import COMMAND_LINE, Text
from stateglass.logic.vocabulary import nodes_in
from stateglass.model import STABLE, Model, Proposition, Sort
from stateglass.model.model import Flags
from stateglass.source import Code, Diagnostic, InputError, Words, suggestion

NOT_BETWEEN: Final = np.int32(-1)
"""In place of the number of a state, where a call is under way or everything has ended."""


@final
class Seen:
    """What the mapping says of the states of a model that are between calls."""

    def __init__(self, mapping: Mapping, model: Model, of_class: str) -> None:
        self.model = model
        self.problems: list[Diagnostic] = []
        self._mapping = mapping
        self.of_class = of_class
        self._names = Names(model)
        meant = {**mapping.states, **mapping.variables}
        read = {owned: self._read(words) for owned, words in meant.items()}
        self._predicates = {owned: predicate for owned, predicate in read.items() if predicate is not None}

    def between(self) -> Flags:
        """The states that are between calls; after the end of everything there are no more of them."""
        stable = self.model.proposition(STABLE)
        assert stable is not None
        found: Flags = stable.values.astype(np.bool_)
        return found if self.model.terminal is None else found & ~self.model.terminal

    def places(self, reaction: Reaction) -> npt.NDArray[np.int32]:
        """For each state between calls, the number of the state of the statechart; that after the last: no such state.

        States that overlap are an `InputError`.
        """
        said, between = states_said(self._mapping, reaction), self.between()
        found = np.where(between, np.int32(len(said)), NOT_BETWEEN)
        problems = []
        for number, (state, words) in enumerate(said.items()):
            here = self._truth(Owned(reaction.name, state)) & between
            for at in np.flatnonzero(here & (found < len(said)))[:1]:
                other = list(said)[found[at]]
                values = ", ".join(f"{name} = {value}" for name, value in self.values(int(at))) or "all values"
                message = f"the states `{other}` and `{state}` overlap: both hold for {values}"
                problems.append(Diagnostic(Code.DESIGN, message, words.span, help="code must be in one state only"))
            found[here] = number
        if problems:
            raise InputError(problems)
        return found

    def values(self, state: int) -> tuple[tuple[str, str], ...]:
        """What the expressions of the mapping speak of, in a state of the model."""
        spoken = {n.name for p in self._predicates.values() for n in nodes_in(p) if isinstance(n, Named)}
        return tuple((name, value) for name, value in self.model.valuation(state).items() if name in spoken)

    def valued(self, spoken: Spoken, names: Iterator[Name]) -> Model:
        """The model with nothing but variables of the component as values; `InputError` where one has no number."""
        found, problems = [], list[Diagnostic]()
        for name in dict.fromkeys(names):
            if name in spoken.data:
                continue
            owned = spoken.owned(name)
            column = predicate_column(self._predicates[owned], self.model)
            values = np.broadcast_to(np.asarray(column.values), (self.model.states,))
            if values.dtype.kind == "f":
                words = self._mapping.variables[owned]
                message = f"`{name.name}` is an integer of the design, and `{words}` is none"
                problems.append(Diagnostic(Code.DESIGN, message, words.span))
                continue
            kept = np.array([_kept(int(value), spoken.type(name)) for value in values], dtype=np.int64)
            found.append(Proposition(expression_text(name), Sort.INT, kept, defined=column.defined))
        if problems:
            raise InputError(problems)
        return replace(self.model, propositions=tuple(found))

    # ---- reading

    def _truth(self, owned: Owned) -> Flags:
        truth = predicate_truth(self._predicates[owned], self.model)
        return np.asarray(truth.must)

    def _read(self, words: Words) -> Predicate | None:
        start = words.span.start
        place = (start.file, start.line, start.column) if start.column else (COMMAND_LINE, 1, 1)
        text = Text(words.text, *place, code=Code.DESIGN)
        predicate = read_predicate(text, 0, len(words.text))
        found = None if predicate is None else self._known(predicate)
        for node in () if found is None else nodes_in(found):
            if isinstance(node, Named) and node.name not in self._names.known and node.name not in ("true", "false"):
                message = f"there is no `{node.name}` in `{self.of_class}`"
                text.problem_at(node.span, message, suggestion(node.name, self._spoken), Code.UNKNOWN_NAME)
        self.problems += text.problems
        return found

    @cached_property
    def _spoken(self) -> frozenset[str]:
        """The names that are worth suggesting: not those of where other objects are."""
        pointers = {p.name for p in self.model.propositions if p.sort is Sort.POINTER}
        return frozenset(n for n in self._names.known - pointers if n != STABLE and n.replace("_", "x")[0].isalpha())

    def _known(self, predicate: Predicate) -> Predicate:
        """The same with `Mode::Busy` as models have it: `Busy`."""
        match predicate:
            case Named(name, span) if name not in self._names.known:
                last = name.rpartition("::")[2]
                return Named(last, span) if last in self._names.known else predicate
            case Applied(operator, operands):
                return Applied(operator, tuple(map(self._known, operands)))
            case _:
                return predicate


def is_exact(type: str) -> bool:
    """Whether the arithmetic of a type is that of whole numbers, as long as nothing overflows, which is undefined."""
    return type == "_Bool" or not type.startswith("unsigned") or BITS[type.removeprefix("unsigned ")] < BITS["int"]


def condition_of(expression: Expression, spoken: Spoken, data: tuple[int, ...]) -> Predicate:
    """A condition of the design over variables, for a call with this data."""
    match expression:
        case Constant(value):
            return Number(value)
        case Name():
            if expression in spoken.data:
                return Number(_kept(data[spoken.data[expression]], spoken.type(expression)))
            return Named(expression_text(expression))
        case Operation(operator, operands):
            return Applied(operator, tuple(condition_of(operand, spoken, data) for operand in operands))
        case other:
            assert_never(other)


def _kept(value: int, type: str) -> int:
    """A value as a variable of this type has it."""
    if type == "_Bool":
        return int(value != 0)
    bits = BITS[type.removeprefix("unsigned ").removeprefix("signed ")]
    value &= (1 << bits) - 1
    is_negative = not type.startswith("unsigned") and value >> (bits - 1)
    return value - (1 << bits) if is_negative else value
