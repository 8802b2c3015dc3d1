"""Run as a program of its own: lays out the DOT on standard input and prints the picture; its argument is the format.

A process of its own can be interrupted, and neither Graphviz' warnings nor its crashes reach the user.
"""

from __future__ import annotations

import sys


def main() -> None:
    import pygraphviz

    graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode("utf-8"))
    sys.stdout.buffer.write(graph.draw(format=sys.argv[1], prog="dot"))


if __name__ == "__main__":
    main()
