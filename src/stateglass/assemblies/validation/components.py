"""Whether components are sound by themselves: names, types, pins and statecharts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from stateglass.assemblies.validation.actions import ActionCheck, check_initial
from stateglass.assemblies.validation.findings import Findings
from stateglass.assemblies.validation.scope import INTEGERS, scope_of
from stateglass.design import (
    START,
    Begin,
    Component,
    Design,
    Interaction,
    Passing,
    Pin,
    Reaction,
    State,
    Type,
    parts_of,
)
from stateglass.source import Span, close_match


def check_components(found: Findings, design: Design) -> None:
    names = [(c.name, c.span) for c in design.components]
    names += [(e.name, e.span) for e in design.enumerations]
    found.once("the name", (*names, *((value, e.span) for e in design.enumerations for value, _ in e.values)))
    for component in design.components:
        _component(found, design, component)


def _component(found: Findings, design: Design, component: Component) -> None:
    own: list[tuple[str, Span]] = [(p.name, p.span) for p in component.parameters]
    own += [(v.name, v.span) for v in component.variables]
    own += [(p.name, p.span) for p in component.pins]
    own += [(r.name, r.span) for r in component.reactions]
    found.once("the name", own)
    constants = {value for e in design.enumerations for value, _ in e.values}
    types = [p.type for p in component.parameters] + [v.type for v in component.variables]
    inner = [v for r in component.reactions for v in r.variables]
    for name, span in (*own, *((v.name, v.span) for v in inner)):
        if name in constants:
            found.error(f"`{name}` is a value of an enumeration", span, "give this another name")
    for pin in component.pins:
        _pin(found, component, pin)
        types += [p.type for p in pin.parameters]
    _types(found, design, [*types, *(v.type for v in inner)])
    for variable in component.variables:
        check_initial(found, scope_of(design, component), variable, _numbers(design))
    _owners(found, component)
    for reaction in component.reactions:
        _reaction(found, design, component, reaction)


def _types(found: Findings, design: Design, types: Iterable[Type]) -> None:
    names = [e.name for e in design.enumerations]
    for type in types:
        if type.name not in INTEGERS and type.name not in names:
            found.unknown("type", type.name, type.span, (*names, *INTEGERS))


def _pin(found: Findings, component: Component, pin: Pin) -> None:
    found.once("the parameter", ((p.name, p.span) for p in pin.parameters))
    if pin.interaction is Interaction.ASYNCH:
        for parameter in pin.passed(Passing.END):
            message = f"`{parameter.name}` would never arrive: nobody waits for the end of an `asynch` interaction"
            found.error(message, parameter.span, "make the pin `synch`, or answer by an interaction of its own")
    if component.reactions and not component.reactions_on(pin.name):
        found.warn(f"no reaction handles the pin `{pin.name}`", pin.span, f"name it: `react R({pin.name})`")


def _numbers(design: Design) -> dict[str, int]:
    return {name: value for e in design.enumerations for name, value in e.values}


def _owners(found: Findings, component: Component) -> None:
    """A sink pin belongs to one reaction."""
    for pin in component.pins:
        for reaction in component.reactions_on(pin.name)[1:] if pin.is_sink else ():
            first = component.reactions_on(pin.name)[0].name
            message = f"the sink pin `{pin.name}` belongs to `{first}` already"
            found.error(message, reaction.span, "one reaction handles a sink pin: declare another for this one")


def _reaction(found: Findings, design: Design, component: Component, reaction: Reaction) -> None:
    found.once("the variable", ((v.name, v.span) for v in reaction.variables))
    found.once("the pin", ((name, reaction.span) for name in reaction.pins))
    if not reaction.pins:
        found.error(
            f"`{reaction.name}` handles no pin", reaction.span, f"name its pins: `react {reaction.name}(in, out)`"
        )
    for name in reaction.pins:
        pin = component.pin(name)
        if pin is None:
            found.unknown("pin", name, reaction.span, (p.name for p in component.pins), "declare one: `sink …`")
        elif pin.is_sink and pin.interaction is Interaction.ASYNCH and not reaction.threaded:
            message = f"`{reaction.name}` has no thread that could take messages from the `asynch` pin `{name}`"
            found.error(message, reaction.span, f"write `threaded react {reaction.name}(…)`, or make the pin `synch`")
    scope = scope_of(design, component, reaction)
    for variable in reaction.variables:
        check_initial(found, scope, variable, _numbers(design))
    check = ActionCheck(found, component, reaction, scope)
    for state in reaction.states:
        check.statement(state.entry)
        check.statement(state.exit)
    for transition in reaction.transitions:
        inner = check.within(transition)
        check.trigger(transition)
        if transition.guard is not None:
            inner.condition(transition.guard)
        inner.statement(transition.action)
    if reaction.states:
        _beginning(found, reaction)
        _states(found, reaction)
        _unused(found, component, reaction)


def _beginning(found: Findings, reaction: Reaction) -> None:
    """There is one transition from `start`, and nothing goes back there."""
    first = [t for t in reaction.transitions if t.source == START]
    if not first:
        message = f"`{reaction.name}` does not say where it starts"
        found.missing(message, reaction.span, f"write `start -> {reaction.states[0].name} {{}}`")
    for transition in first[1:]:
        found.error("there are two transitions from `start`", transition.span, "choose in the state that is entered")
    for transition in first[:1]:
        if transition.trigger is not None or transition.guard is not None:
            message = "the transition from `start` is taken before anything else"
            found.error(message, transition.span, "it has no trigger and no guard: let it lead to a state that waits")
    for transition in reaction.transitions:
        if transition.target == START:
            found.error("nothing leads back to `start`", transition.span, "let it lead to the state behind `start`")
    for state in reaction.states:
        if state.name == START:
            found.error("`start` is where a statechart begins, and no state", state.span, "give the state another name")


def _states(found: Findings, reaction: Reaction) -> None:
    """States that are only named by transitions are both entered and left; others might be misspelt."""
    declared = {s.name for s in reaction.states if _is_declared(s, reaction)}
    left = {t.source for t in reaction.transitions}
    entered = {t.target for t in reaction.transitions}
    for state in reaction.states:
        if state.name not in declared and not (state.name in left and state.name in entered):
            others = [s.name for s in reaction.states if s.name != state.name]
            meant = f"write `state {state.name} {{}}` if it is meant"
            found.unknown("state", state.name, state.span, others if close_match(state.name, others) else (), meant)
    reached = set(_reached(reaction))
    known = {d.span for d in found.errors}
    for state in reaction.states:
        if state.name not in reached and state.span not in known:
            found.warn(
                f"the state `{state.name}` is never entered", state.span, "no transitions lead there from `start`"
            )


def _is_declared(state: State, reaction: Reaction) -> bool:
    """A state that is only named has its place in a transition."""
    at = state.span
    return not at.start.column or not any(
        t.span.start <= at.start and at.end <= t.span.end for t in reaction.transitions
    )


def _reached(reaction: Reaction) -> Iterator[str]:
    """The states that transitions lead to from `start`, with those around them and those where they begin."""
    parents = {s.name: s.parent for s in reaction.states}
    todo, seen = [START], {START}
    while todo:
        name = todo.pop()
        yield name
        around = [parents[name]] if parents.get(name) else []
        inside = [s.name for s in reaction.states if s.parent == name and s.initial]
        for following in (*(t.target for t in reaction.transitions if t.source == name), *inside, *around):
            if following is not None and following not in seen:
                seen.add(following)
                todo.append(following)


def _unused(found: Findings, component: Component, reaction: Reaction) -> None:
    """Pins that a statechart has and that nothing in it asks for."""
    used = Counter(t.trigger.pin for t in reaction.transitions if t.trigger)
    blocks = [b for s in reaction.states for b in (s.entry, s.exit)] + [t.action for t in reaction.transitions]
    used.update(p.pin for b in blocks for p in parts_of(b) if isinstance(p, Begin))
    for name in reaction.pins:
        pin = component.pin(name)
        if pin is not None and not used[name]:
            what = "waits for" if pin.is_sink else "begins"
            help = "each interaction is discarded" if pin.is_sink else ""
            found.warn(f"nothing in `{reaction.name}` {what} `^{name}`", reaction.span, help)
