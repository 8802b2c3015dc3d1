"""Processes written by hand in the notation FSP: what a part of the surroundings accepts, and how it answers."""

from stateglass.system.fsp.actions import SUBJECT, TAU, Action, Kind, Name, String, Truth, Value, Whole
from stateglass.system.fsp.nodes import Process
from stateglass.system.fsp.printer import process_text
from stateglass.system.fsp.reader import read_process, read_processes
from stateglass.system.fsp.running import State, offers, start, steps

__all__ = [
    "SUBJECT",
    "TAU",
    "Action",
    "Kind",
    "Name",
    "Process",
    "State",
    "String",
    "Truth",
    "Value",
    "Whole",
    "offers",
    "process_text",
    "read_process",
    "read_processes",
    "start",
    "steps",
]
