"""The search for stronger stories: every pattern that applies to a story, run by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import final

from stateglass.scenarios.elaboration.candidates import Candidate, event_candidates
from stateglass.scenarios.elaboration.exceptions import avoid, broken
from stateglass.scenarios.elaboration.extents import Extents
from stateglass.scenarios.elaboration.findings import Elaborated, Findings, Notebook, Pattern
from stateglass.scenarios.elaboration.intermediate import find_causes, find_events
from stateglass.scenarios.elaboration.judging import MOST_CHECKS, Judge, Stopped, bases
from stateglass.scenarios.elaboration.relations import strengthen
from stateglass.scenarios.elaboration.splitting import split
from stateglass.scenarios.elaboration.subsets import leave_out
from stateglass.scenarios.elaboration.weakening import weaken
from stateglass.scenarios.language import Scenario
from stateglass.scenarios.validating import Validator
from stateglass.work import Progress, silent


@final
class Elaborator:
    """Elaborates stories about one model; what many of them need is made once. `old` is the model before a change."""

    def __init__(
        self,
        validator: Validator,
        old: Validator | None = None,
        progress: Progress = silent,
        most_checks: int = MOST_CHECKS,
    ) -> None:
        self.validator = validator
        self._old = old
        self._progress = progress
        self._most = most_checks
        self._extents = Extents(validator)

    def elaborate(self, scenario: Scenario, patterns: Sequence[Pattern] = tuple(Pattern)) -> Elaborated:
        """What the patterns give. Ctrl-C ends the search; what was found until then is the answer."""
        base = self.validator.validate(scenario)
        found: list[Findings] = []
        checks = 0
        try:
            candidates = event_candidates(self._extents, self.validator.vocabulary)
            for one in bases(scenario):
                judge = Judge(self.validator, one, self._extents, self._progress, self._most)
                for pattern, run in self._patterns(judge, candidates).items():
                    if pattern in patterns:
                        judge.renew()
                        self._run(pattern, run, judge, found)
                    if judge.interrupted:
                        raise KeyboardInterrupt
                checks += judge.checks
        except KeyboardInterrupt:
            return Elaborated(base, tuple(found), checks, interrupted=True)
        return Elaborated(base, tuple(found), checks)

    def _run(self, pattern: Pattern, run: Callable[[Notebook], None], judge: Judge, found: list[Findings]) -> None:
        notes = Notebook(pattern)
        try:
            run(notes)
        except Stopped:
            pass
        finally:
            if judge.is_exhausted:
                notes.say(f"the search was cut short after {self._most:,} candidates")
            findings = notes.findings()
            if findings is not None:
                found.append(findings)

    def _patterns(self, judge: Judge, candidates: list[Candidate]) -> dict[Pattern, Callable[[Notebook], None]]:
        old = self._old
        return {
            Pattern.STRONGER_RELATION: lambda notes: strengthen(judge, notes),
            Pattern.CAUSE_WEAKENING: lambda notes: weaken(judge, candidates, notes),
            Pattern.EVENT_SPLITTING: lambda notes: split(judge, notes),
            Pattern.INTERMEDIATE_EVENT: lambda notes: find_events(judge, candidates, notes),
            Pattern.INTERMEDIATE_CAUSE: lambda notes: find_causes(judge, candidates, notes),
            Pattern.EXCEPTION_BREAKS_CAUSATION: lambda notes: (
                None if old is None else broken(judge, old, candidates, notes)
            ),
            Pattern.AVOID_EXCEPTION: lambda notes: avoid(judge, candidates, notes),
            Pattern.VARIABLE_SUBSET: lambda notes: leave_out(judge, notes),
        }
