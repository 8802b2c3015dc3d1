"""What a statechart says of the function that carries out one of its events, also as a hypothesis about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Meanings
from dataclasses import dataclass, field, replace
from typing import final

from stateglass.assemblies.consistency.mapping import Mapping, Owned, enumerators_of
from stateglass.assemblies.consistency.ways import BROUGHT, UnclearError, joined, resting, ways
from stateglass.assemblies.interpretation.charts import Chart
from stateglass.assemblies.interpretation.expressions import expression_text as c_text
from stateglass.design import Constant, Design, Expression, Name, Passing, Pin, Reaction, Type, names_in
from stateglass.design.printer import expression_text
from stateglass.evidence import ReflexionModel
from stateglass.program.probes import Probe
from stateglass.reflexion.hypothesis import Hypothesis, StateClaim, TransitionClaim
from stateglass.source import Code, Diagnostic, InputError, Words, counted

_ALWAYS = "1"


@final
@dataclass(frozen=True)
class Handler:
    """A sink pin, and the function that handles it."""

    pin: Pin
    reaction: Reaction
    function: str
    parameters: tuple[str, ...]  # of the function, in the order of what the pin consumes

    @property
    def title(self) -> str:
        return f"^{self.pin.name} is {self.function}"


@final
@dataclass(frozen=True)
class Claimed:
    """What a design says of the function of a sink pin; or why that cannot be said."""

    handler: Handler
    rests: tuple[str, ...] = ()  # the states that the statechart may be at rest in
    conditions: Meanings[tuple[str, str], Expression] = field(default_factory=dict)  # by state before and after
    unclear: str = ""

    def told(self, ends: tuple[str, str]) -> str:
        """When a transition is taken, in the words of the design."""
        event, condition = f"^{self.handler.pin.name}", self.conditions[ends]
        return event if isinstance(condition, Constant) else f"{event} [{expression_text(condition)}]"

    def told_of(self, model: ReflexionModel) -> ReflexionModel:
        """What was found, with conditions as the design has them."""
        never = {(source, target) for source, target, _ in model.never}
        edges = tuple(
            replace(e, claimed=self.told((e.source, e.target))) if e.is_claimed else e
            for e in model.edges
            # What the design itself cannot do, though its text has a way, is not missing in the code.
            if e.in_code or (e.source, e.target) not in never
        )
        return replace(model, machine=f"^{self.handler.pin.name}", edges=edges, never=())


@final
class Spoken:
    """What the names in the conditions of a function are in the code."""

    def __init__(self, design: Design, mapping: Mapping, handler: Handler) -> None:
        self._mapping = mapping
        self._handler = handler
        self._enumerations = {e.name for e in design.enumerations}
        component = mapping.component
        self._types: dict[Name, Type] = {}
        everywhere = [(v.name, v.type) for v in component.variables] + [(p.name, p.type) for p in component.parameters]
        for name, type in everywhere:
            hidden = any(v.name == name for v in handler.reaction.variables)
            self._types[Name(name, owner="component" if hidden else "")] = type
        self._types |= {Name(v.name): v.type for v in handler.reaction.variables}
        consumed = handler.pin.passed(Passing.BEGIN)
        self.data = {Name(p.name, owner=handler.pin.name): number for number, p in enumerate(consumed)}
        self._data_types = [p.type for p in consumed]

    def text(self, name: Name) -> str:
        """A name as the code has it, with the type that the design gives it."""
        words = self._handler.parameters[self.data[name]] if name in self.data else self.words(name)
        return f"(({self.type(name)})({words}))"

    def type(self, name: Name) -> str:
        """The type of C that the design gives a name."""
        own = self._data_types[self.data[name]] if name in self.data else self._types[name]
        return "int" if own.name in self._enumerations else "_Bool" if own.name == "bool" else own.name

    def owned(self, name: Name) -> Owned:
        is_own = not name.owner and any(v.name == name.name for v in self._handler.reaction.variables)
        return Owned(self._handler.reaction.name if is_own else "", name.name)

    def words(self, name: Name) -> Words | None:
        """What a variable is in the code; None if that is not said."""
        return self._mapping.variables.get(self.owned(name)) if name in self._types else None

    def problems(self, conditions: Iterable[Expression]) -> Iterator[Diagnostic]:
        """The names that have no meaning."""
        reaction = self._handler.reaction
        for condition in conditions:
            for name in names_in(condition):
                if name not in self.data and self.words(name) is None:
                    example = f'annotate {reaction.name} {{"code", const string {name.name} = "…"}}'
                    message = f"guards depend on `{expression_text(name)}`, and it is not said what that is in the code"
                    help = f"write `{example}`, or `--map {name.name}=…`"
                    yield Diagnostic(Code.DESIGN, message, reaction.span, help=help)


def claimed_of(design: Design, mapping: Mapping, handler: Handler) -> Claimed:
    """What a design says of the function of a sink pin; variables that are not mapped are an `InputError`."""
    component, chart, enumerators = mapping.component, Chart(handler.reaction), enumerators_of(design)
    at_rest = resting(component, chart, enumerators)
    found: dict[tuple[str, str], Expression] = {}
    try:
        for state in at_rest:
            reached = joined(ways(component, chart, state, handler.pin.name, enumerators))
            found |= {(state, target): _clear(condition) for target, condition in reached.items()}
    except UnclearError as error:
        return Claimed(handler, unclear=str(error))
    problems = dict.fromkeys(Spoken(design, mapping, handler).problems(found.values()))
    if problems:
        raise InputError(problems)
    return Claimed(handler, at_rest, found)


def hypothesis_of(design: Design, mapping: Mapping, claimed: Claimed) -> Hypothesis:
    """What a design says of a function, as a machine that the function can be held against."""
    handler = claimed.handler
    meant = states_said(mapping, handler.reaction)
    anywhere = Words(" || ".join(f"({meant[state].text})" for state in claimed.rests))
    spoken = Spoken(design, mapping, handler)

    def words(condition: Expression) -> Words:
        if isinstance(condition, Constant):
            return Words(_ALWAYS if condition.value else "0")
        return Words(c_text(condition, spoken.text))

    return Hypothesis(
        handler.title,
        handler.function,
        assumes=(anywhere, *mapping.assumes),
        states=tuple(StateClaim(state, said, span=said.span) for state, said in meant.items()),
        transitions=tuple(TransitionClaim(*ends, words(c)) for ends, c in claimed.conditions.items()),
        function_span=mapping.pins[handler.pin.name].span,
    )


def states_said(mapping: Mapping, reaction: Reaction) -> dict[str, Words]:
    """The states of a reaction that something is said of, in the order of the text."""
    of_states = {state: Owned(reaction.name, state) for state in Chart(reaction).states}
    return {state: mapping.states[owned] for state, owned in of_states.items() if owned in mapping.states}


def probes_of(mapping: Mapping, handler: Handler) -> list[Probe]:
    """All that is said of the code, as it is read in a function."""
    span = mapping.pins[handler.pin.name].span
    reaction = handler.reaction
    named = [words for owned, words in mapping.states.items() if owned.reaction == reaction.name]
    used = [words for owned, words in mapping.variables.items() if owned.reaction in ("", reaction.name)]
    found = [Probe(f"%named.{n}", words, handler.function, (), False, span) for n, words in enumerate(named)]
    more = enumerate((*used, *mapping.assumes))
    return [*found, *(Probe(f"%used.{n}", words, handler.function, (), True, span) for n, words in more)]


def _clear(condition: Expression) -> Expression:
    """A condition that does not depend on what others answer."""
    for name in names_in(condition):
        if name.owner.startswith(BROUGHT):
            raise UnclearError(f"it depends on what `{name.owner.partition('#')[0]}` brings")
    return condition


def handlers_of(
    mapping: Mapping, parameters: Meanings[str, tuple[str, ...]]
) -> tuple[tuple[Handler, ...], tuple[Diagnostic, ...]]:
    """The sink pins whose functions there are, and where data does not fit; `parameters` are those that carry data."""
    problems = []
    found = []
    component = mapping.component
    for pin in component.pins:
        words = mapping.pins.get(pin.name)
        reactions = component.reactions_on(pin.name)
        if not pin.is_sink or words is None or not reactions or words.text not in parameters:
            continue
        wanted, own = len(pin.passed(Passing.BEGIN)), parameters[words.text]
        if wanted != len(own):
            takes = counted(len(own), "value") if own else "none"
            message = f"the pin `{pin.name}` brings {counted(wanted, 'value')}, and `{words.text}` takes {takes}"
            help = "parameters that are pointers do not count"
            problems.append(Diagnostic(Code.DESIGN, message, words.span, help=help))
        else:
            found.append(Handler(pin, reactions[0], words.text, own))
    return tuple(found), tuple(problems)
