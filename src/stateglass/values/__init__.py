"""The value domains: concrete machine integers and IEEE floats, the C Wolf abstractions, SMT terms."""

from stateglass.program.faults import FaultKind
from stateglass.values.concrete import Concrete
from stateglass.values.domain import Domain, Fault

__all__ = ["Concrete", "Domain", "Fault", "FaultKind"]
