"""Answers claims on models and on code; evidence is followed again, by the semantics and by the compiled code.

`answering` has models made for claims on code, no larger than the answers need (`grouping`, `turns`), and `checking`
asks the engines of `check`. `without_bounds` asks those that need no bounds, `both` splits claims between the two,
`threads` and `sharing` have functions that run at the same time. `scenarios` and `elaborating` do the same for
stories.

`confirming` follows the evidence again before anybody sees it: on the model, and on the reference semantics where
there is code. `scripts` and `replaying` bring a run to the compiled code, `compiled` does so for all that violate
something.
"""
