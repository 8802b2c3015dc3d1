"""Processes written by hand in the notation FSP: what a part of the surroundings accepts, and how it answers."""

from stateglass.system.fsp.actions import SUBJECT, TAU, Action, Kind, Name, String, Truth, Value, Whole
from stateglass.system.fsp.alphabet import Interface, Signature, alphabet, misfits
from stateglass.system.fsp.modelling import model_of
from stateglass.system.fsp.nodes import Pattern, Process
from stateglass.system.fsp.printer import process_text
from stateglass.system.fsp.reader import read_process, read_processes
from stateglass.system.fsp.running import State, offers, start, steps

__all__ = [
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
    "misfits",
    "model_of",
    "offers",
    "process_text",
    "read_process",
    "read_processes",
    "start",
    "steps",
]
