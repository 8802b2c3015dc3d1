"""Functions that run at the same time: each thread has models of its own, and only these are put together."""
