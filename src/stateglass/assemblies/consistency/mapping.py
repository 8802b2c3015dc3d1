"""What the names of a component mean in code: functions for pins, expressions for states and variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, final

from stateglass.assemblies.consistency.ways import resting
from stateglass.assemblies.interpretation.charts import Chart
from stateglass.design import START, Component, Design, Reaction
from stateglass.reflexion.hypothesis import PSEUDO_STATES
from stateglass.source import NOWHERE, Code, Diagnostic, InputError, Severity, Span, Words, suggestion

FRAMEWORK: Final = "code"
"""What annotations are for that say what names mean in code."""
ASSUME: Final = "assume"
"""The name for what holds before each call."""
_KINDS: Final = ("pin", "state", "variable")


class Owned(NamedTuple):
    """A state or variable of a reaction, or without one, a variable of the component."""

    reaction: str
    name: str


@final
@dataclass(frozen=True, slots=True)
class Meaning:
    """`three = state == THREE`: what a name means; `owner` is the reaction, pin or variable that is spoken of."""

    owner: str
    name: str
    words: Words
    span: Span = NOWHERE


@final
@dataclass
class Mapping:
    """The names of a component with what they mean; it is complete once `mapping_of` returns it."""

    component: Component
    pins: dict[str, Words] = field(default_factory=dict)
    states: dict[Owned, Words] = field(default_factory=dict)
    variables: dict[Owned, Words] = field(default_factory=dict)
    start: Words | None = None  # the function that is called before all others
    assumes: list[Words] = field(default_factory=list)

    def says_states_of(self, reaction: Reaction) -> bool:
        """Whether anything is said of the states of a reaction."""
        return any(owned.reaction == reaction.name for owned in self.states)


def enumerators_of(design: Design) -> dict[str, int]:
    return {name: value for one in design.enumerations for name, value in one.values}


def given_meaning(text: str) -> Meaning:
    """`S.three=state == THREE`, as it stands on a command line."""
    name, equals, words = text.partition("=")
    if not equals or not name.strip() or not words.strip():
        help = "write `--map incr=store_incr`, or `--map 'three=state == THREE'`"
        raise InputError([Diagnostic(Code.USAGE, f"`{text}` does not say what a name means", help=help)])
    return meaning_of(name.strip(), Words(words.strip()))


def meaning_of(name: str, words: Words, span: Span = NOWHERE) -> Meaning:
    """What `three` means, or `S.three`."""
    owner, _, own = name.rpartition(".")
    return Meaning(owner, own, words, span)


def mapping_of(
    design: Design, component: Component, given: Sequence[Meaning]
) -> tuple[Mapping, tuple[Diagnostic, ...]]:
    """What is annotated, and what is given goes before it; and all that is missing or wrong."""
    reading = _Reading(component)
    for meaning in (*_annotated(design, component), *given):
        reading.add(meaning)
    missing = [*_missing_pins(reading.mapping), *_missing_states(reading.mapping, design)]
    return reading.mapping, tuple(dict.fromkeys((*reading.problems, *missing)))


def _annotated(design: Design, component: Component) -> Iterator[Meaning]:
    for one in design.annotations:
        if one.framework != FRAMEWORK or one.scope != component.name:
            continue
        owner = "" if one.subject == component.name else one.subject
        yield Meaning(owner, one.name, Words(str(one.value), one.value_span), one.span)
        for name, text in one.of_result:
            yield Meaning(owner, name, Words(text, one.span), one.span)


@final
class _Reading:
    """Finds out what each name is the name of."""

    def __init__(self, component: Component) -> None:
        self.mapping = Mapping(component)
        self.problems: list[Diagnostic] = []
        self._reactions = {r.name: r for r in component.reactions}

    def add(self, meaning: Meaning) -> None:
        owner, name = meaning.owner, meaning.name
        if owner not in ("", name, *_KINDS) and owner not in self._reactions:
            known = (*self._reactions, *(pin.name for pin in self.mapping.component.pins))
            self._unknown(f"there is no reaction `{owner}`", meaning, owner, known)
            return
        found = self._found(owner if owner in self._reactions else "", name)
        if owner in _KINDS:
            found = {kind: keys for kind, keys in found.items() if kind == owner}
        elif owner == name:
            found.pop("state", None)  # what is annotated to a pin or to a variable is about that
        if len(found) > 1:
            message = f"`{name}` is the name of a {' and of a '.join(found)}"
            help = f"say which is meant: `--map {next(iter(found))}.{name}=…`"
            self.problems.append(Diagnostic(Code.DESIGN, message, meaning.span, help=help))
        elif found:
            self._keep(*next(iter(found.items())), meaning.words)
        elif name == START:
            self.mapping.start = meaning.words
        elif name == ASSUME:
            self.mapping.assumes.append(meaning.words)
        else:
            what = owner if owner in _KINDS else "pin, state or variable"
            self._unknown(f"there is no {what} `{name}`", meaning, name, self._names())

    def _found(self, reaction: str, name: str) -> dict[str, tuple[Owned, ...]]:
        """What a name may be the name of."""
        component = self.mapping.component
        reactions = [self._reactions[reaction]] if reaction else component.reactions
        pins = (Owned("", name),) if component.pin(name) is not None else ()
        states = tuple(Owned(r.name, name) for r in reactions if any(s.name == name for s in r.states))
        variables = tuple(Owned(r.name, name) for r in reactions if any(v.name == name for v in r.variables))
        of_component = [v.name for v in component.variables] + [p.name for p in component.parameters]
        if not (variables and reaction) and name in of_component:
            variables = (*variables, Owned("", name))
        found = {"pin": pins, "state": states, "variable": variables}
        return {kind: keys for kind, keys in found.items() if keys}

    def _keep(self, kind: str, keys: tuple[Owned, ...], words: Words) -> None:
        for key in keys:
            if kind == "pin":
                self.mapping.pins[key.name] = words
            else:
                (self.mapping.states if kind == "state" else self.mapping.variables)[key] = words

    def _names(self) -> Iterator[str]:
        component = self.mapping.component
        yield from (pin.name for pin in component.pins)
        yield from (variable.name for variable in component.variables)
        yield from (parameter.name for parameter in component.parameters)
        for reaction in component.reactions:
            yield from (state.name for state in reaction.states)
            yield from (variable.name for variable in reaction.variables)

    def _unknown(self, message: str, meaning: Meaning, name: str, known: Iterable[str]) -> None:
        help = suggestion(name, known)
        message = f"{message} in `{self.mapping.component.name}`"
        self.problems.append(Diagnostic(Code.UNKNOWN_NAME, message, meaning.span, help=help))


def _missing_pins(mapping: Mapping) -> Iterator[Diagnostic]:
    """The pins that nothing is said of, or the same as of others."""
    component = mapping.component
    for pin in component.pins:
        if component.reactions_on(pin.name) and pin.name not in mapping.pins:
            what = f"it is not said which function the pin `{pin.name}` is"
            reaction = component.reactions_on(pin.name)[0]
            yield _missing(what, reaction.name, pin.name, f"{component.name}_{pin.name}", pin.span)
    functions: dict[str, str] = {}
    for name, words in mapping.pins.items():
        if words.text in functions:
            message = f"`{words.text}` is said to be the pin `{functions[words.text]}` and the pin `{name}`"
            yield Diagnostic(Code.DESIGN, message, words.span, help="each pin is a function of its own")
        functions[words.text] = name


def _missing_states(mapping: Mapping, design: Design) -> Iterator[Diagnostic]:
    """The states of rest that nothing is said of, though it is of others, and what no state can be called."""
    for reaction in mapping.component.reactions:
        if not mapping.says_states_of(reaction):
            continue
        for state in resting(mapping.component, Chart(reaction), enumerators_of(design)):
            if Owned(reaction.name, state) not in mapping.states:
                span = next((s.span for s in reaction.states if s.name == state), reaction.span)
                what = f"it is not said when the code is in the state `{state}`"
                yield _missing(what, reaction.name, state, f"state == {state.upper()}", span)
    for owned, words in mapping.states.items():
        if owned.name in PSEUDO_STATES:
            message = f"a state cannot be called `{owned.name}` where a design is held against code"
            yield Diagnostic(Code.DESIGN, message, words.span)


def without_states(mapping: Mapping) -> Iterator[Diagnostic]:
    """The reactions whose functions cannot be held against them one by one, since nothing is said of their states."""
    for reaction in mapping.component.reactions:
        states = [state.name for state in reaction.states]
        if states and not mapping.says_states_of(reaction):
            example = f"state == {states[0].upper()}"
            message = f"functions are not held against `{reaction.name}` one by one: it is not said what its states are"
            missing = _missing(message, reaction.name, states[0], example, reaction.span)
            yield replace(missing, severity=Severity.NOTE)


def _missing(what: str, owner: str, name: str, example: str, span: Span) -> Diagnostic:
    help = f'write `annotate {owner} {{"{FRAMEWORK}", const string {name} = "{example}"}}`'
    return Diagnostic(Code.DESIGN, what, span, help=f"{help}, or `--map '{name}={example}'`")
