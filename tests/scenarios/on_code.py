"""Random stories of random C functions: silent steps that run as one make no difference that is not told."""

from __future__ import annotations

import random
import re
import tempfile
from pathlib import Path
from typing import Final

from stateglass.answers.scenarios import Telling
from stateglass.evidence import Verdict
from stateglass.options.settings import settings
from stateglass.pipeline import tell_program
from stateglass.scenarios.language import Story
from stateglass.scenarios.reading import read_story
from tests.fuzz.claims.steppers import INPUTS, Stepper, random_predicate, random_stepper, text_of

STORIES: Final = 8
_REMARK: Final = re.compile(r"count as two steps \(--steps all\), it is (\w+)\.")


def code(seed: int) -> tuple[Verdict, str | None]:
    """The verdicts on a C function, with what is said of `--steps all`, against those with `--steps all`."""
    chance = random.Random(seed)
    stepper = random_stepper(chance)
    lines = [_story(chance, stepper) for _ in range(STORIES)]
    story = read_story("\n".join(lines), "random.scenarios")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "step.c"
        file.write_text(stepper.code, encoding="utf-8")
        merged, every = (_told(file, stepper, story, steps) for steps in ("merged", "all"))
    for one, two in zip(merged.told, every.told, strict=True):
        remark = _REMARK.search(one.answer.explanation)
        said = one.answer.verdict.value if remark is None else remark[1]
        if said != two.answer.verdict.value:
            told = f"{seed}: {one.answer.verdict.value} and {said} by step, {two.answer.verdict.value} with all steps"
            return one.answer.verdict, f"{told}\n{one.scenario.text}\n{stepper.code}"
        for answer in (one.answer, two.answer):
            if answer.evidence is not None and answer.confirmed_by not in ((), ("reference",)):
                return one.answer.verdict, f"{seed}: a run was not executed again: {one.scenario.text}"
    return merged.told[0].answer.verdict, None


def _told(file: Path, stepper: Stepper, story: Story, steps: str) -> Telling:
    functions = tuple(name for name, _ in stepper.bodies)
    cli = {"files": (str(file),), "functions": functions, "bounds": (f"step.u=0..{INPUTS - 1}",), "steps": steps}
    chosen, _ = settings({**cli, "flags": ()}, None, None)
    return tell_program(chosen, story.vocabulary, story.scenarios).telling


def _story(chance: random.Random, stepper: Stepper) -> str:
    def condition() -> str:
        return text_of(random_predicate(chance, stepper))

    def event() -> str:
        actions = ["call(step, *)", "call(step, 1)", "return(step)", "init"]
        changes = [f"rises({condition()})", f"falls({condition()})", f"changes({chance.choice(stepper.names)})"]
        found = chance.choice(actions + changes)
        return f"{found} when ({condition()})" if chance.random() < 0.2 else found

    relation = chance.choice(("~>", "->", "<-", "<<-", "<->"))
    text = f"{event()} {relation} {event()}"
    text = f"while ({condition()}): {text}" if chance.random() < 0.3 else text
    text = f"{text} unless {event()}" if chance.random() < 0.3 else text
    scopes = (f" after {event()}", f" before [{condition()}]", f" between {event()} and {event()}")
    return text + chance.choice(scopes) if chance.random() < 0.4 else text
