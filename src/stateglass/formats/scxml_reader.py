"""Reads SCXML: states, transitions, final states, the initial one; for a chart also states inside states.

Where a flat machine is wanted, nested states are refused by name; parallel states and history always are. Data, scripts
and what is executed on the way are left out, which is said, unless the behaviour is asked for, too; a condition becomes
part of the label, `event [condition]`.
A document type is refused, so that there are no entities to expand and nothing to fetch.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import final
from xml.parsers import expat

from stateglass.formats.assemble import from_graph
from stateglass.formats.marks import check_marks, left_out, marked, read_marks, words_for
from stateglass.formats.problems import Problems
from stateglass.formats.scxml_behaviour import Behaviour
from stateglass.model import TAU, Model
from stateglass.model.chart import Arrow, Chart, ChartState, Note
from stateglass.source import Code

SCXML = "http://www.w3.org/2005/07/scxml"
OURS = "https://stateglass.invalid/scxml"
"""The namespace of our own attributes; a name, no address."""

MOST_NESTING = 50
MOST_STATES = 1_000_000

# Those that the parser knows by itself.
_ENCODINGS = ("utf-8", "utf-16", "iso-8859-1", "us-ascii")
_STATES = ("state", "final")
_REFUSED = {"parallel": "a parallel state", "history": "a history state", "initial": "an initial transition"}
_ATTRIBUTES = {
    "scxml": ("initial", "name", "version", "datamodel", "binding", "exmode"),
    "state": ("id", "initial"),
    "final": ("id",),
    "transition": ("event", "cond", "target", "type"),
}


@final
@dataclass
class _Document:
    """A document as far as it was read."""

    problems: Problems
    nested: bool = False  # whether states inside states are wanted
    names: dict[str, int] = field(default_factory=dict)  # with the lines
    initial: str = ""
    terminal: list[str] = field(default_factory=list)
    edges: list[tuple[str, str, str, int]] = field(default_factory=list)  # source, label, target or "", line
    comments: list[tuple[int, str]] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    parents: dict[str, str | None] = field(default_factory=dict)
    starts: dict[str, tuple[str, int]] = field(default_factory=dict)  # by state: its initial one, with the line
    behaviour: Behaviour | None = None
    staying: set[int] = field(default_factory=set)  # the transitions that leave and enter nothing


@final
class _Stop(Exception):
    """Reading on makes no sense; the problem is noted."""


@final
class _Handler:
    """Follows the elements of a document."""

    def __init__(self, document: _Document, parser: expat.XMLParserType, with_behaviour: bool) -> None:
        self._document = document
        self._parser = parser
        self._path: list[str] = []
        self._states: list[str] = []  # those that are open
        self._skipped = 0  # how many of the innermost elements are part of something left out
        self._first_edge = 0  # of the transition that is open
        if with_behaviour:
            document.behaviour = Behaviour(self._not_done)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CommentHandler = self._comment
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._document_type

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        del version, standalone
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            self._wrong(f"the encoding `{encoding[:40]}` is not read", "save the file in UTF-8")
            raise _Stop

    def _document_type(self, *_: object) -> None:
        help = "remove `<!DOCTYPE …>`"
        self._wrong("a document type is not read", help, Code.UNSUPPORTED)
        raise _Stop

    def _comment(self, text: str) -> None:
        self._document.comments.append((self._line, text))

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        namespace, _, name = tag.rpartition(" ")
        if self._document.problems.full:
            raise _Stop
        if len(self._path) >= MOST_NESTING:
            self._wrong(f"elements are nested more than {MOST_NESTING} deep", "", Code.TOO_LARGE)
            raise _Stop
        parent = self._path[-1] if self._path else ""
        self._path.append(name)
        if self._skipped or (namespace not in ("", SCXML) and parent):
            self._document.dropped["element of another namespace"] += not self._skipped
            self._skipped += 1
        elif not parent:
            self._root(namespace, name, attributes)
        elif name in _STATES and (parent == "scxml" or (self._document.nested and parent == "state")):
            self._state(name, attributes)
        elif name == "transition" and parent == "state":
            self._transition(attributes)
        elif self._document.nested and name == "initial" and parent == "state":
            pass
        elif self._is_done(name, parent, attributes):
            return
        elif self._document.nested and name == "transition" and parent == "initial":
            self._document.starts[self._states[-1]] = (attributes.get("target", "").strip(), self._line)
        elif name in _STATES or name in _REFUSED:
            what = _REFUSED.get(name, "a state inside a state")
            help = (
                "states are in one another, one at a time" if self._document.nested else "only a flat machine is read"
            )
            self._wrong(f"{what} is not understood", help, Code.UNSUPPORTED)
            self._skipped += 1
        elif self._document.behaviour is not None:
            self._not_done(f"`<{name[:40]}>` is not understood")
            self._skipped += 1
        else:
            self._document.dropped[f"`{name[:40]}`"] += 1
            self._skipped += 1
        if not self._skipped:
            self._unknown(name, attributes)

    def _is_done(self, name: str, parent: str, attributes: dict[str, str]) -> bool:
        """Whether an element says what is done, and that is wanted."""
        behaviour = self._document.behaviour
        if name in _STATES or name in _REFUSED:
            return False
        return behaviour is not None and behaviour.start(name, parent, attributes, self._line)

    def _not_done(self, message: str) -> None:
        help = "data, assignments, `if`, `raise` and `send` are read, and `log` is passed over"
        self._wrong(message, help, Code.UNSUPPORTED)

    def _end(self, tag: str) -> None:
        del tag
        name = self._path.pop()
        if self._document.behaviour is not None and not self._skipped:
            made = range(self._first_edge, len(self._document.edges))
            self._document.behaviour.end(name, self._states[-1] if self._states else "", made)
        if name in _STATES and not self._skipped:
            self._states.pop()
        self._skipped = max(self._skipped - 1, 0)

    def _root(self, namespace: str, name: str, attributes: dict[str, str]) -> None:
        if name != "scxml" or namespace not in ("", SCXML):
            self._wrong(f"expected `<scxml>`, found `<{name[:40]}>`", f'the root is `<scxml xmlns="{SCXML}">`')
            raise _Stop
        self._document.initial = attributes.get("initial", "").strip()

    def _state(self, name: str, attributes: dict[str, str]) -> None:
        document = self._document
        id = attributes.get("id", "").strip() or f"unnamed {len(document.names)}"
        if id in document.names:
            self._wrong(f"there are two states `{id[:40]}`", "", Code.MODEL)
        if len(document.names) >= MOST_STATES:
            self._wrong(f"the machine has more than {MOST_STATES} states", "", Code.TOO_LARGE)
            raise _Stop
        document.names[id] = self._line
        document.parents[id] = self._states[-1] if self._states else None
        self._states.append(id)
        if document.nested and attributes.get("initial", "").strip():
            document.starts[id] = (attributes["initial"].strip(), self._line)
        if name == "final":
            document.terminal.append(id)

    def _transition(self, attributes: dict[str, str]) -> None:
        target = attributes.get("target", "").strip()
        if len(target.split()) > 1:
            self._wrong("a transition to several states is not understood", "", Code.UNSUPPORTED)
        condition = attributes.get("cond", "").strip()
        self._first_edge = len(self._document.edges)
        if self._document.behaviour is not None:
            self._document.behaviour.transition()
        for event in self._labels(attributes):
            label = (f"{event} [{condition}]" if event != TAU else f"[{condition}]") if condition else event
            if not target or attributes.get("type", "").strip() == "internal":
                self._document.staying.add(len(self._document.edges))
            self._document.edges.append((self._states[-1], label, target or self._states[-1], self._line))

    def _labels(self, attributes: dict[str, str]) -> list[str]:
        ours = attributes.get(f"{OURS} label")
        if ours is None:
            return attributes.get("event", "").split() or [TAU]
        try:
            label = json.loads(f'"{ours}"', strict=False)
        except ValueError:
            label = ""
        if not isinstance(label, str) or not label:
            self._wrong(f"`{ours[:40]}` is no label", "it is a JSON string without its quotes")
            return [TAU]
        return [label.encode("utf-8", "replace").decode()]

    def _unknown(self, name: str, attributes: dict[str, str]) -> None:
        for attribute in attributes:
            namespace, _, plain = attribute.rpartition(" ")
            if not namespace and plain not in _ATTRIBUTES.get(name, ()):
                self._document.dropped[f"attribute `{plain[:40]}`"] += 1
        if name == "state" and attributes.get("initial") and not self._document.nested:
            self._wrong("a state with an initial state inside is not understood", "", Code.UNSUPPORTED)

    def _wrong(self, message: str, help: str = "", code: Code = Code.SYNTAX) -> None:
        self._document.problems.add(message, self._line, help=help, code=code)


def parse(data: bytes, name: str) -> Model:
    return _model(_read(data, name))


def parse_chart(data: bytes, name: str) -> Chart:
    return _chart(_read(data, name, nested=True))


def parse_statechart(data: bytes, name: str) -> Chart:
    """A chart with what is done on the way."""
    return _chart(_read(data, name, nested=True, with_behaviour=True))


def _read(data: bytes, name: str, nested: bool = False, with_behaviour: bool = False) -> _Document:
    document = _Document(Problems(name), nested)
    parser = expat.ParserCreate(namespace_separator=" ")
    # Half a megabyte of text between two tags is one call, not thousands.
    parser.buffer_text = True
    _Handler(document, parser, with_behaviour)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        message = f"not well-formed XML: {expat.ErrorString(error.code)}"
        document.problems.add(message, error.lineno, error.offset + 1)
    except _Stop:
        pass
    document.problems.stop_if_any()
    return document


def _check_names(document: _Document) -> None:
    problems = document.problems
    if not document.names:
        problems.add("the machine has no states", 1, code=Code.MODEL)
        problems.stop()
    if document.initial and document.initial not in document.names:
        problems.add(f"the initial state `{document.initial[:40]}` is not there", 1, code=Code.MODEL)
    for _, _, target, line in document.edges:
        if target not in document.names:
            problems.add(f"there is no state `{target[:40]}`", line, code=Code.MODEL)


def _chart(document: _Document) -> Chart:
    """The diagram of a document; where none is named, the first state inside another is initial there (SCXML 3.3)."""
    _check_names(document)
    problems = document.problems
    initial: dict[str | None, str] = {None: document.initial} if document.initial else {}
    for state, (start, line) in document.starts.items():
        if document.parents.get(start) == state:
            initial[state] = start
        else:
            help = "name one that is directly inside"
            problems.add(f"`{state[:40]}` starts with `{start[:40]}`", line, help=help, code=Code.UNSUPPORTED)
    if document.initial and document.parents.get(document.initial) is not None:
        help = "name the outer one, and in it the inner one"
        problems.add("the initial state is inside another", 1, help=help, code=Code.UNSUPPORTED)
    problems.stop_if_any()
    for name, parent in document.parents.items():
        initial.setdefault(parent, name)
    behaviour = document.behaviour or Behaviour(lambda _: None)
    states = [
        ChartState(
            *(name, "", document.parents[name], initial[document.parents[name]] == name, line),
            tuple(behaviour.notes.get(name, ())),
        )
        for name, line in document.names.items()
    ]
    arrows = [
        Arrow(s, t, "" if label == TAU else label, line, behaviour.actions.get(number, ""), number in document.staying)
        for number, (s, label, t, line) in enumerate(document.edges)
    ]
    left_out = words_for(document.dropped)
    ends = tuple(Note(name, document.names[name]) for name in document.terminal)
    drawn = (problems.name, tuple(states), tuple(arrows), True, left_out, ends)
    return Chart(*drawn, tuple(behaviour.variables))


def _model(document: _Document) -> Model:
    problems = document.problems
    _check_names(document)
    names = list(document.names)
    initial = document.initial or names[0]
    found = read_marks(document.comments, problems)
    check_marks(found, document.names, problems)
    problems.stop_if_any()
    rows = [(source, label, target) for source, label, target, _ in document.edges]
    model, numbers = from_graph(names, initial, rows, document.terminal, "s")
    return marked(model, found, numbers, left_out("SCXML", document.dropped))
