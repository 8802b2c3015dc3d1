"""Component designs interpreted as threads and processes, and answers turned back into the words of the design."""
