"""The list of files: what it may say, and that ours says enough."""

from __future__ import annotations

from pathlib import Path

import pytest

from casestudies.catalogue import Package, chosen, read_catalogue
from stateglass.source import InputError

WHOLE = """
[[package]]
name = "kettle"
about = "hot water"
files = ["kettle.c"]
include = ["include"]
flags = ["-DHOT"]
kconfig = "defconfig"
headers = { "config.h" = "#define ON 1\\n" }
"""


def test_an_entry_with_every_key(tmp_path: Path) -> None:
    assert read(tmp_path, WHOLE) == (
        Package(
            "kettle",
            "hot water",
            ("kettle.c",),
            ("include",),
            ("-DHOT",),
            "defconfig",
            (("config.h", "#define ON 1\n"),),
        ),
    )


def test_ours_has_thirty_files_of_ten_packages_each_named_once() -> None:
    files = [(package.name, file) for package in read_catalogue() for file in package.files]
    assert len({package for package, _ in files}) >= 10
    assert len(files) >= 30
    assert len(set(files)) == len(files)
    assert all(file.endswith(".c") for _, file in files)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("", ["a catalogue consists of [[package]] tables"]),
        ("x = 1", ["a catalogue consists of [[package]] tables"]),
        ("package = 1", ["a catalogue consists of [[package]] tables"]),
        ("[[package]]", ["`name` of package 1 must be text", "`about` of package 1 must be text", "names no file"]),
        ("[[package]]\nname = 'a'\nabout = 'b'\nfile = ['x.c']", ["unknown key `file`", "`a` names no file"]),
        ("[[package]]\nname = 'a'\nabout = 'b'\nfiles = 'x.c'", ["must be a list of texts", "names no file"]),
        ("[[package]]\nname = 'a'\nabout = 'b'\nfiles = ['../x.c']", ["`../x.c` of `a` leads out of its folder"]),
        ("[[package]]\nname = 'a'\nabout = 'b'\nfiles = ['x.c']\nkconfig = '/x'", ["`/x` of `a` leads out"]),
        ("[[package]]\nname = 'a'\nabout = 'b'\nfiles = ['x.c']\nheaders = {'../h' = ''}", ["`../h` of `a` leads out"]),
        ("[[package]]\nname = 'a'\nabout = 'b'\nfiles = ['x.c']\nheaders = {h = 1}", ["must be a table of texts"]),
        ("[[package", ["the catalogue cannot be read"]),
    ],
)
def test_everything_wrong_is_told_at_once(tmp_path: Path, text: str, messages: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    said = [d.message for d in caught.value.diagnostics]
    assert len(said) == len(messages)
    assert all(message in told for message, told in zip(messages, said, strict=True))


def test_no_such_catalogue(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_catalogue(tmp_path / "missing.toml")


def test_packages_are_chosen_by_name() -> None:
    packages = tuple(Package(name, "", ("x.c",)) for name in ("kettle", "toaster", "kettle"))
    assert chosen(packages, ()) == packages
    assert [p.name for p in chosen(packages, ("kettle",))] == ["kettle", "kettle"]
    with pytest.raises(InputError, match="no package `ketle`") as caught:
        chosen(packages, ("ketle", "x"))
    assert len(caught.value.diagnostics) == 2
    assert "`kettle`" in caught.value.diagnostics[0].help


def read(folder: Path, text: str) -> tuple[Package, ...]:
    path = folder / "files.toml"
    path.write_text(text, encoding="utf-8")
    return read_catalogue(path)
