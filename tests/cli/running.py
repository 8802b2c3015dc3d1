"""Runs command lines in this process, and offers commands that fail in every way."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import NoReturn, final

import click
import pytest

from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, Verb, common_options
from stateglass.cli.main import run


@final
@dataclass(frozen=True, slots=True)
class Ran:
    """What a command line did."""

    status: Exit
    out: str
    err: str


def stateglass(*argv: str, environ: Mapping[str, str] | None = None) -> Ran:
    # The formats write bytes to the stream underneath, as they do to a real standard output.
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2)]
    status = run(argv, streams[0], streams[1], environ or {})
    texts = []
    for stream in streams:
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return Ran(status, *texts)


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
