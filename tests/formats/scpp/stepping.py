"""Runs what `reading` has read: equations as rewrite rules, processes side by side. Slow, and by the book."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, final

from stateglass.model import Model, ModelBuilder
from tests.formats.scpp.labels import action, names_in
from tests.formats.scpp.reading import Alternatives, Do, Going, Guard, Specification, Sum, Term, Variable, read

Values = dict[str, Term]
_ORDERED: Final = {"<": lambda c: c < 0, "<=": lambda c: c <= 0, ">": lambda c: c > 0, ">=": lambda c: c >= 0}


def model_by_stepping(text: str) -> Model:
    """All that the processes of a specification can do together, with the labels that our models have."""
    stepper = Stepper(read(text))
    names = names_in(text)
    first = stepper.first()
    numbers = {first: 0}
    states = [first]
    builder = ModelBuilder()
    ended: set[int] = set()
    for number, state in enumerate(states):
        for label, then in stepper.steps(state):
            if then not in numbers:
                numbers[then] = len(states)
                states.append(then)
            shown = action(label, names)
            builder.add(number, shown, numbers[then])
            if shown.startswith(("error(", "exit(")):
                ended.add(numbers[then])
    return builder.build(len(states), terminal=sorted(ended))


@final
class Data:
    """Data terms in normal form: innermost, `if`, `&&` and `||` from left to right."""

    def __init__(self, specification: Specification) -> None:
        self._found = specification
        self._constants: dict[str, Term] = {}

    def value(self, term: Term, values: Values) -> Term:
        if isinstance(term, Variable):
            return values[term.name]
        if not isinstance(term, tuple):
            return term
        name, arguments = term
        match name:
            case "if":
                return self.value(arguments[1 if self.value(arguments[0], values) else 2], values)
            case "&&":
                return self.value(arguments[0], values) and self.value(arguments[1], values)
            case "||":
                return self.value(arguments[0], values) or self.value(arguments[1], values)
            case "list":
                return ("list", tuple(self.value(a, values) for a in arguments))
            case _:
                return self._applied(name, tuple(self.value(a, values) for a in arguments))

    def _applied(self, name: str, arguments: tuple[Term, ...]) -> Term:
        if not arguments and name in self._constants:
            return self._constants[name]
        for condition, patterns, right in self._found.rules.get(name, ()):
            values: Values = {}
            if len(patterns) != len(arguments) or not all(map(matches, patterns, arguments, [values] * len(patterns))):
                continue
            if condition is True or self.value(condition, values):
                result = self.value(right, values)
                if not arguments:
                    self._constants[name] = result
                return result
        return self._built_in(name, arguments)

    def _built_in(self, name: str, arguments: tuple[Term, ...]) -> Term:
        if name in self._found.projections and isinstance(arguments[0], tuple):
            constructor, inner = arguments[0]
            return inner[self._found.projections[name][constructor]]
        if name in self._found.recognisers:
            return arguments[0][0] == self._found.recognisers[name]
        if name in self._found.order:
            return (name, arguments)
        match name, arguments:
            case ("==", (a, b)):
                return bool(a == b)
            case ("!=", (a, b)):
                return bool(a != b)
            case ("<" | "<=" | ">" | ">=", (a, b)):
                return _ORDERED[name](self._compared(a, b))
            case ("|>", (a, (_, rest))):
                return ("list", (a, *rest))
            case ("++", ((_, a), (_, b))):
                return ("list", (*a, *b))
            case (".", ((_, items), number)):
                return items[number]
            case ("#1", ((_, items),)):
                return len(items)
            case ("!1", (a,)):
                return not a
            case _:
                return _arithmetic(name, arguments)

    def _compared(self, a: Term, b: Term) -> int:
        """The order of constructors is that of their sort, then that of their arguments from left to right."""
        if not isinstance(a, tuple):
            return int(a > b) - int(a < b)
        if a[0] != b[0]:
            return self._found.order[a[0]] - self._found.order[b[0]]
        return next((c for c in map(self._compared, a[1], b[1]) if c), 0)


def _arithmetic(name: str, arguments: tuple[Term, ...]) -> int:
    match name, arguments:
        case ("+", (int(a), int(b))):
            return a + b
        case ("-", (int(a), int(b))):
            return a - b
        case ("*", (int(a), int(b))):
            return a * b
        case ("-1", (int(a),)):
            return -a
        case ("div", (int(a), int(b))) if b > 0:
            return a // b
        case ("mod", (int(a), int(b))) if b > 0:
            return a % b
        case ("exp", (int(a), int(b))):
            return int(a**b)
        case ("Int2Pos", (int(a),)) if a > 0:
            return a
        case ("Int2Nat", (int(a),)) if a >= 0:
            return a
        case _:
            raise AssertionError(f"no equation for {name}{arguments!r}"[:2000])


def matches(pattern: Term, term: Term, values: Values) -> bool:
    """Whether a term is of a form; its variables get their values."""
    if isinstance(pattern, Variable):
        return bool(values.setdefault(pattern.name, term) == term)
    if not isinstance(pattern, tuple):
        return bool(pattern == term)
    name, inner = pattern
    if not isinstance(term, tuple):
        return False
    if name == "|>":
        if term[0] != "list" or not term[1]:
            return False
        first, *rest = term[1]
        return matches(inner[0], first, values) and matches(inner[1], ("list", tuple(rest)), values)
    return name == term[0] and len(inner) == len(term[1]) and all(map(matches, inner, term[1], [values] * len(inner)))


@final
@dataclass(frozen=True)
class _Offer:
    """What one process may do; variables without a value get one from the other side."""

    action: str
    arguments: tuple[Term, ...]
    conditions: tuple[Term, ...]
    then: Any
    values: tuple[tuple[str, Term], ...]
    component: int


State = tuple[tuple[Any, tuple[tuple[str, Term], ...]], ...]
"""For each process the term it is at, with the values of its variables."""


@final
class Stepper:
    """Goes from state to state."""

    def __init__(self, specification: Specification) -> None:
        self._found = specification
        self._data = Data(specification)

    def first(self) -> State:
        return tuple(self._at(going, {}) for going in self._found.start)

    def _at(self, term: Any, values: Values) -> tuple[Any, tuple[tuple[str, Term], ...]]:
        while isinstance(term, Going):
            parameters, inner = self._found.processes[term.name]
            given = [self._data.value(a, values) for a in term.arguments]
            values, term = dict(zip(parameters, given, strict=True)), inner
        return term, tuple((name, values[name]) for name in sorted(values))

    def steps(self, state: State) -> Iterator[tuple[str, State]]:
        offers = [list(self._offers(term, dict(values), (), n)) for n, (term, values) in enumerate(state)]
        for one in (o for found in offers for o in found):
            if one.action == "tau" or one.action in self._found.allowed:
                values = dict(one.values)
                if all(self._data.value(c, values) for c in one.conditions):
                    given = tuple(self._data.value(a, values) for a in one.arguments)
                    yield _label(one.action, given), self._after(state, (one, values))
        for number, left in enumerate(offers):
            for right in offers[number + 1 :]:
                for one in left:
                    for other in right:
                        yield from self._together(state, one, other)

    def _together(self, state: State, one: _Offer, other: _Offer) -> Iterator[tuple[str, State]]:
        label = self._found.joined.get(frozenset((one.action, other.action)))
        if label is None or one.action == other.action or label not in self._found.allowed:
            return
        mine, theirs = dict(one.values), dict(other.values)
        given: list[Term] = []
        for a, b in zip(one.arguments, other.arguments, strict=True):
            if isinstance(a, Variable) and a.name not in mine:
                mine[a.name] = self._data.value(b, theirs)
            if isinstance(b, Variable) and b.name not in theirs:
                theirs[b.name] = self._data.value(a, mine)
            given.append(self._data.value(a, mine))
            if given[-1] != self._data.value(b, theirs):
                return
        sides = ((one, mine), (other, theirs))
        if all(self._data.value(c, values) for offer, values in sides for c in offer.conditions):
            yield _label(label, tuple(given)), self._after(state, *sides)

    def _after(self, state: State, *sides: tuple[_Offer, Values]) -> State:
        changed = list(state)
        for offer, values in sides:
            changed[offer.component] = self._at(offer.then, values)
        return tuple(changed)

    def _offers(self, term: Any, values: Values, conditions: tuple[Term, ...], component: int) -> Iterator[_Offer]:
        match term:
            case Alternatives(options):
                for option in options:
                    yield from self._offers(option, values, conditions, component)
            case Guard(condition, inner):
                if _known(condition, values):
                    if self._data.value(condition, values):
                        yield from self._offers(inner, values, conditions, component)
                else:
                    yield from self._offers(inner, values, (*conditions, condition), component)
            case Sum(variables, inner):
                for chosen in self._chosen(variables, inner, values):
                    yield from self._offers(inner, chosen, conditions, component)
            case Going():
                term, bound = self._at(term, values)
                yield from self._offers(term, dict(bound), conditions, component)
            case Do(action, arguments, then):
                yield _Offer(action, arguments, conditions, then, tuple(values.items()), component)
            case _:
                raise AssertionError(term)

    def _chosen(self, variables: tuple[tuple[str, str], ...], inner: Any, values: Values) -> Iterator[Values]:
        """Numbers up to the bound that a condition gives; what is of another sort comes from the other side."""
        free = {name: term for name, term in values.items() if name not in dict(variables)}
        found = [free]
        for name, sort in variables:
            if sort == "Nat":
                assert isinstance(inner, Guard)
                (bound,) = (
                    t[1][1] for t in _conjuncts(inner.condition) if t[:1] == ("<",) and t[1][0] == Variable(name)
                )
                found = [{**v, name: number} for v in found for number in range(bound)]
        yield from found


def _conjuncts(term: Term) -> Iterator[Term]:
    if term[0] == "&&":
        for inner in term[1]:
            yield from _conjuncts(inner)
    else:
        yield term


def _known(term: Term, values: Values) -> bool:
    if isinstance(term, Variable):
        return term.name in values
    return not isinstance(term, tuple) or all(_known(t, values) for t in term[1])


def _label(action: str, arguments: tuple[Term, ...]) -> str:
    return f"{action}({', '.join(map(_text, arguments))})" if arguments else action


def _text(term: Term) -> str:
    if isinstance(term, bool):
        return "true" if term else "false"
    if not isinstance(term, tuple):
        return str(term)
    name, inner = term
    listed = ", ".join(map(_text, inner))
    return f"[{listed}]" if name == "list" else f"{name}({listed})" if inner else str(name)
