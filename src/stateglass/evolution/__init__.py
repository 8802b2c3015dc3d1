"""Says what behaviour appeared, vanished or moved between two versions.

`matching` and `pairing` say which states of two models are versions of one, `structure` keeps both as one Kripke
structure with differences, `taking_out` gives them back, `edits` makes one from a model and a list of edits. `visits`
looks at calls from outside as single steps, `changes` says what became of them, `describing` under which condition.
`new_steps` has what strategies for witnesses ask of the steps of the new model.

`observation` leaves of two models what somebody outside can tell apart, `expectations` takes out what was declared;
`showing` finds the run to a change, `graph` what a picture of it shows.
"""
