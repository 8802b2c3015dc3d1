"""Finitely many abstract states for unbounded data: what predicates tell apart, refined by runs that do not exist."""
