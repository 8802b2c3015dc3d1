"""Which components a command line of `assembly` holds against code: one that it names, or those of a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from stateglass.operations.agreeing import Meaning, given_meaning, meaning_of
from stateglass.options import ExtractOptions
from stateglass.options.project import DesignOptions
from stateglass.options.settings import project_designs, settings
from stateglass.source import Code, Diagnostic, InputError, input_error, suggestion


@final
@dataclass(frozen=True, slots=True)
class GivenCode:
    """What a command line says of code."""

    files: tuple[str, ...] = ()
    of_class: str | None = None
    meanings: tuple[str, ...] = ()
    design: str | None = None  # its name in the project
    system: str | None = None
    project: str | None = None


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """A component of a design, and the code that it is held against; `name` is that of the project, if it has one."""

    name: str
    path: str  # of the design
    of: tuple[str, ...]
    meanings: tuple[Meaning, ...]
    cli: dict[str, object]
    system: str | None
    project: str | None

    def code(self) -> tuple[ExtractOptions, tuple[Diagnostic, ...]]:
        """How the code is read, and what is odd about that."""
        return settings(self.cli, self.system, self.project)


def asked_for(path: str | None, of: tuple[str, ...], given: GivenCode) -> list[Asked]:
    """What a design in a file is held against, or all designs of the project, or the one that is named."""
    meanings = tuple(_meanings(given.meanings))
    if path is not None:
        cli: dict[str, object] = {"files": given.files, "of_class": given.of_class}
        return [Asked("", path, of, meanings, cli, given.system, given.project)]
    project, found = project_designs(given.project)
    if project is None or (not found and given.design is None):
        why = "no design is given, and there is no project file" if project is None else f"{project} has no design"
        help = 'name a .ccl file, or write `[design.NAME]` with `file = "x.ccl"` into stateglass.toml'
        raise input_error(Code.USAGE, why, help=help)
    names = [design.name for design in found]
    if given.design is not None and given.design not in names:
        help = suggestion(given.design, names)
        raise input_error(Code.UNKNOWN_NAME, f"there is no design `{given.design}` in {project}", help=help)
    chosen = [design for design in found if given.design in (None, design.name)]
    return [_of_project(design, of, given, meanings, str(project)) for design in chosen]


def _of_project(
    design: DesignOptions, of: tuple[str, ...], given: GivenCode, meanings: tuple[Meaning, ...], project: str
) -> Asked:
    said = [meaning_of(text.name, text.words, text.span) for text in design.map]
    component = () if design.component is None else (design.component,)
    cli: dict[str, object] = {"files": given.files or design.code, "of_class": given.of_class or design.of_class}
    system = given.system or design.system
    return Asked(design.name, design.file, of or component, (*said, *meanings), cli, system, project)


def _meanings(texts: Sequence[str]) -> list[Meaning]:
    problems: list[Diagnostic] = []
    found = []
    for text in texts:
        try:
            found.append(given_meaning(text))
        except InputError as error:
            problems += error.diagnostics
    if problems:
        raise InputError(problems)
    return found
