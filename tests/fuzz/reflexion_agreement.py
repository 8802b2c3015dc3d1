"""Reflexion models against brute force: every valuation is run by the reference semantics, and classes are counted out.

`python -m tests.fuzz.reflexion_agreement --help` explains the options. The exit status is 1 if there is a difference.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Final, final

from stateglass.evidence import Edge, ReflexionModel, Result
from stateglass.explore.machine import Machine
from stateglass.explore.pauses import Asking, CallingOut, Exiting, Failing, Outside, Pause, Returning, Stable
from stateglass.frontend import read_program
from stateglass.program import Array, Program, Record, Scalar, Variable, is_scalar, size_of
from stateglass.program.probes import Probe
from stateglass.reflexion.hypothesis import ERROR, OTHER, Hypothesis, TransitionClaim, probes_of
from stateglass.reflexion.reflecting import Limits, reflect
from stateglass.source import InputError, Words
from stateglass.system import UndefinedBehaviour, undefined
from stateglass.values import Concrete, FaultKind
from tests.fuzz.reflexion_cases import HERE, INPUTS, Case, make_case

EXIT: Final = "exit"
LIMITS: Final = Limits(unroll=8, effort=100_000, questions=10_000)
WRAPPED: Final = replace(LIMITS, undefined=undefined(UndefinedBehaviour.WRAP))
IGNORED: Final = replace(LIMITS, undefined=undefined(UndefinedBehaviour.IGNORE))
SOME: Final = replace(LIMITS, undefined=undefined(UndefinedBehaviour.ERROR, ("bounds", "division")))
OVERLAP: Final = "overlap"
NEVER: Final = ("is never true", "leave nothing of its condition", "has no meaning, whatever")
_INPUTS: Final = frozenset(INPUTS)


@final
@dataclass(frozen=True, slots=True)
class Call:
    """One call: where it begins and ends, and which conditions hold before it."""

    source: str
    target: str
    holds: frozenset[str]  # names of probes


@final
class Reference:
    """Runs a case for each of its valuations, and for each of these with all that may come from outside."""

    def __init__(self, program: Program, case: Case, limits: Limits) -> None:
        self._case = case
        self._limits = limits
        own = [Variable(name, Record(record)) for name, record in case.own]
        self._machine = Machine(program, Concrete(limits.undefined.wraps), own, tolerated=limits.undefined.tolerated)
        self._start = self._machine.snapshot(Stable())
        self._program = program
        self._places = [self._place(v.name) for v in case.variables]

    def _place(self, name: str) -> tuple[int, Scalar]:
        """Where a scalar is, in bits, and its type."""
        base, arrow, member = name.rpartition("->")
        owner, *steps = (f"*{base}", member) if arrow else re.split(r"[.\[]", name.replace("]", ""))
        found = self._machine.globals[owner]
        position, type = 8 * found.address, found.type
        for step in steps:
            if isinstance(type, Array):
                type = type.element
                position += 8 * int(step) * size_of(type, self._program.records)
            else:
                assert isinstance(type, Record)
                field = self._program.records[type.name].field(step)
                position, type = position + 8 * field.offset + field.bit, field.type
        assert is_scalar(type)
        return position, type

    def _address(self, target: str) -> int:
        """What a pointer holds that leads there."""
        if not target:
            return 0
        if target in self._machine.globals:
            return self._machine.globals[target].address
        if target in self._program.functions or target in self._program.declarations:
            return self._machine.known.address(target)
        return self._place(target)[0] // 8

    def valuations(self) -> Iterator[tuple[tuple[int | str, ...], tuple[int | str, ...]]]:
        case = self._case
        for values in product(*(v.values for v in case.variables)):
            for given in product(*(p.values for p in case.parameters)):
                yield values, given

    def _set(self, values: Sequence[int | str]) -> None:
        self._machine.restore(self._start)
        cells, memory = self._machine.cells, self._machine.memory
        for (position, type), value in zip(self._places, values, strict=True):
            memory.initialise(cells, position, self._address(value) if isinstance(value, str) else value, type)

    def holds(self, name: str, given: Sequence[int | str]) -> bool:
        """Whether a condition holds now; one that goes wrong does not."""
        kept = self._machine.snapshot(Stable())
        pause = self._machine.start(name, list(given))
        self._machine.restore(kept)
        return isinstance(pause, Returning) and bool(pause.value)

    def _states(self, given: Sequence[int | str]) -> list[str]:
        """The states that the valuation is in and in none inside; several if states overlap."""
        states = self._case.hypothesis.states
        own = {s.name: self.holds(f"%state.{n}", given) for n, s in enumerate(states) if s.condition is not None}

        def inner(parent: str | None) -> list[str]:
            found: list[str] = []
            for state in states:
                if state.parent == parent and own.get(state.name, True):
                    below = inner(state.name)
                    found += below if below or state.condition is None else [state.name]
            return found

        return inner(None)

    def calls(self, names: Sequence[str]) -> list[Call] | str:
        """All calls that count, or that states overlap; `names` are the conditions that are wanted."""
        found: list[Call] = []
        for values, given in self.valuations():
            self._set(values)
            before = self._states(given)
            if len(before) > 1:
                return OVERLAP
            holding = frozenset(n for n in names if self.holds(n, given))
            targets = self._targets(values, given)
            found += [Call(before[0] if before else OTHER, target, holding) for target in targets]
        return found

    def _targets(self, values: Sequence[int | str], given: Sequence[int | str]) -> Iterator[str]:
        """Where a call leads, once for each row of bits that come from outside."""
        todo: list[tuple[int, ...]] = [()]
        while todo:
            bits = todo.pop()
            self._set(values)
            pause = self._run(given, bits)
            match pause:
                case None:
                    todo += [(*bits, 1), (*bits, 0)]
                case Failing(kind) if FaultKind(kind) in self._limits.undefined.left_out:
                    continue
                case Failing():
                    yield ERROR
                case Exiting():
                    yield EXIT
                case Returning():
                    after = self._states(given)
                    yield after[0] if after else OTHER
                case _:
                    raise AssertionError(pause)

    def _run(self, given: Sequence[int | str], bits: Sequence[int]) -> Pause | None:
        """One call; None if it asks for more than there is. Functions without a body do what the ledger says."""
        machine, left = self._machine, list(bits)
        pause = machine.start("f", list(given))
        while isinstance(pause, Asking | CallingOut):
            if isinstance(pause, CallingOut) and pause.function in ("touch", "off"):
                pause = machine.answer(Outside(pause.segment, pause.function, pause.arguments), None)
                continue
            if not left:
                machine.restore(self._start)
                return None
            bit = left.pop(0)
            if isinstance(pause, Asking):
                pause = machine.answer(pause, bit)
            elif pause.function == "get":
                pause = machine.answer(Outside(pause.segment, pause.function, pause.arguments), bit)
            else:
                assert pause.function == "fill"
                changed = machine.memory.object_at(pause.arguments[0])
                assert changed is not None
                assert len(changed.shape) == 1
                machine.cells[changed.first] = bit
                pause = machine.answer(Outside(pause.segment, pause.function, pause.arguments), None)
        return pause


# ---- what the definitions say


def expected(hypothesis: Hypothesis, calls: Sequence[Call]) -> dict[tuple[str, str], tuple[Result, ...]]:
    """The class of every edge, by RM1 to RM3 and the meaning of priorities and nesting."""
    found: dict[tuple[str, str], tuple[Result, ...]] = {}
    parents = {s.parent for s in hypothesis.states}
    by_source: dict[str, list[Call]] = {s.name: [] for s in hypothesis.states if s.name not in parents}
    if any(t.source == OTHER for t in hypothesis.transitions):
        by_source[OTHER] = []
    for call in calls:
        by_source.setdefault(call.source, []).append(call)
    for source, here in by_source.items():
        applying = [(n, t) for n, t in enumerate(hypothesis.transitions) if source in _meant(hypothesis, t.source)]
        claims: dict[str, list[Row]] = {}
        for n, t in applying:
            claims.setdefault(t.target, []).append((n, t))
        allowed = {target: _allowed(hypothesis, rows, applying, here) for target, rows in claims.items()}
        for target, rows in claims.items():
            # What is said of a state with others in it is said of those in which it is possible.
            is_own = source not in parents and any(t.source == source for _, t in rows)
            if not is_own and not _is_possible(allowed[target], here):
                del allowed[target]
        for target in allowed:
            found[source, target] = _results(hypothesis, target, allowed, here)
        meant = {leaf for target in allowed for leaf in _meant(hypothesis, target)}
        for call in here:
            if call.target not in meant:
                found[source, call.target] = (Result.DIVERGENCE,)
    for pair in {(t.source, t.target) for t in hypothesis.transitions if t.source in parents} - set(found):
        rows = [(n, t) for n, t in enumerate(hypothesis.transitions) if (t.source, t.target) == pair]
        if not any(
            _is_possible(_allowed(hypothesis, rows, _applying(hypothesis, source), here), here)
            for source, here in by_source.items()
            if source in _meant(hypothesis, pair[0])
        ):
            found[pair] = (Result.ABSENCE,)
    return found


Row = tuple[int, TransitionClaim]


def _applying(hypothesis: Hypothesis, source: str) -> list[Row]:
    return [(n, t) for n, t in enumerate(hypothesis.transitions) if source in _meant(hypothesis, t.source)]


def _is_possible(allowed: list[bool] | None, here: Sequence[Call]) -> bool:
    return bool(here) if allowed is None else any(allowed)


def _meant(hypothesis: Hypothesis, name: str) -> set[str]:
    """A state and all that are inside it."""
    found = {name}
    while True:
        more = {s.name for s in hypothesis.states if s.parent in found} - found
        if not more:
            return found
        found |= more


def _goes_before(hypothesis: Hypothesis, first: TransitionClaim, second: TransitionClaim) -> bool:
    """Whether the second does not count where the first is taken; both apply to one state."""
    if hypothesis.inner_first and first.source != second.source:
        say_when = all(t.condition is not None or t.priority is not None for t in (first, second))
        return say_when and first.source in _meant(hypothesis, second.source)
    return first.priority is not None and second.priority is not None and first.priority < second.priority


def _allowed(
    hypothesis: Hypothesis, rows: Sequence[Row], applying: Sequence[Row], here: Sequence[Call]
) -> list[bool] | None:
    """For which calls one of some transitions is claimed; None if it is not said of one of them."""
    found = [False] * len(here)
    for number, row in rows:
        before = [(n, t) for n, t in applying if _goes_before(hypothesis, t, row)]
        if row.condition is None and not before:
            return None
        for position, call in enumerate(here):
            own = _is_true(number, row, call)
            taken = any(_is_true(n, t, call) for n, t in before)
            found[position] = found[position] or (own and not taken)
    return found


def _is_true(number: int, row: TransitionClaim, call: Call) -> bool:
    return row.condition is None or f"%transition.{number}" in call.holds


def _results(
    hypothesis: Hypothesis, target: str, allowed: Mapping[str, list[bool] | None], here: Sequence[Call]
) -> tuple[Result, ...]:
    leaves, condition = _meant(hypothesis, target), allowed[target]
    there = [call.target in leaves for call in here]
    if condition is None:
        return (Result.CONVERGENCE if any(there) else Result.ABSENCE,)
    claimed = [t for t, c in zip(there, condition, strict=True) if c]
    results = [Result.ABSENCE] if not any(claimed) else [Result.CONVERGENCE if all(claimed) else Result.PARTIAL]
    others = [c for name, c in allowed.items() if _meant(hypothesis, name) & leaves]
    for position, leads_there in enumerate(there):
        if leads_there and not any(c is None or c[position] for c in others):
            results.append(Result.DIVERGENCE)
            break
    return tuple(results)


# ---- comparison


def limits_of(seed: int) -> Limits:
    """Most cases take undefined behaviour for an error, some for none, some do not count it."""
    return {3: WRAPPED, 4: IGNORED, 5: SOME}.get(seed % 6, LIMITS)


def differences(case: Case, folder: Path, limits: Limits = LIMITS) -> tuple[list[str], Counter[str]]:
    """What the reflexion model says otherwise than brute force, and what there was."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "code.c"
    file.write_text(case.code, encoding="utf-8")
    hypothesis = case.hypothesis
    probes = probes_of(hypothesis)
    program = read_program((str(file),), probes=probes).program
    reference = Reference(program, case, limits)
    calls = reference.calls([p.name for p in probes if p.name.startswith("%transition.")])
    try:
        model = reflect(program, hypothesis, limits)
    except InputError as error:
        message = error.diagnostics[0].message
        if calls == OVERLAP and "overlap" in message:
            return [], Counter({OVERLAP: 1})
        return [f"refused: {message}"], Counter()
    if isinstance(calls, str):
        return ["the states overlap, which was not said"], Counter()
    wrong = [*_wrong_edges(hypothesis, model, calls), *_wrong_states(hypothesis, model, calls)]
    wrong += _wrong_warnings(hypothesis, model, calls)
    # Few calls are all run by the reference: to be told from the terms is what happens to those of large machines.
    if reflect(program, hypothesis, replace(limits, confirmed=1, questions=0)).edges != _without_conditions(model):
        wrong.append("calls that are computed are not those that are run")
    wrong += _wrong_conditions(case, model, file, limits)
    seen: Counter[str] = Counter(" + ".join(r.value for r in e.results) for e in model.edges)
    seen["exact conditions"] = sum(e.condition is not None and e.condition.exact for e in model.edges)
    seen["other conditions"] = sum(e.condition is not None and not e.condition.exact for e in model.edges)
    return wrong, seen


def _without_conditions(model: ReflexionModel) -> tuple[Edge, ...]:
    return tuple(replace(edge, condition=None) for edge in model.edges)


def _wrong_edges(hypothesis: Hypothesis, model: ReflexionModel, calls: Sequence[Call]) -> Iterator[str]:
    should = expected(hypothesis, calls)
    found = {(e.source, e.target): e.results for e in model.edges}
    if len(found) != len(model.edges):
        yield "an edge is listed twice"
    for pair in {**should, **found}:
        if should.get(pair) != found.get(pair):
            yield f"{pair[0]} -> {pair[1]}: {_shown(found.get(pair))} was found, {_shown(should.get(pair))} is right"
    for reason in model.inconclusive:
        yield f"not decided: {reason}"


def overclaimed(case: Case, folder: Path, limits: Limits) -> tuple[list[str], int]:
    """What a reflexion model under narrow limits says that is not so, and how much it leaves open."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "code.c"
    file.write_text(case.code, encoding="utf-8")
    hypothesis, probes = case.hypothesis, probes_of(case.hypothesis)
    program = read_program((str(file),), probes=probes).program
    calls = Reference(program, case, limits).calls([p.name for p in probes if p.name.startswith("%transition.")])
    if isinstance(calls, str):
        return [], 0
    model = reflect(program, hypothesis, limits)
    should = expected(hypothesis, calls)
    found = {(e.source, e.target): e.results for e in model.edges}
    wrong = [f"an edge is listed twice: {model.edges}"] if len(found) != len(model.edges) else []
    for pair, results in found.items():
        said = set(results) - {Result.INCONCLUSIVE}
        if not said <= set(should.get(pair, ())):
            wrong.append(f"{pair[0]} -> {pair[1]}: {_shown(results)} was found, {_shown(should.get(pair))} is right")
        elif Result.INCONCLUSIVE not in results and Result.DIVERGENCE in set(should[pair]) - said:
            wrong += [] if model.inconclusive else [f"{pair[0]} -> {pair[1]}: a divergence was not found"]
    if not model.inconclusive:
        wrong += [f"{pair[0]} -> {pair[1]} was not found" for pair in should if pair not in found]
    wrong += [f"no reason: {e}" for e in model.edges if Result.INCONCLUSIVE in e.results and not e.reason]
    return wrong, sum(Result.INCONCLUSIVE in e.results for e in model.edges)


def _shown(results: tuple[Result, ...] | None) -> str:
    return "nothing" if results is None else " and ".join(r.value for r in results)


def _wrong_states(hypothesis: Hypothesis, model: ReflexionModel, calls: Sequence[Call]) -> Iterator[str]:
    pairs = {(c.source, c.target) for c in calls}
    occupied = {s for s, _ in pairs}
    reached = _reached(hypothesis, pairs)
    parents = {s.parent for s in hypothesis.states}
    leaves = {s.name for s in hypothesis.states if s.name not in parents}
    # What the states inside leave of one is a state if there is any of it.
    leaves |= {n for pair in pairs for n in pair} & set(hypothesis.by_name)
    for state in model.states:
        name = state.name
        if name in hypothesis.by_name and state.itself != (name in leaves):
            yield f"{name}: itself is {state.itself}"
        entered = any(t == name and s != name for s, t in pairs)
        left = any(s == name and t != name for s, t in pairs)
        if name in hypothesis.by_name and state.satisfiable != bool(occupied & _meant(hypothesis, name)):
            yield f"{name}: satisfiable is {state.satisfiable}"
        if name in leaves and state.is_trap != (entered and not left and name in occupied):
            yield f"{name}: is_trap is {state.is_trap}"
        if name in (*leaves, OTHER) and state.is_entered != entered:
            yield f"{name}: is_entered is {state.is_entered}"
        if name in (*leaves, OTHER, ERROR, EXIT) and state.reachable != (None if reached is None else name in reached):
            yield f"{name}: reachable is {state.reachable}"
    if (OTHER in occupied) != (model.uncovered is not None):
        yield f"uncovered is {model.uncovered}"
    names = {s.name for s in model.states}
    for name in {OTHER, ERROR, EXIT} & {n for pair in pairs for n in pair}:
        if name not in names:
            yield f"{name} is not among the states"


def _reached(hypothesis: Hypothesis, pairs: set[tuple[str, str]]) -> set[str] | None:
    if hypothesis.initial is None:
        return None
    found = _meant(hypothesis, hypothesis.initial.name)
    while True:
        more = {t for s, t in pairs if s in found} - found
        if not more:
            return found
        found |= more


def _wrong_warnings(hypothesis: Hypothesis, model: ReflexionModel, calls: Sequence[Call]) -> Iterator[str]:
    never = Counter[tuple[str, str, str]]()
    for number, row in enumerate(hypothesis.transitions):
        if row.condition is None:
            continue
        here = [c for c in calls if c.source in _meant(hypothesis, row.source)]
        possible = [
            c for c in here if any(_allowed(hypothesis, [(number, row)], _applying(hypothesis, c.source), [c]) or ())
        ]
        is_true = any(_is_true(number, row, c) for c in calls)
        if not is_true or (here and not possible):
            never[row.source, row.target, row.condition.text] += 1
    if Counter(model.never) != never:
        yield f"{model.never} are said to be never true, {never} are"
    said = sum(any(word in w.message for word in NEVER) for w in model.warnings)
    if said != never.total():
        yield f"{said} conditions are said to be never true, {never.total()} are"


def _wrong_conditions(case: Case, model: ReflexionModel, file: Path, limits: Limits) -> Iterator[str]:
    """Conditions that were found are read as C again, and asked before each call."""
    asked: list[tuple[str, Edge]] = []
    probes: list[Probe] = list(probes_of(case.hypothesis))
    for number, edge in enumerate(model.edges):
        condition = edge.condition
        # What comes from outside has no value before the call.
        if condition is not None and not _INPUTS.isdisjoint(re.findall(r"\w+", condition.text)):
            continue
        if condition is not None:
            name = f"%found.{number}"
            text = "1" if condition.text == "always" else condition.text
            probes.append(Probe(name, Words(text, HERE), "f"))
            asked.append((name, edge))
    try:
        program = read_program((str(file),), probes=probes).program
    except InputError as error:
        yield f"a condition cannot be read: {[e.condition.text for _, e in asked if e.condition]} {error}"
        return
    calls = Reference(program, case, limits).calls([name for name, _ in asked])
    assert not isinstance(calls, str)
    for name, edge in asked:
        condition = edge.condition
        assert condition is not None
        for call in calls:
            if call.source != edge.source:
                continue
            ends = _meant(case.hypothesis, edge.target) if edge.is_claimed else {edge.target}
            taken, says = call.target in ends, name in call.holds
            if (says and not taken) or (condition.exact and taken and not says):
                yield f"{edge.source} -> {edge.target} when {condition.text}: {says} for a call to {call.target}"
                break


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first case")
    parser.add_argument("--cases", type=int, default=2000)
    options = parser.parse_args()
    total: Counter[str] = Counter()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(range(options.seed, options.seed + options.cases), 1):
            wrong, seen = differences(make_case(seed), Path(folder), limits_of(seed))
            total += seen
            failed += bool(wrong)
            for difference in wrong:
                print(f"case {seed}: {difference}", flush=True)
            if number % 100 == 0:
                print(f"{number} of {options.cases} cases, {failed} with differences", flush=True)
    print(f"{options.cases} cases, {failed} with differences; {dict(total.most_common())}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
