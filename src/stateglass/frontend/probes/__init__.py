"""Text of ours that is read with a file of the user: expressions to look at, and objects to hand over."""
