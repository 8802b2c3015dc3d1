"""Machines found by running compiled code on many valuations: what an analysis says must contain all of it."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

from stateglass.program import Program

_HARNESS = """
#include <stdlib.h>
static unsigned long long seed_ = 88172645463325252ULL;
static unsigned long long random_(void) {{
  seed_ ^= seed_ >> 12; seed_ ^= seed_ << 25; seed_ ^= seed_ >> 27;
  return seed_ * 2685821657736338717ULL >> 24;
}}
static const long long pool_[] = {{ {pool} }};
static long long any_(void) {{ return pool_[random_() % (sizeof pool_ / sizeof *pool_)]; }}
static int state_(void) {{ {classify} return -1; }}
int explore_(unsigned char *found, long runs) {{
  for (long run = 0; run < runs; run++) {{
    {choose}
    int before = state_();
    {call}
    int after = state_();
    if (before < 0 || after < 0) return 1;
    found[before * {count} + after] = 1;
  }}
  return 0;
}}
"""


@final
@dataclass(frozen=True)
class Found:
    """Transitions between states, by their names."""

    states: tuple[str, ...]
    transitions: frozenset[tuple[str, str]]

    def reachable(self, start: str) -> set[str]:
        seen: set[str] = set()
        todo = [start]
        while todo:
            state = todo.pop()
            if state not in seen:
                seen.add(state)
                todo += [t for s, t in self.transitions if s == state]
        return seen


def explored(
    file: Path,
    program: Program,
    function: str,
    states: Sequence[tuple[str, str]],
    pool: Sequence[int],
    folder: Path,
    runs: int = 400_000,
    special: Mapping[str, str] | None = None,
) -> Found:
    """What a function does to states, from random values of all variables and parameters.

    Values come from a pool, converted to each variable's type; `special` has an expression for some of them.
    """
    special = special or {}
    variables = [n for n, v in program.variables.items() if not v.readonly and not v.literal]
    choose = [f"{name} = (__typeof__({name}))({special.get(name, 'any_()')});" for name in variables]
    parameters = program.functions[function].parameters
    arguments = ", ".join(special.get(p.name, "any_()") for p in parameters)
    text = _HARNESS.format(
        pool=", ".join(f"{value}LL" for value in pool),
        classify=" ".join(f"if ({condition}) return {n};" for n, (_, condition) in enumerate(states)),
        choose=" ".join(choose),
        call=f"{function}({arguments});",
        count=len(states),
    )
    harness, library = folder / "harness.c", folder / "harness.so"
    harness.write_text(f'#include "{file}"\n{text}', encoding="utf-8")
    subprocess.run(["gcc", "-w", "-O1", "-fwrapv", "-fPIC", "-shared", "-o", library, harness], check=True, timeout=60)
    found = (ctypes.c_ubyte * len(states) ** 2)()
    status = ctypes.CDLL(str(library)).explore_(found, ctypes.c_long(runs))
    assert status == 0, "a valuation is in no state"
    names = tuple(name for name, _ in states)
    pairs = frozenset((a, b) for i, a in enumerate(names) for j, b in enumerate(names) if found[i * len(names) + j])
    return Found(names, pairs)
