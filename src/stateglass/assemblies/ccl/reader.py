"""Reads CCL: components, assemblies and what surrounds them; all that is wrong with a text is said at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final

from lark import Token

from stateglass.assemblies.ccl.declarations import DeclarationReader, listed, named
from stateglass.assemblies.charts import reaction_of
from stateglass.assemblies.syntax.actions import ActionReader, tokens, trees
from stateglass.assemblies.syntax.grammar import SyntaxTree, Within, parse_item
from stateglass.assemblies.syntax.items import Item, items_of
from stateglass.assemblies.syntax.tokens import tokens_of
from stateglass.assemblies.validation import Gaps, problems_of
from stateglass.design import (
    START,
    Annotation,
    Assembly,
    Component,
    Connection,
    Design,
    Enumeration,
    Environment,
    Instance,
    Pin,
    PinName,
    Reaction,
    Service,
    State,
    Transition,
    Variable,
)
from stateglass.formats import read_statechart
from stateglass.source import Code, Diagnostic, InputError, Span, input_error
from stateglass.source.notation import Text

MOST_CHARACTERS: Final = 1 << 20
MOST_PROBLEMS: Final = 50
MOST_PARTS: Final = 1000
"""How many parts of a kind, such as states or pins, a component, a reaction or an assembly has."""
# With so many mistakes it is no design, and each is searched for what could have stood there.
_MOST_NOTED: Final = 100
_WITHIN: Final = {
    "COMPONENT": Within.COMPONENT,
    "ASSEMBLY": Within.ASSEMBLY,
    "ENVIRONMENT": Within.ENVIRONMENT,
}


@final
@dataclass(slots=True)
class _Reader:
    """Reads the items of a text."""

    text: Text
    enumerators: dict[str, int] = field(default_factory=dict)
    annotations: list[Annotation] = field(default_factory=list)
    gaps: Gaps = field(default_factory=Gaps)
    is_too_large: bool = False  # for asking about names
    read: DeclarationReader = field(init=False)

    def __post_init__(self) -> None:
        self.read = DeclarationReader(ActionReader(self.text))

    def design(self, items: Sequence[Item]) -> Design:
        heads = list(self._read(items, Within.FILE))
        enumerations: list[Enumeration] = []
        components: list[Component] = []
        environments: list[Environment] = []
        assemblies: list[Assembly] = []
        for _, tree in heads:
            if tree.data == "enumeration":
                enumerations.append(self.read.enumeration(tree))
                self._few(tree, values=enumerations[-1].values)
                self.enumerators |= dict(enumerations[-1].values)
        for item, tree in heads:
            match tree.data:
                case "component":
                    components.append(self._component(item, tree))
                case "environment":
                    environments.append(self._environment(item, tree))
                case "assembly":
                    assemblies.append(self._assembly(item, tree))
                case _:
                    pass
        parts = (tuple(enumerations), tuple(components), tuple(environments), tuple(assemblies))
        return Design(self.text.span(0, 0).file, *parts, tuple(self.annotations))

    def _read(self, items: Sequence[Item], within: Within) -> Iterator[tuple[Item, SyntaxTree]]:
        """The items that could be read; in others, what is inside is looked through for mistakes."""
        for item in items:
            before = len(self.text.problems)
            tree = parse_item(self.text, item, within) if before < _MOST_NOTED else None
            if tree is not None:
                yield item, tree
                # What is inside has gaps of its own.
                if item.inside is None and len(self.text.problems) > before:
                    self._gap(item)
            else:
                self._gap(item)
                self._look_through(item)

    def _gap(self, item: Item) -> None:
        kinds = [token.kind for token in item.tokens[:2]]
        # Annotations and connections give nothing a name.
        if kinds[0] not in ("ANNOTATE", "EXPOSE") and kinds != ["NAME", "COLON"]:
            self.gaps.add(self.text.text[item.tokens[0].start : item.end])

    def _look_through(self, item: Item) -> None:
        """Notes what is wrong inside an item that nothing is made of."""
        for one, _ in self._read(item.inside or (), _WITHIN.get(item.tokens[0].kind, Within.REACTION)):
            self._look_through(one)

    def _inside(self, item: Item, tree: SyntaxTree, within: Within) -> Iterator[tuple[Item, SyntaxTree]]:
        """The items inside a component, a reaction or an assembly."""
        before = len(self.text.problems)
        yield from self._read(item.inside or (), within)
        if len(self.text.problems) > before:
            self.gaps.around.add(self._head(tree))

    def _constants(self) -> dict[str, int]:
        """The values of enumerations, and what might be some."""
        return dict.fromkeys(self.gaps.words, 0) | self.enumerators

    def _component(self, item: Item, tree: SyntaxTree) -> Component:
        name, parameters = named(tree), self.read.parameters(next(trees(tree)))
        variables: list[Variable] = []
        pins: list[Pin] = []
        reactions: list[Reaction] = []
        for one, inner in self._inside(item, tree, Within.COMPONENT):
            match inner.data:
                case "variables":
                    variables += self.read.variables(inner)
                case "pin":
                    pins.append(self.read.pin(inner))
                case "reaction":
                    reactions.append(self._reaction(one, inner))
                case "annotation":
                    self._annotation(inner, name)
                case "read_reaction":
                    reactions += self._drawn(inner)
                case _:
                    pass
        self._few(tree, variables=variables, pins=pins, reactions=reactions)
        return Component(name, parameters, tuple(variables), tuple(pins), tuple(reactions), self._head(tree))

    def _drawn(self, tree: SyntaxTree) -> tuple[Reaction, ...]:
        """A reaction whose statechart is a diagram in another file, beside this one."""
        threaded = any(t.type == "THREADED" for t in tokens(tree))
        reaction = Reaction(named(tree), threaded, listed(next(trees(tree))), span=self.read.span(tree))
        name = next(str(t)[1:-1] for t in tokens(tree) if t.type == "STRING")
        try:
            return (reaction_of(read_statechart(str(Path(reaction.span.file).parent / name)), reaction),)
        except InputError as error:
            self.text.problems += error.diagnostics
            return ()

    def _reaction(self, item: Item, tree: SyntaxTree) -> Reaction:
        variables: list[Variable] = []
        states: dict[str, State] = {}
        transitions: list[Transition] = []
        ends: list[Token] = []
        for _, inner in self._inside(item, tree, Within.REACTION):
            match inner.data:
                case "variables":
                    variables += self.read.variables(inner)
                case "state":
                    state = self.read.state(inner)
                    if state.name in states:
                        self._problem(inner, f"there are two states `{state.name}`")
                    states[state.name] = state
                case "transition":
                    transitions.append(self.read.transition(inner))
                    ends += (t for t in tokens(inner) if t.type == "NAME")
                case _:
                    pass
        for end in ends:
            if end != START and str(end) not in states:
                states[str(end)] = State(str(end), span=self.read.actions.at(end))
        self._few(tree, variables=variables, states=states, transitions=transitions)
        threaded = any(t.type == "THREADED" for t in tokens(tree))
        pins = listed(next(trees(tree)))
        found = (tuple(variables), tuple(states.values()), tuple(transitions))
        return Reaction(named(tree), threaded, pins, *found, self._head(tree))

    def _annotation(self, tree: SyntaxTree, scope: str) -> None:
        """One that is not understood is not asked what it says."""
        before = len(self.text.problems)
        found = self.read.annotations(tree, scope)
        if len(self.text.problems) == before:
            self.annotations += found

    def _environment(self, item: Item, tree: SyntaxTree) -> Environment:
        services: list[Service] = []
        constants = self._constants()
        for _, inner in self._inside(item, tree, Within.ENVIRONMENT):
            services.append(self.read.service(inner, constants))
        self._few(tree, services=services)
        return Environment(named(tree), tuple(services), self._head(tree))

    def _assembly(self, item: Item, tree: SyntaxTree) -> Assembly:
        name, *environment = listed(tree)
        instances: list[Instance] = []
        connections: list[Connection] = []
        exposed: list[PinName] = []
        constants = self._constants()
        for _, inner in self._inside(item, tree, Within.ASSEMBLY):
            match inner.data:
                case "instance":
                    instances.append(self.read.instance(inner, constants))
                case "connection":
                    connections.append(self.read.connection(inner))
                case "exposed":
                    exposed += map(self.read.pin_name, trees(inner))
                case "annotation":
                    self._annotation(inner, name)
                case _:
                    pass
        self._few(tree, instances=instances, connections=connections)
        parts = (tuple(instances), tuple(connections), tuple(exposed))
        return Assembly(name, "".join(environment), *parts, self._head(tree))

    def _head(self, tree: SyntaxTree) -> Span:
        """A component, reaction or assembly is shown by its first line."""
        return self.read.span(tree)

    def _few(self, tree: SyntaxTree, **parts: Sized) -> None:
        for what, found in parts.items():
            if len(found) > MOST_PARTS:
                self._problem(tree, f"this has {len(found):,} {what}, where at most {MOST_PARTS:,} are read")
                self.is_too_large = True

    def _problem(self, tree: SyntaxTree, message: str) -> None:
        name = next(t for t in tokens(tree) if t.type == "NAME")
        self.read.actions.problem(name, message)


def read_design(text: str, file: str = "<design>") -> Design:
    """The design in a text; all that is wrong with it at once is an `InputError`."""
    if len(text) > MOST_CHARACTERS:
        raise input_error(Code.TOO_LARGE, f"at most {MOST_CHARACTERS:,} characters are read", Span.at(file))
    source = Text(text, file, code=Code.DESIGN)
    found = tokens_of(source)
    items = items_of(source, found)
    reader = _Reader(source)
    if source.problems:
        # Braces and comments that are not closed, or too early: it is not clear what stands in what.
        reader.gaps.is_everywhere = True
        reader.gaps.add(text[found[-1].end if found else 0 :])
    design = reader.design(items)
    if not items and not source.problems:
        source.problem("there is no design here", 0, 1, "one is `component store() { … }`")
    # Names are asked about when all of them are known, or as far as what could not be read does not explain them.
    about_names = () if reader.is_too_large else problems_of(design, reader.gaps)
    problems = sorted((*source.problems, *about_names), key=lambda d: d.span)
    if problems:
        raise InputError(limited(problems))
    return design


def limited(problems: Sequence[Diagnostic]) -> list[Diagnostic]:
    if len(problems) <= MOST_PROBLEMS:
        return list(problems)
    more = len(problems) - MOST_PROBLEMS
    return [*problems[:MOST_PROBLEMS], Diagnostic(Code.DESIGN, f"… and {more} more problems", problems[-1].span)]
