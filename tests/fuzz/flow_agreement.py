"""Flows of random programs, run for each value of the environment, against what exploring the programs finds.

`python -m tests.fuzz.flow_agreement --help` explains the options. The exit status is 1 if they differ.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import Final

import numpy as np

from stateglass.explore import Manner, explore
from stateglass.explore.preparing import prepare
from stateglass.explore.stretches import Flow, NoFlow, Part, Phase, Seen, flow_of, sliced
from stateglass.model import NO_RUN, Model, Proposition, Sort, parsed
from stateglass.program import Float, Type
from stateglass.program.floats import FORMATS, convert_float, from_python, is_nan
from stateglass.reduce import Equivalence
from stateglass.relate import Related, Undecided, compare
from stateglass.relate.operators import with_labels
from stateglass.source import Place
from stateglass.system import System, build_system
from stateglass.work import silent
from tests.explore.stretches.concretely import Ambiguous, NoRun, Reached, TooLarge, as_number, reached
from tests.fuzz.agreement import files_of_seed, read, without_long_doubles
from tests.fuzz.reactive import reactive
from tests.fuzz.risky import risky
from tests.fuzz.seeds import parser_of, run

MOST: Final = 4_000
"""Programs with more states than this are not compared."""
SECONDS: Final = 20.0
SIZE: Final = 12
KINDS: Final = ("reactive", "risky", "closed")
_DOUBLE: Final = FORMATS[53]
WATCHED: Final = ("level", "mode", "one.first", "table[1]")
_PLAIN: Final = re.compile(r"-?\d+|true|false|[A-Z]+")


class Disagreement(Exception):
    """A flow and the exploration differ."""


def compare_system(system: System) -> Counter[str]:
    """What was seen; raises a `Disagreement`."""
    explored = explore(system, Manner(max_states=MOST, timeout=SECONDS))
    model = explored.model
    if any(reason.startswith("stopped") for reason in model.origin.partial):
        return Counter(["too large"])
    seen: Counter[str] = Counter()
    try:
        flow = flow_of(system)
        _compare_values(system, flow, reached(system, flow, 3 * MOST), model, seen)
        small = sliced(flow)
        _compare_ends(small, reached(system, small, 3 * MOST), model)
        shown = sliced(flow_of(system, Seen(events=True)))
        _compare_events(reached(system, shown, 3 * MOST), model, seen)
        names = frozenset(n for n in WATCHED if any(p.name == n for p in model.propositions))
        if names:
            watching = explore(system, Manner(max_states=2 * MOST, timeout=SECONDS).watching(names)).model
            if any(reason.startswith("stopped") for reason in watching.origin.partial):
                raise TooLarge
            shown = flow_of(system, Seen(events=True, watch=names))
            cells = [cell for name in names for cell in shown.names[name]]
            _compare_events(reached(system, sliced(shown, cells), 6 * MOST), watching, seen, sorted(names))
    except TooLarge:
        return Counter(["too large"])
    except NoRun as dropped:
        if NO_RUN not in model.origin.partial:
            raise Disagreement("every run is dropped, which exploring does not say") from dropped
        return Counter(["no run counts"])
    except Ambiguous as both:
        raise Disagreement(f"two stretches apply: {both}") from both
    if NO_RUN in model.origin.partial:
        raise Disagreement("some run counts, and exploring says that none does")
    seen["compared"] += 1
    return seen


def _ends(flow: Flow, found: Reached) -> tuple[set[tuple[str, Place]], bool, bool]:
    rests = {state[0] for state in found.states}
    errors = {(flow.rests[r].what, flow.rests[r].span.start) for r in rests if flow.rests[r].phase is Phase.FAILED}
    over = any(flow.rests[r].phase is Phase.OVER for r in rests)
    lost = any(flow.rests[r].phase is Phase.LOST for r in rests)
    return errors, over, lost


def _compare_ends(flow: Flow, found: Reached, model: Model) -> tuple[set[tuple[str, Place]], bool, bool]:
    errors, over, lost = _ends(flow, found)
    actual: set[tuple[str, Place]] = set()
    ends = False
    for number, (action, target) in enumerate(zip(model.actions, model.targets, strict=True)):
        kind = parsed(model.labels[action]).error_kind
        if kind is not None:
            span = model.span_of_transition(number)
            assert span is not None
            actual.add((kind, span.start))
        elif model.is_terminal(int(target)):
            ends = True
    stuck = bool(model.origin.partial)
    if errors - actual and not stuck:
        raise Disagreement(f"errors that do not happen: {errors - actual}")
    if actual - errors and not lost:
        raise Disagreement(f"errors that were not foretold: {actual - errors}")
    if over != ends and not (lost if ends else stuck):
        raise Disagreement(f"the program {'ends' if ends else 'does not end'}, which was not foretold")
    if lost and not stuck:
        reasons = [f"{flow.rests[s[0]]}" for s in found.of_phase(Phase.LOST)]
        raise Lossy(f"lost without need: {reasons[0]}")
    if stuck and not lost:
        raise Disagreement(f"not lost, but {model.origin.partial}")
    return errors, over, lost


class Lossy(Exception):
    """A flow gives up where the exploration does not."""


def _there(value: float, last: int, proposition: Proposition) -> int:
    """A value, of a floating-point number its bits; of the addresses of what is over, one is like another."""
    if proposition.sort is Sort.FLOAT:
        return -1 if isnan(value) else from_python(value, _DOUBLE)
    value = int(value)
    return -1 if proposition.sort is Sort.POINTER and value > last else value


def _number(held: int, type: Type) -> int:
    if not isinstance(type, Float):
        return as_number(held, type)
    return -1 if is_nan(held, type.format) else convert_float(held, type.format, _DOUBLE)


def _compare_values(system: System, flow: Flow, found: Reached, model: Model, seen: Counter[str]) -> None:
    errors, over, lost = _compare_ends(flow, found, model)
    seen.update(["error"] * bool(errors) + ["over"] * over + ["lost"] * lost)
    if lost:
        return
    stable = model.proposition("stable")
    assert stable is not None
    states = [n for n in np.flatnonzero(stable.values) if not model.is_terminal(int(n))]
    rests = [rest for rest in flow.of_phase(Phase.STABLE) if rest.number in {s[0] for s in found.states}]
    if not rests:
        if states:
            raise Disagreement("code comes to rest between calls, which was not foretold")
        return
    last = max(o.address + o.size for o in prepare(system, Manner())[0].memory.objects)
    for proposition in model.propositions[1:]:
        defined = proposition.defined
        actual = {
            None if defined is not None and not defined[n] else _there(proposition.values[n].item(), last, proposition)
            for n in states
        }
        foretold: set[int | None] = set()
        slots = [
            (at, slot) for at, slot in enumerate(rests[0].slots) if slot.name.rpartition("::")[2] == proposition.name
        ]
        slots = slots or [(at, slot) for at, slot in enumerate(rests[0].slots) if slot.name == proposition.name]
        if not slots:
            if len(actual) > 1:
                raise Disagreement(f"{proposition.name} is one of {actual} between calls, and has no slot")
            continue
        for state in found.states:
            if state[0] != rests[0].number:
                continue
            value: int | None = 0
            for at, slot in slots:
                held = state[1][at]
                if slot.part in (Part.VALUE, Part.BIT):
                    value = _number(held, slot.type) if value is not None else None
                elif slot.part is Part.INDEX:
                    # What goes beyond the last number is the last address.
                    address = slot.addresses[min(held, len(slot.addresses) - 1)]
                    value = _there(address, last, proposition) if value is not None else None
                elif held:
                    value = None
            foretold.add(value)
        if foretold != actual and not any(slot.part is Part.ABSENT and len(slots) == 1 for _, slot in slots):
            raise Disagreement(f"{proposition.name} is one of {actual} between calls, foretold {foretold}")
    seen["valuations"] += len(states)


def _compare_events(found: Reached, model: Model, seen: Counter[str], names: Sequence[str] = ()) -> None:
    labels = [_plain(label) for label in model.labels]
    columns = [p for p in model.propositions if p.name in names]
    actual, foretold = with_labels(model, labels), found.model(columns)
    answer = compare(actual, foretold, Equivalence.DPBRANCHING, keep=names, progress=silent)
    match answer:
        case Related():
            seen["events with values" if names else "events"] += 1
        case Undecided():
            seen["events undecided"] += 1
        case _:
            raise Disagreement(f"events{' and values' if names else ''}: {answer}")


def _plain(label: str) -> str:
    """An action without addresses and what lies there."""
    action = parsed(label)
    return str(replace(action, arguments=tuple(a for a in action.arguments if _PLAIN.fullmatch(a))))


def systems_of_seed(seed: int, kind: str, folder: Path) -> Iterator[System]:
    match kind:
        case "reactive":
            made = reactive(seed)
            program = read({"reactive.c": made.text}, folder)
            yield build_system(program, made.functions, init=made.init, bounds=made.needed(program))
        case "risky":
            program = read({"risky.c": risky(seed)}, folder)
            yield build_system(program, ("work",), bounds=(("work.n", "-1..4"), ("work.k", "0..2")))
        case _:
            program = read(without_long_doubles(files_of_seed(seed, SIZE, wide=seed % 2 == 0)), folder)
            yield build_system(program, ("main",))


def compare_seed(seed: int, kind: str, folder: Path) -> Counter[str]:
    """What was seen of the program of a seed; raises a `Disagreement`."""
    seen: Counter[str] = Counter()
    for system in systems_of_seed(seed, kind, folder):
        try:
            seen += compare_system(system)
        except NoFlow as reason:
            seen[str(reason)] += 1
    return seen


def main() -> int:
    parser = parser_of(__doc__, 200)
    parser.add_argument("--kind", choices=KINDS, default="reactive", help="of programs")
    options = parser.parse_args()

    def compare(seed: int, folder: Path) -> tuple[Counter[str], list[str]]:
        try:
            return compare_seed(seed, options.kind, folder), []
        except Lossy as reason:
            return Counter([f"lossy: {reason}"]), []

    return run(options, compare)


if __name__ == "__main__":
    sys.exit(main())
