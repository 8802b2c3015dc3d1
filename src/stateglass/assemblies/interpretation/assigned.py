"""Which values variables and data can have, as far as the design itself gives them.

All that is assigned and passed anywhere is collected until nothing is added. Conditions in front of an assignment are
heeded, but not the order of statements, nor what several threads do to one variable in between: who relies on these
values has to watch whether others come.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Final, assert_never, final

from stateglass.assemblies.computing import Typed, computed
from stateglass.assemblies.interpretation.expressions import initial_value
from stateglass.assemblies.interpretation.values import Values
from stateglass.assemblies.interpretation.wiring import Place, Unit, Wiring
from stateglass.assemblies.types import converted
from stateglass.design import (
    Assign,
    Begin,
    Block,
    End,
    Expression,
    If,
    Name,
    Operation,
    Parameter,
    Passing,
    Reaction,
    Repeat,
    Statement,
    Type,
    Variable,
    names_in,
    parts_of,
)
from stateglass.logic.predicates import Operator

MOST_ASSIGNED: Final = 64
"""What has more values has any: it may be a number that grows for ever."""
_MOST_COMBINED: Final = 512
_TRUTHS: Final = frozenset({0, 1})
_TRUE_OR_FALSE: Final = frozenset(
    {Operator.LESS, Operator.LESS_EQUAL, Operator.GREATER, Operator.GREATER_EQUAL, Operator.EQUAL}
    | {Operator.NOT_EQUAL, Operator.AND_ALSO, Operator.OR_ELSE, Operator.NOT}
)

Known = frozenset[int] | None
"""The values that something may have; None: any."""


@final
@dataclass(frozen=True, slots=True)
class OfVariable:
    """A variable of an instance, or of a reaction of it."""

    unit: str
    reaction: str  # empty: it belongs to the component
    name: str


@final
@dataclass(frozen=True, slots=True)
class OfData:
    """What a pin carries, by its position among what `^` or `$` carries."""

    place: Place
    passing: Passing
    position: int


Thing = OfVariable | OfData


@final
@dataclass(frozen=True)
class _Scope:
    """What names mean in a part of a reaction, and what conditions say of their values."""

    unit: Unit
    reaction: Reaction
    local: Mapping[str, OfData] = field(default_factory=dict)
    narrowed: Mapping[Thing, frozenset[int]] = field(default_factory=dict)
    is_guard: bool = False  # names of data mean that, and no variables that are to be given it

    def thing(self, name: Name) -> Thing | None:
        """What has the value of a name; None for a constant."""
        if self.is_guard and not name.owner and name.name in self.local:
            return self.local[name.name]
        if not name.owner and any(v.name == name.name for v in self.reaction.variables):
            return OfVariable(self.unit.name, self.reaction.name, name.name)
        if any(v.name == name.name for v in self.unit.component.variables):
            return OfVariable(self.unit.name, "", name.name)
        return None if name.name in self.unit.constants else self.local.get(name.name)

    def behind(self, statement: Statement) -> _Scope:
        """What is still known of values when a statement has been done."""
        changed = {self.thing(part.target) for part in parts_of(statement) if isinstance(part, Assign)}
        return replace(self, narrowed={one: values for one, values in self.narrowed.items() if one not in changed})


@final
class Assigned:
    """The values of variables and data, found by going through all statements again and again."""

    def __init__(
        self,
        wiring: Wiring,
        of_variable: Callable[[Unit, str, Variable], Values | None],
        of_data: Callable[[Place, Parameter], Values | None],
    ) -> None:
        """`of_variable` and `of_data` are what somebody says; that is not asked again."""
        self._wiring = wiring
        self._numbers = {name: value for one in wiring.design.enumerations for name, value in one.values}
        self._found: dict[Thing, Known] = {}
        self._types: dict[Thing, Type] = {}
        self._fixed: set[Thing] = set()
        for unit in wiring.units:
            groups = [("", unit.component.variables), *((r.name, r.variables) for r in unit.component.reactions)]
            for of_reaction, variables in groups:
                for variable in variables:
                    value = initial_value(wiring, unit.name, variable)
                    thing = OfVariable(unit.name, of_reaction, variable.name)
                    self._begin(thing, variable.type, of_variable(unit, of_reaction, variable), frozenset({value}))
            for place in (Place(unit.name, pin.name) for pin in unit.component.pins):
                for passing in Passing:
                    for position, parameter in enumerate(wiring.pin(place).passed(passing)):
                        said = of_data(place, parameter)
                        data = OfData(place, passing, position)
                        self._begin(data, parameter.type, said, self._unasked(place, passing))
        self._grows = True
        while self._grows:
            self._grows = False
            for unit in wiring.units:
                for reaction in unit.component.reactions:
                    self._reaction(unit, reaction)

    def variable(self, unit: str, reaction: str, name: str) -> Values | None:
        return self._values(OfVariable(unit, reaction, name))

    def data(self, place: Place, passing: Passing, position: int) -> Values | None:
        """What is passed at a pin; 0 if nobody passes anything."""
        return self._values(OfData(place, passing, position))

    def _values(self, thing: Thing) -> Values | None:
        found = self._found[thing]
        return None if found is None else tuple(sorted(found)) or (0,)

    def _begin(self, thing: Thing, type: Type, said: Values | None, first: Known) -> None:
        self._types[thing] = type
        self._found[thing] = first if said is None else frozenset(said)
        if said is not None:
            self._fixed.add(thing)

    def _unasked(self, place: Place, passing: Passing) -> Known:
        """The data that comes without a statement: from the surroundings, and 0 where an event is discarded."""
        comes = self._wiring.pin(place).is_sink is (passing is Passing.BEGIN)
        if comes and place in self._wiring.open:
            return None
        if passing is Passing.BEGIN:
            return frozenset()
        return None if comes and place not in self._wiring.targets else frozenset({0})

    # ---- statements

    def _reaction(self, unit: Unit, reaction: Reaction) -> None:
        plain = _Scope(unit, reaction)
        for state in reaction.states:
            self._do(state.entry, plain)
            self._do(state.exit, plain)
        for transition in reaction.transitions:
            local: dict[str, OfData] = {}
            received: dict[OfVariable, OfData] = {}
            if transition.trigger is not None:
                passing = Passing.END if transition.trigger.is_end else Passing.BEGIN
                for position, name in enumerate(transition.trigger.names):
                    local[name] = OfData(Place(unit.name, transition.trigger.pin), passing, position)
                    if isinstance(meant := plain.thing(Name(name)), OfVariable):
                        received[meant] = local[name]
            scope = _Scope(unit, reaction, local, is_guard=True)
            if transition.guard is not None:
                scope = self._where(transition.guard, scope, holds=True)
            known = {thing: values for thing, values in scope.narrowed.items() if thing not in received}
            for variable, data in received.items():
                self._add(variable, scope.narrowed.get(data, self._found[data]))
                known |= {variable: scope.narrowed[data]} if data in scope.narrowed else {}
            self._do(transition.action, replace(scope, is_guard=False, narrowed=known))

    def _do(self, statement: Statement, scope: _Scope) -> None:
        """Collects what a statement assigns and passes."""
        match statement:
            case Assign(target, value):
                thing = scope.thing(target)
                assert thing is not None
                self._add(thing, self._of(value, scope))
            case Begin(pin, arguments):
                place = Place(scope.unit.name, pin)
                self._pass((place, *self._wiring.targets.get(place, ())), Passing.BEGIN, arguments, scope)
            case End(pin, arguments):
                place = Place(scope.unit.name, pin)
                self._pass((place, *self._wiring.sources.get(place, ())), Passing.END, arguments, scope)
            case If(condition, then, otherwise):
                self._do(then, self._where(condition, scope, holds=True))
                self._do(otherwise, self._where(condition, scope, holds=False))
            case Repeat(condition, body):
                self._do(body, self._where(condition, scope.behind(body), holds=True))
            case Block(statements):
                for one in statements:
                    self._do(one, scope)
                    scope = scope.behind(one)
            case other:
                assert_never(other)

    def _pass(self, places: Sequence[Place], passing: Passing, arguments: Sequence[Expression], scope: _Scope) -> None:
        for position, argument in enumerate(arguments):
            for place in places:
                self._add(OfData(place, passing, position), self._of(argument, scope))

    def _add(self, thing: Thing, values: Known) -> None:
        known = self._found[thing]
        if known is None or thing in self._fixed:
            return
        new = None if values is None else known | {converted(value, self._types[thing].name) for value in values}
        if new is not None and len(new) > MOST_ASSIGNED:
            new = None
        if new != known:
            self._found[thing] = new
            self._grows = True

    # ---- expressions

    def _of(self, expression: Expression, scope: _Scope) -> Known:
        rows = self._rows(expression, scope)
        if rows is not None:
            return frozenset(value for value, _ in rows)
        is_truth = isinstance(expression, Operation) and expression.operator in _TRUE_OR_FALSE
        return _TRUTHS if is_truth else None

    def _where(self, condition: Expression, scope: _Scope, *, holds: bool) -> _Scope:
        """The scope where a condition holds, or does not."""
        joined = Operator.AND_ALSO if holds else Operator.OR_ELSE
        if isinstance(condition, Operation) and condition.operator is joined:
            for operand in condition.operands:
                scope = self._where(operand, scope, holds=holds)
            return scope
        rows = self._rows(condition, scope)
        if rows is None:
            return scope
        narrowed: dict[Thing, set[int]] = {thing: set() for _, chosen in rows for thing in chosen}
        for value, chosen in rows:
            for thing, one in chosen.items() if bool(value) is holds else ():
                narrowed[thing].add(one)
        known = {thing: frozenset(values) for thing, values in narrowed.items()}
        return replace(scope, narrowed={**scope.narrowed, **known})

    def _rows(self, expression: Expression, scope: _Scope) -> list[tuple[int, Mapping[Thing, int]]] | None:
        """The value for each choice of values for what it reads; None if these are not known, or too many."""
        meant = {name: scope.thing(name) for name in names_in(expression)}
        things = list(dict.fromkeys(thing for thing in meant.values() if thing is not None))
        known = [scope.narrowed.get(thing, self._found[thing]) for thing in things]
        sets = [sorted(values) for values in known if values is not None]
        if len(sets) < len(known) or prod(map(len, sets)) > _MOST_COMBINED:
            return None
        parameters = {p.name: p.type.name for p in scope.unit.component.parameters}
        constants = {name: Typed(value) for name, value in self._numbers.items()}
        constants |= {name: Typed(value, parameters[name]) for name, value in scope.unit.constants.items()}
        rows: list[tuple[int, Mapping[Thing, int]]] = []
        for row in product(*sets):
            chosen = dict(zip(things, row, strict=True))
            values = {
                name: constants[name.name] if thing is None else Typed(chosen[thing], self._types[thing].name)
                for name, thing in meant.items()
            }
            try:
                value = computed(expression, values)
            except ZeroDivisionError:
                continue  # it has no value
            except OverflowError:
                return None
            rows.append((value, chosen))
        return rows
