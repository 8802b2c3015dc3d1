"""Linear formulas on models: automata, products, counterexamples."""
