"""Holds what a real run recorded against a model: logs of events and of system calls.

A log is read line by line and never held as a whole: `lines` cuts it, `plain` and `strace` say what happened, `actions`
finds the model's labels for it, `subsets` moves through the model, and `monitor` gives the answer.
"""

from stateglass.replay.actions import Alphabet, Dictionary, Mapping, Match
from stateglass.replay.happenings import End, Happening, Killed, Signal, SystemCall
from stateglass.replay.lines import MOST_LINE_BYTES, lines_of
from stateglass.replay.monitor import Course, LogVerdict, Monitor, Outcome, Shortfall
from stateglass.replay.plain import Extractor, PlainReader
from stateglass.replay.strace import StraceReader
from stateglass.replay.subsets import Subsets

__all__ = [
    "MOST_LINE_BYTES",
    "Alphabet",
    "Course",
    "Dictionary",
    "End",
    "Extractor",
    "Happening",
    "Killed",
    "LogVerdict",
    "Mapping",
    "Match",
    "Monitor",
    "Outcome",
    "PlainReader",
    "Shortfall",
    "Signal",
    "StraceReader",
    "Subsets",
    "SystemCall",
    "lines_of",
]
