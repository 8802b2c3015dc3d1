"""Programs with one planted error each, and what gcc's sanitizers say about them."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from tests.generator.gcc import SANITIZERS

REPORT: Final = re.compile(r"^(?:\S*/)?(\w+\.c):(\d+)(?::\d+)?: runtime error: (.*)$", re.MULTILINE)
FRAME: Final = re.compile(r"#\d+ 0x\w+ in \w+ (?:\S*/)?(planted\.c):(\d+)")
ASSERTION: Final = re.compile(r"(?:\S*/)?(planted\.c):(\d+): \w+: Assertion ")
# A copy of known size would be a few instructions, which the sanitizers do not know to be one.
FLAGS: Final = ("-w", "-g", *SANITIZERS, "-fno-builtin")


@final
@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of error: declarations it needs, statements before it, and the expression that goes wrong."""

    kind: str  # what stands in error(…)
    before: str
    expression: str
    outside: str = ""


KEEP: Final = "static int *kept; static int *keep(int v) { int x = v; int *p = &x; if (v == 1) kept = p; return p; }"
NODE: Final = "struct node { struct node *next; int value; };"
BYTES: Final = "_Alignas(16) char bytes[64] = {{0}};"
PAIR: Final = "struct pair { char tag; int value; }; struct __attribute__((packed)) tight { char tag; int value; };"
WIDE: Final = "struct wide { long first, second; };"
NODES: Final = "struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->next = b;"

FAULTS: Final[Sequence[Fault]] = (
    Fault("overflow", "int a = INT_MAX, b = {small};", "a + b"),
    Fault("overflow", "int a = INT_MIN, b = {small};", "a - b"),
    Fault("overflow", "int a = INT_MAX / 2, b = {small} + 2;", "a * b"),
    Fault("overflow", "int a = INT_MIN;", "-a"),
    Fault("overflow", "int a = INT_MAX;", "++a"),
    Fault("overflow", "int a = INT_MIN;", "a--"),
    Fault("overflow", "long a = LONG_MAX; short b = {small};", "(int)(a + b)"),
    Fault("overflow", "long long a = LLONG_MIN;", "(int)(a * {small} - 1)"),
    Fault("overflow", "int a = INT_MAX - 1;", "(a += {small} + 1)"),
    Fault("overflow", "int a = INT_MIN, b = -1;", "a / b"),
    Fault("shift", "int a = 1, b = 31 + {small};", "a << b"),
    Fault("shift", "int a = 1, b = -{small};", "a >> b"),
    Fault("shift", "int a = -{small}, b = 2;", "a << b"),
    Fault("shift", "int a = 3, b = 30;", "a << b"),
    Fault("shift", "unsigned a = 1; int b = 32;", "(int)(a << b)"),
    Fault("division", "int a = {small}, b = 0;", "a / b"),
    Fault("division", "unsigned a = {small}, b = 0;", "(int)(a % b)"),
    Fault("bounds", "int i = 4 + {small} - 1;", "table[i]", "static int table[4] = {1, 2, 3, 4};"),
    Fault("bounds", "int i = -{small};", "table[i]", "static int table[4] = {1, 2, 3, 4};"),
    Fault("bounds", "int grid[2][3] = {{{{1}}}}; int j = 3;", "grid[0][j]"),
    Fault("bounds", "int local[3] = {{1, 2, 3}}; int i = 3;", "(local[i] = {small})"),
    Fault("bounds", "char *p = malloc({small} + 3);", "(p[{small} + 3] = 1)"),
    Fault("bounds", "long x = {small}; struct wide *p = (struct wide *)((char *)&x - 8);", "(int)p->first", WIDE),
    Fault("null", "int *p = 0;", "*p"),
    Fault("null", "struct pair *p = 0;", "p->second", "struct pair { int first, second; };"),
    Fault("null", "int *p = 0;", "(*p = {small})"),
    Fault("dangling", "int *p; {{ int x = {small}; p = &x; }}", "*p"),
    Fault("dangling", "int *p = malloc(sizeof *p); *p = {small}; free(p);", "*p"),
    Fault("dangling", "int *p = malloc(4 * sizeof *p); free(p);", "(p[1] = {small})"),
    Fault("dangling", "keep(1); keep(2);", "*kept", KEEP),
    Fault("dangling", "unsigned long n = (unsigned long)keep(1); keep(2);", "*(int *)n", KEEP),
    Fault("dangling", "int *p = malloc(4), *q; free(p); q = malloc(4); *q = {small};", "*p"),
    Fault("dangling", f"{NODES} free(b); b = malloc(sizeof *b); b->value = {{small}};", "a->next->value", NODE),
    Fault("free", "int *p = malloc(sizeof *p); free(p);", "(free(p), {small})"),
    Fault("free", "int x; int *p = &x;", "(free(p), {small})"),
    Fault("unreachable", "int a = {small};", "(a ? __builtin_unreachable() : (void)0, a)"),
    Fault("alignment", f"{BYTES} int *p = (int *)(bytes + {{small}});", "*p"),
    Fault("alignment", f"{BYTES} short *p = (short *)(bytes + 1);", "(*p = {small})"),
    Fault("alignment", f"{BYTES} struct pair *p = (struct pair *)(bytes + 2);", "p->tag", PAIR),
    Fault("alignment", f"{BYTES} struct pair *p = (struct pair *)(bytes + {{small}}), q = *p;", "q.tag", PAIR),
    Fault("alignment", "struct tight t = {{{{{small}, 2}}}}; int *p = &t.value;", "++*p", PAIR),
    Fault("alignment", f"{BYTES} long *p = (long *)(bytes + 4);", "p[{small}] == 1"),
    Fault("overlap", 'char text[16] = "abcdefgh";', "(memcpy(text, text + {small}, 4), text[0])"),
    Fault("overlap", 'char text[16] = "abcdefgh"; int n = 3 + {small};', "(memcpy(text + 3, text, n), text[4])"),
    Fault("overlap", 'char text[16] = "abcdefgh";', "(strcpy(text, text + {small}), text[0])"),
    Fault("overlap", 'char text[32] = "abcdefgh";', "(strcat(text, text + {small}), text[0])"),
    Fault("overlap", 'char text[16] = "abcdefgh";', "(strncpy(text + {small}, text, 4), text[0])"),
    Fault("bool", "unsigned char byte = 1 + {small}; _Bool truth; memcpy(&truth, &byte, 1);", "truth"),
    Fault("bool", "union {{ unsigned char byte; _Bool truth; }} u; u.byte = 1 + {small};", "u.truth"),
    Fault("bool", "char byte = -{small}; _Bool *p = (_Bool *)&byte;", "!*p"),
    Fault("assertion", "int a = {small};", "(assert(a == 0), a)"),
    Fault("readonly", 'char *text = (char *)"abc";', "(text[{small} - 1] = 'x')"),
    Fault("uninitialised", "int a, b = {small};", "a + b"),
    Fault("uninitialised", "int *p = malloc({small} * sizeof *p);", "p[{small} - 1]"),
    Fault("uninitialised", "struct pair p; p.tag = {small};", "p.value", PAIR),
)

CONTEXTS: Final[Sequence[str]] = (
    "    result = {expression};",
    "    if ({expression})\n        result++;",
    "    while (({expression}) != 77 && result < 3)\n        result++;",
    "    result = use(1, {expression});",
    "    result = 1 +\n        ({expression});",
    "    return {expression};",
    "    for (int k = 0; k < 3; k++) {{\n        if (k == 2)\n            result += {expression};\n    }}",
    "    switch (result) {{\n    default:\n        result = {expression};\n    }}",
    "    result = result ? 5 : ({expression});",
    "    result = SAME({expression});",
)


@final
@dataclass(frozen=True, slots=True)
class Planted:
    """A program and the kind of its error."""

    text: str
    kind: str


def plant(seed: int) -> Planted:
    """The program of a seed: every fault meets every context."""
    chance = random.Random(seed)
    fault = FAULTS[seed % len(FAULTS)]
    context = CONTEXTS[seed // len(FAULTS) % len(CONTEXTS)]
    small = str(chance.randint(1, 3))
    expression = fault.expression.replace("{small}", small)
    filler = "\n" * chance.randint(0, 3)
    text = f"""#include <limits.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define SAME(x) (x)
{fault.outside}
static int use(int a, int b) {{ return a + b / 2; }}
{filler}
static int wrong(void) {{
    int result = 0;
    {fault.before.replace("{small}", small).replace("{{", "{").replace("}}", "}").replace("{{", "{").replace("}}", "}")}
{context.replace("{expression}", expression).replace("{{", "{").replace("}}", "}")}
    return result;
}}

int main(void) {{
    return use(wrong(), 2) > 1000000;
}}
"""
    return Planted(text, fault.kind)


NAMES: Final = ("main", "wrong", "use", "keep", "kept", "table", "node", "pair", "tight", "wide")
"""What a program declares outside of functions: in a file with others, each has its own."""


def sanitizer_lines(programs: Mapping[int, Planted], folder: Path) -> dict[int, int | None]:
    """Where gcc's sanitizers stop each program: the line, or None if they find nothing. All are compiled at once."""
    source, program = folder / "planted.c", folder / "planted"
    source.write_text(
        "".join(_beside_others(number, planted) for number, planted in programs.items()) + _main(programs)
    )
    subprocess.run(["gcc", *FLAGS, str(source), "-o", str(program)], check=True, timeout=60)
    return {number: _stopped_at([str(program), str(number)]) for number in programs}


def _beside_others(number: int, planted: Planted) -> str:
    """A program with names of its own, and with the lines that it has alone."""
    define = "".join(f"#define {name} {name}_{number}\n" for name in NAMES)
    forget = "".join(f"#undef {name}\n" for name in NAMES)
    return f'{define}#line 1 "planted.c"\n{planted.text}{forget}'


def _main(numbers: Iterable[int]) -> str:
    cases = "".join(f"case {number}: return main_{number}();\n" for number in numbers)
    return f"int main(int count, char **words) {{ switch (atoi(words[1])) {{\n{cases}}} return 0; }}\n"


def _stopped_at(command: Sequence[str]) -> int | None:
    environment = {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1", "PATH": ""}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False, env=environment)
    found = (pattern.search(ran.stderr) for pattern in (REPORT, FRAME, ASSERTION))
    return next((int(match.group(2)) for match in found if match is not None), None)
