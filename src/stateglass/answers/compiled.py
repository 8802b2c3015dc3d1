"""What the compiled code says to the runs of violated claims: all of them are driven in one folder."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path as Folder
from typing import Final

from stateglass.answers.checking import Checked, Checking
from stateglass.answers.confirming import Explored
from stateglass.answers.replaying import evidence_of, replay
from stateglass.evidence import Graph, Path, Verdict
from stateglass.replay.driving.failures import Outcome
from stateglass.replay.driving.running import Compiling, Workshop, find_compiler
from stateglass.replay.driving.spelling import why_refused
from stateglass.source import InputError, as_sentence
from stateglass.unbounded.time import Deadline
from stateglass.work import OutOfTime, Progress
from stateglass.work.in_time import in_time

MOST_SECONDS: Final = 10.0
"""So long a driver may run."""
NO_TIME: Final = "there was not enough time (--timeout)"
MOST_STEPS: Final = 10_000
"""A driver for a longer run takes long to compile."""


def with_compiled(
    checking: Checking,
    explored: Callable[[Checked], Explored],
    how: Callable[[], Compiling],
    time: Deadline,
    progress: Progress,
) -> Checking:
    """The answers with what the compiled code says to the runs that violate something; Ctrl-C leaves out the rest.

    Without a compiler, or if somebody does not want to wait, nothing is said. `explored`: what a run is one of.
    """
    if checking.interrupted or not any(map(_is_asked, checking.checked)) or not _has_compiler():
        return checking
    checked = list(checking.checked)
    # What cannot be cleared away must not cost the answers.
    with tempfile.TemporaryDirectory(prefix="stateglass-", ignore_cleanup_errors=True) as folder:
        workshop: Workshop | None = None
        for number, one in enumerate(checked):
            if not _is_asked(one):
                continue
            try:
                workshop = workshop or Workshop(Folder(folder), how(), time.late)
                outcome = in_time(time.late(), _outcome, one, explored(one), workshop, time, progress)
            except OutOfTime:
                outcome = Outcome(None, NO_TIME)
            except InputError as error:
                outcome = Outcome(None, why_refused(error))
            except KeyboardInterrupt:
                return replace(checking, checked=tuple(checked), interrupted=True)
            checked[number] = _told(one, outcome)
    return replace(checking, checked=tuple(checked))


def _has_compiler() -> bool:
    try:
        find_compiler(None)
    except InputError:
        return False
    return True


def _is_asked(checked: Checked) -> bool:
    """Whether there is something that the compiled code could do."""
    answer = checked.answer
    return answer.verdict is Verdict.VIOLATED and "reference" in answer.confirmed_by


def _told(checked: Checked, outcome: Outcome) -> Checked:
    """The answer with what the compiled code says to its run."""
    answer = checked.answer
    if outcome.confirmed:
        answer = replace(answer, confirmed_by=(*answer.confirmed_by, "replay"))
    elif outcome.confirmed is None:
        answer = replace(answer, not_replayed=outcome.reason)
    else:
        words = as_sentence(f"the compiled code does something else: {outcome.reason}")
        answer = replace(answer, explanation=f"{answer.explanation} {words}".strip())
    return replace(checked, answer=answer)


def _outcome(checked: Checked, explored: Explored, workshop: Workshop, time: Deadline, progress: Progress) -> Outcome:
    match checked.answer.evidence:
        case Path() as path:
            why = _too_much(path, time)
        case Graph():
            why = "it is more than one run"
        case _:
            why = "there is no run"
    if why:
        return Outcome(None, why)
    return replay(evidence_of(checked), checked.claim, explored, workshop, MOST_SECONDS, progress).outcome


def _too_much(path: Path, time: Deadline) -> str:
    if time.is_over():
        return NO_TIME
    return f"it has more than {MOST_STEPS:,} steps" if len(path.steps) > MOST_STEPS else ""
