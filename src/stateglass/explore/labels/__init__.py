"""What a label map calls the steps of a program."""
