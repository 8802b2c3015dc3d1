"""What `check` says of random claims, against evaluators that share nothing with it.

Linear and branching formulas, fixed points and requirements in English are tried on random models, whole and partial;
claims about variables on random C functions, whose runs are then replayed on the compiled code.
`python -m tests.fuzz.claims_agreement --help` explains the options. The exit status is 1 if they differ.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.cli.running import BY_THE_CODE, stateglass
from tests.fuzz.claims import branching, linear, requirements, steppers
from tests.fuzz.claims.worlds import (
    ATOMS,
    EVENTS,
    LABELS,
    VALUES,
    World,
    answers,
    completed,
    events_of,
    positions_of,
    random_world,
    walked,
)

CLAIMS: Final = 20
"""So many of each language are tried on one model."""
COMPLETIONS: Final = 8
"""So many whole models are tried that a partial one may be a part of."""
"""So many runs of each C file are replayed."""

Found = tuple[Counter[str], list[str]]


def _said(answer: dict[str, Any]) -> bool | None:
    return {"holds": True, "vacuous": True, "violated": False}.get(answer["verdict"])


def compare_linear(seed: int, folder: Path) -> Found:
    """Verdicts of LTL against guessing, and each counterexample against the meaning on this one run."""
    chance = random.Random(seed)
    partial = seed % 2 == 1
    world = random_world(chance, partial=partial)
    # Few atoms, so that one part of a formula often decides another.
    formulas = [linear.random_formula(chance, chance.randint(1, 7), chance.sample(ATOMS, 3)) for _ in range(CLAIMS)]
    fair = [() if partial or chance.random() < 0.7 else _random_fairness(chance) for _ in formulas]
    texts = [
        (f"assume {', '.join(map(str, some))}: " if some else chance.choice(("", "ltl: "))) + linear.text_of(f, chance)
        for f, some in zip(formulas, fair, strict=True)
    ]
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    for formula, some, text, answer in zip(formulas, fair, texts, answers(world, texts, folder), strict=True):
        seen[f"ltl {answer['verdict']}"] += 1
        what = _wrong_linear(formula, some, answer, world)
        if what:
            wrong.append(f"{text}: {answer['verdict']}, but {what}; {world}")
    return seen, wrong


def _random_fairness(chance: random.Random) -> tuple[linear.Fair, ...]:
    return tuple(linear.Fair(event, chance.random() < 0.5) for event in EVENTS if chance.random() < 0.25)


def _wrong_linear(formula: linear.Formula, fair: tuple[linear.Fair, ...], answer: dict[str, Any], world: World) -> str:
    atoms = linear.atoms_of(formula) | {f.event for f in fair}
    opposite = ("!", formula, None)
    known = linear.satisfied_somewhere(opposite, positions_of(world, atoms=atoms), fair)
    if _said(answer) is False:
        run = walked(world, answer["evidence"])
        if run is None:
            return "the run is none of the model"
        if run.unexplored:
            anything = positions_of(run, chaos=True, atoms=atoms)
            return "it can go on well" if linear.satisfied_somewhere(formula, anything) else ""
        alone = positions_of(run, atoms=atoms)
        if linear.on_run(formula, alone):
            return "the run satisfies it"
        states = [world.start, *(step["state"] for step in answer["evidence"]["steps"])]
        able = [
            frozenset().union(*(events_of(label) for s, label, _ in world.steps if s == states[at]))
            for at in alone.states
        ]
        if not linear.is_fair_run(alone, fair, able):
            return "the run is not fair"
        return "no run violates it" if known is False else ""
    if known:
        return "a run violates it"
    if _said(answer) and linear.satisfied_somewhere(opposite, positions_of(world, chaos=True, atoms=atoms), fair):
        return "a run that goes on may violate it"
    return "" if _said(answer) or world.unexplored else "the model is whole"


def compare_branching(seed: int, folder: Path) -> Found:
    """Verdicts of CTL and of the mu-calculus against sets of positions and states; CTL against its translation."""
    chance = random.Random(seed)
    world = random_world(chance, 5, partial=seed % 2 == 1)
    wholes = [completed(chance, world) for _ in range(COMPLETIONS)] if world.unexplored else [world]
    ctl = [branching.random_ctl(chance, chance.randint(1, 6), events=chance.random() < 0.6) for _ in range(CLAIMS)]
    mu = [branching.random_mu(chance, chance.randint(1, 7), {}) for _ in range(CLAIMS)]
    translated = [f for f in ctl if not any(repr(event) in repr(f) for event in EVENTS)]
    translated = [f for f in translated if len(branching.in_mu(f)) < 10_000]
    texts = [f"ctl: {branching.ctl_text(f)}" for f in ctl]
    texts += [f"mu: {branching.in_mu(f)}" for f in translated]
    texts += [f"mu: {branching.mu_text(f)}" for f in mu]
    truths = [{branching.Branching(positions_of(w)).at_start(f) for w in wholes} for f in (*ctl, *translated)]
    truths += [{w.start in branching.Mu(w).states(f, {}) for w in wholes} for f in mu]
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    for text, truth, answer in zip(texts, truths, answers(world, texts, folder), strict=True):
        seen[f"{text.partition(':')[0]} {answer['verdict']}"] += 1
        said, evidence = _said(answer), answer["evidence"]
        if truth != {said} and (said is not None or not world.unexplored):
            wrong.append(f"{text}: {answer['verdict']}, but it may be {truth}; {world}")
        elif evidence and evidence["steps"] and walked(world, evidence) is None:
            wrong.append(f"{text}: the run is none of the model; {world}")
    return seen, wrong


def compare_english(seed: int, folder: Path) -> Found:
    """All patterns in all scopes on a model with a single run."""
    chance = random.Random(seed)
    size = chance.randint(1, 7)
    values = tuple((chance.choice(VALUES), chance.choice(VALUES[:3])) for _ in range(size))
    steps = [(i, chance.choice(LABELS), i + 1) for i in range(size - 1)]
    if chance.random() < 0.75:
        steps.append((size - 1, chance.choice(LABELS), chance.randrange(size)))
    world = World(values, tuple(steps))
    asked = []
    for behaviour in requirements.BEHAVIOURS:
        for scope in requirements.SCOPES:
            things = [requirements.random_thing(chance) for _ in range(3)]
            # `between p and q and r` could be read in two ways, and is refused.
            ends = [requirements.random_thing(chance, combined=scope != "between") for _ in range(2)]
            while ends[0] == ends[1]:  # what ends where it begins is empty, and is refused
                ends[1] = requirements.random_thing(chance, combined=scope != "between")
            things += ends
            asked.append((behaviour, scope, things, requirements.requirement_text(behaviour, scope, things, chance)))
    run = requirements.Instants(positions_of(world))
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    for (behaviour, scope, things, text), answer in zip(
        asked, answers(world, [a[3] for a in asked], folder), strict=True
    ):
        seen[f"english {answer['verdict']}"] += 1
        if _said(answer) is not run.keeps(behaviour, scope, things):
            wrong.append(f"{text}: {answer['verdict']}; {world}")
    return seen, wrong


def compare_code(seed: int, folder: Path) -> Found:
    """Claims on a random C function against the same in Python; runs against the compiled code."""
    chance = random.Random(seed)
    stepper = steppers.random_stepper(chance)
    claims, expected = _claims_on_code(chance, stepper)
    (folder / "step.c").write_text(stepper.code, encoding="utf-8")
    (folder / "all.claims").write_text("".join(f"c{n} = {c}\n" for n, c in enumerate(claims)), encoding="utf-8")
    functions = [word for name, _ in stepper.bodies for word in ("--function", name)]
    bound = f"step.u=0..{steppers.INPUTS - 1}"
    ran = stateglass(
        *("check", str(folder / "step.c"), *functions, "--bound", bound),
        *("--claims", str(folder / "all.claims"), "--format", "json"),
    )
    if ran.status not in (0, 1):
        return Counter(), [f"{ran.err}\n{stepper.code}"]
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    for claim, truth, answer in zip(claims, expected, json.loads(ran.out)["verdicts"], strict=True):
        seen[f"code {answer['verdict']}"] += 1
        if truth is not None and _said(answer) is not truth:
            wrong.append(f"{claim}: {answer['verdict']}\n{stepper.code}")
        evidence = answer["evidence"]
        if _said(answer) is False and evidence and "subject" in evidence and "replay" in BY_THE_CODE:
            seen["run on the compiled code"] += 1
            if "replay" not in evidence["confirmed_by"]:
                wrong.append(f"{claim}: {answer['explanation']} {evidence.get('not_replayed')}\n{stepper.code}")
    return seen, wrong


def _claims_on_code(chance: random.Random, stepper: steppers.Stepper) -> tuple[list[str], list[bool | None]]:
    reached = {state: stepper.reached(state) for state in stepper.reached(stepper.initial)}
    claims: list[tuple[str, bool | None]] = []
    for _ in range(3):
        one, two = (steppers.random_predicate(chance, stepper) for _ in range(2))
        p, q = steppers.text_of(one), steppers.text_of(two)
        at_one = {s for s in reached if steppers.value_of(one, dict(zip(stepper.names, s, strict=True)))}
        at_two = {s for s in reached if steppers.value_of(two, dict(zip(stepper.names, s, strict=True)))}
        claims += [
            (f"G([stable] => [{p}])", len(at_one) == len(reached)),
            (f"ctl: EF ([stable] & [{p}])", bool(at_one)),
            (f"ctl: AG EF ([stable] & [{p}])", all(at_one & later for later in reached.values())),
            (f"ctl: AG([stable] & [{p}] => EF ([stable] & [{q}]))", all(at_two & reached[s] for s in at_one)),
            (f"G [{p}]", None if at_one == set(reached) else False),
            (f"G([{p}] => F [{q}])", None),
            (f"F G [{p}]", None),
            (f"[{p}] always holds before `call(step, 1)`", None),
        ]
    return [text for text, _ in claims], [truth for _, truth in claims]


COMPARISONS: Final[dict[str, Callable[[int, Path], Found]]] = {
    "linear": compare_linear,
    "branching": compare_branching,
    "english": compare_english,
    "code": compare_code,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first model")
    parser.add_argument("--cases", type=int, default=60, help="models, or C files, for each kind of claims")
    parser.add_argument("--only", choices=sorted(COMPARISONS), help="one kind of claims")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    failed = 0
    for name, compare in COMPARISONS.items():
        for seed in range(options.seed, options.seed + options.cases if options.only in (None, name) else options.seed):
            with tempfile.TemporaryDirectory() as folder:
                seen, wrong = compare(seed, Path(folder))
            total += seen
            failed += len(wrong)
            for difference in wrong:
                print(f"seed {seed}, {name}: {difference}", flush=True)
    print(f"{failed} differences; {dict(sorted(total.items()))}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
