"""Puts a run onto the real code: a driver in C that does what the environment did, and compares what the code does."""
