"""What depends on what: control and data dependence, within functions and through calls.

`Dependences` answers for whole programs: which nodes depend on what a variable holds when a function is called. It is
a forward slice (Weiser, *Program slicing*, 1981) of the program dependence graph, in the manner of Horwitz, Reps and
Binkley, *Interprocedural slicing using dependence graphs*, TOPLAS 1990: calls are looked through by summaries, so that
what goes in at one call does not come out at another.
"""

from stateglass.program.dependence.leaves import Leaf, Memory, Root, RootKind
from stateglass.program.dependence.whole import Dependences, Influence, NodePlace

__all__ = ["Dependences", "Influence", "Leaf", "Memory", "NodePlace", "Root", "RootKind"]
