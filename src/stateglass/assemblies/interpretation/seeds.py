"""What the control of a program depends on: the conditions that an abstraction of it had better begin with."""

from __future__ import annotations

from typing import Final

from stateglass.assemblies.interpretation.interpreting import Interpretation

LISTENING: Final = "listening"


def event_conditions(program: Interpretation, thread: str) -> tuple[str, ...]:
    """Which event a thread has taken."""
    return tuple(f"nextEvent == {number}" for number in range(program.choices.get(thread, 0)))


def is_listening(program: Interpretation, thread: str) -> bool:
    """Whether a thread knows whether it still waits for one."""
    return bool(program.choices.get(thread)) and not program.threads[thread].outside


def seeds(program: Interpretation) -> tuple[str, ...]:
    """Conditions on threads in the names of the program; states of statecharts are told apart without."""
    found = []
    for thread in program.threads:
        texts = event_conditions(program, thread)
        if is_listening(program, thread):
            texts = (*texts, f"{LISTENING} != 0")
        found += [f"{thread}::{text}" for text in texts]
    return tuple(found)
