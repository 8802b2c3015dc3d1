"""Can an error be reached? Engines take turns, and what they say counts when somebody else has found it right.

`deciding` asks the engines of `attempts`: `bmc` looks at ever longer runs (`unrolling`, `induction`), `spacer` for
invariants (`splitting`), and `abstraction/safety` at what predicates tell apart. Proofs are checked by a solver of its
own (`proofs`), walks by the reference semantics.
"""
