"""What nodes of a program mean, written once: for whatever values are and however computations are kept."""
