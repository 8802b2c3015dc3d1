"""Linear formulas on models: automata, products, counterexamples."""

from stateglass.check.ltl.deciding import decide_ltl

__all__ = ["decide_ltl"]
