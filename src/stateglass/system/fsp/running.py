"""How a process goes on from state to state: what it accepts, and what it does of its own accord."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, assert_never, final

from stateglass.source import Code, Diagnostic, InputError, input_error, suggestion
from stateglass.system.fsp.actions import TAU, Action, Kind, Value
from stateglass.system.fsp.evaluating import Undefined, Valuation, contains, evaluate, holds, members, size
from stateglass.system.fsp.nodes import (
    Binding,
    Choice,
    Error,
    Guarded,
    Pattern,
    Prefix,
    Process,
    Reference,
    Stop,
    Term,
)
from stateglass.system.fsp.printer import pattern_text, reference_text
from stateglass.system.fsp.sorts import sort_of_value
from stateglass.system.fsp.variables import free_variables

IN_ERROR: Final = "ERROR"
"""What a process that is in error is at."""
MOST_ACTIONS: Final = 1 << 16
"""From how many actions one prefix chooses at most; what is more was a slip, and would take all memory there is."""


@final
@dataclass(frozen=True, slots=True)
class State:
    """Where a process is. Two states of one process are equal if they are at the same term of the same definition with
    the same values.

    `failed` says why the process is in error, and it does nothing from then on. Empty: it is not.
    """

    machine: Machine = field(compare=False, repr=False)
    place: int  # the number of a term in a definition
    values: tuple[Value, ...]  # of the parameters of the process, then of the variables in the term
    failed: str = ""

    @property
    def definition(self) -> str:
        """The name of what the process does; of a process in error `ERROR`."""
        return IN_ERROR if self.failed else self.machine.definition(self.place)


def start(process: Process, arguments: Mapping[str, Value] | None = None) -> State:
    """The first state. `arguments` are values for parameters; the others have their defaults."""
    given = arguments or {}
    known = [p.name for p in process.parameters]
    problems = [
        Diagnostic(Code.PROCESS, f"`{process.name}` has no parameter `{name}`", help=suggestion(name, known))
        for name in sorted(given.keys() - set(known))
    ]
    values: dict[str, Value] = {}
    for parameter in process.parameters:
        default = parameter.default
        value = values[parameter.name] = given.get(parameter.name, default)
        if sort_of_value(value) is not sort_of_value(default):
            message = f"the parameter `{parameter.name}` of `{process.name}` is {sort_of_value(default).value}"
            problems.append(Diagnostic(Code.PROCESS, f"{message}: it cannot be {value}"))
    if problems:
        raise InputError(problems)
    return Machine(process).entered(process.name, Reference(process.name), values)


def offers(state: State, incoming: Action) -> tuple[State, ...]:
    """The states after an action that somebody else does: several if the process has a choice, none if it refuses."""
    return state.machine.accepted(state, incoming)


def steps(state: State) -> tuple[tuple[Action, State], ...]:
    """What the process may do of its own accord (answers, events, calls of its subject), and the states after it."""
    return state.machine.own_steps(state)


def everything(state: State) -> tuple[tuple[Action, State], ...]:
    """What may happen to a process in surroundings that do all that it accepts, and the states after it."""
    return state.machine.all_steps(state)


_Option = tuple[Pattern, str, Term, Valuation]
"""An action, and the definition and the term that the process goes on with."""


@final
class Machine:
    """The terms of a process by number, and what is known of its states. Whoever has a state needs nothing of it."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self._parameters = tuple(p.name for p in process.parameters)
        self._terms: list[tuple[str, Term, tuple[str, ...]]] = []
        self._numbers: dict[tuple[str, Term], int] = {}
        self._own_steps: dict[State, tuple[tuple[Action, State], ...]] = {}
        # All at once and in the order of the text: states of one process are equal whoever started it.
        for definition in process.definitions:
            self._number(definition.name, definition.term)

    def definition(self, place: int) -> str:
        return self._terms[place][0]

    def _number(self, definition: str, term: Term) -> None:
        if (definition, term) not in self._numbers:
            self._numbers[definition, term] = len(self._terms)
            local = free_variables(term) - set(self._parameters)
            self._terms.append((definition, term, (*self._parameters, *sorted(local))))
        match term:
            case Prefix(_, then):
                self._number(definition, then)
            case Choice(options):
                for option in options:
                    self._number(definition, option)
            case Guarded(_, guarded):
                self._number(definition, guarded)
            case Reference() | Stop() | Error():
                pass
            case _:
                assert_never(term)

    def entered(self, definition: str, term: Term, values: Valuation) -> State:
        """The state in which a process goes on as a term of a definition says."""
        try:
            while isinstance(term, Reference):
                definition, term, values = self._resolved(term, values)
            number = self._numbers[definition, term]
            state = State(self, number, tuple(values[name] for name in self._terms[number][2]))
            # What has no value is found now: a state is in error or it is not.
            for pattern, _, _, inner in self._options(definition, term, values):
                if pattern.chosen_by_process:
                    for _ in _instances(pattern, inner):
                        pass
        except Undefined as reason:
            return self._in_error(reason)
        return state

    def accepted(self, state: State, incoming: Action) -> tuple[State, ...]:
        found: dict[State, None] = {}
        for pattern, definition, then, values in self._options_of(state):
            if pattern.kind is incoming.kind and pattern.name == incoming.name:
                try:
                    bound = _bound(pattern, incoming.values, values)
                except Undefined as reason:
                    found[self._in_error(reason)] = None
                    continue
                if bound is not None:
                    found[self.entered(definition, then, bound)] = None
        return tuple(found)

    def own_steps(self, state: State) -> tuple[tuple[Action, State], ...]:
        known = self._own_steps.get(state)
        if known is None:
            found = (
                (action, self.entered(definition, then, bound))
                for pattern, definition, then, values in self._options_of(state)
                if pattern.chosen_by_process
                for action, bound in _instances(pattern, values)
            )
            known = self._own_steps[state] = tuple(dict.fromkeys(found))
        return known

    def all_steps(self, state: State) -> tuple[tuple[Action, State], ...]:
        found: dict[tuple[Action, State], None] = {}
        for pattern, definition, then, values in self._options_of(state):
            try:
                for action, bound in _instances(pattern, values):
                    found[action, self.entered(definition, then, bound)] = None
            except Undefined as reason:
                # Which actions others may do has no value, so that there is none to show it by.
                found[Action(Kind.EVENT, TAU), self._in_error(reason)] = None
        return tuple(found)

    def _in_error(self, reason: Undefined) -> State:
        return State(self, -1, (), str(reason))

    def _options_of(self, state: State) -> Iterator[_Option]:
        if state.failed:
            return iter(())
        definition, term, names = self._terms[state.place]
        return self._options(definition, term, dict(zip(names, state.values, strict=True)))

    def _options(self, definition: str, term: Term, values: Valuation) -> Iterator[_Option]:
        match term:
            case Prefix(patterns, then):
                for pattern in patterns:
                    yield pattern, definition, then, values
            case Choice(options):
                for option in options:
                    yield from self._options(definition, option, values)
            case Guarded(condition, guarded):
                if holds(condition, values):
                    yield from self._options(definition, guarded, values)
            case Reference():
                yield from self._options(*self._resolved(term, values))
            case Stop():
                pass
            case Error():
                raise Undefined("the process is at `ERROR`")
            case _:
                assert_never(term)

    def _resolved(self, reference: Reference, values: Valuation) -> tuple[str, Term, Valuation]:
        definition = self.process.by_name[reference.name]
        inner = {name: values[name] for name in self._parameters}
        given = [evaluate(argument, values) for argument in reference.arguments]
        for index, value in zip(definition.indices, given, strict=True):
            if not contains(index.domain, value, inner):
                raise Undefined(f"{reference_text(reference.name, given)}: `{index.name}` is out of its range")
            inner[index.name] = value
        return definition.name, definition.term, inner


def _bound(pattern: Pattern, given: tuple[Value, ...], values: Valuation) -> Valuation | None:
    """The values of variables after an action, or nothing if it is not one of those that are meant."""
    if len(given) != len(pattern.arguments):
        return None
    inner = dict(values)
    for argument, value in zip(pattern.arguments, given, strict=True):
        if isinstance(argument, Binding):
            if not contains(argument.domain, value, inner):
                return None
            inner[argument.name] = value
        elif evaluate(argument, inner) != value:
            return None
    return inner


def _instances(pattern: Pattern, values: Valuation) -> list[tuple[Action, Valuation]]:
    """All the actions that a pattern stands for, and the values of variables after each."""
    found: list[tuple[tuple[Value, ...], Valuation]] = [((), values)]
    for argument in pattern.arguments:
        if not isinstance(argument, Binding):
            found = [((*given, evaluate(argument, inner)), inner) for given, inner in found]
            continue
        if sum(size(argument.domain, inner) for _, inner in found) > MOST_ACTIONS:
            message = f"`{pattern_text(pattern)}` has more than {MOST_ACTIONS:,} actions to choose from"
            raise input_error(Code.TOO_LARGE, message, help="give its variables smaller ranges")
        found = [
            ((*given, value), {**inner, argument.name: value})
            for given, inner in found
            for value in members(argument.domain, inner)
        ]
    return [(Action(pattern.kind, pattern.name, given), inner) for given, inner in found]
