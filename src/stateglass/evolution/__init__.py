"""Says what behaviour appeared, vanished or moved between two versions.

Which states are versions of one: `matching` compares values, `pairing` also the runs that lead to them, `likeness`
takes the most alike of several, `renaming` finds variables that have another name now.

What changed, in sentences: `visits` looks at calls from outside as single steps, and `outcomes` says what became of
each. `effects` are the values that they lead to, `circumstances` what was the case before; `describing` finds the
condition, which is made of `comparisons` that `covering` chooses. `telling` makes `changes` of all this.

Both as one: `structure` is a Kripke structure with differences, `independence` says whether a variable may be deleted,
`edits` makes a changed model from a list of edits. What a structure means is written down once more among the tests.

For those who ask: `observation` leaves of two models what somebody outside can tell apart, `expectations` takes out
what was declared. `showing` finds the run to a change, `graph` what a picture of it shows. `new_steps` and `reusing`
have what strategies for witnesses ask.
"""
