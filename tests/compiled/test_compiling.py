"""Whoever waits for loops to be compiled is told, and only then."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from stateglass.cli.console import Console
from stateglass.cli.progress import ProgressLine
from stateglass.compiled import COMPILING, kernels_of, told_of_compiling


def doubled(number: int) -> int:
    return 2 * number


def test_compiling_is_told_and_loading_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    heard: list[str] = []
    with told_of_compiling(heard.append):
        kernel = kernels_of("test", (Path(__file__),))
        assert kernel(doubled)(4) == 8
    assert set(heard) == {COMPILING}
    heard.clear()
    with told_of_compiling(heard.append):
        assert kernels_of("test", (Path(__file__),))(doubled)(5) == 10
    assert heard == []


def test_nobody_is_told_after_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    heard: list[str] = []
    with told_of_compiling(heard.append):
        pass
    assert kernels_of("test", (Path(__file__),))(doubled)(4) == 8
    assert heard == []


def test_the_progress_line_shows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    stream = io.StringIO()
    times = iter([0.0, 11.0])
    with ProgressLine(Console(stream, width=80, terminal=False), lambda: next(times, 12.0), ticks=None):
        assert kernels_of("test", (Path(__file__),))(doubled)(4) == 8
    assert stream.getvalue() == f"{COMPILING}: 11 s\n"
