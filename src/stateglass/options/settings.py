"""What a command goes by: the command line over the environment over the nearest project file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from stateglass.options.merge import ExtractOptions, merge, origins
from stateglass.options.project import DesignOptions, Project, find_project
from stateglass.options.reading import read_project
from stateglass.source import Diagnostic


def settings(
    cli: dict[str, object], system: str | None, project: str | None
) -> tuple[ExtractOptions, tuple[Diagnostic, ...]]:
    """The options of an extraction: command line over environment over the nearest project file."""
    found, warnings = _project(cli, project)
    return merge(found, system, cli), warnings


def new_settings(cli: dict[str, object]) -> ExtractOptions:
    """The options for a project that has no file yet."""
    return merge(None, None, cli)


def explain_settings(
    cli: dict[str, object], system: str | None, project: str | None
) -> tuple[list[tuple[str, object, str]], tuple[Diagnostic, ...]]:
    """Each option with its value and where that comes from."""
    found, warnings = _project(cli, project)
    return origins(found, system, cli), warnings


def project_hypotheses(
    cli: dict[str, object], project: str | None
) -> tuple[Path | None, dict[str, tuple[str, str | None]]]:
    """The project file, and its hypotheses: files of machines or diagrams, and of mappings."""
    found, _ = _project(cli, project)
    if found is None:
        return None, {}
    located = found.located
    return found.path, {h.name: (located(h.file), located(h.mapping) if h.mapping else None) for h in found.hypotheses}


def project_designs(project: str | None) -> tuple[Path | None, tuple[DesignOptions, ...]]:
    """The project file, and the components that code implements; files as seen from the current folder."""
    found, _ = _project({}, project)
    if found is None:
        return None, ()
    located = found.located
    designs = (replace(d, file=located(d.file), code=tuple(map(located, d.code))) for d in found.designs)
    return found.path, tuple(designs)


def _project(cli: dict[str, object], project: str | None) -> tuple[Project | None, tuple[Diagnostic, ...]]:
    files = cli.get("files")
    start = Path(str(files[0])) if isinstance(files, tuple | list) and files else Path()
    path = Path(project) if project is not None else find_project(start)
    return (None, ()) if path is None else read_project(path)
