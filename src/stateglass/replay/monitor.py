"""Follows a log through a model, and says where the log leaves it.

A log is accepted if some path of the model carries its events in their order, with silent steps anywhere in between.
Where a state was not explored, what is missing may carry any further event: after it, a log that leaves the model is
not rejected but left open.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

from stateglass.model import Model
from stateglass.replay.actions import Dictionary
from stateglass.replay.happenings import Happening, Reader, SystemCall
from stateglass.replay.subsets import MOST_BYTES, Subsets, final_states
from stateglass.work import Progress, silent

MOST_RECENT: Final = 3
"""How many events before the last one are told."""
MOST_STATES: Final = 3
"""How many of the states the model may be in are told."""
MOST_NAMES: Final = 1_000
"""How many names of unknown events are counted one by one."""

_REPORT_EVERY: Final = 1 << 14
_SHOWN_NAME: Final = 60


@final
@unique
class LogVerdict(Enum):
    """What became of a log."""

    ACCEPTED = "accepted"
    LEFT = "left"
    OPEN = "open"  # it leaves what is known of a partial model
    EMPTY = "empty"  # it has no event that the model knows
    INTERRUPTED = "interrupted"


@final
@unique
class Shortfall(Enum):
    """What the model lacks where the log leaves it."""

    LABEL = "label"  # it has no such action at all
    STEP = "step"  # it has, but not there
    END = "end"  # the log ends, and the model cannot


@final
@dataclass(frozen=True, slots=True)
class Course:
    """How far a log was followed, and where the model may be then."""

    line: int  # of the last event that was looked at; 0 if there was none
    events: int  # those that were followed
    states: tuple[int, ...]  # some of those the model may be in
    all_states: int
    allowed: tuple[str, ...]  # the visible actions it may do there
    may_end: bool
    recent: tuple[tuple[int, str], ...]  # the last events that it followed, with their lines
    unknown: tuple[tuple[str, int], ...]  # events that were left out, how often each, the most frequent first


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer; `line` is where the log leaves the model."""

    verdict: LogVerdict
    course: Course
    line: int | None = None
    event: str = ""
    shortfall: Shortfall | None = None
    advice: str = ""


@final
class Monitor:
    """Follows one log. What it holds does not grow with the log."""

    def __init__(
        self,
        model: Model,
        dictionary: Dictionary,
        *,
        ignore_unknown: bool = False,
        complete: bool = False,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._model = model
        self._dictionary = dictionary
        self._ignore_unknown = ignore_unknown
        self._complete = complete
        self._subsets = Subsets(model, most_bytes)
        self._at = self._subsets.start
        self._line = 0
        self._events = 0
        self._recent: deque[tuple[int, Happening]] = deque(maxlen=MOST_RECENT)
        self._unknown: Counter[str] = Counter()
        self._is_open = self._at.is_open  # it was at a state whose transitions are not all known

    def run(self, reader: Reader, lines: Iterator[tuple[int, str]], progress: Progress = silent) -> Outcome:
        """Reads until the log ends or leaves the model. An interruption is an answer, too: so far it did not leave."""
        try:
            outcome = self._follow(reader.read(lines), progress)
        except KeyboardInterrupt:
            return Outcome(LogVerdict.INTERRUPTED, self._course())
        return outcome or self._end()

    def _follow(self, happenings: Iterator[tuple[int, Happening]], progress: Progress) -> Outcome | None:
        translate, step, recent = self._dictionary.moves, self._subsets.step, self._recent
        may_open = not self._is_open and (self._model.partial or self._model.unexplored is not None)
        countdown = _REPORT_EVERY
        for line, happening in happenings:
            countdown -= 1
            if not countdown:
                countdown = _REPORT_EVERY
                progress("following the log", lines=line, events=self._events)
            moves = translate(happening)
            if moves is None:
                if not self._ignore_unknown:
                    return self._left(line, happening, Shortfall.LABEL)
                self._count(happening)
                continue
            if not moves:
                continue
            self._line = line
            for move in moves:
                reached = step(self._at, move)
                if reached is None:
                    return self._left(line, happening, Shortfall.STEP if move.labels else Shortfall.LABEL)
                self._at = reached
                if may_open and reached.is_open:
                    self._is_open, may_open = True, False
            self._events += 1
            recent.append((line, happening))
        return None

    def _end(self) -> Outcome:
        course = self._course()
        if not self._complete:
            return Outcome(LogVerdict.ACCEPTED if course.events else LogVerdict.EMPTY, course)
        if course.may_end:
            return Outcome(LogVerdict.ACCEPTED, course)
        verdict = LogVerdict.OPEN if self._is_open else LogVerdict.LEFT
        return Outcome(verdict, course, course.line or None, "", Shortfall.END)

    def _left(self, line: int, happening: Happening, shortfall: Shortfall) -> Outcome:
        course = self._course()
        advice = self._dictionary.advice(happening, course.allowed) if shortfall is Shortfall.LABEL else ""
        verdict = LogVerdict.OPEN if self._is_open else LogVerdict.LEFT
        return Outcome(verdict, course, line, str(happening), shortfall, advice)

    def _count(self, happening: Happening) -> None:
        name = happening.name if isinstance(happening, SystemCall) else str(happening)[:_SHOWN_NAME]
        if name not in self._unknown and len(self._unknown) >= MOST_NAMES:
            name = "…"
        self._unknown[name] += 1

    def _course(self) -> Course:
        states = self._at.states
        return Course(
            self._line,
            self._events,
            tuple(states[:MOST_STATES].tolist()),
            len(states),
            tuple(self._subsets.allowed(self._at)),
            bool(final_states(self._model)[states].any()),
            tuple((line, str(happening)) for line, happening in self._recent),
            tuple(self._unknown.most_common()),
        )
