"""Reflexion models against brute force: every valuation is run by the reference semantics, and classes are counted out.

`python -m tests.fuzz.reflexion_agreement --help` explains the options. The exit status is 1 if there is a difference.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from scripts import cbmc
from stateglass.evidence import Edge, ReflexionModel, Result
from stateglass.frontend import read_program
from stateglass.program import Program
from stateglass.program.probes import Probe
from stateglass.reflexion.encoding import Encoder
from stateglass.reflexion.hypothesis import ERROR, OTHER, START, Hypothesis, probes_of
from stateglass.reflexion.reflecting import Limits, reflect
from stateglass.source import InputError, Words
from stateglass.system import UndefinedBehaviour, undefined
from tests.fuzz import reflexion_cbmc
from tests.fuzz.reflexion_cases import Case, make_case
from tests.fuzz.reflexion_definitions import applying, claimed_for, closure, expected, is_true, meant
from tests.fuzz.reflexion_hypotheses import HERE
from tests.fuzz.reflexion_reference import EXIT, OVERLAP, Call, Place, Reference

LIMITS: Final = Limits(unroll=8, effort=100_000, questions=10_000)
WRAPPED: Final = replace(LIMITS, undefined=undefined(UndefinedBehaviour.WRAP))
IGNORED: Final = replace(LIMITS, undefined=undefined(UndefinedBehaviour.IGNORE))
SOME: Final = replace(LIMITS, undefined=undefined(UndefinedBehaviour.ERROR, ("bounds", "division")))
NEVER: Final = ("is never true", "leave nothing of its condition", "has no meaning, whatever")
REFUSED: Final = {
    "no valuation satisfies this": "contradiction",
    "this contradicts what is assumed before it": "contradiction",
    "no state has a valuation for which this holds": "no start",
}


def limits_of(seed: int) -> Limits:
    """Most cases take undefined behaviour for an error, some for none, some do not count it."""
    return {3: WRAPPED, 4: IGNORED, 5: SOME}.get(seed % 6, LIMITS)


def differences(
    case: Case, folder: Path, limits: Limits = LIMITS, *, with_cbmc: bool = False
) -> tuple[list[str], Counter[str]]:
    """What the reflexion model says otherwise than brute force, and what there was."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "code.c"
    file.write_text(case.code, encoding="utf-8")
    hypothesis = case.hypothesis
    probes = probes_of(hypothesis)
    program = read_program((str(file),), probes=probes).program
    reference = Reference(program, case, limits)
    calls = reference.calls([p.name for p in probes if p.name.startswith(("%transition.", START))])
    try:
        model = reflect(program, hypothesis, limits)
    except InputError as error:
        return _refused(error.diagnostics[0].message, reference, hypothesis, calls)
    if isinstance(calls, str):
        return ["the states overlap, which was not said"], Counter()
    wrong = [*_wrong_edges(hypothesis, model, calls), *_wrong_warnings(hypothesis, model, calls)]
    if hypothesis.start is None:
        wrong += _wrong_states(hypothesis, model, calls)
    # Few calls are all run by the reference: to be told from the terms is what happens to those of large machines.
    if reflect(program, hypothesis, replace(limits, confirmed=1, questions=0)).edges != _without_conditions(model):
        wrong.append("calls that are computed are not those that are run")
    found, seen = _wrong_conditions(case, model, program, calls, file, limits)
    seen += Counter(" + ".join(r.value for r in e.results) for e in model.edges)
    if with_cbmc and reflexion_cbmc.can_be_compared(case, limits):
        more, compared = reflexion_cbmc.differences(case, model, calls, folder, limits)
        found, seen = [*found, *more], seen + compared + Counter({"cases with cbmc": 1})
    return [*wrong, *found], seen


def _refused(
    message: str, reference: Reference, hypothesis: Hypothesis, calls: Sequence[Call] | str
) -> tuple[list[str], Counter[str]]:
    """Whether it is right that a hypothesis is not held against the code at all."""
    if calls == OVERLAP and "overlap" in message:
        return [], Counter({OVERLAP: 1})
    word = REFUSED.get(message)
    is_right = {
        "contradiction": reference.is_contradictory(),
        "no start": not isinstance(calls, str) and not any(START in call.holds for call in calls),
    }
    return ([], Counter({word: 1})) if word is not None and is_right[word] else ([f"refused: {message}"], Counter())


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
    reference = Reference(program, case, limits)
    calls = reference.calls([p.name for p in probes if p.name.startswith(("%transition.", START))])
    if isinstance(calls, str):
        return [], 0
    try:
        model = reflect(program, hypothesis, limits)
    except InputError as error:
        wrong, _ = _refused(error.diagnostics[0].message, reference, hypothesis, calls)
        return wrong, 0
    should = expected(hypothesis, calls)
    found = {(e.source, e.target): e.results for e in model.edges}
    wrong = [f"an edge is listed twice: {model.edges}"] if len(found) != len(model.edges) else []
    for pair, results in found.items():
        said = set(results) - {Result.INCONCLUSIVE}
        if hypothesis.start is not None and model.inconclusive and pair not in should:
            continue  # it may not be known which states count
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
    initial = hypothesis.initial
    reached = None if initial is None else closure(meant(hypothesis, initial.name), pairs)
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
        if name in hypothesis.by_name and state.satisfiable != bool(occupied & meant(hypothesis, name)):
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


def _wrong_warnings(hypothesis: Hypothesis, model: ReflexionModel, calls: Sequence[Call]) -> Iterator[str]:
    never = Counter[tuple[str, str, str]]()
    for number, row in enumerate(hypothesis.transitions):
        if row.condition is None:
            continue
        here = [c for c in calls if c.source in meant(hypothesis, row.source)]
        possible = [
            c for c in here if any(claimed_for(hypothesis, [(number, row)], applying(hypothesis, c.source), [c]) or ())
        ]
        holds = any(is_true(number, row, c) for c in calls)
        if not holds or (here and not possible):
            never[row.source, row.target, row.condition.text] += 1
    if Counter(model.never) != never:
        yield f"{model.never} are said to be never true, {never} are"
    said = sum(any(word in w.message for word in NEVER) for w in model.warnings)
    if said != never.total():
        yield f"{said} conditions are said to be never true, {never.total()} are"


def _wrong_conditions(
    case: Case, model: ReflexionModel, program: Program, calls: Sequence[Call], file: Path, limits: Limits
) -> tuple[list[str], Counter[str]]:
    """Conditions that were found are read as C again, and asked for each call; and how many there are of each sort.

    What comes from outside has its value in a variable of its own then.
    """
    inputs = _inputs(program, case.hypothesis, limits)
    asked: dict[str, tuple[Edge, str, bool]] = {}
    seen: Counter[str] = Counter()
    for number, edge in enumerate(model.edges):
        if edge.condition is not None:
            text = _with_variables(edge.condition.text, list(inputs))
            depends = text != edge.condition.text
            asked[f"%found.{number}"] = edge, "1" if text == "always" else text, depends
            seen["exact conditions" if edge.condition.exact else "other conditions"] += 1
            seen["conditions over inputs"] += depends
    file.write_text(case.code + "".join(f"static int seen{n};\n" for n in range(len(inputs))), encoding="utf-8")
    probes = [*probes_of(case.hypothesis), *(Probe(n, Words(text, HERE), "f") for n, (_, text, _) in asked.items())]
    try:
        again = read_program((str(file),), probes=probes).program
    except InputError as error:
        return [f"a condition cannot be read: {[e.condition for e, _, _ in asked.values()]} {error}"], seen
    reference = Reference(again, case, limits)
    wrong: list[str] = []
    for name, (edge, _, depends) in asked.items():
        here = [call for call in calls if call.source == edge.source]
        wrong += _wrong_condition(case, edge, here, reference, name, list(inputs.values()) if depends else [])
    return wrong, seen


def _inputs(program: Program, hypothesis: Hypothesis, limits: Limits) -> dict[str, Place]:
    """What comes from outside, by the names that conditions have for it, and where."""
    encoder = Encoder(program, hypothesis, unroll=limits.unroll, undefined=limits.undefined)
    return {f.name: (f.span.line, f.span.start.column) for f in encoder.encode().outcome.fresh}


def _with_variables(text: str, names: Sequence[str]) -> str:
    for number, name in sorted(enumerate(names), key=lambda found: -len(found[1])):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?![\w#])", f"seen{number}", text)
    return text


def _wrong_condition(
    case: Case, edge: Edge, calls: Sequence[Call], reference: Reference, name: str, inputs: Sequence[Place]
) -> Iterator[str]:
    """`inputs` are those of the variables that the condition may depend on."""
    condition = edge.condition
    assert condition is not None
    ends = meant(case.hypothesis, edge.target) if edge.is_claimed else {edge.target}
    known: dict[tuple[object, ...], bool] = {}
    for call in calls:
        taken, (values, given) = call.target in ends, call.valuation
        # What a call has not asked for may be anything.
        for default in (0, 1) if inputs else (0,):
            read = tuple(call.inputs.get(place, default) for place in inputs)
            if (values, given, read) not in known:
                reference.set(values, {f"seen{n}": value for n, value in enumerate(read)})
                known[values, given, read] = reference.holds(name, given)
            says = known[values, given, read]
            if (says and not taken) or (condition.exact and taken and not says):
                yield f"{edge.source} -> {edge.target} when {condition.text}: {says} for {call}"
                return


def _tried(seed: int, folder: Path, *, with_cbmc: bool) -> tuple[list[str], Counter[str]]:
    """One case; that it cannot be run at all is a difference too, and the others are run."""
    try:
        return differences(make_case(seed), folder, limits_of(seed), with_cbmc=with_cbmc)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return [f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}: {error}"], Counter()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first case")
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--no-cbmc", action="store_true", help="do not ask cbmc too, even if it is on the PATH")
    options = parser.parse_args()
    with_cbmc = cbmc.is_there() and not options.no_cbmc
    if not with_cbmc:
        print("cbmc is not asked" if options.no_cbmc else "cbmc is not on the PATH, and is not asked", flush=True)
    total: Counter[str] = Counter()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(range(options.seed, options.seed + options.cases), 1):
            wrong, seen = _tried(seed, Path(folder), with_cbmc=with_cbmc)
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
