"""Processes written by hand in the notation FSP: what a part of the surroundings accepts, and how it answers.

Read one, ask `misfits` whether it fits what it stands for, and `start` it. In a state, `offers` says where an action
leads that somebody else does (calls, stores; for what the process has asked of its subject: returns, throws, loads),
and `steps` what the process does by itself. A state is a value: keep it, compare it, go on from it as often as you
like. If it has `failed`, the process is in error.
"""

from stateglass.system.fsp.actions import SUBJECT, TAU, Action, Kind, Name, String, Truth, Value, Whole
from stateglass.system.fsp.alphabet import Interface, Signature, alphabet, misfits
from stateglass.system.fsp.nodes import Pattern, Process
from stateglass.system.fsp.printer import process_text
from stateglass.system.fsp.reader import read_process, read_processes
from stateglass.system.fsp.running import IN_ERROR, State, everything, offers, start, steps

__all__ = [
    "IN_ERROR",
    "SUBJECT",
    "TAU",
    "Action",
    "Interface",
    "Kind",
    "Name",
    "Pattern",
    "Process",
    "Signature",
    "State",
    "String",
    "Truth",
    "Value",
    "Whole",
    "alphabet",
    "everything",
    "misfits",
    "offers",
    "process_text",
    "read_process",
    "read_processes",
    "start",
    "steps",
]
