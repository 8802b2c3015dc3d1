"""Lowers C: declarations, statements, expressions, and the extensions of gcc, to the nodes of a program."""
