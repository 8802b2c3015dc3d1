"""Random programs of all of C that assert what they observe, so that their verdict is known by construction.

What a closed program observes is what the reference semantics says, which is held against gcc elsewhere. Here it is
asserted; in a wrong program one of the expected numbers is another one. An input that must be nought is mixed into the
values of variables: nothing is decided by constants alone, and engines have to know it wherever they look.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from tests.fuzz.agreement import files_of_seed, read, run_machine, without_long_doubles

SIZE: Final = 5
MOST: Final = 100
"""Programs that observe more are not asserted."""
_VARIABLE: Final = re.compile(r"^(\s+[a-z][\w ]* x\d+ = )([^\n]+);$", re.MULTILINE)
_MAIN: Final = "int main(void) {\n"
_FLOATING: Final = re.compile(r"\b(?:float|double)\b")


@final
@dataclass(frozen=True, slots=True)
class Asserted:
    """A program with `main` as its entry, and whether its assertions hold."""

    files: Mapping[str, str]
    holds: bool


def asserted(seed: int, folder: Path, size: int = SIZE) -> Asserted | None:
    """The program of a seed, every other one with all of C, half of them wrong; None if it is not fit for this."""
    chance = random.Random(seed)
    files = without_long_doubles(files_of_seed(seed, size, wide=seed % 2 == 0))
    seen = observed(run_machine(read(files, folder / "closed")))
    if not seen or len(seen) > MOST:
        return None
    holds = chance.random() < 0.5
    if not holds:
        place = chance.randrange(len(seen))
        seen[place] ^= 1 << chance.randrange(8)
    mixed = {name: _mixed(text, name.endswith(".c")) for name, text in files.items()}
    return Asserted({**mixed, "observed.c": _observer(seen)}, holds)


def observed(trace: list[str]) -> list[int]:
    """What a program observed that has come to its end; else nothing."""
    *calls, end = trace
    if not end.startswith("exit(") or not all(call.startswith("call(observe, ") for call in calls):
        return []
    return [int(call.removeprefix("call(observe, ")[:-1]) for call in calls]


def _mixed(text: str, is_code: bool) -> str:
    if not is_code:
        return text
    text = _VARIABLE.sub(_with_nought, text).replace(_MAIN, f"{_MAIN}    if ((nought = input()) != 0) return 0;\n")
    return f"int input(void);\nextern int nought;\n{text}"


def _with_nought(found: re.Match[str]) -> str:
    declared, value = found.groups()
    return found[0] if _FLOATING.search(declared) else f"{declared}nought ^ ({value});"


def _observer(expected: list[int]) -> str:
    numbers = ", ".join("(-9223372036854775807LL - 1)" if n == -(1 << 63) else f"{n}LL" for n in expected)
    return f"""#include <assert.h>
int nought;
static const long long expected[] = {{{numbers}}};
void observe(long long value)
{{
    static unsigned seen;
    assert(value == expected[seen]);
    seen++;
}}
"""
