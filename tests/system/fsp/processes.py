"""Random processes, and a second meaning of them to hold the first against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hypothesis import strategies as st

from stateglass.system.fsp.actions import SUBJECT, Kind, Name, String, Truth, Value, Whole
from stateglass.system.fsp.evaluating import Undefined, evaluate, members
from stateglass.system.fsp.nodes import (
    Binding,
    Booleans,
    Choice,
    Constant,
    Definition,
    Domain,
    Error,
    Expression,
    Guarded,
    Infix,
    Interval,
    Listed,
    Negative,
    Not,
    Operator,
    Parameter,
    Pattern,
    Prefix,
    Process,
    Reference,
    Stop,
    Term,
    Variable,
)
from stateglass.system.fsp.sorts import Sort

Sorts = Mapping[str, Sort]

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
_MEMBERS = st.sampled_from(
    ["open", "locks[0].lock", "::g", "set<int>", "operator==", "~Door", "Box<Pair<int>>.get", "ns::f"]
)
_EVENTS = st.sampled_from(["tick", "a.b", "tau", "x y", "when", "ü", '"'])
_ARITHMETIC = [Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY, Operator.DIVIDE, Operator.REMAINDER]
_ORDER = [Operator.LESS, Operator.LESS_EQUAL, Operator.GREATER, Operator.GREATER_EQUAL]
_VALUES: dict[Sort, st.SearchStrategy[Value]] = {
    Sort.WHOLE: st.builds(Whole, st.integers(-3, 9)),
    Sort.TRUTH: st.builds(Truth, st.booleans()),
    Sort.STRING: st.builds(String, _TEXTS),
    Sort.NAME: st.builds(Name, st.sampled_from(["RED", "Color::GREEN", "Jammed", "other.door"])),
}


@st.composite
def expressions(draw: st.DrawFn, sort: Sort, sorts: Sorts, depth: int = 2) -> Expression:
    fitting = [name for name, found in sorts.items() if found is sort]
    named: bool = draw(st.booleans())
    if fitting and named:
        return Variable(draw(st.sampled_from(fitting)))
    if depth and sort is Sort.WHOLE and draw(st.booleans()):
        inner = expressions(Sort.WHOLE, sorts, depth - 1)
        operand = draw(inner)
        if draw(st.integers(0, 3)) == 0 and not isinstance(operand, Constant):
            return Negative(operand)
        return Infix(draw(st.sampled_from(_ARITHMETIC)), operand, draw(inner))
    if depth and sort is Sort.TRUTH and draw(st.booleans()):
        kind = draw(st.integers(0, 3))
        if kind == 0:
            return Not(draw(expressions(Sort.TRUTH, sorts, depth - 1)))
        if kind == 1:
            operands, operators = Sort.TRUTH, [Operator.AND, Operator.OR]
        elif kind == 2:
            operands, operators = Sort.WHOLE, _ORDER
        else:
            operands, operators = draw(st.sampled_from(Sort)), [Operator.EQUAL, Operator.UNEQUAL]
        inner = expressions(operands, sorts, depth - 1)
        return Infix(draw(st.sampled_from(operators)), draw(inner), draw(inner))
    return Constant(draw(_VALUES[sort]))


@st.composite
def domains(draw: st.DrawFn, sort: Sort, sorts: Sorts) -> Domain:
    if sort is Sort.TRUTH and draw(st.booleans()):
        return Booleans()
    inner = expressions(sort, sorts, 1)
    if sort is Sort.WHOLE and draw(st.booleans()):
        return Interval(draw(inner), draw(inner))
    return Listed(tuple(draw(st.lists(inner, min_size=1, max_size=3))))


@st.composite
def patterns(draw: st.DrawFn, sorts: dict[str, Sort], binds: bool) -> Pattern:
    """A pattern; the variables that it binds are added to `sorts`."""
    kind = draw(st.sampled_from(Kind))
    least, most = {Kind.RETURN: (0, 1), Kind.CALL: (0, 3), Kind.EVENT: (0, 2)}.get(kind, (1, 1))
    arguments: list[Expression | Binding] = []
    for _ in range(draw(st.integers(least, most))):
        sort = draw(st.sampled_from(Sort))
        if binds and draw(st.booleans()):
            name = f"v{len(sorts)}"
            arguments.append(Binding(name, draw(domains(sort, dict(sorts)))))
            sorts[name] = sort
        else:
            arguments.append(draw(expressions(sort, dict(sorts))))
    if kind is Kind.EVENT:
        return Pattern(kind, draw(_EVENTS), tuple(arguments))
    if kind is Kind.RETURN and draw(st.integers(0, 4)) == 0 and not any(isinstance(a, Binding) for a in arguments):
        return Pattern(kind, "", tuple(arguments))
    prefix = draw(st.sampled_from(["", "", SUBJECT]))
    return Pattern(kind, prefix + draw(_MEMBERS).lstrip(":"), tuple(arguments))


@st.composite
def terms(draw: st.DrawFn, sorts: Sorts, heads: Mapping[str, list[Sort]], depth: int, guarded: bool) -> Term:
    """A term; unless it is `guarded` by an action it refers to no definition."""
    kind = draw(st.integers(0, 5)) if depth else 5
    if kind <= 2:
        inner = dict(sorts)
        binds = draw(st.booleans())
        some = [draw(patterns(inner, binds)) for _ in range(1 if binds else draw(st.integers(1, 2)))]
        return Prefix(tuple(some), draw(terms(inner, heads, depth - 1, True)))
    if kind == 3:
        options = st.lists(terms(sorts, heads, depth - 1, guarded), min_size=2, max_size=3)
        return Choice(tuple(draw(options)))
    if kind == 4:
        return Guarded(draw(expressions(Sort.TRUTH, sorts)), draw(terms(sorts, heads, depth - 1, guarded)))
    if not guarded or draw(st.integers(0, 5)) == 0:
        return Error() if draw(st.integers(0, 2)) == 0 else Stop()
    name = draw(st.sampled_from(sorted(heads)))
    return Reference(name, tuple(draw(expressions(sort, sorts)) for sort in heads[name]))


@st.composite
def processes(draw: st.DrawFn) -> Process:
    parameters = tuple(
        Parameter(f"N{i}", draw(_VALUES[draw(st.sampled_from(Sort))])) for i in range(draw(st.integers(0, 2)))
    )
    outer = {p.name: _sort(p.default) for p in parameters}
    heads: dict[str, list[Sort]] = {"P": []}
    indices: dict[str, tuple[Binding, ...]] = {"P": ()}
    for name in draw(st.sampled_from(["", "Q", "QR"])):
        inner = dict(outer)
        bindings: list[Binding] = []
        for i in range(draw(st.integers(0, 2))):
            sort = draw(st.sampled_from(Sort))
            bindings.append(Binding(f"i{i}", draw(domains(sort, dict(inner)))))
            inner[f"i{i}"] = sort
        heads[name] = [inner[b.name] for b in bindings]
        indices[name] = tuple(bindings)
    definitions: list[Definition] = []
    for name, bindings_of in indices.items():
        inner = outer | dict(zip((b.name for b in bindings_of), heads[name], strict=True))
        definitions.append(Definition(name, bindings_of, draw(terms(inner, heads, 4, False))))
    return Process(parameters, tuple(definitions))


def _sort(value: Value) -> Sort:
    return {Whole: Sort.WHOLE, Truth: Sort.TRUTH, String: Sort.STRING, Name: Sort.NAME}[type(value)]


# ---- the second meaning: values are put in the place of variables, and what is left has none


FAILED = "in error"


def next_terms(process: Process, term: Term) -> list[tuple[str, Term]] | str:
    """The actions of a term without variables, as text, and what follows; or that it is in error."""
    try:
        return list(_next(process, term))
    except Undefined:
        return FAILED


def _next(process: Process, term: Term) -> Iterator[tuple[str, Term]]:
    match term:
        case Prefix(some, then):
            for pattern in some:
                yield from _chosen(Pattern(pattern.kind, pattern.name), pattern.arguments, then)
        case Choice(options):
            for option in options:
                yield from _next(process, option)
        case Guarded(condition, inner):
            if evaluate(condition, {}) == Truth(True):
                yield from _next(process, inner)
        case Reference():
            yield from _next(process, unfolded(process, term))
        case Stop():
            return
        case Error():
            raise Undefined(FAILED)


def _chosen(done: Pattern, left: tuple[Expression | Binding, ...], then: Term) -> Iterator[tuple[str, Term]]:
    if not left:
        values = ", ".join(str(evaluate(a, {})) for a in done.arguments if not isinstance(a, Binding))
        yield f"{done.kind.value} {done.name} {values}", then
        return
    first, rest = left[0], left[1:]
    if not isinstance(first, Binding):
        value = Constant(evaluate(first, {}))
        yield from _chosen(Pattern(done.kind, done.name, (*done.arguments, value)), rest, then)
        return
    for some in members(first.domain, {}):
        put = {first.name: Constant(some)}
        inner = tuple(_in_argument(argument, put) for argument in rest)
        arguments = (*done.arguments, Constant(some))
        yield from _chosen(Pattern(done.kind, done.name, arguments), inner, in_term(then, put))


def unfolded(process: Process, reference: Reference) -> Term:
    definition = process.by_name[reference.name]
    put: dict[str, Expression] = {p.name: Constant(p.default) for p in process.parameters}
    for index, argument in zip(definition.indices, reference.arguments, strict=True):
        value = evaluate(argument, {})
        if value not in members(_in_domain(index.domain, put), {}):
            raise Undefined(FAILED)
        put[index.name] = Constant(value)
    return in_term(definition.term, put)


Put = Mapping[str, Expression]


def in_term(term: Term, put: Put) -> Term:
    match term:
        case Prefix(some, then):
            replaced = tuple(
                Pattern(p.kind, p.name, tuple(_in_argument(argument, put) for argument in p.arguments)) for p in some
            )
            return Prefix(replaced, in_term(then, put))
        case Choice(options):
            return Choice(tuple(in_term(option, put) for option in options))
        case Guarded(condition, inner):
            return Guarded(_in_expression(condition, put), in_term(inner, put))
        case Reference(name, arguments):
            return Reference(name, tuple(_in_expression(a, put) for a in arguments))
        case Stop() | Error():
            return term


def _in_argument(argument: Expression | Binding, put: Put) -> Expression | Binding:
    if isinstance(argument, Binding):
        return Binding(argument.name, _in_domain(argument.domain, put))
    return _in_expression(argument, put)


def _in_domain(domain: Domain, put: Put) -> Domain:
    match domain:
        case Interval(low, high):
            return Interval(_in_expression(low, put), _in_expression(high, put))
        case Booleans():
            return domain
        case Listed(items):
            return Listed(tuple(_in_expression(item, put) for item in items))


def _in_expression(expression: Expression, put: Put) -> Expression:
    match expression:
        case Variable(name):
            return put.get(name, expression)
        case Negative(operand):
            return Negative(_in_expression(operand, put))
        case Not(operand):
            return Not(_in_expression(operand, put))
        case Infix(operator, left, right):
            return Infix(operator, _in_expression(left, put), _in_expression(right, put))
        case Constant():
            return expression
