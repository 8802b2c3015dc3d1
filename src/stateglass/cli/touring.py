"""The steps of the tour: what is asked of the bundled program, and the command that answers it."""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, final

from stateglass.cli.console import Console
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame
from stateglass.cli.table import entry
from stateglass.source import InputError

if TYPE_CHECKING:  # pages bring what models need, and help must come at once
    from stateglass.views.page import Chapter

BUNDLED: Final = ("charger.c", "mended.c", "charger.machine", "stateglass.toml")
MODEL: Final = "model.sg"


@final
@dataclass(frozen=True, slots=True)
class Step:
    """A command as it is typed, the question before it, and how much of a long answer a terminal shows."""

    name: str  # stands before the names of its chapter
    heading: str
    question: str
    command: str
    first: int = 20
    last: int = 8
    may_fail: bool = False  # if what it needs is not on this machine

    @property
    def outputs(self) -> tuple[str, ...]:
        """The files that it writes."""
        words = shlex.split(self.command)
        return tuple(word for option, word in pairwise(words) if option == "-o")


STEPS: Final = (
    Step(
        "model-",
        "Extract: what can this code do?",
        "Every event, at any time, until nothing new happens. The picture of it is model.svg.",
        f"stateglass extract charger.c -o {MODEL} -o model.svg",
    ),
    Step(
        "machine-",
        "Reflect: is it the machine that we drew?",
        "charger.machine is a sketch from a whiteboard. What does the code have of it, and what else?",
        "stateglass reflect charger.machine -o reflexion.svg",
        first=3,
        last=27,
    ),
    Step(
        "claims-",
        "Check: does it keep what it promises?",
        "stateglass.toml has two claims: current flows only through a plug that is held, and nothing goes wrong.",
        "stateglass check charger.c -o evidence.json",
        first=7,
        last=12,
    ),
    Step(
        "replay-",
        "Replay: does the compiled code do that, too?",
        "The run is followed by the code as a compiler makes it, and both are compared.",
        "stateglass replay evidence.json",
        may_fail=True,
    ),
    Step(
        "change-",
        "Diff: what did the mend do?",
        "In mended.c faults are noted only while there is room, and the plug is let go of earlier. Is that all?",
        "stateglass diff charger.c mended.c -o changes.svg",
        first=11,
        last=5,
    ),
)
RESULTS: Final = tuple(output for step in STEPS for output in step.outputs)


@final
@dataclass(frozen=True, slots=True)
class Done:
    """What came of a step: what a terminal shows, and its chapter; without a status it was left out."""

    step: Step
    status: Exit | None
    lines: tuple[str, ...]
    chapter: Chapter


def carry_out(step: Step, tell: Console) -> Done:
    """The very command that is shown, in the current folder; `tell` is where its answer will be printed."""
    from stateglass.views.page import left_out

    program, verb, *arguments = shlex.split(step.command)
    found = entry(verb)
    assert program == "stateglass" and found is not None
    text = io.StringIO()
    console = replace(tell, stream=text)
    chapters: list[Chapter] = []
    frame = Frame(console, console, keep=lambda make: chapters.append(make(step.name)))
    try:
        with found.command().make_context(verb, arguments, obj=frame) as context:
            status = Exit(context.command.invoke(context))
    except InputError as error:
        if not step.may_fail:
            raise
        reason = error.diagnostics[0].message
        return Done(step, None, (f"left out: {reason}",), left_out(reason, step.name))
    # A line of progress is written over by what comes after it.
    lines = [line.rpartition("\r")[2] for line in text.getvalue().splitlines()]
    if not chapters:
        return Done(step, status, tuple(lines), left_out("it was interrupted", step.name))
    return Done(step, status, tuple(lines), chapters[0])


def shortened(done: Done) -> Iterator[str]:
    """The first and the last lines of what a command printed, and how many there are between them."""
    step, lines = done.step, done.lines
    between = len(lines) - step.first - step.last
    if between <= 1:
        yield from lines
        return
    yield from lines[: step.first]
    yield f"… {between} more lines"
    yield from lines[-step.last :]
