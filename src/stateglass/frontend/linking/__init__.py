"""Makes one program of several files: which definition counts, and what functions and variables are called in it."""
