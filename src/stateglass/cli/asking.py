"""What is asked about what: whether it is a model, and which claims, of the command line, a file or the project."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from stateglass.cli.frame import AnyCommand
from stateglass.cli.subject import files_in
from stateglass.formats import FORMATS, STDIO
from stateglass.formats.files import decode, read_bytes
from stateglass.formats.targets import unpacked_extension
from stateglass.logic.claims import BuiltIn, Claim
from stateglass.logic.reading.text import COMMAND_LINE
from stateglass.options import Project, find_project, read_project
from stateglass.options.claims import MOST_BYTES, ClaimText, claims_in, given, read_all
from stateglass.source import Code, Diagnostic, InputError, close_match, input_error

_NAME: Final = re.compile(r"[^\W\d][\w.-]*")
_ABOUT_CODE: Final = (
    "functions",
    "init",
    "mode",
    "bounds",
    "abstraction",
    "labels",
    "steps",
    "engine",
    "numbers",
    "predicates",
)
_MODELS: Final = frozenset(e for f in FORMATS.values() if f.reads for e in f.extensions)


def claims_options(command: AnyCommand) -> AnyCommand:
    """`--claim` and `--claims`."""
    claim = click.option(
        "--claim",
        "claims",
        multiple=True,
        metavar="TEXT",
        help="What is to hold, or the name of a claim of the project file; may be repeated.",
    )
    file = click.option(
        "--claims",
        "claims_file",
        metavar="FILE",
        type=click.Path(),
        help="A file with a claim on each line, `name = ` before it if it has one.",
    )
    return claim(file(command))


def is_model(files: Sequence[str], from_format: str | None) -> bool:
    """Whether a model is meant, not code; what is mixed up is refused."""
    models = [file for file in files if from_format is not None or file == STDIO or unpacked_extension(file) in _MODELS]
    if models and len(files) > 1:
        message = f"`{models[0]}` is a model, and there are other files"
        raise input_error(Code.USAGE, message, help="give one model, or C files")
    return bool(models)


def refuse_options_of_extraction(path: str, cli: dict[str, object]) -> None:
    """Options that say how a model is made mean nothing for one that is there."""
    given = [name for name in _ABOUT_CODE if cli.get(name)]
    if given:
        option = {"functions": "function", "bounds": "bound", "predicates": "predicate"}.get(given[0], given[0])
        message = f"`{path}` is a model, and --{option} says how one is extracted from code"
        raise input_error(Code.USAGE, message, help="leave it out, or name C files")


def project_asked(cli: dict[str, object], project: str | None) -> Project | None:
    """The project that is named, else the one that the first file belongs to."""
    first = next(iter(files_in(cli)), "")
    path = Path(project) if project is not None else find_project(Path("" if first == STDIO else first))
    return None if path is None else read_project(path)[0]


def claims_asked(
    texts: tuple[str, ...], file: str | None, cli: dict[str, object], project: str | None, *, default: bool
) -> tuple[list[Claim], list[Diagnostic]]:
    """The claims that can be read, and all that is wrong with the others; by `default`, that no error is reached."""
    ours = {claim.name: claim for claim in _of_project(cli, project)}
    asked = [ours.get(text.words.text.strip(), text) for text in given(texts)]
    if file is not None:
        asked += claims_in(file, decode(read_bytes(file, MOST_BYTES), file))
    if not texts and file is None:
        asked = list(ours.values())
        if not asked and default:
            asked = list(given((BuiltIn.NO_ERROR.value,)))
    # What can only be a name is not taken apart as a formula.
    names = [*ours, *(claim.value for claim in BuiltIn)]
    misspelt = [text for text in asked if "-" in text.words.text and _like_a_name(text.words.text, names)]
    claims, problems = read_all(text for text in asked if text not in misspelt)
    return claims, [*problems, *(_no_claim(text.words.text.strip(), names) for text in misspelt)]


def misspelt_names(
    error: InputError, texts: tuple[str, ...], cli: dict[str, object], project: str | None
) -> list[Diagnostic]:
    """Of claims that could not be read, those that look like the misspelt name of a claim of the project."""
    if not any(problem.span.file == COMMAND_LINE for problem in error.diagnostics):
        return []
    try:
        known = [claim.name for claim in _of_project(cli, project)]
    except InputError:
        return []
    known += [claim.value for claim in BuiltIn]
    found = [text.strip() for text in texts if "-" not in text and _like_a_name(text, known)]
    return [_no_claim(name, known) for name in found]


def _like_a_name(text: str, known: Sequence[str]) -> bool:
    """Whether a text reads like the name of a claim, and is none."""
    word = text.strip()
    return bool(_NAME.fullmatch(word)) and word not in known and bool(close_match(word, known))


def _no_claim(name: str, known: Sequence[str]) -> Diagnostic:
    return Diagnostic(Code.UNKNOWN_NAME, f"there is no claim `{name}`", help=close_match(name, known))


def _of_project(cli: dict[str, object], project: str | None) -> tuple[ClaimText, ...]:
    found = project_asked(cli, project)
    return () if found is None else found.claims
