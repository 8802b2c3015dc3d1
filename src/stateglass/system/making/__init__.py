"""What the environment hands to an object and is no number: C++ text that makes it, with the values that bounds say."""
