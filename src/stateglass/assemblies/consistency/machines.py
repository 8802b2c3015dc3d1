"""The part of a statechart that a function carries out, as a hypothesis about that function."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Meanings
from dataclasses import dataclass, replace
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
class Believed:
    """What a design says of a function; or why it cannot be said as a machine."""

    handler: Handler
    hypothesis: Hypothesis | None
    texts: Meanings[tuple[str, str], str]  # of each transition, when it is taken, in the words of the design
    unclear: str = ""

    def told(self, model: ReflexionModel) -> ReflexionModel:
        """What was found, with conditions as the design has them."""
        texts = self.texts
        never = {(source, target) for source, target, _ in model.never}
        edges = tuple(
            replace(e, claimed=texts.get((e.source, e.target))) if e.is_claimed else e
            for e in model.edges
            # What the design itself cannot do, though its text has a way, is not missing in the code.
            if e.in_code or (e.source, e.target) not in never
        )
        return replace(model, machine=f"^{self.handler.pin.name}", edges=edges, never=())


def believed(design: Design, mapping: Mapping, handler: Handler) -> Believed:
    """What a design says of the function of a sink pin; variables that are not mapped are an `InputError`."""
    return _Making(design, mapping, handler).run()


def probes_of(mapping: Mapping, handler: Handler) -> list[Probe]:
    """All that is said of the code, as it is read in a function."""
    span = mapping.pins[handler.pin.name].span
    reaction = handler.reaction
    named = [words for owned, words in mapping.states.items() if owned.reaction == reaction.name]
    used = [words for owned, words in mapping.variables.items() if owned.reaction in ("", reaction.name)]
    found = [Probe(f"%named.{n}", words, handler.function, (), False, span) for n, words in enumerate(named)]
    more = enumerate((*used, *mapping.assumes))
    return [*found, *(Probe(f"%used.{n}", words, handler.function, (), True, span) for n, words in more)]


@final
class _Making:
    def __init__(self, design: Design, mapping: Mapping, handler: Handler) -> None:
        self._mapping = mapping
        self._handler = handler
        self._chart = Chart(handler.reaction)
        self._enumerations = {e.name for e in design.enumerations}
        self._enumerators = enumerators_of(design)
        component = mapping.component
        self._types: dict[Name, Type] = {}
        everywhere = [(v.name, v.type) for v in component.variables] + [(p.name, p.type) for p in component.parameters]
        for name, type in everywhere:
            hidden = any(v.name == name for v in handler.reaction.variables)
            self._types[Name(name, owner="component" if hidden else "")] = type
        self._types |= {Name(v.name): v.type for v in handler.reaction.variables}
        consumed = handler.pin.passed(Passing.BEGIN)
        self._data = {
            Name(p.name, owner=handler.pin.name): (own, p.type)
            for p, own in zip(consumed, handler.parameters, strict=True)
        }

    def run(self) -> Believed:
        handler, own = self._handler, self._handler.reaction.name
        component = self._mapping.component
        at_rest = resting(component, self._chart, self._enumerators)
        found: dict[tuple[str, str], Expression] = {}
        try:
            for state in at_rest:
                reached = joined(ways(component, self._chart, state, handler.pin.name, self._enumerators))
                found |= {(state, target): _clear(condition) for target, condition in reached.items()}
        except UnclearError as error:
            return Believed(handler, None, {}, str(error))
        self._check(found.values())
        states = [s for s in self._chart.states if Owned(own, s) in self._mapping.states]
        meant = {s: self._mapping.states[Owned(own, s)] for s in states}
        anywhere = Words(" || ".join(f"({meant[s].text})" for s in at_rest))
        hypothesis = Hypothesis(
            handler.title,
            handler.function,
            assumes=(anywhere, *self._mapping.assumes),
            states=tuple(StateClaim(s, meant[s], span=meant[s].span) for s in states),
            transitions=tuple(TransitionClaim(*ends, self._words(condition)) for ends, condition in found.items()),
            function_span=self._mapping.pins[handler.pin.name].span,
        )
        return Believed(handler, hypothesis, {ends: self._told(condition) for ends, condition in found.items()})

    def _check(self, conditions: Iterable[Expression]) -> None:
        problems: dict[Diagnostic, None] = {}
        for condition in conditions:
            for name in names_in(condition):
                if name not in self._data and self._words_of(name) is None:
                    example = f'annotate {self._handler.reaction.name} {{"code", const string {name.name} = "…"}}'
                    message = f"guards depend on `{expression_text(name)}`, and it is not said what that is in the code"
                    help = f"write `{example}`, or `--map {name.name}=…`"
                    problems[Diagnostic(Code.DESIGN, message, self._handler.reaction.span, help=help)] = None
        if problems:
            raise InputError(problems)

    # ---- conditions

    def _words(self, condition: Expression) -> Words:
        if isinstance(condition, Constant):
            return Words(_ALWAYS if condition.value else "0")
        return Words(c_text(condition, self._named))

    def _named(self, name: Name) -> str:
        """A name as the code has it, with the type that the design gives it."""
        if name in self._data:
            text, type = self._data[name]
        else:
            words, type = self._words_of(name), self._types[name]
            assert words is not None
            text = str(words)
        kind = "int" if type.name in self._enumerations else "_Bool" if type.name == "bool" else type.name
        return f"(({kind})({text}))"

    def _words_of(self, name: Name) -> Words | None:
        if name not in self._types:
            return None
        is_own = not name.owner and any(v.name == name.name for v in self._handler.reaction.variables)
        return self._mapping.variables.get(Owned(self._handler.reaction.name if is_own else "", name.name))

    def _told(self, condition: Expression) -> str:
        event = f"^{self._handler.pin.name}"
        return event if isinstance(condition, Constant) else f"{event} [{expression_text(condition)}]"


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
