"""Small functions with few-bit state, to hold hypotheses against that are right and wrong in every way."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.program import Record, Type
from stateglass.reflexion.hypothesis import Hypothesis
from tests.fuzz.reflexion_hypotheses import HypothesisMaker
from tests.fuzz.reflexion_scalars import (
    BEHIND,
    FUNCTION,
    GROUPS,
    HIDDEN,
    LOOSE,
    MEMBERS,
    POINTER,
    RECORD,
    Scalar,
    number,
    record,
    scalar,
)

MOST_VALUATIONS: Final = 400


@final
@dataclass(frozen=True, slots=True)
class Case:
    """A function and what somebody believes of it."""

    code: str
    hypothesis: Hypothesis
    variables: tuple[Scalar, ...]
    parameters: tuple[Scalar, ...]
    own: tuple[tuple[str, Type], ...] = ()  # objects that are nobody's variables
    flat: str = ""  # the code with static variables of the function outside of it


INPUTS: Final = ("port0", "port1", "wide.v", "get0", "get1", "fill0", "fill1")
"""What has any value whenever it is read; in conditions that were found it is an input."""


def make_case(seed: int) -> Case:
    return _Maker(random.Random(seed)).case()


class _Maker:
    """Makes one case."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.variables = [scalar(dice, name) for name in "abcd"[: dice.choice((1, 2, 2, 3))]]
        self.statics = [scalar(dice, "k", is_static_local=True)] if dice.random() < 0.2 else []
        self.parameters = [scalar(dice, name, is_parameter=True) for name in "pq"[: dice.choice((0, 1, 1, 2))]]
        self.groups: list[tuple[Scalar, ...]] = [g for g in GROUPS if dice.random() < 0.35]
        self.hides = dice.random() < 0.1
        if self.hides:
            self.parameters.append(number("w", "int w", -1, 1))
            self.groups.append((HIDDEN,))
        self.inputs = dice.choice((0, 0, 1, 2, 3))
        self._choose_records()
        while self._valuations() > MOST_VALUATIONS >> self.inputs // 2 and self._drop():
            pass
        self._let_pointers_lead_to_variables()
        self._looping = 0

    def _let_pointers_lead_to_variables(self) -> None:
        """Whatever has the type that a pointer leads to may be what it leads to."""
        found = [s for s in self._variables if s.declaration.removeprefix("extern ") == f"short {s.name}"]
        targets = (*POINTER.values, *(s.place or s.name for s in found))
        longer = replace(POINTER, values=targets, texts=(*POINTER.texts, *(f"&{s.name}" for s in found)))
        self.groups = [tuple(longer if s is POINTER else s for s in g) for g in self.groups]

    def _choose_records(self) -> None:
        """A record as a parameter, behind one, and as a variable; the same members of all of them have few values."""
        members = tuple(self.dice.sample(list(MEMBERS), self.dice.choice((1, 1, 2))))
        self.member = members[0]
        self.given = record("r.", "struct rec r", members) if self.dice.random() < 0.25 else ()
        self.behind = record("s->", "struct rec *s", members) if self.dice.random() < 0.25 else ()
        if (self.given or self.behind) and self.dice.random() < 0.4:
            self.groups.append(record("kept.", "static struct rec kept", members))

    @property
    def _all(self) -> list[Scalar]:
        return [*self._variables, *self.parameters, *self.given]

    @property
    def _variables(self) -> list[Scalar]:
        return [*self.variables, *self.statics, *(s for g in self.groups for s in g), *self.behind]

    def _valuations(self) -> int:
        count = 1
        for found in self._all:
            count *= len(found.values)
        return count

    def _drop(self) -> bool:
        """Leave something out, if there is anything that may be."""
        kept = [g for g in self.groups if g[0] is not HIDDEN]
        if kept and self.dice.random() < 0.4:
            self.groups.remove(self.dice.choice(kept))
        elif len(self.variables) > 1:
            self.variables.pop()
        elif self.parameters and self.parameters[0].name != "w":
            self.parameters.pop(0)
        elif self.given:
            self.given = ()
        elif self.statics:
            self.statics = []
        elif kept:
            self.groups.remove(kept[0])
        else:
            return False
        return True

    @property
    def writable(self) -> list[Scalar]:
        found = [*self._variables, *self.given]
        return [v for v in found if not v.is_constant and not v.is_pointer and not v.is_hidden and v is not BEHIND]

    # ---- code

    def case(self) -> Case:
        body = "".join(self._statement(3) for _ in range(self.dice.randrange(1, 5)))
        code, flat = self._code(body, local=True), self._code(body, local=False)
        own: tuple[tuple[str, Type], ...] = ()
        if any(s is LOOSE for s in self._variables):
            own = (("*n", Record("node")), ("*n->next", Record("node")))
        if self.behind:
            own = (*own, ("*s", Record("rec")))
        hypothesis = HypothesisMaker(self.dice, self._variables, self._condition).make(self._all)
        return Case(code, hypothesis, tuple(self._variables), (*self.parameters, *self.given), own, flat)

    def _code(self, body: str, *, local: bool) -> str:
        statics = "".join(f"static {v.declaration};\n" for v in self.statics)
        declared = "".join(f"static {v.declaration};\n" for v in self.variables)
        declared += "".join(f"{v.declaration};\n" for g in self.groups for v in g if v.declaration)
        declared += "" if local else statics
        found = [p.declaration for p in (*self.parameters, *self.given[:1], *self.behind[:1])]
        return (
            "#include <assert.h>\n#include <stdlib.h>\n"
            "enum mode { OFF, ON, BROKEN = 5 };\nenum sign { MINUS = -1, NONE, PLUS };\n"
            f"struct node {{ unsigned char v; struct node *next; }};\n{RECORD}"
            "static volatile _Bool port0, port1;\nstatic volatile struct { unsigned v : 2; } wide;\n"
            "_Bool get0(void);\n_Bool get1(void);\nvoid fill0(_Bool *p);\nvoid fill1(_Bool *p);\nvoid touch(void);\n"
            f"{declared}static const unsigned char table[3] = {{1, 2, 0}};\n{self._helpers()}{self._handlers()}"
            f"void f({', '.join(found) or 'void'}) {{\n{statics if local else ''}"
            f"unsigned char spare[3];\n_Bool flag = 0;\n{body}out: ;\n}}\n"
        )

    def _helpers(self) -> str:
        hidden = "static void bump(void) { w = (w + 1) % 3; }\nstatic int look(void) { return w; }\n"
        text = (
            "static int helper(int x) { if (x > 1) x = 1 - x % 3; while (x > 5) x /= 2; return x & 3; }\n"
            "static int down(int x) { return x > 0 ? down(x - 1) + 1 : 0; }\n"
            "static float half(float x) { return x / 2; }\n"
        )
        text += f"static void set(struct rec *to, int x) {{ if (x < 3) to->{self.member} = x; }}\n"
        text += f"static struct rec changed(struct rec it, int x) {{ it.{self.member} = x & 1; return it; }}\n"
        return text + (hidden if self.hides else "")

    def _handlers(self) -> str:
        """The functions that a pointer may lead to, one of which has a body."""
        if FUNCTION not in self._variables:
            return ""
        changed = next(v for v in self.writable if v in self.variables)
        return (
            f"static void on(void) {{ {changed.name} = 1; }}\nvoid off(void);\n"
            "void choose(int way) { h = way ? on : off; }\n"
        )

    def _scalar(self, *, in_code: bool) -> Scalar:
        return self.dice.choice([s for s in self._all if not (in_code and s.is_hidden)])

    def _statement(self, depth: int) -> str:
        dice = self.dice
        match dice.randrange(17 if depth else 5):
            case 0 | 1 | 2:
                return f"{dice.choice(self.writable).name} = {self._number(2)};\n"
            case 3 | 4:
                return self._changed()
            case 5 | 6 | 7:
                other = f" else {{ {self._statement(depth - 1)} }}" if dice.random() < 0.5 else ""
                return f"if ({self._condition(2)}) {{ {self._statement(depth - 1)} }}{other}\n"
            case 8:
                cases = "".join(
                    f"case {n}: {self._statement(depth - 1)} {dice.choice(('break;', 'break;', ''))}\n"
                    for n in dice.sample(range(-1, 4), dice.randrange(1, 4))
                )
                return f"switch ((int)({self._number(1)})) {{ {cases} default: {self._statement(0)} }}\n"
            case 9:
                return self._loop(depth)
            case 10:
                return f"if ({self._condition(1)}) {dice.choice(('return', 'goto out'))};\n"
            case 11:
                return self._wrong()
            case 12 | 13 | 14 | 15:
                return self._indirect() or self._statement(depth)
            case _:
                return f"{{ {self._statement(depth - 1)} {self._statement(depth - 1)} }}\n"

    def _changed(self) -> str:
        """A variable gets a value that depends on its own."""
        dice, target = self.dice, self.dice.choice(self.writable)
        if target.is_float:
            return f"{target.name} {dice.choice(('+=', '-=', '*='))} {dice.choice(('0.5f', '2', self._number(0)))};\n"
        sign = dice.choice(("+=", "-=", "*=", "|=", "&=", "^=", "<<=", ">>=", "++", "--"))
        if sign in ("++", "--"):
            return f"{target.name}{sign};\n"
        value = f"({self._number(0)}) & 3" if "<<" in sign or ">>" in sign else self._number(1)
        return f"{target.name} {sign} {value};\n"

    def _loop(self, depth: int) -> str:
        dice = self.dice
        self._looping += 1
        end = dice.choice(("", f"if ({self._condition(1)}) break;", f"if ({self._condition(1)}) continue;"))
        inner, most, goes_on = self._statement(depth - 1), dice.randrange(1, 4), self._condition(1)
        self._looping -= 1
        match dice.randrange(4):
            case 0:
                return f"{{ int i = 0; do {{ {end} {inner} }} while (++i < {most} && {goes_on}); }}\n"
            case 1:
                return f"for (unsigned char i = {most}; i-- > 0 && {goes_on};) {{ {end} {inner} }}\n"
            case _:
                return f"for (int i = 0; i < {most}; i++) {{ {end} {inner} }}\n"

    def _wrong(self) -> str:
        dice = self.dice
        text = dice.choice(("exit(1);", "spare[{}] = 1;", "{} = 8 / ({});", "abort();", "assert({});"))
        given = [dice.choice(self.writable).name] if text.count("{}") == 2 else []
        value = self._condition(1) if "assert" in text else self._number(1)
        return f"if ({self._condition(1)}) {{ {text.format(*given, value)} }}\n"

    def _indirect(self) -> str:
        """Something through a pointer, with a record, or with what comes from outside."""
        dice, found = self.dice, ["touch();\n"]
        names = {v.name: v for v in self._variables}
        if "t" in names:
            found += [f"t = {dice.choice(names['t'].texts)};\n", f"*t = {self._number(1)};\n"]
            found += [f"if (t) {{ *t = {self._number(1)}; }}\n", f"if (t == pool) t[{self._number(0)}] = 1;\n"]
        if "h" in names:
            found += [f"h = {dice.choice(FUNCTION.texts)};\n", "h();\n", "if (h) h();\n"]
        if "n" in names:
            found += [f"n->v = {self._number(1)};\n", f"if (n && n->v == {dice.randrange(3)}) n = 0;\n"]
            found.append(f"if (n && !n->next) {dice.choice(self.writable).name} = 1;\n")
        if "row[0]" in names:
            found += [f"row[{self._number(1)}] = {self._number(0)};\n", f"row[({self._number(0)}) & 1]++;\n"]
        if self.hides:
            found += ["bump();\n", f"if (look() == w) {{ {self._statement(0)} }}\n"]
        found += self._with_records()
        return self._from_outside() if self.inputs and not self._looping else dice.choice(found)

    def _with_records(self) -> list[str]:
        names = {v.name.partition(".")[0] for v in self._variables}
        whole = [
            *(["kept"] if "kept" in names else []),
            *(["r"] if self.given else []),
            *(["*s"] if self.behind else []),
        ]
        if not whole:
            return []
        one, other = self.dice.choice(whole), self.dice.choice(whole)
        place = "s" if one == "*s" else f"&{one}"
        return [
            f"{one} = changed({other}, {self._number(1)});\n",
            f"set({place}, {self._number(1)});\n",
            f"{{ struct rec saved = {one}; {self._statement(0)} {one} = saved; }}\n",
            f"{{ struct rec *to = {place}; {one} = {other}; set(to, {self._number(0)}); }}\n",
        ]

    def _from_outside(self) -> str:
        self.inputs -= 1
        dice, target = self.dice, self.dice.choice(self.writable).name
        flags = [v.name for v in self.writable if v.declaration.startswith("_Bool")]
        port, number = dice.choice(("port0", "port0", "port1")), dice.choice((0, 0, 1))
        found = [f"{target} = {port};\n", f"if (get{number}()) {{ {self._statement(0)} }}\n"]
        found.append(f"fill{number}(&{dice.choice([*flags, 'flag'])}); if (flag) {{ {self._statement(0)} }}\n")
        found.append(f"if ({port}) {{ {self._statement(0)} }} else {{ {self._statement(0)} }}\n")
        found.append(f"if (wide.v > {dice.randrange(3)}) {{ {self._statement(0)} }}\n")
        found.append(
            f"switch (get{number}() + {dice.randrange(2)}) {{ case 1: {self._statement(0)} break; default: ; }}\n"
        )
        return dice.choice(found)

    def _number(self, depth: int) -> str:
        dice = self.dice
        if depth == 0 or dice.random() < 0.3:
            found = self._scalar(in_code=True)
            if found.parts and dice.random() < 0.4:
                return dice.choice(found.parts)
            return dice.choice((found.number, found.number, str(dice.randrange(-1, 4))))
        a, b = self._number(depth - 1), self._number(depth - 1)
        match dice.randrange(10):
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
            case 5:
                return f"down(({a}) & 3)"
            case 6:
                return f"({dice.choice(('unsigned char', 'signed char', 'unsigned short', 'long long'))})({a})"
            case _:
                signs = ("+", "-", "^", "|", "%", "*", "/")
                return f"({a} {dice.choice(signs)} {b})" if dice.random() < 0.8 else f"-({a})"

    def _condition(self, depth: int, *, in_code: bool = True) -> str:
        dice = self.dice
        if depth and dice.random() < 0.4:
            a, b = self._condition(depth - 1, in_code=in_code), self._condition(depth - 1, in_code=in_code)
            return dice.choice((f"({a} && {b})", f"({a} || {b})", f"!({a})"))
        operator = dice.choice(("==", "!=", "<", "<=", ">", ">="))
        if dice.random() < 0.7:
            found = self._scalar(in_code=in_code)
            operator = dice.choice(("==", "!=")) if found.is_pointer else operator
            if found.is_float and dice.random() < 0.3:
                return f"half({found.name}) * 2 {operator} {found.name}"
            return f"{found.name} {operator} {dice.choice(found.texts)}"
        return f"{self._number(1)} {operator} {self._number(1)}"
