"""Programs that are careless with pointers: null, out of bounds, before their object, dangling, one of several.

Each is a function of two numbers, for runs with all inputs at once, and a `main` that calls it with some, for runs on
abstract values. Most calls end in an error, and not all at the same place.
"""

from __future__ import annotations

import random
from typing import Final

BEGIN: Final = """#include <stdlib.h>
#include <string.h>
struct pair { int first, second; int more[3]; char tag; };
struct far { long space[600]; int last; int tail[4]; };
struct pair a = {1, 2, {3, 4, 5}, 6}, b = {7};
struct far f;
const int fixed = 3;
int table[4] = {5, 6, 7, 8};
_Alignas(16) char bytes[22];
static int one(int v) { return v + 1; }
static int two(int v) { return v > 2 ? table[v] : v; }
static int none(void) { return 0; }

int work(int n, int k) {
    struct pair *p = &a, s = {0};
    struct far *w = &f;
    int *q = table, *r = &b.second, x = 1;
    char *c = bytes;
    int (*g)(int) = one;
"""
END: Final = """    return x;
}

int main(void) {
    return work(%d, %d);
}
"""
CONDITIONS: Final = ("n & 1", "n > k", "x > 2", "k == 0", "n == 3", "q != r", "p != 0", "c")
INDICES: Final = ("0", "1", "2", "k", "n", "x", "(n & 3)", "k / n", "-1", "(k - n)")
POINTERS: Final = (
    "p = {if} ? &a : 0;",
    "p = {if} ? &a : &b;",
    "p = {if} ? (struct pair *)bytes : &b;",
    "p = (struct pair *)(bytes + {index});",
    "p = (struct pair *)((char *)q - 4);",
    "p = (struct pair *)((char *)p - 16);",
    "p = {if} ? (struct pair *)q : p;",
    "p = &p[{index}];",
    "q = &p->second;",
    "q = &p->more[{index}];",
    "q = {if} ? &table[{index}] : (int *)&fixed;",
    "q = {if} ? &w->last : &w->tail[{index}];",
    "q = q + {index};",
    "q = {if} ? r : 0;",
    "r = {if} ? q : &s.first;",
    "r = r - {index};",
    "{ int gone = x; r = &gone; }",
    "c = (char *)q - 8;",
    "c = c + {index};",
    "c = {if} ? (char *)p : (char *)&w->last;",
    "w = {if} ? &f : 0;",
    "w = {if} ? (struct far *)p : w;",
    "g = {if} ? two : 0;",
    "g = {if} ? one : (int (*)(int))none;",
)
USES: Final = (
    "x = *q;",
    "*q = x;",
    "*r = {index};",
    "x = p->first + p->more[{index}];",
    "p->more[{index}] = x;",
    "x = p->more[x / k];",
    "x = w->tail[{index}];",
    "w->last = {index};",
    "*c = 3;",
    "x = *c;",
    "s = *p;",
    "*p = s;",
    "x = q < r;",
    "x = c <= (char *)p;",
    "x = q == r;",
    "x = (int)(q - r);",
    "x = (unsigned long)q != (unsigned long)c;",
    "x = g(x);",
    "x = g({index} / k);",
    "x = (n > 4 ? g : one)(n / k);",
    "memcpy(q, r, 4 * ({index}));",
    "x = x / k;",
    "if ({if}) exit(x / k);",
    "if ({if}) exit({index});",
    "if ({if}) { *c = 1; x = 0; }",
)


def risky(seed: int, size: int = 8) -> str:
    """The program of a seed."""
    chance = random.Random(seed)
    lines = [_filled(chance.choice(POINTERS if chance.random() < 0.55 else USES), chance) for _ in range(size)]
    body = "".join(f"    {line}\n" for line in lines)
    return BEGIN + body + END % (chance.randint(-1, 5), chance.randint(-1, 3))


def _filled(line: str, chance: random.Random) -> str:
    return line.replace("{if}", chance.choice(CONDITIONS)).replace("{index}", chance.choice(INDICES))
