"""The command line: a face on the pipeline that no other room imports."""
