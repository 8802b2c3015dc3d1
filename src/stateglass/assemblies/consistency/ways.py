"""What a statechart does with one event: the states in which it may be at rest afterwards, and when it is in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never, final

from stateglass.assemblies.consistency.values import (
    Unknown,
    assigned,
    conjoined,
    either,
    is_wide,
    known_truth,
    negated,
    value_of,
)
from stateglass.assemblies.interpretation.charts import Chart, Levels, Step
from stateglass.design import (
    START,
    Assign,
    Begin,
    Block,
    Component,
    Constant,
    End,
    Expression,
    If,
    Interaction,
    Name,
    Parameter,
    Passing,
    Repeat,
    Statement,
    Trigger,
    constants_in,
    expressions_in,
    names_in,
    parts_of,
)

MOST_STEPS: Final = 64
"""So many transitions without an event follow each other at most."""
MOST_WAYS: Final = 200
BROUGHT: Final = "$"
"""What the owner of data begins with that comes back from others, and is not known before."""


@final
class UnclearError(Exception):
    """What follows cannot be said by conditions over what is known before the event."""


@final
@dataclass(frozen=True, slots=True)
class Way:
    """An event leads to a state of rest if all of these hold before it."""

    target: str
    conditions: tuple[Expression, ...]


@final
@dataclass(frozen=True, slots=True)
class _At:
    """How things stand on one way."""

    values: Mapping[Name, Expression | Unknown]  # of what was assigned
    conditions: tuple[Expression, ...] = ()
    arrived: frozenset[str] = frozenset()  # source pins whose interactions are complete, and nobody has looked
    steps: int = 0

    def where(self, condition: Expression | Unknown) -> _At | None:
        """The same if a condition holds; None if it cannot."""
        if isinstance(condition, Unknown):
            raise UnclearError(f"it depends on {condition.why}")
        truth = known_truth(condition)
        if truth is not None:
            return self if truth else None
        if negated(condition) in self.conditions:
            return None
        return self if condition in self.conditions else replace(self, conditions=(*self.conditions, condition))


def ways(component: Component, chart: Chart, state: str, pin: str, enumerators: Mapping[str, int]) -> tuple[Way, ...]:
    """What `^pin` leads to in a state of rest; what the event brings is called `pin.parameter`."""
    found = []
    following = _Following(component, chart, enumerators)
    for target, at in following.event(state, pin):
        found.append(Way(target, at.conditions))
        if len(found) > MOST_WAYS:
            raise UnclearError(f"there are more than {MOST_WAYS} ways from `{state}`")
    return tuple(found)


def resting(component: Component, chart: Chart, enumerators: Mapping[str, int]) -> tuple[str, ...]:
    """The states that a statechart may be at rest in, in the order of the text; too many rather than too few."""
    following = _Following(component, chart, enumerators)
    pins = [name for name in chart.reaction.pins if (pin := component.pin(name)) is not None and pin.is_sink]
    try:
        found = {target for target, _ in following.beginning()}
        waiting = list(found)
        while waiting:
            state = waiting.pop()
            more = {target for pin in pins for target, _ in following.event(state, pin)} - found
            found |= more
            waiting += more
    except UnclearError:
        found = {state for state in chart.states if chart.may_rest(state)}
    return tuple(state for state in chart.states if state in found)


@final
class _Following:
    """Follows all ways of a statechart with values as expressions over those before the event."""

    def __init__(self, component: Component, chart: Chart, enumerators: Mapping[str, int]) -> None:
        self._component = component
        self._chart = chart
        self._enumerators = enumerators
        own = {v.name: v for v in chart.reaction.variables}
        self._types = {Name(v.name, owner="component" if v.name in own else ""): v.type for v in component.variables}
        self._types |= {Name(v.name): v.type for v in chart.reaction.variables}
        everything = [*self._types.values(), *(p.type for pin in component.pins for p in pin.parameters)]
        numbers = (number for one in expressions_in(chart.reaction) for number in constants_in(one))
        self._is_wide = any(map(is_wide, (*(type.name for type in everything), *(number.type for number in numbers))))
        self._relevant = self._deciding()

    def event(self, state: str, pin: str) -> Iterator[tuple[str, _At]]:
        data = _Data(pin, self._parameters(pin, Passing.BEGIN))
        # An event that nothing waits for is discarded.
        return self._choose(self._chart.levels(state, pin), data, _At({}), lambda at: iter([(state, at)]))

    def beginning(self) -> Iterator[tuple[str, _At]]:
        return self._choose(self._chart.levels(START), None, _At({}), lambda at: iter(()))

    # ---- steps

    def _entered(self, state: str, at: _At) -> Iterator[tuple[str, _At]]:
        if at.steps > MOST_STEPS:
            raise UnclearError(f"more than {MOST_STEPS} transitions follow each other without an event")
        for pin in self._chart.reaction.pins:
            if pin in at.arrived:
                levels = self._chart.levels(state, pin, is_end=True)
                data = _Data(f"{BROUGHT}{pin}#{at.steps}", self._parameters(pin, Passing.END))
                at = replace(at, arrived=at.arrived - {pin})
                return self._choose(levels, data, at, lambda rest: self._entered(state, rest))
        return self._choose(self._chart.levels(state), None, at, lambda rest: iter([(state, rest)]))

    def _choose(
        self, levels: Levels, data: _Data | None, at: _At, otherwise: Callable[[_At], Iterator[tuple[str, _At]]]
    ) -> Iterator[tuple[str, _At]]:
        """Each step that can be taken, those of inner states first; if there is none, what happens `otherwise`."""
        left = at
        for level in levels:
            guards = [self._guard(step, data, at) for step in level]
            for step, guard in zip(level, guards, strict=True):
                taken = left.where(guard)
                if taken is not None:
                    yield from self._take(step, data, taken)
            for guard in guards:
                rest = left.where(negated(guard))
                if rest is None:
                    return
                left = rest
        yield from otherwise(left)

    def _guard(self, step: Step, data: _Data | None, at: _At) -> Expression | Unknown:
        guard = step.transition.guard
        return Constant(1) if guard is None else self._value(guard, self._given(step.transition.trigger, data), at)

    def _take(self, step: Step, data: _Data | None, at: _At) -> Iterator[tuple[str, _At]]:
        given = self._given(step.transition.trigger, data)
        values = dict(at.values)
        for name, value in given.items():
            if name in self._types and data is not None:
                values[name] = self._kept(value, name, data.type_of(step.transition.trigger, name.name))
        local = {name: value for name, value in given.items() if name not in self._types}
        found = [replace(at, values=values, steps=at.steps + 1)]
        for block in (*step.before, *step.after, self._chart.entry(step.target)):
            found = [after for one in found for after in self._done(block, local, one)]
            if len(found) > MOST_WAYS:
                raise UnclearError(f"there are more than {MOST_WAYS} ways through the actions")
        for one in found:
            yield from self._entered(step.target, one)

    # ---- actions

    def _done(self, statement: Statement, local: _Given, at: _At) -> list[_At]:
        match statement:
            case Assign(target, value):
                name = self._named(target)
                if name not in self._relevant:
                    return [at]
                found = self._kept(self._value(value, local, at), name)
                return [replace(at, values={**at.values, name: found})]
            case Begin(pin):
                return [replace(at, arrived=at.arrived | {pin})] if self._is_awaited(pin) else [at]
            case End():
                return [at]
            case If(condition, then, otherwise):
                if not self._matters(statement):
                    return [at]
                holds = self._value(condition, local, at)
                if isinstance(holds, Unknown):
                    return [self._any(statement, holds, at)]
                ways = ((at.where(holds), then), (at.where(negated(holds)), otherwise))
                return [after for one, block in ways if one is not None for after in self._done(block, local, one)]
            case Repeat():
                return [self._any(statement, Unknown("what a loop does"), at)] if self._matters(statement) else [at]
            case Block(statements):
                found_all = [at]
                for one in statements:
                    found_all = [after for before in found_all for after in self._done(one, local, before)]
                    if len(found_all) > MOST_WAYS:
                        raise UnclearError(f"there are more than {MOST_WAYS} ways through the actions")
                return found_all
            case other:
                assert_never(other)

    def _any(self, statement: Statement, why: Unknown, at: _At) -> _At:
        """Whatever a statement may do."""
        parts = list(parts_of(statement))
        if any(isinstance(part, Begin) and self._is_awaited(part.pin) for part in parts):
            raise UnclearError(f"it depends on {why.why} whether an interaction begins")
        names = {self._named(part.target) for part in parts if isinstance(part, Assign)}
        return replace(at, values={**at.values, **dict.fromkeys(names & self._relevant, why)})

    def _matters(self, statement: Statement) -> bool:
        return any(
            self._named(part.target) in self._relevant
            if isinstance(part, Assign)
            else isinstance(part, Begin) and self._is_awaited(part.pin)
            for part in parts_of(statement)
        )

    def _is_awaited(self, pin: str) -> bool:
        found = self._component.pin(pin)
        return found is not None and found.interaction is Interaction.SYNCH and self._chart.looks_at(pin)

    # ---- values

    def _kept(self, value: Expression | Unknown, name: Name, of: str | None = None) -> Expression | Unknown:
        return assigned(value, of, self._types[name].name, is_wide=self._is_wide)

    def _value(self, expression: Expression, local: _Given, at: _At) -> Expression | Unknown:
        def read(name: Name) -> Expression | Unknown:
            plain = Name(name.name)
            if not name.owner and plain in local:
                return local[plain]
            if not name.owner and plain not in self._types and name.name in self._enumerators:
                return Constant(self._enumerators[name.name], text=name.name)
            known = self._named(name)
            return at.values.get(known, known)

        return value_of(expression, read)

    def _named(self, name: Name) -> Name:
        """A variable by the name that it has whoever speaks of it."""
        own = Name(name.name, owner=name.owner)
        return own if own in self._types else Name(name.name)

    def _given(self, trigger: Trigger | None, data: _Data | None) -> _Given:
        if trigger is None or data is None:
            return {}
        found: dict[Name, Expression | Unknown] = {}
        for name, parameter in zip(trigger.names, data.parameters, strict=False):
            found[Name(name)] = Name(parameter.name, owner=data.owner)
        return found

    def _parameters(self, pin: str, passing: Passing) -> tuple[Parameter, ...]:
        found = self._component.pin(pin)
        return () if found is None else found.passed(passing)

    def _deciding(self) -> frozenset[Name]:
        """The variables that guards depend on, and what these depend on, as far as it is assigned."""
        reaction = self._chart.reaction
        blocks = [*(t.action for t in reaction.transitions), *(b for s in reaction.states for b in (s.entry, s.exit))]
        found = {self._named(n) for t in reaction.transitions if t.guard is not None for n in names_in(t.guard)}
        # An interaction that something waits for is decided by all conditions around it.
        while True:
            more = {name for block in blocks for name in self._used(block, found)}
            if more <= found:
                return frozenset(name for name in found if name in self._types)
            found |= more

    def _used(self, block: Block, relevant: set[Name]) -> Iterator[Name]:
        for part in parts_of(block):
            match part:
                case Assign(target, value) if self._named(target) in relevant:
                    yield from map(self._named, names_in(value))
                case If(condition, _, _) | Repeat(condition, _):
                    inner = [one for one in parts_of(part) if isinstance(one, Assign | Begin)]
                    if any(isinstance(one, Begin) or self._named(one.target) in relevant for one in inner):
                        yield from map(self._named, names_in(condition))
                case _:
                    pass


_Given = Mapping[Name, Expression | Unknown]


@final
@dataclass(frozen=True, slots=True)
class _Data:
    """What an event brings."""

    owner: str  # of the names that it is called by
    parameters: Sequence[Parameter]

    def type_of(self, trigger: Trigger | None, name: str) -> str:
        names = () if trigger is None else trigger.names
        return next(p.type.name for n, p in zip(names, self.parameters, strict=False) if n == name)


def joined(found: Sequence[Way]) -> dict[str, Expression]:
    """For each state that ways lead to, the condition under which one of them does; one of all is always taken."""
    if len({way.target for way in found}) == 1:
        return {found[0].target: Constant(1)}
    conditions: dict[str, Expression] = {}
    for way in found:
        condition = conjoined(way.conditions)
        known = conditions.get(way.target)
        conditions[way.target] = condition if known is None else either(known, condition)
    return conditions
