"""Random programs that are handed pointers, or hand them to functions without a body; nothing that these lead to is
bounded.

In each a value from outside is looked at through some arithmetic that can be undone. In a wrong program one value of it
is an error, and some value from outside leads there. In a right program the error is one that no value leads to: the
wrong number of the arithmetic, an element that nobody hands over, or what code has set itself.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final, final

from tests.fuzz.known_programs import WRAP, Known


@final
@dataclass(frozen=True, slots=True)
class Scrambled:
    """An expression of an `unsigned` that takes every value once, and a second one that never has a certain value."""

    text: str
    target: int
    never: str


def handed(seed: int) -> Known:
    """The program of a seed; every other one is wrong."""
    chance = random.Random(f"handed {seed}")
    holds = seed % 2 == 0
    shape = SHAPES[seed // 2 % len(SHAPES)]
    return Known(f"#include <assert.h>\n{shape(chance, holds)}", "step", holds, ())


def scrambled(chance: random.Random, value: str) -> Scrambled:
    factor, offset = 2 * chance.randint(0, 500) + 1, chance.randint(0, WRAP - 1)
    text = f"({value} * {factor}u + {offset}u)"
    if chance.random() < 0.5:
        text = f"({text} ^ {chance.randint(0, WRAP - 1)}u)"
    # An odd number is none of those that are twice another one.
    return Scrambled(text, chance.randint(0, WRAP - 1), f"{text} * 2u == {2 * chance.randint(0, 1000) + 1}u")


def refused(chance: random.Random, value: str, holds: bool) -> str:
    """Asserts something of a value from outside."""
    made = scrambled(chance, value)
    return f"assert(!({made.never}));" if holds else f"assert({made.text} != {made.target}u);"


def number(chance: random.Random, holds: bool) -> str:
    """A number behind a pointer, which code may change."""
    constant = chance.choice(("", "const "))
    change = "" if constant else chance.choice(("*p += 2;", "if (n) *p = *p * 3u;", ""))
    return f"void step({constant}unsigned *p, int n) {{ (void)n; {refused(chance, '*p', holds)} {change} }}\n"


def kept(chance: random.Random, holds: bool) -> str:
    """A number is there from the first call on, and only code changes it; constants are others at each call."""
    by = chance.randint(1, 9)
    body = f"if (seen) assert(*p == before + {by}u); seen = 1; before = *p;"
    head = "static unsigned before, seen;\n"
    if holds:
        return head + f"void step(unsigned *p) {{ {body} *p += {by}u; }}\n"
    return head + f"void step(const unsigned *p) {{ {body} }}\n"


def array(chance: random.Random, holds: bool) -> str:
    """An array behind a pointer."""
    count = chance.randint(2, 5)
    constant = chance.choice(("", "const "))
    other = chance.randrange(count)
    body = refused(chance, f"(*p)[{other}]", holds)
    return f"void step({constant}unsigned (*p)[{count}], unsigned i) {{ if (i < {count} && (*p)[i] > 5) {body} }}\n"


def machine(chance: random.Random, holds: bool) -> str:
    """A record that is the state of a machine: what code writes starts at zero, what it only reads is a setting."""
    most = chance.randint(1, 12)
    asked = "m->count <= m->limit" if holds else f"m->count <= {most}u"
    inner = chance.choice(("unsigned limit;", "struct { unsigned limit; } set;"))
    asked = asked.replace("m->limit", "m->set.limit") if "set" in inner else asked
    limit = "m->set.limit" if "set" in inner else "m->limit"
    return (
        f"struct machine {{ unsigned count; {inner} }};\n"
        f"void step(struct machine *m) {{ if (m->count < {limit}) m->count++; assert({asked}); }}\n"
    )


def settings(chance: random.Random, holds: bool) -> str:
    """A record that nobody writes is another one at each call."""
    constant = chance.choice(("", "const "))
    body = refused(chance, "c->values[1]", holds)
    if not holds and chance.random() < 0.5:
        body = (
            "static unsigned seen, before; if (seen) assert(c->values[2] == before); seen = 1; before = c->values[2];"
        )
    return (
        "enum kind { SMALL, LARGE };\nstruct settings { enum kind kind; unsigned values[3]; _Bool on; };\n"
        f"void step({constant}struct settings *c) {{ if (c->kind == LARGE && c->on) {{ {body} }}"
        " assert(c->kind == SMALL || c->kind == LARGE); }\n"
    )


def prepared(chance: random.Random, holds: bool) -> str:
    """A record that code sets up before it looks at it."""
    value = chance.randint(0, WRAP - 1)
    set_up = f"m->level = {value}u;" if holds else ""
    change = "" if holds else "(void)n;"
    return (
        "struct machine { unsigned level, rest; };\n"
        f"void step(struct machine *m, unsigned n) {{ {set_up} {change} "
        f"assert(m->level + n * 0u == {value}u); m->rest = n; }}\n"
    )


def filled(chance: random.Random, holds: bool) -> str:
    """A function without a body fills an array from some element on."""
    count = chance.randint(2, 9)
    first = chance.randrange(1, count)
    init = chance.randint(1, 9)
    start, length = chance.choice(((f"buf + {first}", "int buf_[1];"), (f"&buf[{first}]", "")))
    where = chance.choice(("static unsigned buf[%d];", "unsigned buf[%d];")) % count
    if holds:
        asked = f"assert(buf[{chance.randrange(first)}] == {init}u);"
    else:
        asked = refused(chance, f"buf[{chance.randrange(first, count)}]", False)
    return (
        "void fill(unsigned *words, int n);\n"
        f"void step(void) {{ {where} {length} for (int i = 0; i < {count}; i++) buf[i] = {init}u; "
        f"fill({start}, {count - first}); {asked} }}\n"
    )


def chosen(chance: random.Random, holds: bool) -> str:
    """One of two arrays is filled; the other one stays."""
    a, b = chance.randint(2, 5), chance.randint(2, 5)
    asked = f"n ? a[{a - 1}] : b[{b - 1}]"
    stays = f"n ? b[{b - 1}] : a[{a - 1}]"
    body = f"assert(({stays}) == 7u);" if holds else refused(chance, f"({asked})", False)
    return (
        "void fill(unsigned *words, int n);\n"
        f"void step(int n) {{ unsigned a[{a}], b[{b}]; a[{a - 1}] = b[{b - 1}] = 7u; "
        f"fill(n ? a : b, 1); {body} }}\n"
    )


def records(chance: random.Random, holds: bool) -> str:
    """A function without a body fills some of several records."""
    first = chance.randint(1, 2)
    at = chance.randrange(first) if holds else chance.randrange(first, 3)
    body = f"assert(all[{at}].id == 0u);" if holds else refused(chance, f"all[{at}].tag[1]", False)
    return (
        "struct item { unsigned id; unsigned tag[2]; };\nvoid fill(struct item *items, int n);\n"
        f"static struct item all[3];\nvoid step(void) {{ fill(&all[{first}], {3 - first}); {body} }}\n"
    )


def bytes_of(chance: random.Random, holds: bool) -> str:
    """A function without a body is given a `void *`, or a pointer beside its parameters."""
    declared, call = chance.choice((
        ("void get(void *to, int n);", "get(&m, 1);"),
        ("void get(int kind, ...);", "get(1, &m);"),
        ("void get(char *to, int n);", "get((char *)&m, 1);"),
    ))  # fmt: skip
    body = "assert(m.link == &other && other == 3u);" if holds else refused(chance, "m.body.words[1]", False)
    return (
        f"{declared}\nstatic unsigned other = 3u;\n"
        "struct message { unsigned char kind; struct { unsigned words[2]; } body; unsigned *link; };\n"
        f"void step(void) {{ struct message m = {{0}}; m.link = &other; {call} if (m.kind == 9) {{ {body} }} }}\n"
    )


def measured(chance: random.Random, holds: bool) -> str:
    """An array has as many elements as there are, and no more are filled."""
    most = chance.randint(2, 5)
    body = "assert(n <= 5);" if holds else refused(chance, "buf[n - 1]", False)
    return (
        "void fill(unsigned *words, int n);\n"
        f"void step(int n) {{ if (n < 1 || n > {most}) return; unsigned buf[n]; fill(buf, n); {body} }}\n"
    )


SHAPES: Final = (
    number, kept, array, machine, settings, prepared, filled, chosen, records, bytes_of, measured,
)  # fmt: skip
