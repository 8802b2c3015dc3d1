"""What an answer consists of: verdicts, and the runs, valuations and places in the source that they rest on."""

from stateglass.evidence.reflexion import Condition, Edge, ReflexionModel, Result, StateFound, Witness

__all__ = ["Condition", "Edge", "ReflexionModel", "Result", "StateFound", "Witness"]
