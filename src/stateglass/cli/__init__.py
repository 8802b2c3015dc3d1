"""The command line: a face on the pipeline that no other room imports.

Each command is a module with a function of its arguments, its options, `out` and `err`, and the click command that
calls it; `table` lists them, and `main` imports the one that is called. The other modules are what commands share.
"""
