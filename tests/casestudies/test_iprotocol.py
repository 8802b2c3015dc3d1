"""The case study of the i-protocol, without its package: what is skipped, what is printed, how it ends."""

from __future__ import annotations

import importlib
import io
from pathlib import Path

import pytest

from casestudies.catalogue import chosen, read_catalogue
from casestudies.fetching import Fetched
from stateglass.frontend import read_program
from stateglass.system.maps import load_maps

study = importlib.import_module("casestudies.iprotocol.__main__")


def run(folder: Path) -> tuple[int, str]:
    out = io.StringIO()
    scratch = folder / "scratch"
    scratch.mkdir()
    return study.run(folder / "sources", scratch, out), out.getvalue()


def test_without_the_package_it_is_skipped_with_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "fetch", lambda names, folder: [Fetched("uucp", None, "there is no network")])
    assert run(tmp_path) == (0, "skipped: uucp cannot be obtained: there is no network\n")


@pytest.mark.parametrize("files", [{}, {"proti.c": ""}, {"proti.c": "", "prot.h": "#define OTHER 1\n"}])
def test_another_version_is_skipped_with_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]
) -> None:
    source = tmp_path / "uucp-9"
    source.mkdir()
    for name, text in files.items():
        (source / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(study, "fetch", lambda names, folder: [Fetched("uucp", source)])
    status, said = run(tmp_path)
    assert status == 0
    assert said.startswith("skipped: uucp-9 is another version: ")


def test_the_buffer_is_made_smaller_and_nothing_else(tmp_path: Path) -> None:
    source, folder = tmp_path / "source", tmp_path / "folder"
    source.mkdir()
    folder.mkdir()
    (source / "proti.c").write_text("int i;\n", encoding="utf-8")
    (source / "prot.h").write_text("/* a */\n#define CRECBUFLEN (16384)\nextern int x;\n", encoding="utf-8")
    [package] = chosen(read_catalogue(), ("uucp",))
    options = study.prepare(source, package, folder)
    assert (folder / "prot.h").read_text(encoding="utf-8") == "/* a */\n#define CRECBUFLEN 16\nextern int x;\n"
    assert (folder / "proti.c").read_text(encoding="utf-8") == "int i;\n"
    assert options.compress


def test_the_label_map_has_a_label_for_each_packet(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("static int sent; int main(void) { sent = 1; return sent; }", encoding="utf-8")
    program = read_program((str(tmp_path / "x.c"),)).program
    labels = load_maps(program, None, str(study.HERE / "iprotocol.lm")).labels
    assert labels is not None
    assert len({str(rule.label) for rule in labels.rules}) == len(labels.rules) == 48


def test_the_table() -> None:
    text = study.table([study.Row("weak", 57, 120)])
    assert text.splitlines()[1].split() == ["weak", "57", "120", "14,", "63"]
