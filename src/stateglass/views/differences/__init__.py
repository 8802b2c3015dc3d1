"""What became of a behaviour, for people, for programs, and for whoever reads a pull request."""
