"""The door to cbmc, for what compares us with it: a harness for one call of a function, and one run of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

CBMC: Final = "cbmc"
NOTHING_FAILS, SOMETHING_FAILS = 0, 10
_ANYTHING: Final = (CBMC, "--function", "harness", "--nondet-static")
_GOAL: Final = re.compile(r"condition 'goal_(\w+).*': (SATISFIED|FAILED)$", re.MULTILINE)


def is_there() -> bool:
    return shutil.which(CBMC) is not None


def harness(code: str, chosen: Sequence[str], before: Sequence[str], call: str, after: Sequence[str]) -> str:
    """The code, and a call of it: what is chosen for it, what is assumed before it, and statements behind it."""
    lines = [*chosen, *(f"__CPROVER_assume({condition});" for condition in before), call, *after]
    without_goals = "#include <stddef.h>\n#ifdef CHECKED\n#define __CPROVER_cover(goal)\n#endif"
    return "\n".join([without_goals, code, "void harness(void)", "{", *(f"    {line}" for line in lines), "}", ""])


def run(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """All variables hold anything at first."""
    return subprocess.run([*_ANYTHING, *options, str(file)], capture_output=True, text=True, check=False)


def may_fail(file: Path, *options: str) -> bool:
    """Whether some assertion or check does not hold for some call; goals are left out."""
    ran = run(file, "-DCHECKED", *options)
    if ran.returncode not in (NOTHING_FAILS, SOMETHING_FAILS):
        raise RuntimeError(f"{CBMC}: exit {ran.returncode}: {ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return ran.returncode == SOMETHING_FAILS


def reached(file: Path, *options: str) -> set[str]:
    """The goals, written `__CPROVER_cover(goal_NAME)`, that some call comes to without a check that fails."""
    ran = run(file, "--cover", "cover", *options)
    found = dict(_GOAL.findall(ran.stdout))
    if ran.returncode != NOTHING_FAILS or not found:
        raise RuntimeError(f"{CBMC}: exit {ran.returncode}: {ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return {name for name, answer in found.items() if answer == "SATISFIED"}
