"""Programs that are called again and again, or run for long: loops, machines, pointers, inputs, early ends.

Whatever a variable is given is cut to a few bits, so that all that a program can do is found by looking at each state.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import Program
from stateglass.program.callgraph import reachable

BEGIN: Final = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct pair { unsigned char first; signed char second; };
enum mode { IDLE, BUSY, DONE };
unsigned char level;
static int count;
enum mode mode;
_Bool flag;
unsigned char table[4] = {3, 1, 0, 2};
struct pair one = {1, -1}, other;
struct pair *which = &one;
unsigned char *cursor = &level;
int (*action)(int);
volatile unsigned char sensor;
union { unsigned short both; unsigned char half[2]; } parts;
int get(void);
_Bool ready(void);
void fill(unsigned char *place);
struct pair *find(struct pair *near);
void tell(int what);
void stop(int why) __attribute__((noreturn));
void load(unsigned char *to, int most);
void grab(void *to, int most);
void report(struct pair what);
struct pair whole(void);
static int up(int v) { return (v + 1) & 3; }
static int down(int v) { return v ? v - 1 : 3; }
static int deep(int v) { return v > 0 ? deep(v - 1) + level : count; }
static void set(unsigned char *place, int v) { *place = (unsigned char)(v & 3); }
static struct pair make(int v) { struct pair made = {(unsigned char)(v & 1), (signed char)-v}; return made; }
static int sum(struct pair given) { return (given.first + given.second) & 3; }
static int lazy(int v) { if (v & 1) return v & 3; }
static int seen(void) { static int times; times = (times + 1) & 1; return times; }
static unsigned char *pick(int v) { return v & 1 ? &level : &table[v & 3]; }
"""
BOUNDS: Final = (
    ("get()", "0..2"),
    ("fill.place", "0|3"),
    ("find()", "null|near"),
    ("find.near.first", "0..1"),
    ("find.near.second", "1"),
    ("sensor", "0..1"),
    ("load.to", "list 1..2 of 0|3"),
)
CONDITIONS: Final = (
    "{v} > 1",
    "{v} & 1",
    "{v} == {v}",
    "flag",
    "mode == BUSY",
    "count < {k}",
    "level != {k}",
    "*cursor > {k}",
    "which->first",
    "cursor == &level",
    "cursor != &table[{k}]",
    "which == &one",
    "action",
    "ready()",
    "sensor",
    "table[{v} & 3] == {k}",
    "one.second < 0",
    "!flag && {v}",
    "parts.half[1] > parts.half[0]",
)
VALUES: Final = (
    "{k}",
    "{v}",
    "({v} + {k})",
    "({v} ^ {v})",
    "level",
    "count",
    "(int)mode",
    "flag",
    "table[{v} & 3]",
    "table[{v} & 7]",
    "*cursor",
    "which->first",
    "which->second",
    "get()",
    "sensor",
    "up({v})",
    "down({v} & 3)",
    "deep({v} & 1)",
    "sum(make({v} & 3))",
    "lazy({v})",
    "seen()",
    "({v} / ({v} & 3))",
    "({v} % {k})",
    "(action ? action({v} & 3) : 0)",
    "action({v} & 3)",
    "*pick({v})",
    "({v} << ({v} & 3))",
    "parts.both",
    "parts.half[{v} & 1]",
    '(int)strlen("abc" + ({v} & 3))',
    "(int)(cursor - table)",
    "memcmp(&one, &other, sizeof one)",
)
SIMPLE: Final = (
    "x = {e} & 7;",
    "y = {e} & 3;",
    "level = {e} & 3;",
    "count = {e} & 3;",
    "mode = ({e} & 3) % 3;",
    "mode = mode == DONE ? IDLE : mode + 1;",
    "flag = {c};",
    "flag = !flag;",
    "table[{v} & 3] = {e} & 3;",
    "table[{v}] = 1;",
    "*cursor = {e} & 3;",
    "cursor = &level;",
    "cursor = &table[{v} & 3];",
    "cursor = {c} ? &level : &table[{k}];",
    "if (cursor < &table[3] && cursor != &level) cursor++;",
    "cursor = {c} ? cursor : 0;",
    "cursor = pick({v});",
    "which = {c} ? &one : &other;",
    "which = find(which);",
    "which->first = {e} & 1;",
    "which->second = (signed char)({e} & 3) - 2;",
    "one = other;",
    "*which = make({v});",
    "other = (struct pair){{{v} & 1, 1}};",
    "action = {c} ? up : down;",
    "action = {c} ? up : 0;",
    "tell({e} & 3);",
    "fill(&level);",
    "fill(cursor);",
    "fill(&own);",
    "own = {e} & 3;",
    "x = own;",
    "set(&level, {e});",
    "set(cursor, {e});",
    "set(&own, {e});",
    "p = {c} ? &x : &y;",
    "*p = {e} & 3;",
    "x = *p & 7;",
    "near[{v} & 1] = {e} & 3;",
    "x = near[{v} & 1];",
    "x = local.first;",
    "local = *which;",
    "*which = local;",
    "local.first = {e} & 1;",
    "memcpy(table, &table[{v} & 1], 2);",
    "memcpy(near, table, {v} & 1);",
    "memset(table, {v} & 3, {k});",
    "memset(&other, 0, sizeof other);",
    "parts.both = (unsigned short)({e} & 259);",
    "parts.half[{v} & 1] = {e} & 3;",
    "x = (x + 1) & 7;",
    "x = x ? x - 1 : 0;",
    "y = (y + 1) & 3;",
)
RARE: Final = (
    "assert({c});",
    "if ({c}) exit({v} & 1);",
    "if ({c}) return {e} & 3;",
    "if ({c}) stop({v} & 1);",
    "__VERIFIER_assume({c});",
    "if ({c}) abort();",
    "assert({v} < 7);",
    "cursor = &own;",
    "which = &local;",
    "p = &near[{v} & 1];",
)
BEHIND: Final = (
    "x = *q & 7;",
    "*q = {e} & 3;",
    "cursor = q;",
    "x = q[{v} & 1] & 3;",
    "if ({c}) q++;",
    "set(q, {e});",
    "fill(q);",
    "if (q == cursor) y = 1;",
)
SELDOM: Final = (
    "load(table, 2);",
    "load(near, 2);",
    "grab(&own, 1);",
    "grab(&local, 2);",
    "grab({c} ? (void *)&own : (void *)&level, 1);",
    "report(local);",
    "report(make({v} & 1));",
    "local = whole();",
    "whole();",
)


@final
@dataclass(frozen=True, slots=True)
class Reactive:
    """A program, and how it is to be run."""

    text: str
    functions: tuple[str, ...]
    init: str | None
    bounds: tuple[tuple[str, str], ...]

    def needed(self, program: Program) -> tuple[tuple[str, str], ...]:
        """The bounds of what is used once it has been read: what stands behind `&& 0` is not."""
        used = reachable(program, [*self.functions, *([] if self.init is None else [self.init])])
        kept = (name for name, variable in program.variables.items() if not variable.volatile)
        known = {*used.functions, *used.externals, *(read.name for read in used.inputs), *kept}
        return tuple(bound for bound in self.bounds if _word(bound[0]).rstrip("(") in known)


def reactive(seed: int, size: int = 10) -> Reactive:
    """The program of a seed."""
    writer = _Writer(random.Random(seed))
    chance = writer.chance
    entries = chance.randint(1, 2)
    texts = [writer.function("static int help(int x)", size // 2)]
    if chance.random() < 0.25:
        texts.append(writer.function("int main(void)", size, "    int x = 0;\n"))
        return Reactive(BEGIN + "".join(texts), ("main",), None, _used(texts))
    names = []
    for number in range(entries):
        names.append(f"step{number}")
        parameter = chance.choice(("int x", "void", "unsigned char x", "unsigned char *q", "const unsigned char *q"))
        first = "" if parameter.endswith("x") else "    int x = 1;\n"
        texts.append(writer.function(f"int step{number}({parameter})", size // entries, first))
    init = None
    if chance.random() < 0.3:
        init = "begin"
        parameter = chance.choice(("int x", "void"))
        first = "    int x = 2;\n" if parameter == "void" else ""
        texts.append(writer.function(f"int begin({parameter})", 3, first))
    return Reactive(BEGIN + "".join(texts), tuple(names), init, _used(texts))


def _used(texts: list[str]) -> tuple[tuple[str, str], ...]:
    text = "".join(texts[1:])
    text += texts[0] if "help(" in text else ""
    found = [(name, bound) for name, bound in BOUNDS if _word(name) in text]
    for line in text.splitlines():
        if line.startswith("int ") and "int x)" in line:
            found.append((f"{line.split('(')[0].split()[1]}.x", "0..2"))
        elif line.startswith("int ") and "char x)" in line:
            found.append((f"{line.split('(')[0].split()[1]}.x", "1|3"))
        elif line.startswith("int ") and "char *q)" in line:
            values = ("0|3", "list 1..2 of 0|3")[len(text) % 2]
            found.append((f"{line.split('(')[0].split()[1]}.q", values))
    if len(text) % 5 == 0:
        found.append(("level", "1..2"))
    return tuple(found)


def _word(name: str) -> str:
    return name.partition("(")[0].partition(".")[0] + ("(" if "(" in name or "." in name else "")


@final
class _Writer:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self._labels = 0
        self._counters = 0
        self._recursive = chance.random() < 0.2
        self._simple: tuple[str, ...] = SIMPLE

    def function(self, head: str, size: int, first: str = "") -> str:
        self._labels = self._counters = 0
        self._simple = SIMPLE
        if "*q)" in head:
            self._simple += tuple(line for line in BEHIND * 3 if "const" not in head or line.startswith(("x", "if")))
        is_help = " help(" in head
        body = "".join(self._statement(2, is_help) for _ in range(max(size, 1)))
        counters = "".join(f"    int n{i} = 0;\n" for i in range(self._counters))
        declared = (
            "    int y = 0, *p = &y;\n    unsigned char own, near[2] = {1, 2};\n"
            "    struct pair local = {1, 0};\n    if (y) { own = 1; }\n"
        )
        return f"{head}\n{{\n{first}{declared}{counters}{body}    return x & 3;\n}}\n"

    def _statement(self, depth: int, is_help: bool) -> str:
        chance = self.chance
        kind = chance.random()
        if depth == 0 or kind < 0.5:
            lines = SELDOM if chance.random() < 0.03 else self._simple
            return f"    {self._filled(chance.choice(lines))}\n"
        if kind < 0.56:
            return f"    {self._filled(chance.choice(RARE))}\n"
        if kind < 0.6 and (not is_help or self._recursive):
            call = "if ({c}) x = help(x - 1) & 3;" if is_help else "x = help({v}) & 7;"
            return f"    {self._filled(call)}\n"
        block = "".join(self._statement(depth - 1, is_help) for _ in range(chance.randint(1, 2)))
        if kind < 0.7:
            other = "".join(self._statement(depth - 1, is_help) for _ in range(chance.randint(0, 1)))
            return self._filled("    if ({c}) {{\n") + block + "    } else {\n" + other + "    }\n"
        if kind < 0.76:
            cases = "".join(
                f"    case {k}:\n{self._statement(depth - 1, is_help)}{chance.choice(('', '    break;' + chr(10)))}"
                for k in range(chance.randint(1, 3))
            )
            value = chance.choice(("mode", "level", "x & 3"))
            return f"    switch ({value}) {{\n{cases}    default:\n{block}    }}\n"
        return self._loop(block)

    def _loop(self, block: str) -> str:
        chance = self.chance
        counter = f"n{self._counters}"
        self._counters += 1
        leave = chance.choice(("", "    if ({c}) break;\n", "    if ({c}) continue;\n", "    if ({c}) goto out{l};\n"))
        form = chance.randint(0, 6)
        bound = chance.choice(("2", "3", "({v} & 3)", "table[{k}]"))
        match form:
            case 0:
                text = f"    for ({counter} = 0; {counter} < {bound}; {counter}++) {{{{\n%s{leave}    }}}}\n"
            case 1:
                text = f"    while ({{c}} && {counter}++ < {bound}) {{{{\n%s{leave}    }}}}\n"
            case 2:
                text = f"    do {{{{\n%s{leave}    }}}} while ({{c}} && ++{counter} < {bound});\n"
            case 3:
                text = f"    while ({{c}}) {{{{\n    if ({counter}++ == 2) break;\n%s{leave}    }}}}\n"
            case 4:
                text = f"    while ({{c}}) {{{{\n%s{leave}    }}}}\n"
            case 5:
                # Two ways into one loop.
                text = (
                    f"    if ({{c}}) goto in{{l}};\nback{{l}}:\n    {counter}++;\n%sin{{l}}:\n    {counter}++;\n"
                    f"    if ({counter} < 4 && {{c}}) goto back{{l}};\n"
                )
            case _:
                text = f"    {{{{\n    int inner = {{v}} & 3;\n    while (inner--) {{{{\n%s{leave}    }}}}\n    }}}}\n"
        label = self._labels
        self._labels += 1
        whole = self._filled(text, label) % block
        return whole + (f"out{label}: ;\n" if f"goto out{label}" in whole else "")

    def _filled(self, line: str, label: int = 0) -> str:
        chance = self.chance

        def value(depth: int) -> str:
            return expand(chance.choice(VALUES), depth - 1) if depth and chance.random() < 0.7 else simple()

        def simple() -> str:
            return chance.choice(("x", "y", "x", "level", "count", str(chance.randint(0, 3))))

        def expand(text: str, depth: int) -> str:
            while "{c}" in text or "{e}" in text or "{v}" in text or "{k}" in text:
                text = text.replace("{c}", expand(chance.choice(CONDITIONS), 0), 1) if "{c}" in text else text
                text = text.replace("{e}", value(depth), 1) if "{e}" in text else text
                text = text.replace("{v}", simple(), 1) if "{v}" in text else text
                text = text.replace("{k}", str(chance.randint(0, 3)), 1) if "{k}" in text else text
            return text

        return expand(line.replace("{l}", str(label)), 2).replace("{{", "{").replace("}}", "}").replace("% 0)", "% 2)")
