"""Choosing a format, standard streams, limits, and writing whole files."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from stateglass.formats import FORMATS, aut, files, losses, read_model, write_model
from stateglass.model import Model
from stateglass.source import Code, InputError
from tests.formats.strategies import assert_same_graph

AUT = b'des (0, 1, 2)\n(0, "a", 1)\n'


@pytest.fixture
def model() -> Model:
    return aut.parse(AUT, "m.aut")


class _Stream:
    """A text stream over bytes, as standard streams are."""

    def __init__(self, data: bytes = b"") -> None:
        self.buffer = io.BytesIO(data)

    def flush(self) -> None:
        pass


@pytest.mark.parametrize("format", [name for name, format in FORMATS.items() if format.reads and format.writes])
def test_standard_streams(monkeypatch: pytest.MonkeyPatch, model: Model, format: str) -> None:
    out = _Stream()
    monkeypatch.setattr(sys, "stdout", out)
    write_model(model, "-", format)
    for named in (format, None):
        monkeypatch.setattr(sys, "stdin", _Stream(out.buffer.getvalue()))
        assert_same_graph(read_model("-", named), model)


def caught(call: object, *arguments: object) -> InputError:
    assert callable(call)
    with pytest.raises(InputError) as error:
        call(*arguments)
    return error.value


def test_a_format_that_cannot_be_told(monkeypatch: pytest.MonkeyPatch, model: Model) -> None:
    monkeypatch.setattr(sys, "stdin", _Stream(b"hello"))
    assert "name one" in caught(read_model, "-").diagnostics[0].help
    assert "name one" in caught(write_model, model, "-").diagnostics[0].help
    assert "did you mean `.aut`" in caught(read_model, "m.auts").diagnostics[0].help
    assert ".mermaid" in caught(read_model, "m").diagnostics[0].help
    assert "`mermaid`" in caught(read_model, "m", "mermade").diagnostics[0].help


def test_a_format_that_is_only_read_or_only_written(tmp_path: Path, model: Model) -> None:
    for call in (lambda: write_model(model, str(tmp_path / "m.fsp")), lambda: losses(model, "fsp")):
        assert "only read, not written" in caught(call).diagnostics[0].message
    assert "only written, not read" in caught(read_model, "m.cwb").diagnostics[0].message
    assert not list(tmp_path.iterdir())


def test_files_that_cannot_be_read_or_written(tmp_path: Path, model: Model) -> None:
    for error in (
        caught(read_model, str(tmp_path / "none.aut")),
        caught(read_model, str(tmp_path), "aut"),
        caught(read_model, "a\0b.aut"),
        caught(write_model, model, str(tmp_path / "no" / "folder.aut")),
    ):
        assert error.diagnostics[0].code is Code.FILE


def test_size_is_checked_before_reading(tmp_path: Path) -> None:
    path = tmp_path / "huge.dot"
    with path.open("wb") as file:
        file.truncate(FORMATS["dot"].most_bytes + 1)
    assert caught(read_model, str(path)).diagnostics[0].code is Code.TOO_LARGE
    assert caught(files.read_bytes, "/dev/zero", 1000).diagnostics[0].code is Code.TOO_LARGE


def test_an_interrupted_write_leaves_the_old_file(
    tmp_path: Path, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.aut"
    path.write_bytes(b"old")

    def interrupted(source: str, target: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_model(model, str(path))
    assert [p.name for p in tmp_path.iterdir()] == ["m.aut"]
    assert path.read_bytes() == b"old"


def test_an_interrupted_large_write_leaves_nothing(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"des (0, 1, 2)\n"
        raise KeyboardInterrupt

    for name in ("m.aut", "m.aut.gz"):
        with pytest.raises(KeyboardInterrupt):
            files.write_pieces(str(tmp_path / name), pieces())
    assert list(tmp_path.iterdir()) == []


def test_the_longest_name_that_a_file_can_have(tmp_path: Path, model: Model) -> None:
    for character in ("a", "\u00e9", "\U0001f600"):
        path = tmp_path / (character * (250 // len(character.encode())) + ".aut")
        write_model(model, str(path))
        assert_same_graph(read_model(str(path)), model)


def test_writing_keeps_links_and_modes(tmp_path: Path, model: Model) -> None:
    path, link = tmp_path / "m.aut", tmp_path / "link.aut"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_model(model, str(link))
    assert link.is_symlink()
    assert path.read_bytes() == AUT
    assert path.stat().st_mode & 0o777 == 0o640
    write_model(model, "/dev/null", "aut")


def test_importing_the_registry_loads_no_format() -> None:
    code = "import sys, stateglass.formats; print(sorted(m for m in sys.modules if 'lark' in m or m == 'rich'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_environment())
    assert done.stdout.strip() == "[]"


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def test_a_file_that_is_too_large_to_be_read_back_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model
) -> None:
    for name, format in [(n, f) for n, f in FORMATS.items() if f.writes]:
        path = str(tmp_path / f"m.{name}")
        assert not any("read back" in said for said in write_model(model, path, name))
        monkeypatch.setitem(FORMATS, name, replace(format, most_bytes=10))
        assert any("too large to be read back" in said for said in write_model(model, path, name)) == format.reads
