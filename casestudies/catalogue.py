"""Which files of which packages are read, and with which flags: `files.toml` as checked data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, final

from stateglass.source import Code, Diagnostic, InputError, Span, suggestion

CATALOGUE: Final = Path(__file__).parent / "files.toml"
_KEYS: Final = ("name", "about", "files", "include", "flags", "kconfig", "headers")


@final
@dataclass(frozen=True, slots=True)
class Package:
    """Some C files of a source package, and what they need besides: no other file of ours knows a package."""

    name: str
    about: str
    files: tuple[str, ...]  # below the package's folder, as everything else here
    include: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    kconfig: str = ""  # the settings from which `autoconf.h` is made
    headers: tuple[tuple[str, str], ...] = ()  # name and text of headers that its build would have made


def read_catalogue(path: Path = CATALOGUE) -> tuple[Package, ...]:
    """All packages of the catalogue, in its order. Everything wrong with it is one `InputError`."""
    problems: list[Diagnostic] = []
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(
            [Diagnostic(Code.FILE, f"the catalogue cannot be read: {error}", Span.at(str(path)))]
        ) from error
    entries = document.get("package", [])
    if not isinstance(entries, list) or not entries or set(document) != {"package"}:
        problems.append(_problem(path, "a catalogue consists of [[package]] tables"))
        entries = []
    packages = [_package(path, number, entry, problems) for number, entry in enumerate(entries, 1)]
    if problems:
        raise InputError(problems)
    return tuple(packages)


def chosen(packages: tuple[Package, ...], names: tuple[str, ...]) -> tuple[Package, ...]:
    """The packages with these names; all of them without a name."""
    known = {package.name for package in packages}
    unknown = [
        Diagnostic(Code.UNKNOWN_NAME, f"the catalogue has no package `{name}`", help=suggestion(name, known))
        for name in names
        if name not in known
    ]
    if unknown:
        raise InputError(unknown)
    return tuple(package for package in packages if not names or package.name in names)


def _package(path: Path, number: int, entry: object, problems: list[Diagnostic]) -> Package:
    table = entry if isinstance(entry, dict) else {}
    name = table.get("name", "")
    where = f"`{name}`" if name else f"package {number}"
    for key in table:
        if key not in _KEYS:
            problems.append(_problem(path, f"{where} has an unknown key `{key}`", suggestion(key, _KEYS)))
    for key in ("name", "about", "kconfig"):
        if not isinstance(table.get(key, ""), str) or (key != "kconfig" and not table.get(key)):
            problems.append(_problem(path, f"`{key}` of {where} must be text"))
    lists = {key: _texts(table.get(key, [])) for key in ("files", "include", "flags")}
    problems += [_problem(path, f"`{key}` of {where} must be a list of texts") for key, v in lists.items() if v is None]
    if not lists["files"]:
        problems.append(_problem(path, f"{where} names no file"))
    headers = table.get("headers", {})
    if not isinstance(headers, Mapping) or not all(isinstance(text, str) for text in headers.values()):
        problems.append(_problem(path, f"`headers` of {where} must be a table of texts"))
        headers = {}
    inside = [*(lists["files"] or ()), *(lists["include"] or ()), str(table.get("kconfig", "")), *headers]
    problems += [_problem(path, f"`{p}` of {where} leads out of its folder") for p in inside if not _stays_inside(p)]
    return Package(
        str(name),
        str(table.get("about", "")),
        lists["files"] or (),
        lists["include"] or (),
        lists["flags"] or (),
        str(table.get("kconfig", "")),
        tuple(headers.items()),
    )


def _texts(value: object) -> tuple[str, ...] | None:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return None


def _stays_inside(path: str) -> bool:
    parts = PurePosixPath(path)
    return not parts.is_absolute() and ".." not in parts.parts


def _problem(path: Path, message: str, help: str = "") -> Diagnostic:
    return Diagnostic(Code.PROJECT, message, Span.at(str(path)), help=help)
