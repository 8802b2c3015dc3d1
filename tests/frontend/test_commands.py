"""A compiler's command line is reduced to what changes the meaning of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.frontend.building.commands import clean
from stateglass.frontend.building.compiler import target_by_name
from stateglass.frontend.building.databases import Command
from stateglass.frontend.clang import libclang

pytestmark = pytest.mark.usefixtures("here")


def cleaned(here: Path, *words: str) -> tuple[str, ...]:
    return clean(Command("compile_commands.json", "gcc", words, str(here / "build"))).flags


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        (["-c", "../a.c", "-o", "a.o", "-oa.o"], []),
        (["-MMD", "-MP", "-MF", "a.d", "-MT", "a.o", "-MQa.o", "-M", "-Wp,-MD,a.d", "-MJ", "a.json"], []),
        (["-Wall", "-Werror", "-Wl,--gc-sections", "-w", "-pedantic", "-g3", "-ggdb", "-pipe", "-save-temps=obj"], []),
        (["-L.", "-L", "lib", "-lm", "-l", "m", "-T", "x.ld", "-Tx.ld", "--param", "a=1", "--param=a=1"], []),
        (["-D", "A=1", "-DB", "-U", "C", "-UD"], ["-DA=1", "-DB", "-UC", "-UD"]),
        (["-O2", "-std=c99", "-fshort-enums", "-mthumb", "-xc", "-x", "c"], None),
        (["-I", ".", "-I../inc", "-I/usr/x", "-I=/usr"], ["-Ibuild", "-Iinc", "-I/usr/x", "-I=/usr"]),
        (["-isystem", "s", "-iquote../q", "-idirafter", "d"], ["-isystembuild/s", "-iquoteq", "-idirafterbuild/d"]),
        (["-include", "pre.h", "-imacros", "m.h"], ["-includebuild/pre.h", "-imacrosbuild/m.h"]),
        (
            ["--sysroot", "root", "--sysroot=/r", "-isysroot", "r"],
            ["--sysroot=build/root", "--sysroot=/r", "-isysrootbuild/r"],
        ),
        (["-target", "avr", "--target=msp430"], ["--target=avr", "--target=msp430"]),
        (["-Wp,-DX=1,-Iy"], ["-DX=1", "-Ibuild/y"]),
        (["-DA", "--", "-DB.c"], ["-DA"]),
        (["-I"], []),
        (["-", "x.c", "-arch", "arm64"], ["-arch", "arm64"]),
    ],
)
def test_words(here: Path, words: list[str], flags: list[str] | None) -> None:
    kept = ["-O2", "-std=c99", "-fshort-enums", "-mthumb", "-xc", "-xc"] if flags is None else flags
    assert cleaned(here, *words) == tuple(kept)


def test_what_is_refused_and_what_is_not_followed(here: Path) -> None:
    words = ("-Xclang", "-load", "-Xclang", "evil.so", "-fplugin=evil.so", "--config=x", "@flags", "-DX")
    found = clean(Command("db", "gcc", words, str(here)))
    assert found.flags == ("-DX",)
    assert found.refused == ("-Xclang -load", "-Xclang evil.so", "-fplugin=evil.so", "--config=x")
    assert found.not_followed == ("@flags",)


def test_the_compiler_behind_what_starts_it(here: Path) -> None:
    command = Command("db", "/usr/bin/ccache", ("distcc", "/opt/bin/arm-none-eabi-gcc", "-DX"), str(here))
    assert clean(command).compiler == "arm-none-eabi-gcc"
    assert clean(command).flags == ("-DX",)
    assert clean(Command("db", None, ("-DX",), str(here))).compiler is None


@pytest.mark.parametrize(
    ("compiler", "target"),
    [
        ("arm-none-eabi-gcc", "arm-none-eabi"),
        ("/opt/x/arm-linux-gnueabihf-gcc-12", "arm-linux-gnueabihf"),
        ("C:\\tools\\avr-gcc.exe", "avr"),
        ("riscv64-unknown-elf-g++", "riscv64-unknown-elf"),
        ("gcc", None),
        ("cc", None),
        ("clang-17", None),
        ("c99-gcc", None),
        ("afl-clang", None),
        ("iccarm", None),
    ],
)
def test_the_target_by_the_name_of_the_compiler(compiler: str, target: str | None) -> None:
    assert target_by_name(compiler) == target


def test_the_compiler_of_this_machine_is_no_cross_compiler() -> None:
    machine, *rest = libclang.host_triple().split("-")
    assert target_by_name(f"{machine}-{'-'.join(rest[-2:])}-gcc") is None
    assert target_by_name(f"{libclang.host_triple()}-gcc-13") is None
