"""Walks through a flow: what holds along them (`paths`), made short (`shortening`), and done by the code (`executing`).

The environment does on the reference semantics what it does on the walk (`choices`). A walk that repeats itself goes on
for ever if what still changes (`drifting`) decides nothing.
"""
