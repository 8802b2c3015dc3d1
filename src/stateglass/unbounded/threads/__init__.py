"""Functions that run at the same time: each thread has models of its own, and only these are put together.

`systems` says what each thread runs, `alphabets` which events it knows and `parts` which models there are to put
together; `composing`, `joining` and `stepwise` do that, all at once or some at a time.

Where inputs have bounds, the models have all that threads can do (`explicit`, `stepped`). Where they have none,
`deciding` has an abstract model of each (`flows`, `preparing`, `abstract`) put together, `refining` those that do
what no code does. A run is followed again thread by thread, on the reference semantics (`expanding`, `following`,
`executing`, `meeting`).

Threads that share variables directly become one system instead, in which they take `turns`.
"""
