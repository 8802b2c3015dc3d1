"""Linear formulas on models: automata, products, counterexamples.

A formula is negated and brought into normal form (`normal`, `terms`), translated into an automaton (`translation`,
`automaton`) over the letters that the model has (`alphabet`), and the product of both is searched for an accepted run
(`product`, `search`). A run that is found is checked by the meaning of the formula alone (`lassos`) before it is shown.
"""

from stateglass.check.ltl.deciding import decide_ltl

__all__ = ["decide_ltl"]
