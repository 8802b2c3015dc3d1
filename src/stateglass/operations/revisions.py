"""Files as they were at a revision of a git repository, in a folder of their own that goes away again."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

from stateglass.source import Code, Diagnostic, InputError, Place, Span, close_match, counted, input_error

_DATABASES: Final = ("compile_commands.json", "build/compile_commands.json")
MOST_NAMES: Final = 20_000
"""Names that a misspelt file is compared with."""


@final
@dataclass(frozen=True, slots=True)
class Repository:
    """The repository of the current folder."""

    top: str  # the folder of its files
    prefix: str  # the current folder as seen from there; empty at the top


@final
@dataclass(frozen=True, slots=True)
class Checkout:
    """All files of a revision. Whoever stands in `here` finds them where the working ones are from where he stood."""

    top: str  # where the working files are
    root: str
    here: str

    def mapped(self, text: str) -> str:
        """A name or flag in which working files are named from the root of the machine, with those of the revision."""
        return text.replace(self.top + os.sep, os.path.relpath(self.root, self.here) + os.sep)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Relative names mean files of the revision; what goes wrong is told by the names that the user knows."""
        try:
            with chdir(self.here):
                yield
        except InputError as error:
            raise InputError(_without_folder(d, self.root) for d in error.diagnostics) from None


def repository() -> Repository:
    """Where we are; without git, or outside of a repository, that is told."""
    ran = _run("rev-parse", "--show-toplevel", "--show-prefix")
    if ran.returncode:
        said = os.fsdecode(ran.stderr).strip().partition("\n")[0].removeprefix("fatal: ")
        nowhere = not said or said.startswith("not a git repository")
        message = "the current folder is in no git repository" if nowhere else f"git cannot look here: {said}"
        raise input_error(Code.FILE, message, help="name files, or go to a folder of the repository" if nowhere else "")
    found = os.fsdecode(ran.stdout)
    top, _, prefix = found.partition("\n")
    return Repository(top, prefix.strip("\n").rstrip("/"))


def is_revision(name: str) -> bool:
    """Whether git knows a revision by this name; False where there is no git, no repository and no such revision."""
    if not name or name.startswith("-") or shutil.which("git") is None:
        return False
    return _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}") is not None


def commit_of(name: str) -> str:
    """The commit that a revision is; one that there is not is told, with those that may be meant."""
    repository()
    found = None if name.startswith("-") else _git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if found is None:
        names = (_git("for-each-ref", "--format=%(refname:short)") or "").split()
        help = _only_so_many(name) or close_match(name, [*names, "HEAD"]) or "`git log --oneline` lists them"
        raise input_error(Code.UNKNOWN_NAME, f"there is no revision `{name}`", help=help)
    return found.strip()


def file_at(revision: str, name: str) -> str:
    """The file as seen from the current folder.

    As git has it, the name is one from the top of the repository, or from here if it begins with `./`; a name that is
    only right from here is taken so, too.
    """
    at, commit = repository(), commit_of(revision)
    if os.path.isabs(name):
        name = os.path.join(".", os.path.relpath(os.path.realpath(name)))
    from_here = os.path.normpath(os.path.join(at.prefix, name)).replace(os.sep, "/")
    wanted = [from_here] if name.startswith(("./", "../")) else [os.path.normpath(name).replace(os.sep, "/"), from_here]
    for candidate in wanted:
        if not candidate.startswith("../") and _git("cat-file", "-e", f"{commit}:{candidate}") is not None:
            return os.path.relpath(candidate, at.prefix or ".")
    known = (_git("ls-tree", "-r", "--name-only", "-z", commit) or "").split("\0")[:MOST_NAMES]
    same = [other for other in known if os.path.basename(other) == os.path.basename(name)]
    help = "did you mean " + " or ".join(f"`{revision}:{n}`" for n in same[:3]) + "?" if same else ""
    help = help or close_match(name, known)
    raise input_error(Code.FILE, f"there is no `{name}` at revision `{revision}`", help=help)


@contextmanager
def checked_out(revision: str) -> Iterator[Checkout]:
    """The files of a revision, until the context is left. The repository and its working files are not touched."""
    at, commit = repository(), commit_of(revision)
    with tempfile.TemporaryDirectory(prefix="stateglass-") as made:
        root = os.path.join(os.path.realpath(made), "files")
        os.mkdir(root)
        environment = {"GIT_INDEX_FILE": os.path.join(made, "index")}
        # An index of its own, written to a folder of its own; attributes that are for archives mean nothing here.
        for words in (["read-tree", commit], [f"--work-tree={root}", "checkout-index", "--all", "--quiet"]):
            # Files that somebody does not want to have in his folder are wanted here.
            whole = ["-c", "core.sparseCheckout=false"]
            if _git(*whole, *words, folder=at.top, environment=environment) is None:
                raise input_error(Code.FILE, f"git cannot write out the files of revision `{revision}`")
        _take_databases(at.top, root)
        here = os.path.join(root, at.prefix)
        os.makedirs(here, exist_ok=True)
        yield Checkout(at.top, root, here)


def _without_folder(diagnostic: Diagnostic, root: str) -> Diagnostic:
    """The diagnostic with names that begin at the top of the repository, wherever they began in the folder."""
    message, help = (
        text.replace(root + os.sep, "").replace(root, ".") for text in (diagnostic.message, diagnostic.help)
    )
    return replace(diagnostic, message=message, help=help, span=_span_without(diagnostic.span, root))


def _span_without(span: Span, root: str) -> Span:
    def place(old: Place) -> Place:
        return replace(old, file=old.file.removeprefix(root + os.sep))

    defined = None if span.defined is None else place(span.defined)
    return Span(place(span.start), place(span.end), defined)


def _take_databases(top: str, root: str) -> None:
    """How files are compiled is seldom kept by git: what is said of the working files is said of the others."""
    for name in _DATABASES:
        ours, theirs = Path(top, name), Path(root, name)
        if ours.is_file() and not theirs.exists():
            theirs.parent.mkdir(exist_ok=True)
            text = ours.read_text(encoding="utf-8", errors="surrogateescape")
            theirs.write_text(text.replace(top, root), encoding="utf-8", errors="surrogateescape")


def _only_so_many(name: str) -> str:
    """Why `HEAD~9` is none: the repository has fewer."""
    base, _, _ = name.partition("~")
    if base == name or not is_revision(base):
        return ""
    count = (_git("rev-list", "--first-parent", "--count", base) or "0").strip()
    return f"`{base}` has {counted(int(count) - 1, 'commit')} before it; a shallow clone has no more than were fetched"


def _git(*words: str, folder: str | None = None, environment: dict[str, str] | None = None) -> str | None:
    """What git says, None if it fails."""
    ran = _run(*words, folder=folder, environment=environment)
    return os.fsdecode(ran.stdout) if ran.returncode == 0 else None


def _run(
    *words: str, folder: str | None = None, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("git")
    if program is None:
        raise input_error(Code.FILE, "git is not found, and a revision is asked for", help="install git, or name files")
    env = {**os.environ, "LC_ALL": "C", **(environment or {})}
    return subprocess.run(
        [program, *words], capture_output=True, cwd=folder, env=env, check=False, stdin=subprocess.DEVNULL
    )
