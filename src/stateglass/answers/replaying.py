"""From evidence to an answer of the real code: a run is followed again, driven on the compiled code, and compared."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from stateglass.answers.claims import names_asked, names_only_tested_for_null
from stateglass.answers.confirming import Checked, Explored
from stateglass.answers.scripts import Scripting
from stateglass.evidence import Path
from stateglass.explore.stepwise import EXACTLY, Failure, Fitting, Retracing, Wanted, names_called
from stateglass.logic.claims import Claim
from stateglass.model import STABLE
from stateglass.replay.driving.driver import Driver
from stateglass.replay.driving.failures import Outcome
from stateglass.replay.driving.running import Workshop
from stateglass.replay.recorded import Evidence
from stateglass.source import counted
from stateglass.system.concrete import concretised, numbers_in
from stateglass.work import Progress, silent


@final
@dataclass(frozen=True, slots=True)
class Replay:
    """What came of it, how many events were to be seen, and how the driver was made; no commands: there is none."""

    outcome: Outcome
    events: int
    commands: tuple[str, ...]


def replay(
    evidence: Evidence,
    claim: Claim,
    explored: Explored,
    workshop: Workshop,
    seconds: float,
    progress: Progress = silent,
) -> Replay:
    """Confirms or refutes evidence for a claim."""
    system = explored.system
    if system.abstractions is not None:
        shown = [*evidence.initial.values(), *(action for action, _ in evidence.steps)]
        system = concretised(system, numbers_in(shown))
    manner = explored.manner
    retracing = Retracing(system, replace(manner, compress=False))
    wanted = Wanted(evidence.steps, evidence.initial, evidence.loop_start, evidence.ends)
    # Where silent states were passed over, what happened in between is found again.
    fitting = Fitting(EXACTLY.action, EXACTLY.values, between=True) if manner.compress else EXACTLY
    progress("following the evidence")
    found = retracing.follow(wanted, fitting)
    if isinstance(found, Failure):
        # Where inputs may be anything, only some values of theirs were tried.
        return Replay(_without_run(found, is_sure=found.is_sure and explored.system.abstractions is None), 0, ())
    asked = names_asked([claim])
    scripting = Scripting(
        system, retracing, manner.watch, every_step=manner.every_step, asked=asked, texts='"' in evidence.text
    )
    script = scripting.script(found)
    files = [os.path.abspath(file) for file in system.program.files]
    driver = Driver(system, script, files)
    progress("compiling the driver")
    commands = workshop.build(driver)
    progress("running the code")
    outcome = workshop.run(driver, seconds)
    uncompared = driver.uncompared(names_called(retracing.machine, names_only_tested_for_null(claim)))
    called = {e.function: e.name for e in system.entries}
    unseen = [
        called[f] for f in driver.results_not_compared() if f in called and f"return({called[f]}" in evidence.text
    ]
    if outcome.confirmed and (uncompared or unseen):
        names = [*(f"`{name}`" for name in uncompared), *(f"what `{name}` returns" for name in unseen)]
        outcome = Outcome(None, _not_looked_at(names))
    return Replay(outcome, sum(item.step > 0 for item in script.items), commands)


def evidence_of(checked: Checked) -> Evidence:
    """The run of an answer as evidence has it."""
    path, model, claim = checked.answer.evidence, checked.model, checked.claim
    assert isinstance(path, Path)
    # Whether a state is stable is seen by what can happen in it.
    states = [{n: v for n, v in model.valuation(s).items() if n != STABLE} for s in _visited(path)]
    steps = tuple((step.action, values) for step, values in zip(path.steps, states[1:], strict=True))
    verdict = checked.answer.verdict.value
    return Evidence(claim.title, claim.text, verdict, states[0], steps, path.loop_start, path.ends, {})


def _visited(path: Path) -> list[int]:
    return [path.start, *(step.target for step in path.steps)]


def _not_looked_at(names: Sequence[str]) -> str:
    listed = ", ".join(names)
    return f"the code does what the run says, but the claim is about {listed}, whose values a driver cannot compare"


def _without_run(found: Failure, *, is_sure: bool) -> Outcome:
    """The answer when the semantics does not have the run; nothing has to be compiled for it."""
    after = f"after {counted(found.followed, 'step')}, {found.reason}"
    if not is_sure:
        return Outcome(None, f"the run could not be followed in the code: {after}")
    return Outcome(False, f"the code does not have this run: {after}", None if found.step is None else found.step + 1)
