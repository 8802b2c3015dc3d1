"""Code as segments of Python functions over the cells, for exact and for abstract values."""
