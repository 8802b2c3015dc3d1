"""Decides claims where data is not bounded: by invariants, by long runs, by abstractions that refine themselves.

A system comes as a flow (`explore/stretches`): rests, and stretches from one to the next, as formulas over bits. What
engines find in it are walks and proofs, told as `results`, all within one budget (`time`). From the bottom to the top:

- `walks` are rows of stretches with values that make them possible, made short and done again on the reference
  semantics.
- `abstraction` has abstract states, found when they are asked for, and ways to refine them.
- `reachability` asks whether an error can be reached: several engines in turn, `abstraction/safety` is one of them.
- `temporal` decides linear claims on abstractions.
- `threads` are functions that run at the same time.

The user's predicates are `given`, and `telling` says what comes out in the manner of C.
"""
