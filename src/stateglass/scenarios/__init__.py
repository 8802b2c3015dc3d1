"""Validates causal stories, finds steered witnesses, proposes stronger stories.

`language` has stories as values; `reading` and `writing` are their notation, `english` their sentences. `vocabulary`
holds their words against a model, `counting` says how often these come true. `meaning` says which runs show or refute
a relation; `validating` gives the verdict, `explaining` says why, and `formulas` has the claim for people to read.
`apart` takes actions and the changes that they lead to apart, to see whether a verdict rests on their being one step.

`witnesses` finds the run that a strategy chooses, `elaboration` stronger stories, and answers to questions with a
hole.
"""
