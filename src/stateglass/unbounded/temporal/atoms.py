"""The predicates of claims as conditions on the slots of rests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, final

from stateglass.explore import Manner
from stateglass.explore.merging import Absent, Partly
from stateglass.explore.stepwise import prepare, shown_names
from stateglass.explore.stretches import Flow, Phase, Rest, Watched
from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate, Text
from stateglass.logic.unrolling import parts_first
from stateglass.model import STABLE
from stateglass.program import Bool, Enum, Float, Pointer, Scalar, representation
from stateglass.program.callgraph import reachable
from stateglass.program.layout import cells_of
from stateglass.program.names import is_made_up
from stateglass.smt import Term, constants_chosen
from stateglass.source import NOWHERE, Code, Diagnostic, InputError, Span, input_error
from stateglass.system import System
from stateglass.unbounded.temporal.numbers import NotKnown, Numbers, Value

WORDS: Final = {"true": 1, "false": 0}
_UNDEFINED: Final = "?"


@final
class Words:
    """The names that predicates on the code of a system may have."""

    def __init__(self, system: System, *, inner: bool = False) -> None:
        """`inner`: variables within functions have names, too."""
        machine, environment = prepare(system, Manner())
        self.texts = environment.texts
        self.types: dict[str, Scalar] = {name: type for name, (_, type) in shown_names(machine).items()}
        self.inner = _inner(system) if inner else {}
        self.types |= self.inner
        self._enumerators: dict[str, set[int]] = {}
        for type in self.types.values():
            for value, name in self.texts.enumerators(type).items():
                self._enumerators.setdefault(name, set()).add(value)

    @property
    def names(self) -> frozenset[str]:
        """Variables and enumerators."""
        return frozenset((STABLE, *self.types, *self._enumerators, *WORDS))

    def number(self, node: Named, beside: Iterable[str]) -> int:
        """The value of an enumerator: as the variables beside it have it, else as all that have it do."""
        for name in beside:
            values = [v for v, text in self._texts_of(name) if text == node.name]
            if values:
                return values[0]
        values = sorted(self._enumerators.get(node.name, ()))
        if len(values) > 1:
            message = f"`{node.name}` has several values: {', '.join(map(str, values))}"
            advice = "compare it with the proposition that it is meant for, or write the number"
            raise InputError([Diagnostic(Code.AMBIGUOUS_NAME, message, node.span, help=advice)])
        return values[0] if values else WORDS[node.name]

    def _texts_of(self, name: str) -> list[tuple[int, str]]:
        return sorted(self.texts.enumerators(self.types[name]).items()) if name in self.types else []


def _inner(system: System) -> dict[str, Scalar]:
    """The variables within the functions that a system runs, by the names that rests have for them."""
    program = system.program
    entries = [*system.entries, *([system.init] if system.init is not None else [])]
    found: dict[str, Scalar] = {}
    for name in reachable(program, [entry.function for entry in entries]).functions:
        function = program.functions[name]
        for variable in (*function.parameters, *function.locals):
            if not is_made_up(variable.name):
                whole = f"{name}::{variable.name}"
                cells = cells_of(variable.type, program.records)
                found |= {f"{whole}{cell.path}": cell.type for cell in cells if not cell.padding}
    return found


def operands_of(predicate: Predicate) -> tuple[Predicate, ...]:
    return predicate.operands if isinstance(predicate, Applied) else ()


@final
class Atoms:
    """Predicates at the rests of a flow that watches all that they speak of; `named`: those of the user."""

    def __init__(self, flow: Flow, words: Words, *, named: bool = False) -> None:
        self._flow = flow
        self._named = named
        self._words = words
        self._numbers = Numbers(flow.terms)

    def condition(self, predicate: Predicate, rest: Rest, phase: Phase | None = None, span: Span = NOWHERE) -> Term:
        """When a predicate holds at a rest; with a phase, in a state of that phase with the values of the rest.

        `NotKnown` if it is about values that are no integers.
        """
        order = parts_first(predicate, operands_of)
        is_stable = _is_stable(rest, phase or rest.phase)
        values = {w.name: w for w in (rest.named if self._named else rest.watched)}
        done: dict[int, Value] = {}
        for node in order:
            match node:
                case Number(number):
                    done[id(node)] = self._constant(number, span)
                case Named(name) if name == STABLE:
                    done[id(node)] = Value(self._flow.terms.truth(is_stable), self._flow.terms.true)
                case Named(name) if name in self._words.types:
                    done[id(node)] = self._variable(values[name])
                case Applied():
                    done[id(node)] = self._applied(node, done, values, span)
                case Named() | Text():
                    pass  # only what stands beside it can say what it means
        top = order[-1]
        if id(top) not in done:
            done[id(top)] = self._constant_beside(top, (), span)
        return self._numbers.holds(done[id(top)])

    def _constant(self, number: float, span: Span) -> Value:
        if not isinstance(number, int):
            raise NotKnown("it has a floating-point number")
        if not -(1 << 63) <= number < 1 << 64:
            raise input_error(Code.USAGE, f"{number} does not fit into 64 bits", span)
        return self._numbers.constant(number)

    def _constant_beside(self, node: Predicate, beside: Sequence[str], span: Span) -> Value:
        if isinstance(node, Named):
            return self._numbers.constant(self._words.number(node, beside))
        assert isinstance(node, Text)
        message = f'the text "{node.text}" can only be compared with a proposition'
        raise input_error(Code.USAGE, message, span, help=f'write NAME == "{node.text}" or NAME != "{node.text}"')

    def _variable(self, watched: Watched) -> Value:
        if isinstance(watched.type, Float):
            raise NotKnown(f"`{watched.name}` is a floating-point number")
        term, defined = self._taken_apart(watched)
        return self._numbers.variable(term, is_signed=representation(watched.type).signed, defined=defined)

    def _taken_apart(self, watched: Watched) -> tuple[Term, Term]:
        """The value, and where there is one."""
        terms = self._flow.terms
        match watched.content:
            case Absent():
                return terms.constant(0, representation(watched.type).bits), terms.false
            case Partly(value, absent, unwritten):
                if unwritten is not None:
                    raise NotKnown(f"`{watched.name}` may have bits that were never written")
                return value, terms.negation(terms.either(*(when for _, when in absent)))
            case value:
                return value, terms.true

    def _applied(self, node: Applied, done: dict[int, Value], values: dict[str, Watched], span: Span) -> Value:
        if len(node.operands) == 2:
            left, right = node.operands
            for one, other in ((left, right), (right, left)):
                if isinstance(other, Text):
                    return self._same_text(node.operator, one, other, values, span)
        operands = []
        for operand in node.operands:
            beside = [o.name for o in node.operands if isinstance(o, Named) and o is not operand]
            operands.append(done[id(operand)] if id(operand) in done else self._constant_beside(operand, beside, span))
        return self._numbers.applied(node.operator, operands)

    def _same_text(
        self, operator: Operator, one: Predicate, text: Text, values: dict[str, Watched], span: Span
    ) -> Value:
        """A variable whose value is shown as this text, or not."""
        if not isinstance(one, Named) or one.name not in values or operator not in (Operator.EQUAL, Operator.NOT_EQUAL):
            self._constant_beside(text, (), span)
            raise AssertionError
        watched, terms = values[one.name], self._flow.terms
        term, defined = self._taken_apart(watched)
        if text.text == _UNDEFINED:
            equal, known = terms.negation(defined), terms.true
        else:
            shown = [
                terms.equal(term, terms.constant(v, term.width)) for v in self._values_of(text.text, watched, term)
            ]
            equal, known = terms.either(*shown), defined
        return Value(equal if operator is Operator.EQUAL else terms.negation(equal), known)

    def _values_of(self, text: str, watched: Watched, term: Term) -> list[int]:
        """The values of a variable that are shown as a text."""
        match watched.type:
            case Pointer():
                addresses = constants_chosen(term)
                if addresses is None:
                    raise NotKnown(f"`{watched.name}` may lead anywhere")
                return [a for a in sorted(addresses) if self._words.texts.address(a) == text]
            case Float():
                raise NotKnown(f"`{watched.name}` is a floating-point number")
            case type:
                number = value_shown(text, type, self._words.texts.enumerators(type))
                return [] if number is None else [number]


def value_shown(text: str, type: Scalar, enumerators: dict[int, str]) -> int | None:
    """The integer of a type that is shown as a text."""
    if isinstance(type, Bool):
        return {"true": 1, "false": 0}.get(text)
    whole = representation(type)
    if isinstance(type, Enum):
        for value, name in enumerators.items():
            if name == text:
                return value
    try:
        number = int(text)
    except ValueError:
        return None
    is_shown_so = str(number) == text and number not in (enumerators if isinstance(type, Enum) else ())
    return number if is_shown_so and whole.low <= number <= whole.high else None


def _is_stable(rest: Rest, phase: Phase) -> bool:
    return phase is Phase.OVER or (phase is Phase.STABLE and rest.chosen == 0)
