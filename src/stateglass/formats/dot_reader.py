"""Reads state diagrams in DOT: directed graphs of nodes and labelled edges, as our writer and other tools draw them.

A node that is drawn as a point or invisible, or is called `__init…`, and that no edge enters, marks the initial
state by the edge that leaves it, which has no label if the name is all there is. Without one the first node is the
initial state. A doubly circled node that no edge leaves is a normal end. An edge without a label is silent; each line
of a label is one transition. What is not drawn is left out, and an edge that is drawn backwards is turned round; both
is said. In a chart, a cluster is a state with states inside.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import final

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from stateglass.formats.assemble import from_graph
from stateglass.formats.files import decode
from stateglass.formats.marks import Marks, check_marks, left_out, marked, read_marks, words_for
from stateglass.formats.names import character
from stateglass.formats.problems import Problems
from stateglass.model import TAU, Model
from stateglass.model.chart import Arrow, Chart, ChartState
from stateglass.source import Code, Span, counted, input_error

MOST_NESTING = 50
MOST_EDGES = 2_000_000

_GRAMMAR = r"""
start: STRICT? (DIGRAPH | GRAPH) id? block
block: "{" _item* "}"
_item: statement | ";"
?statement: edges | node | defaults | assignment | subgraph
node: _node_id _attributes*
edges: _endpoint ((ARROW | LINE) _endpoint)+ _attributes*
_endpoint: _node_id | subgraph
subgraph: (SUBGRAPH id?)? block
defaults: (GRAPH | NODE | EDGE) _attributes+
assignment: id "=" id
_node_id: id | id port
port: (":" id)+
_attributes: "[" (attribute | ";" | ",")* "]"
attribute: id ("=" id)?
?id: NAME | NUMBER | QUOTED | joined
joined: QUOTED ("+" QUOTED)+

STRICT.2: /strict(?![A-Za-z0-9_])/i
DIGRAPH.2: /digraph(?![A-Za-z0-9_])/i
GRAPH.2: /graph(?![A-Za-z0-9_])/i
SUBGRAPH.2: /subgraph(?![A-Za-z0-9_])/i
NODE.2: /node(?![A-Za-z0-9_])/i
EDGE.2: /edge(?![A-Za-z0-9_])/i
ARROW.3: "->"
LINE.3: "--"
NAME: /[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*/
NUMBER: /-?(\.[0-9]+|[0-9]+(\.[0-9]*)?)/
QUOTED: /"(?:[^"\\]|\\[\s\S])*"/
COMMENT: /\/\/[^\n]*/ | /\/\*[\s\S]*?\*\// | /^#[^\n]*/m
%ignore COMMENT
%ignore /[\s\x00\ufeff]+/
"""

_COMMENT = re.compile(r"[ \t]*//(.*)")
_Node = Tree[Token]
_Attributes = dict[str, str]
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|(amp|lt|gt|quot|apos));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_QUOTE = re.compile(r'\\(["\\])')
_ESCAPE = re.compile(r"\\([\s\S])|\n")
# What draws nothing when it stands alone; other blanks, and entities for any, may be a label.
_BLANK = " \t\r\v\f"


@final
@dataclass
class _Cluster:
    """A subgraph that is drawn as a box."""

    parent: str | None
    label: str = ""


@final
@dataclass
class _Graph:
    """A graph as far as it was read."""

    problems: Problems
    nodes: dict[str, _Attributes] = field(default_factory=dict)
    edges: list[tuple[str, str, _Attributes]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # of the edges
    clusters: dict[str, _Cluster] = field(default_factory=dict)
    inside: dict[str, str | None] = field(default_factory=dict)  # by node: the innermost cluster


@final
@dataclass
class _Scope:
    """The default attributes that hold inside one pair of braces, and the nodes named there."""

    node: _Attributes
    edge: _Attributes
    named: list[str] = field(default_factory=list)
    cluster: str | None = None


def parse(data: bytes, name: str) -> Model:
    text = decode(data, name)
    graph = _graph(text, name)
    # Our own marks stand on lines of their own.
    lines = enumerate(text.split("\n"), start=1)
    comments = [(number, match[1]) for number, line in lines if (match := _COMMENT.match(line))]
    return _model(graph, read_marks(comments, graph.problems))


def parse_chart(data: bytes, name: str) -> Chart:
    return _chart(_graph(decode(data, name), name))


def _graph(text: str, name: str) -> _Graph:
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        line, column = _position(error)
        found = "the end of the file" if line == 0 or _at_end(error) else f"`{_found(text, error)}`"
        message = f"{found} is not expected here"
        help = "an HTML-like label `<…>` is not read; use a quoted one" if found == "`<`" else ""
        raise input_error(Code.SYNTAX, message, Span.at(name, line, column), help) from None
    graph = _Graph(Problems(name))
    head = tree.children[:-1]
    if any(isinstance(token, Token) and token.type == "GRAPH" for token in head):
        graph.problems.add("an undirected graph is no state machine", 1, help="write `digraph` and `->`")
        graph.problems.stop()
    _block(_tree(tree.children[-1]), _Scope({}, {}), graph, 1)
    graph.problems.stop_if_any()
    return graph


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr")


def _block(block: _Node, scope: _Scope, graph: _Graph, depth: int) -> None:
    for statement in map(_tree, block.children):
        match statement.data:
            case "node":
                _add_node(_name(statement.children[0]), _attributes(statement.children), scope, graph)
            case "edges":
                _edges(statement, scope, graph, depth)
            case "subgraph":
                _subgraph(statement, scope, graph, depth)
            case "defaults":
                kind = str(statement.children[0]).lower()
                if kind == "graph":
                    _label_cluster(_attributes(statement.children).get("label"), scope, graph)
                else:
                    target = scope.node if kind == "node" else scope.edge
                    target.update(_attributes(statement.children))
            case "assignment":
                key, value = (_text(child) for child in statement.children)
                _label_cluster(value if key.lower() == "label" else None, scope, graph)
            case other:
                raise AssertionError(other)


def _subgraph(subgraph: _Node, scope: _Scope, graph: _Graph, depth: int) -> list[str]:
    if depth >= MOST_NESTING:
        graph.problems.add(f"braces are nested more than {MOST_NESTING} deep")
        graph.problems.stop()
    inner = _Scope(dict(scope.node), dict(scope.edge), cluster=scope.cluster)
    names = [_name(c) for c in subgraph.children[:-1] if not (isinstance(c, Token) and c.type == "SUBGRAPH")]
    if names and names[0].startswith("cluster"):
        inner.cluster = names[0]
        graph.clusters.setdefault(names[0], _Cluster(scope.cluster))
    _block(_tree(subgraph.children[-1]), inner, graph, depth + 1)
    scope.named += inner.named
    return list(dict.fromkeys(inner.named))


def _edges(statement: _Node, scope: _Scope, graph: _Graph, depth: int) -> None:
    attributes = {**scope.edge, **_attributes(statement.children)}
    ends: list[list[str]] = []
    for part in statement.children:
        if isinstance(part, Token) and part.type == "LINE":
            graph.problems.add("an undirected edge in a directed graph", part.line or 0, part.column or 0)
        elif isinstance(part, Tree) and part.data == "subgraph":
            ends.append(_subgraph(part, scope, graph, depth))
        elif isinstance(part, Tree) and part.data in ("attribute", "port"):
            continue
        elif isinstance(part, Tree) or part.type != "ARROW":
            name = _name(part)
            _add_node(name, {}, scope, graph)
            ends.append([name])
    for sources, targets in itertools.pairwise(ends):
        if len(graph.edges) + len(sources) * len(targets) > MOST_EDGES:
            message = f"the graph has more than {MOST_EDGES} edges"
            graph.problems.add(message, code=Code.TOO_LARGE)
            graph.problems.stop()
        graph.edges += [(source, target, attributes) for source in sources for target in targets]
        graph.lines += [_line(statement)] * (len(sources) * len(targets))


def _add_node(name: str, attributes: _Attributes, scope: _Scope, graph: _Graph) -> None:
    if name not in graph.nodes:
        graph.nodes[name] = dict(scope.node)
    graph.nodes[name].update(attributes)
    scope.named.append(name)
    if name not in graph.inside or graph.inside[name] in _around(scope.cluster, graph):
        graph.inside[name] = scope.cluster


def _around(cluster: str | None, graph: _Graph) -> list[str | None]:
    """A cluster, the one around it, and so on; a node is in the innermost one that mentions it."""
    found: list[str | None] = [cluster]
    while found[-1] is not None:
        found.append(graph.clusters[found[-1]].parent)
    return found


def _label_cluster(label: str | None, scope: _Scope, graph: _Graph) -> None:
    if scope.cluster is not None and label is not None:
        graph.clusters[scope.cluster].label = " ".join(_lines_of(label))


def _line(statement: _Node) -> int:
    token = next(iter(statement.scan_values(lambda t: isinstance(t, Token))), None)
    return (token.line or 0) if token is not None else 0


def _attributes(children: list[_Node | Token]) -> _Attributes:
    found: _Attributes = {}
    for attribute in children:
        if isinstance(attribute, Tree) and attribute.data == "attribute":
            ids = [_text(child) for child in attribute.children]
            found[ids[0].lower()] = ids[1] if len(ids) > 1 else "true"
    return found


def _as_drawn(graph: _Graph) -> tuple[Counter[str], int]:
    """Leaves out what is not drawn and turns round what is drawn backwards; returns what and how many that was."""
    left_out_of: Counter[str] = Counter()
    turned = 0
    edges: list[tuple[str, str, _Attributes]] = []
    lines: list[int] = []
    for (source, target, attributes), line in zip(graph.edges, graph.lines, strict=True):
        direction = attributes.get("dir", "forward").lower()
        if _is_invisible(attributes):
            left_out_of["invisible edge"] += 1
            continue
        if direction != "back":
            edges.append((source, target, attributes))
            lines.append(line)
        if direction in ("back", "both"):
            borders = {"ltail": attributes.get("lhead", ""), "lhead": attributes.get("ltail", "")}
            edges.append((target, source, {**attributes, **borders}))
            lines.append(line)
            turned += 1
        left_out_of["edge that shows no direction"] += direction == "none"
    connected = {name for source, target, _ in edges for name in (source, target)}
    idle = [name for name, a in graph.nodes.items() if _is_invisible(a) and name not in connected]
    left_out_of["invisible node"] = len(idle)
    for name in idle:
        del graph.nodes[name]
    graph.edges[:] = edges
    graph.lines[:] = lines
    return left_out_of, turned


def _marks(graph: _Graph) -> tuple[set[str], int]:
    """The nodes that stand for no state but show which one is initial, and how many of their edges have a label."""
    entered = {target for _, target, _ in graph.edges}
    labelled = {source for source, _, attributes in graph.edges if attributes.get("label")}
    first = {source for source, _, _ in graph.edges} - entered
    marks = {n for n, a in graph.nodes.items() if n in first and _is_mark(n, a, n in labelled)}
    return marks, sum(source in marks and bool(attributes.get("label")) for source, _, attributes in graph.edges)


def _chart(graph: _Graph) -> Chart:
    problems = graph.problems
    left_out_of, _ = _as_drawn(graph)
    marks, _ = _marks(graph)
    called = {c: cluster.label or c.removeprefix("cluster").lstrip("_") or c for c, cluster in graph.clusters.items()}
    nodes = [n for n in graph.nodes if n not in marks]
    for name in sorted(set(called.values())):
        if name in nodes or list(called.values()).count(name) > 1:
            problems.add(f"there are two states `{name[:40]}`", code=Code.MODEL)
    if not nodes:
        problems.add("the graph has no states", 1, code=Code.MODEL)
    parents = {called[c]: called.get(cluster.parent or "") for c, cluster in graph.clusters.items()}
    parents |= {name: called.get(graph.inside[name] or "") for name in nodes}
    edges = [_between(called, edge) for edge in graph.edges]
    initial = {target for source, target, _ in edges if source in marks}
    for parent in dict.fromkeys(parents[name] for name in sorted(initial)):
        if sum(parents[name] == parent for name in initial) > 1:
            where = "the graph" if parent is None else f"`{parent[:40]}`"
            problems.add(f"{where} has several initial states", code=Code.MODEL)
    problems.stop_if_any()
    texts = {n: " ".join(_lines_of(graph.nodes[n].get("label", "\\N").replace("\\N", n))) for n in nodes}
    states = [
        ChartState(name, text if (text := texts.get(name, name)) != name else "", parent, name in initial)
        for name, parent in parents.items()
    ]
    arrows = [
        Arrow(source, target, label, line)
        for (source, target, attributes), line in zip(edges, graph.lines, strict=True)
        if source not in marks
        for label in _lines_of(attributes.get("label", "")) or [""]
    ]
    return Chart(problems.name, tuple(states), tuple(arrows), left_out=words_for(left_out_of))


def _between(called: dict[str, str], edge: tuple[str, str, _Attributes]) -> tuple[str, str, _Attributes]:
    """An edge with its ends: one that is drawn to the border of a box belongs to that."""
    source, target, attributes = edge
    ends = called.get(attributes.get("ltail", ""), source), called.get(attributes.get("lhead", ""), target)
    return (*ends, attributes)


def _model(graph: _Graph, found: Marks) -> Model:
    left_out_of, turned = _as_drawn(graph)
    marks, named = _marks(graph)
    names = [name for name in graph.nodes if name not in marks]
    entries = list(dict.fromkeys(target for source, target, _ in graph.edges if source in marks))
    if not names:
        graph.problems.add("the graph has no states", 1, code=Code.MODEL)
    if len(entries) > 1:
        shown = ", ".join(f"`{entry[:40]}`" for entry in entries[:5])
        graph.problems.add(f"the graph has {len(entries)} initial states: {shown}", 1, code=Code.MODEL)
    check_marks(found, frozenset(names), graph.problems)
    graph.problems.stop_if_any()
    initial = entries[0] if entries else names[0]
    rows = [
        (source, label, target)
        for source, target, attributes in graph.edges
        if source not in marks
        for label in _labels(attributes.get("label", ""))
    ]
    going = {source for source, _, _ in rows}
    terminal = [name for name in names if graph.nodes[name].get("shape") == "doublecircle" and name not in going]
    model, numbers = from_graph(names, initial, rows, terminal, "")
    described = sum(_described(name, graph.nodes[name]) for name in names)
    unread = {"text of a node other than its name": described, "text of the edge to the initial state": named}
    backward = f"read from DOT with {counted(turned, 'edge')} that `dir` turns round"
    said = (*left_out("DOT", left_out_of), *([backward] if turned else []), *left_out("DOT", unread))
    return marked(model, found, numbers, said)


def _described(name: str, attributes: _Attributes) -> bool:
    text = attributes.get("label", "\\N")
    return text not in ("\\N", "") and _labels(text) != [name]


def _is_mark(name: str, attributes: _Attributes, labelled: bool) -> bool:
    drawn_as_none = attributes.get("shape") == "point" or _is_invisible(attributes)
    return drawn_as_none or (name.startswith("__init") and not labelled)


def _is_invisible(attributes: _Attributes) -> bool:
    return "invis" in attributes.get("style", "")


def _labels(text: str) -> list[str]:
    """The transitions of an edge: the lines of its label."""
    return _lines_of(text) or [TAU]


def _lines_of(text: str) -> list[str]:
    """A label cut at line breaks, which `\\n`, `\\l` and `\\r` also stand for."""
    unescaped = _ESCAPE.sub(_line_break, text)
    lines = [line for line in unescaped.split("\0") if line.strip(_BLANK)]
    return [_ENTITY.sub(_character, line) for line in lines]


def _line_break(match: re.Match[str]) -> str:
    return "\0" if match[1] is None or match[1] in "nlr" else match[1]


def _character(entity: re.Match[str]) -> str:
    if entity[2]:
        return _NAMED[entity[2]]
    return character(int(entity[1]), entity[0])


def _name(id: _Node | Token) -> str:
    """A node's name; entities in it are what our writer made of characters that break lines."""
    plain = _text(id).replace("\\\\", "\\")
    return _ENTITY.sub(_character, plain)


def _text(id: _Node | Token) -> str:
    """The text of an identifier; `\\"` is the only escape that belongs to DOT itself."""
    if isinstance(id, Tree):
        return "".join(_text(part) for part in id.children)
    if id.type != "QUOTED":
        return str(id)
    return _QUOTE.sub(lambda m: '"' if m[1] == '"' else "\\\\", id[1:-1].replace("\\\n", ""))


def _tree(child: _Node | Token) -> _Node:
    assert isinstance(child, Tree)
    return child


def _position(error: UnexpectedInput) -> tuple[int, int]:
    # The library gives "?" or -1 where it does not know, whatever its annotations say.
    line, column = (int(p) if str(p).isdecimal() else 0 for p in (error.line, error.column))
    return line, column


def _at_end(error: UnexpectedInput) -> bool:
    token = getattr(error, "token", None)
    return token is not None and token.type == "$END"


def _found(text: str, error: UnexpectedInput) -> str:
    token = getattr(error, "token", None)
    return (str(token) if token is not None else text[error.pos_in_stream :][:1])[:40]
