"""The door to clang: what it says of a file, also what its Python binding hides."""
