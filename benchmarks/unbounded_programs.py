"""Programs with known verdicts in which nothing is bounded: those of `examples`, and families of any size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from benchmarks.handshakes import handshake
from scripts.rooms import ROOT

EXAMPLES: Final = ("handshake", "drivers")
FAMILIES: Final = (*EXAMPLES, "states", "threads")
STATES: Final = (5, 10, 20, 40, 80)
SEATS: Final = (3, 5, 7, 9)
TABLES: Final = (("philosopher", "violated"), ("careful", "holds"))
"""Who sits at a table, and whether it is true that no deadlock can be reached."""
_VERDICT: Final = re.compile(r"^ \* verdict: (holds|violated)$", re.MULTILINE)


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked, by which words on the command line, and what must come out."""

    family: str
    name: str
    words: tuple[str, ...]
    verdict: str
    code: Path | None  # of a program that another tool can read


def subjects(folder: Path) -> Iterator[Subject]:
    """All of them; what is made is written to a folder."""
    for family in EXAMPLES:
        for path in sorted((ROOT / "examples" / family).glob("*.c")):
            said = _VERDICT.search(path.read_text(encoding="utf-8"))
            if said is None:
                raise SystemExit(f"{path} does not say what its verdict is")
            yield _program(family, path, said[1])
    for states in STATES:
        for wrong in (False, True):
            path = folder / f"states_{states}{'_wrong' if wrong else ''}.c"
            path.write_text(handshake(states, wrong=wrong), encoding="utf-8")
            yield _program("states", path, "violated" if wrong else "holds")
    for seats in SEATS:
        project = table(folder, seats)
        for system, verdict in TABLES:
            words = ("--project", str(project), "--system", system)
            yield Subject("threads", f"{system}_{seats}", words, verdict, None)


def _program(family: str, path: Path, verdict: str) -> Subject:
    return Subject(family, path.stem, (str(path), "--function", "main"), verdict, path)


def table(folder: Path, seats: int) -> Path:
    """The philosophers of `examples` at another table: the project file."""
    source = ROOT / "examples" / "threads" / "philosophers" / "philosophers.c"
    code = folder / f"philosophers_{seats}.c"
    text, count = re.subn(r"SEATS = \d+", f"SEATS = {seats}", source.read_text(encoding="utf-8"))
    if count != 1:
        raise SystemExit(f"{source} does not say how many seats there are")
    code.write_text(text, encoding="utf-8")
    lines = ["schema = 1", "", "[source]", f'files = ["{code.name}"]', ""]
    for system, _ in TABLES:
        threads = [f"{system}({n})" for n in range(seats)]
        threads += [f"process FORK({n}, {(n - 1) % seats})" for n in range(seats)]
        listed = ", ".join(f'"{thread}"' for thread in threads)
        lines += [f"[system.{system}]", f"threads = [{listed}]", 'events = ["take", "put"]', ""]
    fork = "(take(N, N) -> put(N, N) -> FORK | take(NEIGHBOUR, N) -> put(NEIGHBOUR, N) -> FORK)."
    lines += ["[process.FORK]", f'fsp = "FORK(N = 0, NEIGHBOUR = 1) = {fork}"', "", "[claims]"]
    lines += ['nobody_waits_for_ever = "no-deadlock"', ""]
    project = folder / f"table_{seats}.toml"
    project.write_text("\n".join(lines), encoding="utf-8")
    return project
