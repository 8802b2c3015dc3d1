"""What `diff` compares: each side is a model, code, or either of them as it was at a revision of git."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, final

from stateglass.answers.confirming import Explored
from stateglass.cli.asking import is_model
from stateglass.cli.outputs import input_name
from stateglass.formats import STDIO, read_model
from stateglass.model import Model
from stateglass.operations.expecting import Expectation, in_words_of
from stateglass.operations.revisions import Checkout, checked_out, commit_of, file_at, is_revision
from stateglass.options import ExtractOptions, find_project, merge, read_project
from stateglass.options.settings import settings
from stateglass.source import Code, Diagnostic, InputError, input_error
from stateglass.work import Progress

_ABOUT_CODE: Final = ("functions", "of_class", "init", "mode", "bounds", "abstraction", "labels", "steps", "flags")
_OPTIONS: Final = {"functions": "function", "of_class": "class", "bounds": "bound", "flags": "flag"}
_REVISION_MARKS: Final = ("~", "^", "@{")


@final
@dataclass(frozen=True, slots=True)
class Given:
    """A side as it was written: files (none: those of a project), in a folder or at a revision."""

    text: str
    files: tuple[str, ...] = ()
    revision: str | None = None
    folder: str | None = None

    @property
    def is_model(self) -> bool:
        return bool(self.files) and is_model(self.files, None)


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """What was said of both sides on the command line."""

    cli: dict[str, object] = field(default_factory=dict)
    system: str | None = None
    project: str | None = None
    from_format: str | None = None


@final
@dataclass(frozen=True, slots=True)
class Source:
    """A side that was read: its model, and if it is code, how it was."""

    name: str
    model: Model
    options: ExtractOptions | None = None
    code: Explored | None = None
    checkout: Checkout | None = None
    warnings: tuple[Diagnostic, ...] = ()

    def entered(self) -> AbstractContextManager[None]:
        """Where its files are: what is shown of their lines is read there."""
        return _at(self.checkout)


def given(texts: tuple[str, str], from_format: str | None) -> tuple[Given, Given]:
    """What both sides are; a revision alone means the files of the other side, or those of the project."""
    if texts == (STDIO, STDIO):
        raise input_error(Code.USAGE, "standard input can be only one of the two sides")
    old, new = (_given(text, from_format) for text in texts)
    if old.revision is not None and not old.files and new.folder is None:
        old = _with_files_of(old, new)
    elif new.revision is not None and not new.files and old.folder is None:
        new = _with_files_of(new, old)
    return old, new


def _given(text: str, from_format: str | None) -> Given:
    parts = tuple(part for part in text.split(",") if part)
    if text == STDIO or os.path.isfile(text) or not parts:
        return Given(text, (text,))
    if os.path.isdir(text):
        return Given(text, folder=text)
    if all(os.path.exists(part) for part in parts):
        return Given(text, parts)
    revision, colon, names = text.partition(":")
    if colon and "/" not in revision.partition("~")[0][:1]:
        commit_of(revision)
        files = tuple(file_at(revision, name) for name in names.split(",") if name)
        return Given(text, files, revision)
    if is_revision(text):
        return Given(text, (), text)
    if any(mark in text for mark in _REVISION_MARKS) and not is_model([text], from_format):
        commit_of(text)
    return Given(text, parts)


def _with_files_of(side: Given, other: Given) -> Given:
    """The files of the other side, as they were."""
    if not other.files:
        return side
    assert side.revision is not None
    return replace(side, files=tuple(file_at(side.revision, os.path.join(".", file)) for file in other.files))


def _file_of(side: Given) -> str:
    if len(side.files) != 1:
        raise input_error(Code.USAGE, f"`{side.text}` is no model, and --from says that both sides are")
    return side.files[0]


def read_sides(
    sides: tuple[Given, Given],
    asked: Asked,
    expectations: Sequence[Expectation],
    open_until: ExitStack,
    progress: Progress,
) -> tuple[Source, Source]:
    """Both sides, read with the same settings: those of the new one, if it is code."""
    old, new = sides
    if old.revision is not None or new.revision is not None:
        progress("writing out the files of a revision")
    checkouts = [None if g.revision is None else open_until.enter_context(checked_out(g.revision)) for g in sides]
    names = tuple(map(input_name, (old.text, new.text)))
    names = names if old.text != new.text else (f"{names[0]} (old)", f"{names[1]} (new)")
    options: dict[int, ExtractOptions] = {}
    warnings: tuple[Diagnostic, ...] = ()
    for number in (1, 0):
        if sides[number].is_model or asked.from_format is not None:
            continue
        with _at(checkouts[number]):
            if not options:
                found, warnings = _settings(sides[number], asked)
                options[number] = _with_maps_from_here(found) if any(checkouts) else found
            else:
                options[number] = _same_settings(sides[number], asked, options[1])
    given_for_code = [name for name in _ABOUT_CODE if asked.cli.get(name)]
    if given_for_code and not options:
        option = _OPTIONS.get(given_for_code[0], given_for_code[0])
        message = f"both sides are models, and --{option} says how one is extracted from code"
        raise input_error(Code.USAGE, message, help="leave it out, or name C files")
    result = []
    lacking: list[set[str]] = []
    for number, side in enumerate(sides):
        progress("reading the old side" if number == 0 else "reading the new side")
        with _at(checkouts[number]):
            if number in options:
                own = _renamed_settings(options[number], expectations, old=number == 0)
                if (checkout := checkouts[number]) is not None:
                    own = replace(own, flags=tuple(map(checkout.mapped, own.flags)))
                own, lacks = _without_missing(own) if len(options) == 2 else (own, set())
                lacking.append(lacks)
                model, code, notes = _extracted(own, progress)
                said = (*(warnings if number == 1 or 1 not in options else ()), *notes)
                result.append(Source(names[number], model, own, code, checkouts[number], said))
            else:
                model = read_model(_file_of(side), asked.from_format)
                result.append(Source(names[number], model, None, None, checkouts[number]))
    if nowhere := sorted(set.intersection(*lacking) if lacking else ()):
        raise InputError(Diagnostic(Code.UNKNOWN_NAME, f"neither side has a function `{name}`") for name in nowhere)
    return result[0], result[1]


def _at(checkout: Checkout | None) -> AbstractContextManager[None]:
    return nullcontext() if checkout is None else checkout.entered()


def _settings(side: Given, asked: Asked) -> tuple[ExtractOptions, tuple[Diagnostic, ...]]:
    return settings({**asked.cli, "files": side.files}, asked.system, _project_of(side, asked))


def _same_settings(side: Given, asked: Asked, other: ExtractOptions) -> ExtractOptions:
    """The settings of the other side with the files of this one; a project says which, and how they are compiled."""
    if side.files:
        return replace(other, files=side.files)
    path = _project_of(side, asked)
    found = Path(path) if path is not None else find_project(Path())
    if found is None or not found.is_file():
        return other
    project, _ = read_project(found)
    own = merge(replace(project, systems=()), None, asked.cli)
    return replace(
        other,
        files=own.files,
        flags=own.flags,
        target=own.target,
        compile_commands=own.compile_commands,
        missing_headers=own.missing_headers,
    )


def _project_of(side: Given, asked: Asked) -> str | None:
    if side.folder is None or asked.project is not None:
        return asked.project
    found = find_project(Path(side.folder))
    if found is None:
        message = f"there is no stateglass.toml in the folder `{side.folder}`, nor above it"
        raise input_error(Code.FILE, message, help="name C files or a model, or write one with `stateglass init FILE`")
    return str(found)


def _with_maps_from_here(options: ExtractOptions) -> ExtractOptions:
    """Maps are settings, too: they are not looked for where the files of the other side are."""
    if isinstance(options.abstraction, str):
        options = replace(options, abstraction=os.path.abspath(options.abstraction))
    if isinstance(options.labels, str):
        options = replace(options, labels=os.path.abspath(options.labels))
    return options


def _renamed_settings(options: ExtractOptions, expectations: Sequence[Expectation], *, old: bool) -> ExtractOptions:
    """Settings that speak of functions by the names of one side."""

    def name(text: str) -> str:
        return in_words_of(text, expectations, old=old)

    return replace(
        options,
        functions=tuple(map(name, options.functions)),
        of_class=None if options.of_class is None else name(options.of_class),
        init=None if options.init is None else name(options.init),
        bounds=tuple((name(bound), spec) for bound, spec in options.bounds),
        visible=tuple(map(name, options.visible)),
        throws_terminates=tuple(map(name, options.throws_terminates)),
        can_throw=tuple(map(name, options.can_throw)),
    )


def _without_missing(options: ExtractOptions) -> tuple[ExtractOptions, set[str]]:
    """The settings without functions that only the other version can have, and these functions."""
    from stateglass.operations.assembling import read

    if len(options.functions) < 2:
        return options, set()
    functions = read(options).program.functions
    missing = {name for name in options.functions if name not in functions}
    if not missing or missing == set(options.functions):
        return options, set()
    kept = tuple(name for name in options.functions if name not in missing)
    bounds = tuple((name, spec) for name, spec in options.bounds if name.partition(".")[0].rstrip("()") not in missing)
    return replace(options, functions=kept, bounds=bounds), missing


def _extracted(options: ExtractOptions, progress: Progress) -> tuple[Model, Explored, tuple[Diagnostic, ...]]:
    # Imported on use: models are compared without what reads code.
    from stateglass.pipeline import extract

    found = extract(options, progress)
    if found.exploration.interrupted:
        raise KeyboardInterrupt
    return found.exploration.model, Explored(found.system, found.manner), found.warnings
