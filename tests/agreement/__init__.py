"""The same questions about the examples, asked in all ways in which they can be asked."""
