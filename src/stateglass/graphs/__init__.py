"""Graphs of bare numbers: strongly connected components, what can be reached, shortest ways; large ones compiled."""
