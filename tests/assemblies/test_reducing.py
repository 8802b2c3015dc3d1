"""The law of putting threads together block by block: what is reduced on the way changes no verdict."""

from __future__ import annotations

from collections import Counter

from stateglass.answers.claims import names_asked
from stateglass.check.deciding import decide
from stateglass.evidence import Verdict
from stateglass.explore import Manner
from stateglass.operations.designs import HowChecked, programs_and_claims, setting_of
from stateglass.source import InputError
from stateglass.unbounded.threads.by_blocks import interest_of
from stateglass.unbounded.threads.explicit import LEAST_TOGETHER, Explorer
from stateglass.unbounded.threads.systems import thread_systems
from stateglass.unbounded.threads.wholes import whole_of
from stateglass.work import silent
from tests.assemblies.charts import TooLong
from tests.assemblies.exploring import TooLarge, model
from tests.assemblies.generator import random_design
from tests.fuzz.assemblies_agreement import system_of
from tests.fuzz.assemblies_claims import random_claims


def test_blocks_that_are_reduced_are_as_good_as_all_states() -> None:
    verdicts = Counter[Verdict]()
    fewer = 0
    for seed in range(16):
        design = random_design(seed)
        try:
            texts = random_claims(seed, design, model(system_of(design)[1], most=300))
            ((program, asked),) = programs_and_claims(design, HowChecked(claims=texts))
        except (TooLarge, TooLong, InputError):
            continue
        setting = setting_of(program)
        explorer = Explorer(setting.threads, thread_systems(setting, open=False), silent)
        for claim in (one.translated for one in asked):
            interest = interest_of(claim)
            ready = explorer.ready(Manner(), names_asked([claim]), partly=False)
            assert interest is not None
            assert ready is not None
            plain = ready.together(LEAST_TOGETHER, silent).composition.model
            by_steps = whole_of(ready.team, interest, LEAST_TOGETHER, silent, ready.aliases, at_once=1)
            assert by_steps is not None
            meant, found = (decide(claim, one).verdict for one in (plain, by_steps.model))
            assert meant is found, (seed, claim.title)
            verdicts[meant] += 1
            fewer += by_steps.model.states < plain.states
    assert min(verdicts[Verdict.HOLDS], verdicts[Verdict.VIOLATED]) >= 8, verdicts
    assert fewer >= 12
