"""Proposes an abstraction map: the constants that the code compares a variable with say where to cut its values."""

from stateglass.system.proposing.proposal import Proposal, propose_abstractions

__all__ = ["Proposal", "propose_abstractions"]
