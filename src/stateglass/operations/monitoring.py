"""From a model and a log to where the log leaves the model."""

from __future__ import annotations

from dataclasses import dataclass
from io import BufferedIOBase
from typing import final

from stateglass.model import Model
from stateglass.relate import Pattern, relabel
from stateglass.replay import (
    Alphabet,
    Dictionary,
    Extractor,
    Mapping,
    Match,
    Monitor,
    PlainReader,
    StraceReader,
    lines_of,
)
from stateglass.replay import LogVerdict as LogVerdict
from stateglass.replay import Outcome as Outcome
from stateglass.replay import Shortfall as Shortfall
from stateglass.source import Code, input_error
from stateglass.work import Progress, silent

LOG_FORMATS = ("plain", "strace")
MATCHES = tuple(match.value for match in Match)


@final
@dataclass(frozen=True, slots=True)
class LogOptions:
    """How a log is to be read and held against a model; `match` is `text` for plain logs and `name` for strace's.

    What matches `hide` is an action that the log does not record.
    """

    format: str = "plain"
    hide: tuple[str, ...] = ()
    match: str | None = None
    mappings: tuple[str, ...] = ()
    event: str | None = None
    process: int | None = None
    ignore_unknown: bool = False
    complete: bool = False


@final
@dataclass(frozen=True, slots=True)
class Monitoring:
    """Where a log leaves a model, and what else was seen of the log."""

    outcome: Outcome
    skipped: int  # lines that say nothing
    processes: tuple[int, ...]  # those that strace numbered


def monitor_log(
    model: Model, log: BufferedIOBase, name: str, wanted: LogOptions, progress: Progress = silent
) -> Monitoring:
    """From a model and a log to whether the log is a run of the model, and if not, where it leaves it."""
    strace = wanted.format == "strace"
    match = Match(wanted.match or ("name" if strace else "text"))
    if strace and match is Match.TEXT:
        raise input_error(Code.USAGE, "what strace writes is no text of actions", help="use --match name or arguments")
    if strace and wanted.event is not None:
        raise input_error(Code.USAGE, "--event is for plain logs; strace's lines are understood as they are")
    if not strace and wanted.process is not None:
        raise input_error(Code.USAGE, "--pid is for logs of strace", help="add --log-format strace")
    hidden = [Pattern.of(text) for text in wanted.hide]
    # No system call is made where `main` begins.
    hidden += [Pattern.of(r"re:(?:call|return)\(main(?:, .*)?\)")] if strace else []
    model = relabel(model, hidden, []) if hidden else model
    alphabet = Alphabet(model.labels)
    mappings = [Mapping.of(text) for text in wanted.mappings]
    dictionary = Dictionary(alphabet, match, mappings, complete=wanted.complete)
    # Lines become what happened, this becomes moves of the model, and the model is followed until it cannot move.
    extractor = None if wanted.event is None else Extractor.of(wanted.event)
    reader = StraceReader(name, wanted.process) if strace else PlainReader(alphabet.by_text, extractor)
    monitor = Monitor(model, dictionary, ignore_unknown=wanted.ignore_unknown, complete=wanted.complete)
    outcome = monitor.run(reader, lines_of(log, name), progress)
    processes = tuple(reader.processes) if isinstance(reader, StraceReader) else ()
    return Monitoring(outcome, reader.skipped, processes)
