"""Which hypotheses a command line of `reflect` means: a machine, a diagram with its mapping, those of a project."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.formats import CHARTS, FORMATS, STDIO
from stateglass.operations.reflecting import Hypothesis, Loaded, drawn_hypothesis, read_machine, source_files
from stateglass.pipeline import project_hypotheses
from stateglass.source import Code, Diagnostic, Severity, Span, input_error, suggestion

MACHINE: Final = ".machine"
DIAGRAMS: Final = tuple(extension for name in CHARTS for extension in FORMATS[name].extensions)


@final
@dataclass(frozen=True, slots=True)
class Given:
    """The files of a command line by what they are for."""

    machines: tuple[str, ...]
    diagrams: tuple[str, ...]
    code: tuple[str, ...]

    @property
    def is_hypothesis(self) -> bool:
        return bool(self.machines or self.diagrams)


def sorted_out(files: Sequence[str], *, may_be_read: bool = False) -> Given:
    """By their names; if a machine `may_be_read` from standard input and there is no other, that is `-`."""
    machines = tuple(f for f in files if _extension(f) == MACHINE)
    diagrams = tuple(f for f in files if _extension(f) in DIAGRAMS)
    if may_be_read and not machines and STDIO in files:
        machines = (STDIO,)
    return Given(machines, diagrams, tuple(f for f in files if f not in (*machines, *diagrams)))


def read_hypothesis(given: Given) -> Loaded:
    """The one hypothesis that some files are, with warnings about what is not part of it."""
    if len(given.machines) > 1 or len(given.diagrams) > 1:
        what = "machine" if len(given.machines) > 1 else "diagram"
        raise input_error(Code.USAGE, f"more than one {what} is given", help="ask one after the other")
    if not given.diagrams:
        return read_machine(given.machines[0])
    if not given.machines:
        help = "add a .machine file that says what its states are in the code: `state NAME: CONDITION`"
        raise input_error(Code.USAGE, f"the names in `{given.diagrams[0]}` have no meaning yet", help=help)
    return drawn_hypothesis(given.diagrams[0], given.machines[0])


def read_instead(code: Sequence[str], hypothesis: Hypothesis) -> tuple[Diagnostic, ...]:
    """A remark if other files are read than the hypothesis names."""
    named = {os.path.realpath(file) for file in source_files(hypothesis)}
    if not code or not named or {os.path.realpath(file) for file in code} == named:
        return ()
    given, written = (" and ".join(f"`{file}`" for file in files) for files in (code, hypothesis.files))
    message = f"{given} {'is' if len(code) == 1 else 'are'} read instead of {written}, which the machine names"
    return (Diagnostic(Code.MACHINE, message, hypothesis.span, Severity.NOTE),)


def of_project(cli: dict[str, object], project: str | None, name: str | None) -> tuple[str | None, dict[str, Given]]:
    """The project file, and its hypotheses, or the one that is named: files by what they are for."""
    path, found = project_hypotheses({**cli, "files": ()}, project)
    if path is None:
        help = "name a .machine file, or variables with --states; `stateglass scan` lists candidates"
        message = "neither a machine nor states are given" if name is None else "there is no project file"
        raise input_error(Code.USAGE, message, help=help)
    if name is not None and name not in found:
        raise input_error(Code.UNKNOWN_NAME, f"there is no hypothesis `{name}` in {path}", help=suggestion(name, found))
    if not found:
        help = 'add `[hypothesis.NAME]` with `file = "x.machine"`, or name a .machine file, or variables with --states'
        raise input_error(
            Code.USAGE, f"{path} has no hypothesis, and neither a machine nor states are given", help=help
        )
    chosen = found if name is None else {name: found[name]}
    given = {n: sorted_out([file, *([mapping] if mapping else [])]) for n, (file, mapping) in chosen.items()}
    for one in given.values():
        if one.code:
            help = f"a hypothesis is a machine ({MACHINE}) or a diagram ({' '.join(DIAGRAMS)})"
            raise input_error(Code.USAGE, f"`{one.code[0]}` is no hypothesis", Span.at(str(path)), help)
    return str(path), given


def _extension(name: str) -> str:
    return os.path.splitext(name)[1].lower()
