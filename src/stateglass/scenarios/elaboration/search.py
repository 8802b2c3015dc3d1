"""The search for stronger stories: every pattern that applies to a story, run by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import final

from stateglass.scenarios.elaboration.candidates import Candidate, event_candidates
from stateglass.scenarios.elaboration.exceptions import avoided
from stateglass.scenarios.elaboration.extents import Extents
from stateglass.scenarios.elaboration.findings import Elaborated, Findings, Pattern
from stateglass.scenarios.elaboration.judging import MOST_CHECKS, Judge, OutOfChecks, bases
from stateglass.scenarios.elaboration.splitting import split
from stateglass.scenarios.elaboration.weakening import weakened
from stateglass.scenarios.language import Scenario
from stateglass.scenarios.validating import Validator
from stateglass.work import Progress, silent

_Run = Callable[[Judge, list[Candidate]], Findings | None]


@final
class Elaborator:
    """Elaborates stories about one model; what many of them need is made once."""

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
        interrupted = False
        try:
            candidates = event_candidates(self._extents, self.validator.vocabulary)
            for one in bases(scenario):
                judge = Judge(self.validator, one, self._extents, self._progress, self._most)
                for pattern, run in self._patterns(judge, candidates).items():
                    if pattern not in patterns:
                        continue
                    judge.renew()
                    try:
                        findings = run()
                    except OutOfChecks:
                        findings = Findings(pattern, remarks=("the search was cut short",))
                    if findings is not None:
                        found.append(findings)
                checks += judge.checks
        except KeyboardInterrupt:
            interrupted = True
        return Elaborated(base, tuple(found), checks, interrupted)

    def _patterns(self, judge: Judge, candidates: list[Candidate]) -> dict[Pattern, Callable[[], Findings | None]]:
        return {
            Pattern.CAUSE_WEAKENING: lambda: weakened(judge, candidates),
            Pattern.EVENT_SPLITTING: lambda: split(judge),
            Pattern.AVOID_EXCEPTION: lambda: avoided(judge, candidates),
        }
