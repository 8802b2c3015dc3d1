"""Threads that share variables directly, as one program in which they take turns."""
