"""What a change of a model tells strategies for runs: which steps are new."""

from __future__ import annotations

from stateglass.evolution.new_steps import new_steps
from stateglass.evolution.pairing import Refusal, pairing
from stateglass.model import Model
from stateglass.scenarios.witnesses import NO_FACTS, Facts


def facts_of_change(old: Model, new: Model) -> Facts:
    """Which steps of the new model the old one does not have; nothing if it is not clear what belongs together."""
    pairs = pairing(old, new)
    steps = pairs if isinstance(pairs, Refusal) else new_steps(pairs)
    return NO_FACTS if isinstance(steps, Refusal) else Facts(steps.is_new, steps.new_variable_changes)
