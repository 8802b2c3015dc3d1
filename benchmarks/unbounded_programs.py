"""Programs with known verdicts in which nothing is bounded: those of `examples`, and families of any size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from benchmarks.handshakes import handshake
from scripts.rooms import ROOT

EXAMPLES: Final = ROOT / "examples"
PROGRAMS: Final = ("handshake", "drivers", "retry", "states")
"""Families of single functions; the others are threads."""
GROWING: Final = ("states", "philosophers", "token ring")
"""Families of which each program is larger than the one before it."""
FAMILIES: Final = (*PROGRAMS, "mailbox", "kernel", "link", "store", "philosophers", "token ring")
STATES: Final = (5, 10, 20, 40, 80)
THREADS: Final = (3, 4, 5, 6, 7)
TABLES: Final = (("philosopher", "violated"), ("careful", "holds"))
"""Who sits at a table, and whether it is true that no deadlock can be reached."""
_VERDICT: Final = re.compile(r"^ \* verdict: (holds|violated)$", re.MULTILINE)
Said = tuple[str, tuple[str, ...], str, str]
_HOLDS, _VIOLATED = "holds", "violated"
# File, what else is said, verdict, name.
_RETRY: Final[tuple[Said, ...]] = (
    ("retry.c", (), _HOLDS, "window"),
    ("gauge.c", (), _VIOLATED, "gauge"),
    ("middle.c", (), _VIOLATED, "middle"),
    ("middle.c", ("--numbers", "integers"), _HOLDS, "middle, integers"),
    ("fill.c", ("--predicate", "at % 4 == 0"), _HOLDS, "fill, predicate given"),
    ("store.c", ("--function", "bring", "--function", "fetch", "--claim", "G([stock <= 1000])"), _HOLDS, "stock"),
    ("store.c", ("--function", "bring", "--function", "fetch", "--claim", "G F [stock == 0]"), _VIOLATED, "empty"),
)
# Folder, what else is said, verdict, name.
_THREADS: Final[tuple[Said, ...]] = (
    ("mailbox", ("--claim", "in_order"), _HOLDS, "in order"),
    ("mailbox", ("--claim", "both_end"), _HOLDS, "no deadlock"),
    ("kernel", ("--claim", "goes_on"), _VIOLATED, "no deadlock, without an unlock"),
    ("kernel", ("-D", "FIXED", "--claim", "goes_on"), _HOLDS, "no deadlock"),
    ("kernel", ("-D", "FIXED", "--claim", "never_too_many"), _HOLDS, "never too many"),
    ("link", ("--claim", "goes_on"), _HOLDS, "no deadlock"),
    ("link", ("--claim", "both_open"), _HOLDS, "both open"),
    ("link", ("--claim", "same_time"), _VIOLATED, "same time"),
    ("store", ("--claim", "Claim1"), _HOLDS, "claim 1"),
    ("store", ("--claim", "Claim2"), _HOLDS, "claim 2"),
    ("store", ("--claim", "Claim3"), _VIOLATED, "claim 3"),
    ("store", ("--claim", "Claim4"), _HOLDS, "claim 4"),
    ("store", ("--claim", "Claim5"), _VIOLATED, "claim 5"),
    ("store", ("--claim", "Claim6"), _VIOLATED, "claim 6"),
)


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked, by which words on the command line, and what must come out."""

    family: str
    name: str
    words: tuple[str, ...]
    verdict: str
    code: Path | None = None  # of a program that another tool can read


def subjects(folder: Path) -> Iterator[Subject]:
    """All of them; what is made is written to a folder."""
    for family in ("handshake", "drivers"):
        for path in sorted((EXAMPLES / family).glob("*.c")):
            said = _VERDICT.search(path.read_text(encoding="utf-8"))
            if said is None:
                raise SystemExit(f"{path} does not say what its verdict is")
            yield _program(family, path, said[1])
    for file, words, verdict, name in _RETRY:
        yield Subject("retry", name, (str(EXAMPLES / "retry" / file), *words), verdict)
    for states in STATES:
        for wrong in (False, True):
            path = folder / f"states_{states}{'_wrong' if wrong else ''}.c"
            path.write_text(handshake(states, wrong=wrong), encoding="utf-8")
            yield _program("states", path, _VIOLATED if wrong else _HOLDS)
    for family, words, verdict, name in _THREADS:
        project = EXAMPLES / "threads" / family / "stateglass.toml"
        yield Subject(family, name, ("--project", str(project), *words), verdict)
    for number in THREADS:
        project = table(folder, number)
        for system, verdict in TABLES:
            words = ("--project", str(project), "--system", system)
            yield Subject("philosophers", f"{number}, {system}", words, verdict)
    for number in THREADS:
        for claim in ("goes_on", "alone"):
            words = ("--project", str(_ring(folder, number)), "--claim", claim)
            yield Subject("token ring", f"{number} nodes, {claim}", words, _HOLDS)


def _program(family: str, path: Path, verdict: str) -> Subject:
    return Subject(family, path.stem, (str(path), "--function", "main"), verdict, path)


def table(folder: Path, seats: int) -> Path:
    """The philosophers of `examples` at another table: the project file."""
    code = _resized(folder, EXAMPLES / "threads" / "philosophers" / "philosophers.c", "SEATS", seats)
    lines = _project(code)
    for system, _ in TABLES:
        threads = [f"{system}({n})" for n in range(seats)]
        threads += [f"process FORK({n}, {(n - 1) % seats})" for n in range(seats)]
        lines += [f"[system.{system}]", f"threads = [{_listed(threads)}]", 'events = ["take", "put"]', ""]
    fork = "(take(N, N) -> put(N, N) -> FORK | take(NEIGHBOUR, N) -> put(NEIGHBOUR, N) -> FORK)."
    lines += ["[process.FORK]", f'fsp = "FORK(N = 0, NEIGHBOUR = 1) = {fork}"', "", "[claims]"]
    lines += ['nobody_waits_for_ever = "no-deadlock"', ""]
    return _written(code.with_suffix(".toml"), lines)


def _ring(folder: Path, nodes: int) -> Path:
    """The token ring of `examples` with another number of nodes: the project file."""
    code = _resized(folder, EXAMPLES / "threads" / "ring" / "ring.c", "NODES", nodes)
    others = " & ".join(f"!begin({n})" for n in range(1, nodes))
    lines = [*_project(code), "[system.ring]", f"threads = [{_listed(f'node({n})' for n in range(nodes))}]"]
    lines += ['events = ["pass", "begin", "end"]', "", "[claims]", 'goes_on = "no-deadlock"']
    lines += [f'alone = "G(begin(0) => ({others}) W end(0))"', ""]
    return _written(code.with_suffix(".toml"), lines)


def _resized(folder: Path, source: Path, constant: str, number: int) -> Path:
    text, count = re.subn(rf"{constant} = \d+", f"{constant} = {number}", source.read_text(encoding="utf-8"))
    if count != 1:
        raise SystemExit(f"{source} does not say what {constant} is")
    code = folder / f"{source.stem}_{number}.c"
    code.write_text(text, encoding="utf-8")
    return code


def _project(code: Path) -> list[str]:
    return ["schema = 1", "", "[source]", f'files = ["{code.name}"]', ""]


def _listed(texts: Iterator[str] | list[str]) -> str:
    return ", ".join(f'"{text}"' for text in texts)


def _written(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
