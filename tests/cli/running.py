"""Runs command lines in this process, and offers commands that fail in every way."""

from __future__ import annotations

import io
import math
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Final, NoReturn, final
from unittest.mock import patch

import click
import pytest

from stateglass.cli import main, progress
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, Verb, common_options
from stateglass.cli.main import run
from stateglass.cli.table import entry

BY_THE_CODE: Final = ["reference", *(["replay"] if any(map(shutil.which, ("cc", "gcc", "clang"))) else [])]
"""Who looks again at a run of C: without a compiler, nobody runs it."""


@final
@dataclass(frozen=True, slots=True)
class Ran:
    """What a command line did."""

    status: Exit
    out: str
    err: str

    @property
    def report(self) -> str:
        """What it said to a person, and how it ended if not well."""
        return self.err if self.status is Exit.OK else f"{self.err}# exit {int(self.status)}\n"


def stateglass(*argv: str, environ: Mapping[str, str] | None = None) -> Ran:
    # The formats write bytes to the stream underneath, as they do to a real standard output.
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2)]
    # On a slow machine, work that takes ten seconds would say so.
    with patch.object(progress, "LINE_SECONDS", math.inf):
        status = run(argv, streams[0], streams[1], environ or {})
    texts = []
    for stream in streams:
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    assert status in _known(argv), f"the help of this command does not tell of the exit status {status}"
    return Ran(status, *texts)


def _known(argv: tuple[str, ...]) -> set[Exit]:
    """What the exit status may be: what the command's help says, and what all commands have in common."""
    name = next((word for word in argv if entry(word) is not None), None)
    trouble = {Exit.BAD_INPUT, Exit.BUG, Exit.INTERRUPTED, Exit.BROKEN_PIPE}
    command = None if name is None else main.stateglass.get_command(click.Context(main.stateglass), name)
    return trouble | (set(command.exits) if isinstance(command, Verb) else {Exit.OK})


def install_failing_info(monkeypatch: pytest.MonkeyPatch, fail: Callable[[], NoReturn]) -> None:
    """Puts a command in the place of `info` that fails."""

    @click.command(cls=Verb, examples=["stateglass info x"])
    @click.argument("model")
    @common_options
    @click.pass_obj
    def command(frame: Frame, model: str) -> Exit:
        fail()

    module = ModuleType("stateglass.cli.info")
    module.command = command  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "stateglass.cli.info", module)
