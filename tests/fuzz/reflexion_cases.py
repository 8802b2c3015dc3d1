"""Small functions with few-bit state, and hypotheses about them that are right and wrong in every way."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.reflexion.hypothesis import Hypothesis, StateClaim, TransitionClaim
from stateglass.source import Span, Words

HERE: Final = Span.at("generated")
MOST_VALUATIONS: Final = 400


@final
@dataclass(frozen=True, slots=True)
class Scalar:
    """A variable or parameter: what C calls it, its values, and an assumption that leaves only those."""

    name: str
    declaration: str
    values: tuple[int | str, ...]  # of floating-point numbers, the bits; of pointers, what they lead to
    texts: tuple[str, ...]  # the values as C has them
    assume: str | None = None
    is_float: bool = False
    is_pointer: bool = False
    is_opaque: bool = False  # or something else that is not looked at through the pointer
    is_constant: bool = False
    is_state: bool = True  # it has a value in every valuation, so that states may speak of it

    @property
    def number(self) -> str:
        """As an integer."""
        if self.is_opaque:
            return f"({self.name} != 0)"
        return f"*{self.name}" if self.is_pointer else f"(int){self.name}" if self.is_float else self.name


@final
@dataclass(frozen=True, slots=True)
class Case:
    """A function and what somebody believes of it."""

    code: str
    hypothesis: Hypothesis
    variables: tuple[Scalar, ...]
    parameters: tuple[Scalar, ...]
    own: tuple[tuple[str, str], ...] = ()  # objects that are nobody's variables: their names and the names of records


INPUTS: Final = ("port", "get", "fill")
"""What has any value whenever it is read; in conditions that were found it is an input."""


def make_case(seed: int) -> Case:
    return _Maker(random.Random(seed)).case()


_KINDS: Final[Mapping[str, tuple[str, tuple[int, ...], str | None]]] = {
    "bool": ("_Bool {}", (0, 1), None),
    "two bits": ("struct {{ unsigned v : 2; }} {}", (0, 1, 2, 3), None),
    "signed bits": ("struct {{ int v : 3; }} {}", (-4, -3, -2, -1, 0, 1, 2, 3), None),
    "byte": ("unsigned char {}", (0, 1, 2, 3), "{} < 4"),
    "around zero": ("signed char {}", (-2, -1, 0, 1, 2), "{0} >= -2 && {0} <= 2"),
    "large": ("unsigned {}", (0, 1, 4294967294, 4294967295), "{0} < 2 || {0} > 4294967293u"),
    "least": ("int {}", (-2147483648, -1, 0, 2147483647), "!{0} || !~{0} || {0} < -2147483647 || {0} > 2147483646"),
    "float": ("float {}", (0, 0x80000000, 0x3FC00000, 0xBF800000), "{0} == 0 || {0} == 1.5f || {0} == -1"),
    "name": ("enum mode {}", (0, 1, 5), "{0} == OFF || {0} == ON || {0} == BROKEN"),
    "member": ("struct {{ char before; unsigned char v; int after; }} {}", (0, 1, 2), "{} < 3"),
    "union": (
        "union {{ unsigned short v; unsigned char half[2]; }} {}",
        (0, 1, 256, 257),
        "{0}.half[0] < 2 && {0}.half[1] < 2",
    ),
}
_MEMBERS: Final = ("two bits", "signed bits", "member", "union")


def _constant(value: int) -> str:
    if value == -2147483648:
        return "(-2147483647 - 1)"
    return f"{value}u" if value > 2147483647 else str(value)


def _number(name: str, declaration: str, *values: int, is_constant: bool = False) -> Scalar:
    assume = " || ".join(f"{name} == {v}" for v in values)
    return Scalar(name, declaration, values, tuple(map(str, values)), assume, is_constant=is_constant)


_POOL: Final = (
    _number("pool[0]", "static short pool[2]", 0, 1),
    _number("pool[1]", "", -1, 2),
    _number("box.v", "static struct box { char before; short v; } box", 0, 3),
)
_POINTED: Final = tuple(s.name for s in _POOL)
_POINTER: Final = Scalar("t", "static short *t", ("", *_POINTED), ("0", *(f"&{n}" for n in _POINTED)), is_pointer=True)
_FUNCTION: Final = Scalar(
    "h", "static void (*h)(void)", ("", "on", "off"), ("0", "on", "off"), is_pointer=True, is_opaque=True
)
_LOOSE: Final = Scalar("n", "struct node *n", ("", "*n"), ("0",), is_pointer=True, is_opaque=True)
_BEHIND: Final = Scalar("n->v", "", (0, 1, 2), ("0", "1", "2"), "!n || n->v < 3", is_state=False)
_NEXT: Final = Scalar(
    "n->next", "", ("", "*n", "*n->next"), ("0", "n"), is_pointer=True, is_opaque=True, is_state=False
)
_OTHERS: Final = (
    _number("far", "extern short far", 0, 7),
    _number("limit", "extern const unsigned char limit", 1, 2, is_constant=True),
)


class _Maker:
    """Makes one case."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.variables = self._scalars("abcd", dice.choice((2, 2, 3, 4)), ())
        self.parameters = self._scalars("pq", dice.choice((0, 1, 1, 2)), _MEMBERS)
        self.more: list[Scalar] = []
        self.inputs = 0
        if dice.random() < 0.6:
            self.inputs = dice.choice((0, 1, 2, 3))
            for found in ((*_POOL, _POINTER), (_FUNCTION,), (_LOOSE, _BEHIND, _NEXT), _OTHERS):
                if dice.random() < 0.4:
                    self.more += found
        while self._valuations() > MOST_VALUATIONS >> self.inputs // 2:
            longest = self.parameters if self.parameters and self._valuations() % 2 == 0 else self.variables
            if not longest or (longest is self.variables and len(longest) == 1):
                break
            longest.pop()
        self.variables += self.more
        if _POINTER in self.more and "far" in {s.name for s in self.more}:
            # It is of the type that the pointer leads to.
            place = self.variables.index(_POINTER)
            texts = (*_POINTER.texts, "&far")
            self.variables[place] = replace(_POINTER, values=(*_POINTER.values, "far"), texts=texts)
        self._looping = 0

    @property
    def writable(self) -> list[Scalar]:
        return [v for v in self.variables if not v.is_constant and not v.is_pointer and v is not _BEHIND]

    def _valuations(self) -> int:
        count = 1
        for scalar in (*self.variables, *self.parameters, *self.more):
            count *= len(scalar.values)
        return count

    def _scalars(self, names: str, count: int, without: tuple[str, ...]) -> list[Scalar]:
        found = []
        for name in names[:count]:
            kind = self.dice.choice([k for k in _KINDS if k not in without])
            declaration, values, assume = _KINDS[kind]
            word = f"{name}.v" if kind in _MEMBERS else name
            texts = ("0.0f", "-0.0f", "1.5f", "-1.0f") if kind == "float" else tuple(map(_constant, values))
            bound = assume and assume.format(name if kind == "union" else word)
            found.append(Scalar(word, declaration.format(name), values, texts, bound, kind == "float"))
        return found

    # ---- code

    def case(self) -> Case:
        declared = "".join(f"static {v.declaration};\n" for v in self.variables if not self._is_more(v))
        declared += "".join(f"{v.declaration};\n" for v in self.variables if self._is_more(v) and v.declaration)
        inputs = ", ".join(p.declaration for p in self.parameters) or "void"
        body = "".join(self._statement(3) for _ in range(self.dice.randrange(1, 5)))
        helper = f"static int helper(int x) {{ {self._plain('x')} return x & 3; }}\n"
        code = (
            "#include <stdlib.h>\nenum mode { OFF, ON, BROKEN = 5 };\n"
            "struct node { unsigned char v; struct node *next; };\n"
            "static volatile _Bool port;\n_Bool get(void);\nvoid fill(_Bool *p);\nvoid touch(void);\n"
            f"{declared}static const unsigned char table[3] = {{1, 2, 0}};\n{helper}{self._handlers()}"
            f"void f({inputs}) {{\nunsigned char spare[3];\n_Bool flag = 0;\n{body}}}\n"
        )
        own = (("*n", "node"), ("*n->next", "node")) if _LOOSE in self.variables else ()
        return Case(code, self._hypothesis(), tuple(self.variables), tuple(self.parameters), own)

    def _is_more(self, scalar: Scalar) -> bool:
        return scalar.name in {s.name for s in self.more}

    def _handlers(self) -> str:
        """The functions that a pointer may lead to, one of which has a body."""
        if _FUNCTION not in self.variables:
            return ""
        changed = self.writable[0]
        return (
            f"static void on(void) {{ {changed.name} = 1; }}\nvoid off(void);\n"
            "void choose(int way) { h = way ? on : off; }\n"
        )

    def _plain(self, word: str) -> str:
        return self.dice.choice((f"if ({word} > 1) {word} = 1 - {word} % 3;", f"while ({word} > 5) {word} /= 2;", ""))

    def _scalar(self) -> Scalar:
        return self.dice.choice([*self.variables, *self.parameters])

    def _statement(self, depth: int) -> str:
        dice = self.dice
        match dice.randrange(14 if depth else 4):
            case 0 | 1 | 2 | 3:
                return f"{dice.choice(self.writable).name} = {self._number(2)};\n"
            case 4 | 5 | 6:
                other = f" else {{ {self._statement(depth - 1)} }}" if dice.random() < 0.5 else ""
                return f"if ({self._condition(2)}) {{ {self._statement(depth - 1)} }}{other}\n"
            case 7:
                cases = "".join(
                    f"case {n}: {self._statement(depth - 1)} {dice.choice(('break;', 'break;', ''))}\n"
                    for n in dice.sample(range(-1, 4), dice.randrange(1, 4))
                )
                return f"switch ((int)({self._number(1)})) {{ {cases} default: {self._statement(0)} }}\n"
            case 8:
                self._looping += 1
                end = dice.choice(("", f"if ({self._condition(1)}) break;", f"if ({self._condition(1)}) continue;"))
                inner = self._statement(depth - 1)
                self._looping -= 1
                return f"for (int i = 0; i < {dice.randrange(1, 4)}; i++) {{ {end} {inner} }}\n"
            case 9:
                return f"if ({self._condition(1)}) return;\n"
            case 10:
                wrong = ("exit(1);", "spare[{}] = 1;", "{} = 8 / ({});", "abort();")
                text = dice.choice(wrong)
                given = [dice.choice(self.writable).name] if text.count("{}") == 2 else []
                return f"if ({self._condition(1)}) {{ {text.format(*given, self._number(1))} }}\n"
            case 11 | 12:
                return self._indirect() or self._statement(depth)
            case _:
                return f"{{ {self._statement(depth - 1)} {self._statement(depth - 1)} }}\n"

    def _indirect(self) -> str:
        """Something through a pointer, or with what comes from outside."""
        dice, found = self.dice, ["touch();\n"]
        names = {v.name for v in self.variables}
        if "t" in names:
            pointer = next(v for v in self.variables if v.name == "t")
            found += [f"t = {dice.choice(pointer.texts)};\n", f"*t = {self._number(1)};\n"]
            found.append(f"if (t) {{ *t = {self._number(1)}; }}\n")
        if "h" in names:
            found += [f"h = {dice.choice(_FUNCTION.texts)};\n", "h();\n", "if (h) h();\n"]
        if "n" in names:
            found += [f"n->v = {self._number(1)};\n", f"if (n && n->v == {dice.randrange(3)}) n = 0;\n"]
            found.append(f"if (n && !n->next) {dice.choice(self.writable).name} = 1;\n")
        flags = [v.name for v in self.writable if v.declaration.startswith("_Bool")]
        if self.inputs and not self._looping:
            self.inputs -= 1
            target = dice.choice(self.writable).name
            found = [f"{target} = port;\n", f"if (get()) {{ {self._statement(0)} }}\n"]
            found.append(f"fill(&{dice.choice([*flags, 'flag'])}); if (flag) {{ {self._statement(0)} }}\n")
            found.append(f"if (port) {{ {self._statement(0)} }} else {{ {self._statement(0)} }}\n")
        return dice.choice(found)

    def _number(self, depth: int) -> str:
        dice = self.dice
        if depth == 0 or dice.random() < 0.3:
            return dice.choice((self._scalar().number, self._scalar().number, str(dice.randrange(-1, 4))))
        a, b = self._number(depth - 1), self._number(depth - 1)
        match dice.randrange(8):
            case 0:
                return f"({self._condition(depth - 1)} ? {a} : {b})"
            case 1:
                return f"helper((int)({a}) & 7)"
            case 2:
                return f"table[(unsigned)({a}) % 3]"
            case 3:
                return f"({a} & {b})"
            case 4:
                return f"(int)((unsigned)({a}) * 3u)"
            case _:
                return f"({a} {dice.choice(('+', '-', '^', '|', '%'))} {b})" if dice.random() < 0.8 else f"-({a})"

    def _condition(self, depth: int) -> str:
        dice = self.dice
        if depth and dice.random() < 0.4:
            a, b = self._condition(depth - 1), self._condition(depth - 1)
            return dice.choice((f"({a} && {b})", f"({a} || {b})", f"!({a})"))
        operator = dice.choice(("==", "!=", "<", "<=", ">", ">="))
        if dice.random() < 0.7:
            scalar = self._scalar()
            operator = dice.choice(("==", "!=")) if scalar.is_pointer else operator
            return f"{scalar.name} {operator} {dice.choice(scalar.texts)}"
        return f"{self._number(1)} {operator} {self._number(1)}"

    # ---- hypotheses

    def _hypothesis(self) -> Hypothesis:
        dice = self.dice
        states: list[StateClaim] = []
        self._cut(states, None, dice.randrange(len(self._stateful)), 0)
        if dice.random() < 0.08:
            never = f"{self.variables[0].name} == 9 && !{self.variables[0].name}"
            states.append(StateClaim("Empty", self._words(never), span=HERE))
        if dice.random() < 0.04:
            states.append(StateClaim("Extra", self._words(self._state_condition()), span=HERE))
        self._start(states)
        names = [s.name for s in states]
        transitions = tuple(self._transition(names) for _ in range(dice.randrange(0, 10)))
        assumes = tuple(self._words(s.assume) for s in (*self.variables, *self.parameters) if s.assume is not None)
        inner_first = dice.random() < 0.4
        return Hypothesis("M", "f", (), (), assumes, tuple(states), transitions, HERE, HERE, None, inner_first)

    @property
    def _stateful(self) -> list[Scalar]:
        return [v for v in self.variables if v.is_state]

    def _words(self, text: str) -> Words:
        return Words(text, HERE)

    def _state_condition(self) -> str:
        scalar = self.dice.choice(self._stateful)
        return f"{scalar.name} == {self.dice.choice(scalar.texts)}"

    def _cut(
        self, states: list[StateClaim], parent: str | None, variable: int, depth: int, within: str | None = None
    ) -> None:
        """Cut the values of a variable into states, not always all of them; each perhaps once more.

        `within` is the condition of a parent that has none of its own.
        """
        dice, scalar = self.dice, self._stateful[variable]
        values = [t for t in scalar.texts if t != "-0.0f"]  # it is the same to C
        dice.shuffle(values)
        groups: list[list[str]] = [[] for _ in range(dice.randrange(1, min(4, len(values)) + 1))]
        for value in values:
            dice.choice(groups).append(value)
        if len(groups) > 1 and dice.random() < 0.3:
            groups.pop()
        for group in groups:
            if not group:
                continue
            name = f"S{len(states)}"
            text = " || ".join(f"{scalar.name} == {v}" for v in sorted(group))
            text = text if within is None else f"({within}) && ({text})"
            if depth < 2 and len(self._stateful) > 1 and dice.random() < 0.35:
                is_union = dice.random() < 0.25
                states.append(StateClaim(name, None if is_union else self._words(text), parent, span=HERE))
                others = [n for n in range(len(self._stateful)) if n != variable]
                self._cut(states, name, dice.choice(others), depth + 1, text if is_union else None)
            else:
                states.append(StateClaim(name, self._words(text), parent, span=HERE))
        if not any(s.parent == parent for s in states):
            states.append(StateClaim(f"S{len(states)}", self._words(within or "1"), parent, span=HERE))

    def _start(self, states: list[StateClaim]) -> None:
        """One initial state on each level, if there is one at all."""
        if self.dice.random() < 0.3:
            return
        for parent in dict.fromkeys((None, *(s.parent for s in states))):
            inner = [n for n, s in enumerate(states) if s.parent == parent]
            if parent is None or self.dice.random() < 0.7:
                chosen = self.dice.choice(inner)
                old = states[chosen]
                states[chosen] = StateClaim(old.name, old.condition, old.parent, initial=True, span=HERE)

    def _transition(self, names: Sequence[str]) -> TransitionClaim:
        dice = self.dice
        source = dice.choice([*names, "other"] if dice.random() < 0.3 else names)
        target = dice.choice([*names, "other", "error", "exit"] if dice.random() < 0.4 else names)
        words = self._words(self._condition(2)) if dice.random() < 0.7 else None
        priority = dice.randrange(1, 4) if dice.random() < 0.3 else None
        return TransitionClaim(source, target, words, priority, HERE)
