"""Where to start with nothing: the variables of a function that may be its state, and the values it tells apart.

The criteria are those of the paper on reflexion models for state machines (section II-A): a
candidate is static or global (or part of what a pointer leads to that the function is given), it influences a
decision, and on some path it is read before it is written. One that the function never writes is an input to it
rather than its state: `written` tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import (
    Branch,
    Call,
    Enum,
    Expression,
    Function,
    Int,
    Pointer,
    Program,
    Switch,
    Type,
    Unsupported,
    is_scalar,
    representation,
)
from stateglass.program.callgraph import Reachable, reachable, statements_of
from stateglass.program.dependence import Dependences, Influence, Leaf, NodePlace, RootKind
from stateglass.program.names import is_literal, is_nameless
from stateglass.program.printer import print_expression
from stateglass.reflexion.naming import Naming
from stateglass.reflexion.partition import Range, in_brackets
from stateglass.reflexion.ranges import Ranges
from stateglass.reflexion.unions import Unions
from stateglass.source import Code, Diagnostic, InputError, Span, input_error, kept_by_caller, suggestion, text_at

MOST_STATES: Final = 100_000
"""More combinations of ranges are no machine that anybody could look at."""
MOST_NAMED: Final = 8
"""How many parts of a variable are listed."""
_NAME: Final = re.compile(r"(?P<name>[^\W\d]\w*)(?P<rest>->|[.\[]|$)")


@final
@dataclass(frozen=True, slots=True)
class Use:
    """A decision that a variable influences; `direct` if its condition reads the variable itself."""

    span: Span
    condition: str
    function: str
    direct: bool


@final
@dataclass(frozen=True, slots=True)
class Candidate:
    """A scalar that may be state, for one function."""

    function: str
    name: str
    type: Type
    through: str | None  # the pointer that leads to it; None for a variable with static storage
    written: bool  # the function, or one that it calls, may write it
    effect_size: int  # nodes of the dependence graph that depend on it
    uses: tuple[Use, ...]
    invariants: tuple[Range, ...]


@final
@dataclass(frozen=True, slots=True)
class Scan:
    """What was found in some functions, by effect size."""

    functions: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    unsupported: tuple[tuple[str, Span], ...]  # code that was not looked at: there may be more
    handed: tuple[tuple[str, str], ...] = ()  # functions with a parameter that may be a state which callers keep


def scan(program: Program, functions: Sequence[str]) -> Scan:
    """The state-variable candidates of some functions."""
    unknown = [name for name in functions if name not in program.functions]
    if unknown:
        raise InputError(
            Diagnostic(Code.UNKNOWN_NAME, f"there is no function `{n}`", help=suggestion(n, program.own_functions))
            for n in unknown
        )
    dependences = Dependences(program, functions)
    found = [_Scanning(program, program.functions[name], dependences) for name in dict.fromkeys(functions)]
    skipped = [
        (node.reason, node.span)
        for name in reachable(program, functions).functions
        for node in statements_of(program.functions[name].blocks)
        if isinstance(node, Unsupported)
    ]
    return Scan(
        tuple(dict.fromkeys(functions)),
        tuple(sorted((c for f in found for c in f.candidates()), key=lambda c: (-c.effect_size, c.name, c.function))),
        tuple(dict.fromkeys(skipped)),
        tuple((f, p) for f in dict.fromkeys(functions) if (p := _handed(program.functions[f])) is not None),
    )


def _is_unwritten(name: str) -> bool:
    """Whether nobody could name it in a state: a table of virtual functions, what is known of a type, a literal."""
    return is_nameless(name) or is_literal(name)


def _handed(function: Function) -> str | None:
    """A parameter that is returned anew: an enum, for numbers of one type mean anything."""
    enums = [p.name for p in function.parameters if isinstance(p.type, Enum)]
    return next((name for name in enums if function.returns_like(name)), None)


@final
class _Scanning:
    """The scan of one function; ranges are looked for only when there is something to show."""

    def __init__(self, program: Program, function: Function, dependences: Dependences) -> None:
        self._program = program
        self.function = function
        self._used: Reachable = reachable(program, [function.name])
        self._naming = Naming(program, function, [v for v in program.variables if v in self._used.variables])
        unions = Unions(program, self._used.functions)
        influences = dependences.influences(function.name)
        self._influences = [(i, leaf) for i in influences for leaf in _scalars(i.leaf, unions)]
        self._ranges: Ranges | None = None

    def candidates(self) -> list[Candidate]:
        found: dict[str, Candidate] = {}
        for influence, leaf in self._influences:
            name = self._naming.of(leaf)
            if name is not None and not _is_unwritten(name) and self._qualifies(influence, leaf):
                found.setdefault(name, self._candidate(influence, leaf, name))
        return list(found.values())

    def ranges_of(self, name: str) -> tuple[Range, ...] | None:
        """The ranges of a variable by its name, an element of an array included; None if the function knows none."""
        found = self._find(name)
        return None if found is None else self._looked().of(found, name)

    def type_of(self, name: str) -> Type | None:
        found = self._find(name)
        return None if found is None else found.type

    def _find(self, name: str) -> Leaf | None:
        wanted = _without_indexes(name)
        # A static variable of the function is known in it by its own name, and hides others of that name.
        for known in (f"{self.function.name}::{wanted}", wanted):
            for _, leaf in self._influences:
                if self._naming.of(leaf) == known:
                    return leaf
        return None

    def is_parameter(self, name: str, *, whole: bool) -> bool:
        """Whether it is one; if it is about a part, one that has parts itself, and does not lead to them."""
        return any(p.name == name and (whole or not isinstance(p.type, Pointer)) for p in self.function.parameters)

    @property
    def locals(self) -> frozenset[str]:
        return frozenset(v.name for v in self.function.locals)

    @property
    def names(self) -> list[str]:
        return [n for _, leaf in self._influences if (n := self._naming.of(leaf)) is not None]

    def _qualifies(self, influence: Influence, leaf: Leaf) -> bool:
        if leaf.root.kind is RootKind.GLOBAL:
            variable = self._program.variables[leaf.root.name]
            if variable.readonly or variable.literal or variable.span.in_library:
                return False
        return influence.first_read and bool(influence.decided) and is_scalar(leaf.type)

    def _candidate(self, influence: Influence, leaf: Leaf, name: str) -> Candidate:
        through = None if leaf.root.kind is RootKind.GLOBAL else name.rpartition("->")[0] or name.lstrip("*")
        uses = [self._use(place, influence) for place in influence.decided if not place.node.span.in_library]
        return Candidate(
            self.function.name,
            name,
            leaf.type,
            through,
            influence.written,
            len(influence.dependent),
            tuple(sorted(dict.fromkeys(uses), key=lambda use: (use.span.start, use.condition))),
            self._looked().of(leaf, name),
        )

    def _use(self, place: NodePlace, influence: Influence) -> Use:
        condition = _condition(place)
        text = text_at(condition.span) or print_expression(condition)
        text = f"switch ({text})" if isinstance(place.node, Switch) else text
        return Use(place.node.span, text, place.function, (place.function, place.index) in influence.tested)

    def _looked(self) -> Ranges:
        if self._ranges is None:
            self._ranges = Ranges(self._program, self.function, self._used, self._naming)
        return self._ranges


def _scalars(leaf: Leaf, unions: Unions) -> list[Leaf]:
    """The scalars that a leaf stands for: of a union, which dependences see as a whole, its members."""
    if not unions.is_union(leaf.type):
        return [leaf]
    return [Leaf(leaf.root, f"{leaf.pattern}{v.path}", v.type) for v in unions.views(leaf.type, each=False)]


def _condition(place: NodePlace) -> Expression:
    match place.node:
        case Branch(condition):
            return condition
        case Switch(value):
            return value
        case Call(_, callee) if not isinstance(callee, str):
            return callee
        case _:
            raise AssertionError(f"`{type(place.node).__name__}` decides nothing")


def _without_indexes(name: str) -> str:
    """A name with its indexes left out: `a[].b` of `a[2].b`."""
    parts = [part.partition("]") for part in name.split("[")[1:]]
    return "[]".join([name.split("[")[0], *(rest for _, _, rest in parts)]) if parts else name


def product_parts(program: Program, function: str, names: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """All combinations of the ranges of some variables: names of states, and a condition for each variable."""
    if not names:
        raise input_error(Code.USAGE, "no variable is named whose ranges are to be the states")
    scanning = _scanning(program, function)
    problems: list[Diagnostic] = []
    dimensions: list[tuple[Range, ...]] = []
    for name in dict.fromkeys(names):
        ranges = scanning.ranges_of(name)
        if ranges is None:
            problems.append(_not_read(function, name, scanning))
        elif "[]" in name:
            help = "name one element, with a number in the brackets"
            problems.append(Diagnostic(Code.USAGE, f"`{name}` is all elements of an array", help=help))
        elif not ranges:
            help = "give its states as conditions"
            problems.append(Diagnostic(Code.USAGE, f"`{function}` tells no values of `{name}` apart", help=help))
        else:
            dimensions.append(ranges)
    if problems:
        raise InputError(problems)
    return _product(dimensions)


def _product(dimensions: Sequence[tuple[Range, ...]]) -> list[tuple[str, tuple[str, ...]]]:
    count = 1
    for ranges in dimensions:
        count *= len(ranges)
    if count > MOST_STATES:
        help = "name fewer variables"
        raise input_error(
            Code.TOO_LARGE, f"these ranges have {count:,} combinations, more than {MOST_STATES:,}", help=help
        )
    # Two variables of one type have the same names for their values: then their conditions are the names.
    shown = [r.name for ranges in dimensions for r in ranges]
    plain = len(set(shown)) == len(shown)
    states: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((), ())]
    for ranges in dimensions:
        states = [
            ((*names, r.name if plain else r.condition), (*conditions, in_brackets(r.condition)))
            for names, conditions in states
            for r in ranges
        ]
    return [(", ".join(names), conditions) for names, conditions in states]


def counter_states(program: Program, function: str, variable: str, maximum: str) -> list[tuple[str, str]]:
    """The states of a counter: below zero (if it can be), at zero, between, at and above a maximum."""
    scanning = _scanning(program, function)
    type = scanning.type_of(variable)
    if type is None:
        raise InputError([_not_read(function, variable, scanning)])
    if not isinstance(type, Int | Enum):
        raise input_error(Code.USAGE, f"`{variable}` is no integer, and so no counter")
    positive = maximum.isdigit() and int(maximum) > 0
    # A maximum that is not known may be 0 or less: the states must not overlap there either.
    above = "" if positive else f"{variable} > 0 && "
    limit = maximum if maximum.isidentifier() or maximum.isdigit() else f"({maximum})"
    return [
        *([(f"{variable} < 0", f"{variable} < 0")] if representation(type).signed else []),
        (f"{variable} == 0", f"{variable} == 0"),
        (f"0 < {variable} < {maximum}", f"{variable} > 0 && {variable} < {limit}"),
        (f"{variable} == {maximum}", f"{above}{variable} == {limit}"),
        (f"{variable} > {maximum}", f"{above}{variable} > {limit}"),
    ]


def _scanning(program: Program, function: str) -> _Scanning:
    if function not in program.functions:
        help = suggestion(function, program.own_functions)
        raise input_error(Code.UNKNOWN_NAME, f"there is no function `{function}`", help=help)
    return _Scanning(program, program.functions[function], Dependences(program, [function]))


def _not_read(function: str, name: str, scanning: _Scanning) -> Diagnostic:
    """Why there are no ranges of what is named."""
    root = _NAME.match(name)
    parts = [n for n in scanning.names if n.startswith((f"{name}.", f"{name}[", f"{name}->")) or n == f"*{name}"]
    # Names of all elements are no names of anything that has a value.
    shown = ", ".join(f"`{n.replace('[]', '[0]')}`" for n in sorted(parts)[:MOST_NAMED])
    if root is not None and scanning.is_parameter(root["name"], whole=not root["rest"]):
        message = f"`{root['name']}` is a parameter of `{function}`: it has no value between two calls"
        help = f"what it points to has: {shown}" if parts else "use it in the condition of a transition, or in `assume`"
        if not parts and scanning.function.returns_like(name):
            help += f"\n{kept_by_caller(function, name)}"
        return Diagnostic(Code.USAGE, message, help=help)
    if root is not None and root["name"] in scanning.locals:
        message = f"`{root['name']}` is a local variable of `{function}`: it does not live between two calls"
        return Diagnostic(Code.USAGE, message, help=suggestion(name, scanning.names))
    if parts:
        return Diagnostic(Code.USAGE, f"`{name}` is more than one value", help=f"name a part of it, such as {shown}")
    help = suggestion(name, scanning.names)
    return Diagnostic(Code.UNKNOWN_NAME, f"`{function}` does not read a `{name}`", help=help)
