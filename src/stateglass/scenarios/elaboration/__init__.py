"""Proposes stronger stories: what else causes an effect, under which condition, by way of which event.

`search` runs the patterns, one after the other: `relations`, `weakening`, `splitting`, `intermediate`, `exceptions`
and `subsets`. They make stories of `candidates` and `conditions`, which are compared by their `extents`; `judging`
validates each once, `restricting` finds the weakest condition that makes a relation hold. `findings` is what they come
to, `stories` keeps it. `holes` and `formulas_with_holes` answer questions.
"""
