"""Decides claims where data is not bounded: by invariants, by long runs, by abstractions that refine themselves."""
