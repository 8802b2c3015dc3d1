"""Many calls at once: what they change and which lines they execute, computed from the run for all inputs.

A call takes the reference semantics milliseconds, and a large machine has thousands of transitions. A sample of what is
computed here is run again by it, and must be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from stateglass.evidence import Witness
from stateglass.explore.merging import Line, Partly, Stretch
from stateglass.program import Pointer, Scalar, representation
from stateglass.reflexion.chance import Pair, Valuation
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.placing import Placing
from stateglass.reflexion.witnesses import Rerun
from stateglass.smt import Batch, Column, NotInBatches, Operator, Term, needed

CONFIRMED: Final = 64
"""So many calls are run again; if there are not more, all are."""
TOGETHER: Final = 4096
"""Calls that are computed in one go."""


@final
class Calls:
    """Computes the calls of one function."""

    def __init__(self, encoding: Encoding, rerun: Rerun, confirmed: int) -> None:
        self._encoding = encoding
        self._rerun = rerun
        self._confirmed = confirmed

    def witnesses(self, wanted: Mapping[Pair, Valuation]) -> dict[Pair, Witness]:
        """The calls with some valuations, each of which leads from one state to another."""
        found: dict[Pair, Witness] = {}
        # What the variables hold where a call ends early is not among the terms.
        computable = [pair for pair in wanted if pair[1] <= self._encoding.numbers.other]
        step = -(-len(computable) // self._confirmed)
        if step > 1:
            table = self._table()
            for start in range(0, len(computable) if table is not None else 0, TOGETHER):
                part = computable[start : start + TOGETHER]
                assert table is not None
                computed = table.calls([wanted[pair] for pair in part], part)
                found |= {pair: call for pair, call in zip(part, computed, strict=True) if call is not None}
        again = set(computable[:: max(step, 1)])
        result = {}
        for pair, valuation in wanted.items():
            known = found.get(pair)
            if known is None or pair in again:
                run = self._rerun.witness(valuation, *pair)
                assert known is None or known == run, f"what was computed for {pair} is not what happens"
                known = run
            result[pair] = known
        return result

    def _table(self) -> _Table | None:
        """The table of a batch; None if something cannot be computed for many calls at once."""
        outcome, unknowns = self._encoding.outcome, self._encoding.unknowns
        machine = unknowns.machine
        own = range(machine.first_variable, machine.last_variable)
        if any(isinstance(content, Partly) for number, content in outcome.after.items() if number in own):
            return None
        try:
            return _Table(self._encoding, self._rerun)
        except NotInBatches:
            return None


@final
class _Table:
    """One batch with everything that is told of a call."""

    def __init__(self, encoding: Encoding, rerun: Rerun) -> None:
        self._encoding = encoding
        outcome, unknowns = encoding.outcome, encoding.unknowns
        machine = unknowns.machine
        variables = sorted(unknowns.variables.items())
        self._before = [
            (_name(rerun, n), u.type, u.term, unknowns.present(n)) for n, u in variables if rerun.matters(u.term)
        ]
        self._before += [(u.name, u.type, u.term, encoding.terms.true) for u in unknowns.parameters]
        self._fresh = [(f.name, f.type, f.term, f.when) for f in outcome.fresh]
        self._after: list[tuple[str, Scalar, Term, Term]] = []
        for number in range(machine.first_variable, machine.last_variable):
            now, first = outcome.after.get(number), unknowns.before(number)
            if isinstance(now, Term) and isinstance(first, Term) and now is not first:
                self._after.append((_name(rerun, number), unknowns.cell(number).type, first, now))
        self._trail = outcome.trail
        conditions = [c for stretch in self._trail for _, c in stretch.origin if c is not None]
        self._placing = Placing(encoding.formula)
        roots = [*self._placing.roots, *conditions]
        roots += [term for _, _, *terms in self._before for term in terms]
        roots += [term for _, _, *terms in self._fresh for term in terms]
        roots += [term for _, _, *terms in self._after for term in terms]
        self._roots = list(dict.fromkeys(roots))
        self._batch = Batch(self._roots)
        self._variables = [t for t in needed(self._roots) if t.operator is Operator.VARIABLE]
        self._text = cache(rerun.text)

    def calls(self, valuations: Sequence[Valuation], pairs: Sequence[Pair]) -> list[Witness | None]:
        """What each call changes; None if it leaves a new pointer behind, as its target may be gone by then."""
        count = len(valuations)
        given = {
            v: np.array([x.get(v, 0) for x in valuations], np.uint64 if v.width else np.bool_) for v in self._variables
        }
        columns = dict(zip(self._roots, self._batch.run(given, count), strict=True))
        self._check(columns, pairs)
        lines = _lines(self._trail, columns, count)
        before: list[list[tuple[str, str]]] = [[] for _ in valuations]
        after: list[list[tuple[str, str]]] = [[] for _ in valuations]
        for name, type, term, when in self._before:
            self._tell(before, name, type, columns[term], columns[when])
        for name, type, term, when in self._fresh:
            self._tell(before, name, type, columns[term], columns[when], holder="")
        moved = np.zeros(count, np.bool_)
        for name, type, first, now in self._after:
            changed = columns[first] != columns[now]
            if isinstance(type, Pointer):
                moved |= changed
            else:
                self._tell(after, name, type, columns[now], changed)
        return [
            None if moved[n] else Witness(tuple(before[n]), tuple(after[n]), lines(n)) for n in range(len(valuations))
        ]

    def _check(self, columns: Mapping[Term, Column], pairs: Sequence[Pair]) -> None:
        where = self._placing.of(columns)
        right = (where.sources == [s for s, _ in pairs]) & (where.targets == [t for _, t in pairs]) & where.counted
        assert right.all(), "a call does not lead where it was found to lead"

    def _tell(
        self,
        told: list[list[tuple[str, str]]],
        name: str,
        type: Scalar,
        values: Column,
        when: Column,
        holder: str | None = None,
    ) -> None:
        """`holder` is the variable that holds the value, if that is not its name."""
        if not name:
            return
        plain, holder = representation(type), name if holder is None else holder
        for n in np.flatnonzero(when).tolist():
            value = int(values[n])
            if plain.signed and value >> (plain.bits - 1):
                value -= 1 << plain.bits
            told[n].append((name, self._text(value, type, holder)))


def _name(rerun: Rerun, number: int) -> str:
    name = rerun.name_of(number)
    if name is None:
        raise NotInBatches("the members of a union are put together from several cells")
    return name


def _lines(trail: Sequence[Stretch], columns: Mapping[Term, Column], count: int) -> Callable[[int], tuple[Line, ...]]:
    """The lines that each call executes; worked out once for all calls that take the same branches."""
    passed: NDArray[np.bool_] = np.zeros((len(trail), count), np.bool_)
    for number, stretch in enumerate(trail):
        if not stretch.origin:
            passed[number] = True
        for source, condition in stretch.origin:
            passed[number] |= passed[source] if condition is None else passed[source] & columns[condition]
    _, ways = np.unique(np.packbits(passed, axis=0), axis=1, return_inverse=True)
    ways = ways.reshape(-1)

    known: dict[int, tuple[Line, ...]] = {}

    def lines(call: int) -> tuple[Line, ...]:
        way = int(ways[call])
        if way not in known:
            found = dict.fromkeys(line for n in np.flatnonzero(passed[:, call]).tolist() for line in trail[n].lines)
            known[way] = tuple(found)
        return known[way]

    return lines
