"""Decides claims where data is not bounded: by invariants, by long runs, by abstractions that refine themselves.

A system comes as a flow (`explore/stretches`): rests, and stretches from one to the next, as formulas over bits.

Can an error be reached? `deciding` asks the engines of `attempts` in turn, within one budget (`time`): `bmc` looks at
ever longer runs (`unrolling`, `induction`), `spacer` for invariants, `abstraction/safety` at what predicates tell
apart. They answer with `results`: a proof, which `proofs` checks by a solver of its own, or a walk. That is a row of
stretches with values that make it possible (`paths`), made short (`shortening`) and done again on the reference
semantics (`executing`). `telling` says what comes out in the manner of C.

`abstraction` has abstract states, found when they are asked for, and ways to refine them. Linear claims are decided
on them in `temporal`, functions that run at the same time in `threads`.
"""
