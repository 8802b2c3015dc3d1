"""Lowers what C++ adds, to the nodes that C has: classes, objects and their lives, exceptions, lambdas, `new`."""
