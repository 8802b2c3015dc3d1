"""Component designs interpreted as threads and processes, and answers turned back into the words of the design.

From text to a design: `syntax` has its notation, `ccl` makes nodes of it and prints them again, `charts` make them of
state diagrams. `validation` says what is wrong with a design, or odd.

`interpretation` makes a program of it, in C and FSP, with its claims; `telling` says in the words of the design what
was found out about that, and `ccl/writing_back` puts it beside the claims.

`consistency` holds a component against code that somebody has written for it.
"""
