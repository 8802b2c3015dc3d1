"""Whether all calls of a function in a model of an object are what a statechart says of it.

Results are those of reflexion models, over the calls that the model has: what the object never holds does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, final

from stateglass.assemblies.consistency.calls import Call, Calls, End, Ending
from stateglass.assemblies.consistency.machines import Claimed, Spoken, states_said
from stateglass.assemblies.consistency.mapping import Mapping as Meant
from stateglass.assemblies.consistency.moves import Moves
from stateglass.assemblies.consistency.seen import Seen, condition_of, is_exact
from stateglass.check.predicates import predicate_truth
from stateglass.design import constants_in, names_in
from stateglass.evidence import Edge, ReflexionModel, Result, StateFound
from stateglass.model.model import Flags
from stateglass.reflexion.hypothesis import ERROR, EXIT, OTHER

_FOR_EVER: Final = "a call does not end"
_NOT_KNOWN: Final = "no call that is looked at begins like this, and it is not known whether any does in the design"
_ENDINGS: Final = {Ending.ERROR: ERROR, Ending.EXIT: EXIT, Ending.UNKNOWN: ""}


def unclear(claimed: Claimed, spoken: Spoken) -> str:
    """Why conditions cannot be decided for the calls of a model; empty if they can."""
    conditions = claimed.conditions.values()
    types = [spoken.type(name) for condition in conditions for name in names_in(condition)]
    types += [number.type for condition in conditions for number in constants_in(condition)]
    return next((f"it depends on arithmetic with `{type}`" for type in types if not is_exact(type)), "")


def judged(
    meant: Meant,
    claimed: Claimed,
    spoken: Spoken,
    seen: Seen,
    labels: Mapping[int, tuple[int, ...]],
    moves: Callable[[], Moves | None],
) -> ReflexionModel:
    """A function, whose calls begin with some `labels`, held against the statechart.

    `moves` are those that the design itself makes; None: they are not known.
    """
    return _Judging(meant, claimed, spoken, seen, labels, moves).run()


@final
class _Judging:
    def __init__(
        self,
        meant: Meant,
        claimed: Claimed,
        spoken: Spoken,
        seen: Seen,
        labels: Mapping[int, tuple[int, ...]],
        moves: Callable[[], Moves | None],
    ) -> None:
        self._claimed = claimed
        self._spoken = spoken
        self._seen = seen
        self._moves = moves
        self._parameters = claimed.handler.parameters
        self._said = states_said(meant, claimed.handler.reaction)
        self._names = [*self._said, OTHER]
        self._places = seen.places(claimed.handler.reaction)
        self._valued = seen.valued(spoken, (n for c in claimed.conditions.values() for n in names_in(c)))
        self._calls = Calls(seen.model, seen.between())
        self._from: dict[str, list[Call]] = {name: [] for name in self._names}
        for call in self._calls.of(labels):
            self._from[self._names[self._places[call.before]]].append(call)
        self._truths: dict[tuple[tuple[str, str], tuple[int, ...]], Flags] = {}

    def run(self) -> ReflexionModel:
        claimed = self._claimed
        edges = tuple(edge for name in self._names for edge in self._edges(name))
        rests = [int(at) for at in (self._places == len(self._said)).nonzero()[0][:1]]
        found = ReflexionModel(
            claimed.handler.title,
            claimed.handler.function,
            tuple(self._states(edges)),
            edges,
            warnings=(),
            uncovered=self._seen.values(rests[0]) if rests else None,
            bounds=(f"{self._seen.of_class}: calls are looked at in the states that an object gets into",),
            assumptions=(),
            inconclusive=tuple(dict.fromkeys(edge.reason for edge in edges if edge.reason)),
        )
        return claimed.told_of(found)

    def _states(self, edges: Sequence[Edge]) -> Iterator[StateFound]:
        for number, (name, words) in enumerate(self._said.items()):
            yield StateFound(name, words.text, satisfiable=bool((self._places == number).any()))
        ends = {end for edge in edges for end in (edge.source, edge.target)}
        yield from (StateFound(name, "") for name in (OTHER, ERROR, EXIT) if name in ends)

    # ---- edges

    def _edges(self, source: str) -> Iterator[Edge]:
        calls = self._from[source]
        found = {target: (call, end) for call, end, target in reversed(list(self._ends(calls)))}
        claimed = [target for name, target in self._claimed.conditions if name == source]
        for target in claimed:
            yield from self._judged(source, target, calls)
        order = {name: number for number, name in enumerate((*self._names, ERROR, EXIT))}
        for target in sorted(found.keys() - {"", *claimed}, key=lambda name: order[name]):
            witness = self._calls.witness(*found[target], self._parameters)
            yield Edge(source, target, (Result.DIVERGENCE,), witness=witness)

    def _judged(self, source: str, target: str, calls: Sequence[Call]) -> Iterator[Edge]:
        """What a claim is worth; nothing if neither the code nor the design can do what it says."""
        edge = Edge(source, target, (), is_claimed=True)
        held = [call for call in calls if self._holds((source, target), call)]
        others = [call for call in calls if not self._holds((source, target), call)]
        ends = list(self._ends(held))
        leading = next(((call, end) for call, end, name in ends if name == target), None)
        elsewhere = next((found for found in ends if found[2] not in (target, "")), None)
        beyond = next(((call, end) for call, end, name in self._ends(others) if name == target), None)
        reason = self._open(held)
        results: list[Result] = []
        if leading is not None and elsewhere is not None:
            results.append(Result.PARTIAL)
            shown = self._calls.witness(*elsewhere[:2], self._parameters)
            edge = replace(edge, elsewhere=(elsewhere[2], shown))
        elif reason:
            results.append(Result.INCONCLUSIVE)
            edge = replace(edge, reason=reason)
        elif leading is not None:
            results.append(Result.CONVERGENCE)
        elif held or (moves := self._moves()) is None or (source, target) in moves:
            is_known = held or moves is not None
            results.append(Result.ABSENCE if is_known else Result.INCONCLUSIVE)
            edge = replace(edge, reason="" if is_known else _NOT_KNOWN)
        taken = leading or beyond
        if taken is not None:
            edge = replace(edge, witness=self._calls.witness(*taken, self._parameters))
        if beyond is not None:
            results.append(Result.DIVERGENCE)
            edge = replace(edge, beyond=self._calls.witness(*beyond, self._parameters))
        if results:
            yield replace(edge, results=tuple(results))

    def _open(self, held: Sequence[Call]) -> str:
        """Why not all is known of where some calls lead; empty if it is."""
        if self._seen.model.partial:
            return "; ".join(self._seen.model.origin.partial)
        return _FOR_EVER if any(end.ending is Ending.UNKNOWN for call in held for end in call.ends) else ""

    def _holds(self, ends: tuple[str, str], call: Call) -> bool:
        key = ends, call.data
        if key not in self._truths:
            condition = condition_of(self._claimed.conditions[ends], self._spoken, call.data)
            self._truths[key] = predicate_truth(condition, self._valued).must
        return bool(self._truths[key][call.before])

    def _ends(self, calls: Sequence[Call]) -> Iterator[tuple[Call, End, str]]:
        """Where calls lead to; to no name where that is not known."""
        for call in calls:
            for end in call.ends:
                is_rest = end.ending is Ending.REST
                yield call, end, self._names[self._places[end.state]] if is_rest else _ENDINGS[end.ending]
