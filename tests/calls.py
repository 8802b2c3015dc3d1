"""Calls of the program as they are written for a shell, made in this process.

A folder to go to first, redirections at the end, and a pipe to other programs are understood; what else a shell would
do with a command is left to a shell.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, final
from unittest.mock import patch

from stateglass.cli import main, progress

PROGRAM = "stateglass"
TIMEOUT = 120

_CALL = re.compile(
    rf"""(?:cd\ (?P<folder>[\w./-]+)\ &&\ )?
    {PROGRAM}\b(?P<words>(?:'[^']*' | "[^"$`\\]*" | [^'"|&;<>$`*?~\#(){{}}\[\]\\!\n])*?)
    (?P<redirections>(?:\s+(?:2>&1|2?>\s*[\w./-]+))*)\s*
    (?:\|(?P<others>(?!\|).*))?""",
    re.VERBOSE | re.DOTALL,
)
_REDIRECTION = re.compile(r"(2>&1)|(2?)>\s*([\w./-]+)")


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A call: where, with which words, where its streams lead, and what reads its output."""

    folder: str
    words: tuple[str, ...]
    redirections: str
    others: str

    def run(self, folder: Path, environ: Mapping[str, str]) -> tuple[str, int]:
        """What is seen on a terminal, and the exit status. All that is not told by these leaves as it was."""
        there = folder / self.folder
        shown = _stream(io.BytesIO())
        piped = _stream(io.BytesIO()) if self.others else shown
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.chdir(there))
            out, err = piped, shown
            for same, number, name in _REDIRECTION.findall(self.redirections):
                if same:
                    err = out
                elif number:
                    err = _stream(stack.enter_context(open(name, "wb")))
                else:
                    out = _stream(stack.enter_context(open(name, "wb")))
            status = _run(self.words, out, err, environ)
        if self.others:
            status = _read_by(self.others, piped, shown, there, environ)
        return _text(shown), status


def call_in(command: str) -> Call | None:
    """The call that a command is; None if it takes a shell to say."""
    found = _CALL.fullmatch(command.replace("\\\n", " "))
    if found is None:
        return None
    words = tuple(shlex.split(found["words"]))
    return Call(found["folder"] or ".", words, found["redirections"], found["others"] or "")


def _run(words: tuple[str, ...], out: io.TextIOWrapper, err: io.TextIOWrapper, environ: Mapping[str, str]) -> int:
    depth = sys.getrecursionlimit()
    with contextlib.ExitStack() as stack:
        stack.callback(sys.setrecursionlimit, depth)
        sys.setrecursionlimit(main.DEEPEST)
        nothing = stack.enter_context(open(os.devnull, encoding="utf-8"))
        stack.enter_context(patch.object(sys, "stdin", nothing))
        stack.enter_context(patch.dict(os.environ, environ, clear=True))
        # On a slow machine, work that takes ten seconds would say so.
        stack.enter_context(patch.object(progress, "LINE_SECONDS", math.inf))
        return int(main.run(words, out, err, environ))


def _read_by(
    others: str, piped: io.TextIOWrapper, shown: io.TextIOWrapper, folder: Path, environ: Mapping[str, str]
) -> int:
    done = subprocess.run(
        ["sh", "-c", others],
        cwd=folder,
        env=environ,
        input=_text(piped),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="backslashreplace",
        timeout=TIMEOUT,
        check=False,
    )
    shown.write(done.stdout)
    return done.returncode


def _stream(bytes: IO[bytes]) -> io.TextIOWrapper:
    # Through at once: what is written to the bytes underneath, or to another stream, keeps its order.
    return io.TextIOWrapper(bytes, "utf-8", errors="backslashreplace", newline="\n", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode("utf-8", errors="backslashreplace")
