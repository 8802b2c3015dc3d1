"""Compares what code did with what it does now: structures with differences, changes in words, what was expected."""
